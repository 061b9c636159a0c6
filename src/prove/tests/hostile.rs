//! 1,000 hostile commands: none leaves a process, and none writes outside.
#![allow(
    clippy::disallowed_methods,
    reason = "these tests write files and start processes"
)]

mod support;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use fixpoint_prove::runner::RunRequest;
use support::{Fixture, processes};

/// What a command tries. `$OUT` is a folder outside, and `$MARK` is a name for files.
const ACTIONS: [&str; 25] = [
    "echo bad > $OUT/$MARK",
    "rm -rf $OUT $OUT/canary",
    "ln -s $OUT link; echo bad > link/$MARK; echo bad > link/canary",
    "mv src/a.txt $OUT/$MARK; ln src/a.txt $OUT/$MARK; cp src/a.txt $OUT/canary",
    "for d in / /etc /usr /var /var/tmp /opt /srv /run /root; do echo bad > $d/$MARK; done",
    "kill -9 1; kill -9 $PPID; kill -TERM 1; kill -STOP 1",
    "kill -9 -1",
    "sleep 1000 & sleep 1000 & :",
    "setsid sleep 1000 >/dev/null 2>&1 </dev/null & :",
    "(setsid sh -c '(sleep 1000 &) ; sleep 1000 &' &) ; :",
    "f() { if [ $1 -gt 0 ]; then f $(($1 - 1)) & f $(($1 - 1)) & fi; sleep 1000; }; f 4 & :",
    "yes $MARK | head -c 3000000; yes $MARK | head -c 3000000 >&2",
    "trap '' TERM HUP INT QUIT; while :; do :; done",
    "python3 -c 'import ctypes, os
p = ctypes.CDLL(None).ptrace
if p(16, 1, 0, 0) == 0 or p(0x4206, 1, 0, 0) == 0: open(os.environ[\"OUT\"] + \"/ptrace\", \"w\")'",
    "chmod 777 $OUT $OUT/canary; touch -d 2001-01-01 $OUT/canary; chown 1 $OUT/canary",
    "mkfifo $OUT/$MARK; mknod disk b 254 0; echo bad > disk; echo bad > /dev/vda; echo bad > /dev/sda",
    "mount -o remount,rw /; mount -t tmpfs none $OUT; umount -l $OUT; echo bad > $OUT/$MARK",
    "unshare -Urm sh -c 'mount -o remount,rw,bind /; echo bad > $OUT/$MARK'",
    "echo bad > /proc/1/mem; echo bad > /proc/sys/kernel/hostname; echo b > /proc/sysrq-trigger",
    "echo bad > /proc/1/root$OUT/$MARK; echo bad > /proc/1/cwd/$MARK; for f in /proc/1/fd/*; do echo bad > $f; done",
    "nsenter -t 1 -a sh -c 'echo bad > $OUT/$MARK'; chroot /proc/1/root sh -c 'echo bad > $OUT/$MARK'",
    "truncate -s 0 $OUT/canary; dd if=/dev/zero of=$OUT/canary bs=1 count=9; sed -i s/a/b/ $OUT/canary",
    "mkdir -p a/b/c; touch a/b/c/x; chmod 000 a/b/c a/b a src; mkdir 'new\nline'; touch -- -rf; exit 3",
    "python3 -c 'import os, signal, time
for number in range(1, 32):
    try: signal.signal(number, signal.SIG_IGN)
    except OSError: pass
for _ in range(8):
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.closerange(0, 256)
            time.sleep(1000)
        os._exit(0)'",
    "ln -sfn $OUT $RESULTS/link; echo bad > $RESULTS/link/$MARK; echo '* * * * * touch /tmp/x' | crontab -",
];

/// How the action is started.
const STARTS: [&str; 10] = [
    "sh -c \"$ACTION\"",
    "setsid sh -c \"$ACTION\"",
    "setsid -f sh -c \"$ACTION\"",
    "nohup sh -c \"$ACTION\" > /dev/null 2>&1",
    "sh -c \"$ACTION\" & :",
    "sh -c \"$ACTION\" & wait",
    "trap '' TERM HUP INT; sh -c \"$ACTION\"",
    "cd /; exec sh -c \"$ACTION\"",
    "unshare -Ur sh -c \"$ACTION\"",
    "env -i PATH=$PATH OUT=$OUT MARK=$MARK RESULTS=$RESULTS sh -c \"$ACTION\"; kill -9 $$",
];

const ROUNDS: usize = 4;

#[test]
fn hostile_commands_leave_nothing() {
    let mut fixture = Fixture::new();
    fixture.config.grace = Duration::from_millis(20);
    fixture.config.max_text = 4 << 10;
    let outside = fixture.root.join("outside");
    std::fs::create_dir(&outside).expect("a folder");
    std::fs::write(outside.join("canary"), "canary").expect("a file");
    let mark = format!("hostile-{}", std::process::id());
    let before = fixture.snapshot();
    let runner = fixture.runner();
    let total = ACTIONS.len() * STARTS.len() * ROUNDS;
    assert_eq!(total, 1000);
    let next = AtomicUsize::new(0);
    let timeouts = AtomicUsize::new(0);
    let start = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= total {
                        break;
                    }
                    let action = ACTIONS[number % ACTIONS.len()];
                    let method = STARTS[number / ACTIONS.len() % STARTS.len()];
                    let variable = |name: &str, value: &str| (name.to_owned(), value.to_owned());
                    let seconds = if action.contains("while :") { 0.1 } else { 3.0 };
                    let request = RunRequest {
                        environment: [
                            variable("ACTION", action),
                            variable("MARK", &mark),
                            variable("OUT", &outside.display().to_string()),
                            variable("RESULTS", &fixture.results.display().to_string()),
                        ]
                        .into(),
                        timeout: Duration::from_secs_f64(seconds),
                        ..fixture.request(&["sh", "-c", method])
                    };
                    let outcome = runner
                        .run(&request)
                        .unwrap_or_else(|error| panic!("{method}: {action}: {error}"));
                    assert_eq!(outcome.layers.refused.len(), 0);
                    assert!(outcome.stdout.text.len() < 5 << 10);
                    timeouts.fetch_add(outcome.timed_out.into(), Ordering::Relaxed);
                }
            });
        }
    });
    let survivors = processes(&mark);
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{total} hostile commands in {seconds:.1} s, {} timeouts, {survivors} survivors",
        timeouts.into_inner()
    );
    assert_eq!(survivors, 0);
    assert_eq!(fixture.snapshot(), before);
    let modified = outside
        .join("canary")
        .metadata()
        .expect("a file")
        .modified();
    assert!(
        modified
            .expect("a time")
            .elapsed()
            .expect("a duration")
            .as_secs_f64()
            < seconds + 60.0
    );
    for folder in [
        "/", "/etc", "/usr", "/var", "/var/tmp", "/opt", "/srv", "/run", "/root", "/tmp",
    ] {
        assert!(
            !std::path::Path::new(folder).join(&mark).exists(),
            "{folder}"
        );
    }
}

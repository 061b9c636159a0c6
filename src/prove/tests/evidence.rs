//! Evidence is written, verified and signed.
#![allow(
    clippy::disallowed_methods,
    reason = "tests write folders and run tools"
)]

#[path = "support/sample.rs"]
mod sample;

use std::fs;
use std::path::Path;
use std::process::Command;

use fixpoint_prove::evidence::{
    ENVELOPE, EVIDENCE_JSON, EVIDENCE_MD, Evidence, PATCH, PR_BODY, PR_TITLE, Recorder,
    RecorderError, VerifyError, seal, verify, verify_files, verify_with_key, without_times,
};
use fixpoint_prove::key::SigningKey;
use fixpoint_prove::record::World;
use fixpoint_prove::verdict::Verdict;
use sample::{files, outcome, record, record_worlds, write};

type Files = std::collections::BTreeMap<String, Vec<u8>>;

type TestResult = Result<(), Box<dyn std::error::Error>>;

// E-34 E-40 E-41 E-93a E-93b
#[test]
fn a_written_folder_verifies() -> TestResult {
    let folder = tempfile::tempdir()?;
    let evidence = write(folder.path(), Verdict::Proved, None)?;
    let verified = verify(folder.path())?;
    assert_eq!(verified.verdict, Verdict::Proved);
    assert_eq!(verified.records, 8);
    assert_eq!(verified.sha256, evidence.sha256);
    assert_eq!(verified.signed_by, None);
    for name in [
        EVIDENCE_JSON,
        EVIDENCE_MD,
        ENVELOPE,
        PATCH,
        PR_BODY,
        PR_TITLE,
    ] {
        assert!(folder.path().join(name).is_file(), "{name}");
    }
    // The names of the seed.
    let json: serde_json::Value =
        serde_json::from_slice(&fs::read(folder.path().join(EVIDENCE_JSON))?)?;
    for name in ["createdAt", "repoPath", "reproCommand", "commands", "notes"] {
        assert!(!json[name].is_null(), "{name}");
    }
    for name in [
        "stdout",
        "stderr",
        "exitCode",
        "durationMs",
        "phase",
        "allowedByPolicy",
    ] {
        assert!(!json["commands"][0][name].is_null(), "{name}");
    }
    Ok(())
}

/// Issue 18: 10,000 random bit flips, all detected.
#[test]
fn every_bit_flip_is_detected() -> TestResult {
    const FLIPS: usize = 10_000;
    let key = SigningKey::from_seed(&[7; 32]);
    for key in [None, Some(&key)] {
        let folder = tempfile::tempdir()?;
        write(folder.path(), Verdict::Proved, key)?;
        let mut files = files(folder.path());
        verify_files(&files, None)?;
        let sizes: Vec<(String, usize)> = files
            .iter()
            .map(|(name, contents)| (name.clone(), contents.len()))
            .collect();
        let total: usize = sizes.iter().map(|(_, size)| size).sum();
        let mut state: u64 = 0x9e37_79b9_7f4a_7c15;
        for _ in 0..FLIPS / 2 {
            // Xorshift: the same flips in each run of this test.
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let mut place = usize::try_from(state >> 8)? % total;
            let bit = 1 << (state % 8);
            let found = sizes
                .iter()
                .find(|(_, size)| match place.checked_sub(*size) {
                    Some(rest) => {
                        place = rest;
                        false
                    }
                    None => true,
                });
            let (name, _) = found.expect("a file");
            files.get_mut(name).expect("a file")[place] ^= bit;
            let result = verify_files(&files, None);
            assert!(result.is_err(), "bit {bit} of byte {place} in {name}");
            files.get_mut(name).expect("a file")[place] ^= bit;
        }
        verify_files(&files, None)?;
    }
    Ok(())
}

/// A change that an attacker makes consistent up to the next digest names what is wrong.
#[test]
fn errors_name_the_record_or_the_file() -> TestResult {
    let folder = tempfile::tempdir()?;
    let mut evidence = write(folder.path(), Verdict::NotFixed, None)?;
    let good = files(folder.path());
    let with = |change: &dyn Fn(&mut Files)| {
        let mut files = good.clone();
        change(&mut files);
        verify_files(&files, None)
            .expect_err("rejected")
            .to_string()
    };
    let log = good.keys().find(|name| name.starts_with("logs/"));
    let log = log.ok_or("no log")?.clone();
    let error = with(&|files| files.get_mut(&log).expect("a log").push(b'x'));
    assert!(error.starts_with(&log), "{error}");
    let error = with(&|files| drop(files.remove(&log)));
    assert_eq!(error, format!("{log} is missing"));
    let error = with(&|files| drop(files.remove(ENVELOPE)));
    assert_eq!(error, "evidence.intoto.jsonl is missing");
    let error = with(&|files| drop(files.insert("extra.txt".into(), Vec::new())));
    assert_eq!(error, "extra.txt is not listed in evidence.json");

    evidence.commands[2].record.exit_code = Some(0);
    seal(&mut evidence)?;
    let json = evidence.to_json()?;
    let error = with(&|files| drop(files.insert(EVIDENCE_JSON.into(), json.clone().into())));
    assert!(error.contains("record 3 was changed"), "{error}");

    // A document that is consistent in itself, but has another verdict than the envelope.
    let mut evidence: Evidence = serde_json::from_slice(&good[EVIDENCE_JSON])?;
    evidence.outcome.verdict = Verdict::Flaky;
    seal(&mut evidence)?;
    let json = evidence.to_json()?;
    let error = with(&|files| drop(files.insert(EVIDENCE_JSON.into(), json.clone().into())));
    assert!(error.contains("does not match evidence.json"), "{error}");
    Ok(())
}

#[test]
fn links_pipes_and_folders_are_rejected_without_reading_them() -> TestResult {
    let folder = tempfile::tempdir()?;
    write(folder.path(), Verdict::Proved, None)?;
    let extra = folder.path().join("logs/extra.txt");
    let is_unknown = || match verify(folder.path()) {
        Err(VerifyError::Unknown { file }) => file == "logs/extra.txt",
        _ => false,
    };
    std::os::unix::fs::symlink("/dev/zero", &extra)?;
    assert!(is_unknown());
    fs::remove_file(&extra)?;
    rustix::fs::mkfifoat(rustix::fs::CWD, &extra, rustix::fs::Mode::RUSR)?;
    assert!(is_unknown());
    fs::remove_file(&extra)?;
    fs::create_dir(&extra)?;
    assert!(is_unknown());
    fs::remove_dir(&extra)?;
    verify(folder.path())?;

    let body = folder.path().join(PR_BODY);
    let copy = folder.path().join("reports/stats.json");
    fs::remove_file(&body)?;
    std::os::unix::fs::symlink(copy, &body)?;
    assert!(matches!(
        verify(folder.path()),
        Err(VerifyError::Unknown { .. })
    ));

    // A sparse file of 1 TiB is not read.
    fs::remove_file(&body)?;
    fs::File::create(&body)?.set_len(1 << 40)?;
    assert!(matches!(verify(folder.path()), Err(VerifyError::TooLarge)));
    Ok(())
}

#[test]
fn a_signature_is_checked_with_the_given_key() -> TestResult {
    let folder = tempfile::tempdir()?;
    let key = SigningKey::from_seed(&[7; 32]);
    write(folder.path(), Verdict::Proved, Some(&key))?;
    let fingerprint = Some(key.public().fingerprint());
    assert_eq!(verify(folder.path())?.signed_by, fingerprint);
    let verified = verify_with_key(folder.path(), Some(&key.public()))?;
    assert_eq!(verified.signed_by, fingerprint);
    let other = SigningKey::from_seed(&[8; 32]).public();
    let error = verify_with_key(folder.path(), Some(&other));
    let error = error.expect_err("another key").to_string();
    assert!(error.contains("signed by another key"), "{error}");

    write(folder.path(), Verdict::Proved, None)?;
    let error = verify_with_key(folder.path(), Some(&other));
    let error = error.expect_err("no signature").to_string();
    assert!(error.contains("no signature"), "{error}");
    Ok(())
}

#[test]
fn two_runs_differ_in_times_only() -> TestResult {
    let (first, second) = (tempfile::tempdir()?, tempfile::tempdir()?);
    let one = write(first.path(), Verdict::Proved, None)?;
    let mut recorder = Recorder::create(second.path())?;
    for chained in &one.commands {
        let mut record = chained.record.clone();
        record.started_at = "2027-07-07T07:07:07Z".to_owned();
        record.duration_ms += 100;
        let (stdout, stderr) = (record.stdout.clone(), record.stderr.clone());
        recorder.append(record, stdout.as_bytes(), stderr.as_bytes())?;
    }
    recorder.add(PATCH, sample::DIFF)?;
    recorder.add("reports/stats.json", b"{}\n")?;
    let mut later = outcome(Verdict::Proved);
    later.created_at = "2027-07-07T07:07:07Z".to_owned();
    let two = recorder.finish(later, None)?;
    assert_ne!(one, two);
    assert_eq!(without_times(&one), without_times(&two));
    let (mut one, mut two) = (files(first.path()), files(second.path()));
    for files in [&mut one, &mut two] {
        files.retain(|name, _| name != EVIDENCE_JSON && name != ENVELOPE);
    }
    assert_eq!(one, two);
    Ok(())
}

// E-108
#[test]
fn a_resumed_run_writes_the_same_files() -> TestResult {
    let (whole, resumed) = (tempfile::tempdir()?, tempfile::tempdir()?);
    write(whole.path(), Verdict::Proved, None)?;

    let mut killed = Recorder::create(resumed.path())?;
    record_worlds(&mut killed)?;
    let records = killed.commands().to_vec();
    // The killed run got further than its checkpoint, and wrote a part of a file.
    killed.append(record(World::Both, 3, 0), b"lost", b"lost")?;
    fs::write(resumed.path().join("logs/.fixpoint-partial-x"), "part")?;
    drop(killed);
    let mut recorder = Recorder::resume(resumed.path(), records.clone())?;
    assert_eq!(recorder.commands(), records);
    recorder.add(PATCH, sample::DIFF)?;
    recorder.add("reports/stats.json", b"{}\n")?;
    recorder.finish(outcome(Verdict::Proved), None)?;
    assert_eq!(files(whole.path()), files(resumed.path()));
    verify(resumed.path())?;

    let mut changed = records;
    changed[0].record.exit_code = Some(9);
    let refused = Recorder::resume(resumed.path(), changed);
    assert!(matches!(refused, Err(RecorderError::Chain(_))));
    Ok(())
}

#[test]
fn a_new_run_replaces_artifacts_and_keeps_other_files() -> TestResult {
    let folder = tempfile::tempdir()?;
    write(folder.path(), Verdict::Proved, None)?;
    let mut recorder = Recorder::create(folder.path())?;
    assert!(files(folder.path()).is_empty());
    for name in [
        "evidence.json",
        "../patch.diff",
        "reports/../x",
        "reports/.x",
        "logs/x",
    ] {
        let refused = recorder.add(name, b"");
        assert!(matches!(refused, Err(RecorderError::Name { .. })), "{name}");
    }
    let mut cites = outcome(Verdict::NotFixed);
    cites.patch = None;
    let refused = recorder.finish(cites, None);
    assert!(matches!(refused, Err(RecorderError::UnknownRecord { .. })));

    fs::write(folder.path().join("notes.txt"), "mine")?;
    let refused = Recorder::create(folder.path());
    assert!(matches!(refused, Err(RecorderError::NotEmpty { .. })));
    assert_eq!(fs::read_to_string(folder.path().join("notes.txt"))?, "mine");
    Ok(())
}

/// Runs the independent verifier of the envelope.
fn verify_envelope(folder: &Path, public_key: Option<&str>) -> std::io::Result<(bool, String)> {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/verify_envelope.py");
    let output = Command::new("python3")
        .arg(script)
        .arg(folder)
        .args(public_key)
        .output()?;
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    Ok((output.status.success(), text))
}

/// Issue 18: an independent verifier accepts the envelope. Needs python3, openssl and ssh-keygen.
#[test]
fn an_independent_verifier_accepts_the_envelope() -> TestResult {
    let keys = tempfile::tempdir()?;
    let run = |program: &str, arguments: &[&str]| {
        let status = Command::new(program)
            .args(arguments)
            .current_dir(keys.path())
            .output();
        let status = status.map(|output| output.status.success());
        assert!(status.unwrap_or(false), "this test needs `{program}`");
    };
    run(
        "openssl",
        &["genpkey", "-algorithm", "ed25519", "-out", "pkcs8"],
    );
    run(
        "ssh-keygen",
        &["-q", "-t", "ed25519", "-N", "", "-f", "openssh"],
    );
    run(
        "ssh-keygen",
        &["-q", "-t", "ed25519", "-N", "x", "-f", "secret"],
    );
    let secret = fs::read_to_string(keys.path().join("secret"))?;
    let error = SigningKey::parse(&secret).expect_err("a passphrase");
    assert!(error.to_string().contains("passphrase"), "{error}");

    let line = fs::read_to_string(keys.path().join("openssh.pub"))?;
    let openssh = SigningKey::parse(&fs::read_to_string(keys.path().join("openssh"))?)?;
    assert!(line.starts_with(&openssh.public().to_line()), "{line}");

    let folder = tempfile::tempdir()?;
    write(folder.path(), Verdict::Proved, None)?;
    let (ok, text) = verify_envelope(folder.path(), None)?;
    assert!(ok && text.contains("2 statements, unsigned"), "{text}");
    for name in ["pkcs8", "openssh"] {
        let key = SigningKey::parse(&fs::read_to_string(keys.path().join(name))?)?;
        write(folder.path(), Verdict::Proved, Some(&key))?;
        let line = key.public().to_line();
        let (ok, text) = verify_envelope(folder.path(), Some(&line))?;
        assert!(ok && text.contains("2 statements, signed"), "{text}");
    }

    let path = folder.path().join(ENVELOPE);
    let good = fs::read_to_string(&path)?;
    let signature = good.rfind("\"sig\":\"").ok_or("no signature")? + 7;
    let mut damaged = good.clone().into_bytes();
    damaged[signature] = if damaged[signature] == b'A' {
        b'B'
    } else {
        b'A'
    };
    fs::write(&path, damaged)?;
    let (ok, text) = verify_envelope(folder.path(), None)?;
    assert!(!ok && text.contains("signature"), "{text}");
    fs::write(&path, good)?;
    fs::write(folder.path().join(PATCH), "other")?;
    let (ok, text) = verify_envelope(folder.path(), None)?;
    assert!(!ok && text.contains("patch.diff"), "{text}");
    Ok(())
}

/// Issue 18: verification takes less than a second. The test prints the time and asserts no limit.
#[test]
fn a_large_run_verifies() -> TestResult {
    let folder = tempfile::tempdir()?;
    let mut recorder = Recorder::create(folder.path())?;
    for run in 1..=500 {
        let mut record = record(World::Both, run, 0);
        record.stdout = format!("{run}: {}", "a line of output\n".repeat(1000));
        let log = record.stdout.repeat(4);
        recorder.append(record, log.as_bytes(), b"")?;
    }
    recorder.add(PATCH, sample::DIFF)?;
    recorder.finish(outcome(Verdict::Proved), None)?;
    let bytes: usize = files(folder.path()).values().map(Vec::len).sum();
    let start = std::time::Instant::now();
    let verified = verify(folder.path())?;
    let time = start.elapsed();
    assert_eq!(verified.records, 500);
    println!("verified 500 records and {bytes} bytes in {time:?}");
    Ok(())
}

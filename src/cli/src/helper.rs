//! Helper processes: instances of this executable that work for this process.
//!
//! A thread cannot be killed, and a parser that does not end may allocate without limit. So helpers
//! do the work on many files and all work of a persistent worker. A helper that exceeds its time
//! limit is killed and replaced. The system limits its memory.
//!
//! Wire format in both directions: frames of a `u64` length and that many bytes. A helper answers
//! each frame with one frame. It ends at the end of its standard input, so that no helper outlives
//! its parent.

use std::collections::VecDeque;
use std::io::{self, BufReader, Read, Write};
use std::iter;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use fixpoint_workspace::bound_address_space;

use crate::pool::{MEMORY_LIMIT, STACK_SIZE, spawn_worker};

/// Address space of a helper for code, arenas and buffers, in addition to its stack and heap limit.
const SPARE_SPACE: u64 = 1 << 30;

/// Requests that are queued in a helper, in addition to the current one.
const AHEAD: usize = 4;

/// A process that answers one request at a time.
pub(crate) struct Helper {
    child: Child,
    stdin: ChildStdin,
    answers: Receiver<Vec<u8>>,
}

/// Why an answer is missing. The helper cannot be used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HelperFailure {
    TimedOut,
    Crashed,
}

impl Helper {
    pub(crate) fn start() -> io::Result<Self> {
        let mut child = Command::new(std::env::current_exe()?)
            .arg("isolated")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let (sender, answers) = channel();
        let mut stdout = BufReader::new(stdout);
        thread::spawn(move || {
            while let Ok(Some(answer)) = read_frame(&mut stdout)
                && sender.send(answer).is_ok()
            {}
        });
        Ok(Self {
            child,
            stdin,
            answers,
        })
    }

    pub(crate) fn ask(
        &mut self,
        request: &[u8],
        limit: Duration,
    ) -> Result<Vec<u8>, HelperFailure> {
        self.send(request);
        self.receive(limit)
    }

    /// Errors are ignored: a dead helper is detected when its answer is read. A live helper always
    /// reads its input, even while it works.
    fn send(&mut self, request: &[u8]) {
        let _ = write_frame(&mut self.stdin, request);
    }

    fn receive(&mut self, limit: Duration) -> Result<Vec<u8>, HelperFailure> {
        // Otherwise an answer that is already there would still count as in time.
        if limit.is_zero() {
            return Err(HelperFailure::TimedOut);
        }
        let answer = self.answers.recv_timeout(limit);
        answer.map_err(|error| match error {
            RecvTimeoutError::Timeout => HelperFailure::TimedOut,
            RecvTimeoutError::Disconnected => HelperFailure::Crashed,
        })
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The result of a request, or why no helper could be started for it.
pub(crate) type Answered = Result<Result<Vec<u8>, HelperFailure>, String>;

/// Distributes the requests to `jobs` helpers, and returns the answers in the order of the
/// requests. `begin` starts a helper, and a replacement for each that is lost. `progress` is called
/// after each request.
pub(crate) fn ask_all(
    requests: &[Vec<u8>],
    jobs: usize,
    limit: Duration,
    begin: impl Fn() -> Result<Helper, String> + Sync,
    mut progress: impl FnMut(),
) -> Vec<Answered> {
    let next = AtomicUsize::new(0);
    let (sender, done) = channel();
    let mut answers: Vec<Answered> = requests
        .iter()
        .map(|_| Ok(Err(HelperFailure::Crashed)))
        .collect();
    thread::scope(|scope| {
        for _ in 0..jobs.min(requests.len()) {
            let (next, begin, sender) = (&next, &begin, sender.clone());
            let take = move || {
                let index = next.fetch_add(1, Ordering::Relaxed);
                requests
                    .get(index)
                    .map(|request| (index, request.as_slice()))
            };
            let give = move |index, answer| drop(sender.send((index, answer)));
            scope.spawn(move || ask_one_by_one(take, limit, begin, give));
        }
        drop(sender);
        for (index, answer) in done {
            answers[index] = answer;
            progress();
        }
    });
    answers
}

/// Runs one helper at a time. A few requests are sent ahead, so that the helper does not wait for
/// them.
fn ask_one_by_one<'a>(
    take: impl Fn() -> Option<(usize, &'a [u8])>,
    limit: Duration,
    begin: impl Fn() -> Result<Helper, String>,
    give: impl Fn(usize, Answered),
) {
    let mut sent: VecDeque<(usize, &[u8])> = VecDeque::new();
    loop {
        let mut helper = match begin() {
            Ok(helper) => helper,
            // The next one would not start either.
            Err(reason) => {
                let left = sent.into_iter().chain(iter::from_fn(take));
                left.for_each(|(index, _)| give(index, Err(reason.clone())));
                return;
            }
        };
        // After a loss: the requests that the lost helper had not answered.
        for (_, request) in &sent {
            helper.send(request);
        }
        loop {
            while sent.len() < AHEAD
                && let Some((index, request)) = take()
            {
                helper.send(request);
                sent.push_back((index, request));
            }
            let Some((index, _)) = sent.pop_front() else {
                return;
            };
            let answer = helper.receive(limit);
            let is_lost = answer.is_err();
            give(index, Ok(answer));
            if is_lost {
                break;
            }
        }
    }
}

/// The helper's side: answers frames until the end of the input.
pub(crate) fn serve(mut answer: impl FnMut(&[u8]) -> Vec<u8> + Send + 'static) -> io::Result<()> {
    bound_address_space(MEMORY_LIMIT + STACK_SIZE as u64 + SPARE_SPACE);
    let (sender, requests) = channel::<Vec<u8>>();
    spawn_worker(move || {
        for request in requests {
            let answer = answer(&request);
            if write_frame(&mut io::stdout(), &answer).is_err() {
                return;
            }
        }
    })?;
    let mut stdin = io::stdin().lock();
    while let Some(request) = read_frame(&mut stdin)? {
        if sender.send(request).is_err() {
            // A panic has ended the worker.
            return Err(io::ErrorKind::BrokenPipe.into());
        }
    }
    Ok(())
}

fn write_frame(to: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    let mut frame = Vec::with_capacity(8 + bytes.len());
    frame.extend((bytes.len() as u64).to_le_bytes());
    frame.extend(bytes);
    to.write_all(&frame)?;
    to.flush()
}

fn read_frame(from: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; 8];
    match from.read_exact(&mut length) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        read => read?,
    }
    let mut bytes = Vec::new();
    let length = u64::from_le_bytes(length);
    let read = from.take(length).read_to_end(&mut bytes)?;
    if read as u64 != length {
        return Ok(None);
    }
    Ok(Some(bytes))
}

//! Processes many files at once, with a time limit for each.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Parsers and printers recurse as deep as the text nests. The memory is only reserved, not used,
/// until a file needs it.
pub(crate) const STACK_SIZE: usize = 1 << 30;
/// Fallback if so much memory cannot be reserved.
const SMALL_STACK_SIZE: usize = 64 << 20;
/// The name of the threads that run parsers and printers.
const WORKER: &str = "analysis";
const WATCH_INTERVAL: Duration = Duration::from_millis(50);
/// The memory limit of this process.
pub(crate) const MEMORY_LIMIT: u64 = 4 << 30;

/// Whether a thread of this process was given up and may still be running.
static GAVE_UP: AtomicBool = AtomicBool::new(false);

/// The result for one item.
#[derive(Debug)]
pub(crate) enum TimedResult<T> {
    Done(T),
    TimedOut,
}

/// The state of a worker: its current item, when it started on that item, and its results. The results
/// stay here until they are collected, so that no thread has to be woken for each of them.
struct WorkerState<T> {
    current: Option<(usize, Instant)>,
    done: Vec<(usize, T)>,
}

type SharedState<T> = Arc<Mutex<WorkerState<T>>>;

struct Job<I, T> {
    items: Vec<I>,
    next: AtomicUsize,
    work: Box<dyn Fn(&I) -> T + Send + Sync>,
}

/// Whether work continues after an item was given up. The thread of that item keeps running until
/// the process ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnTimeout {
    /// For items that all start at once: they all end at about the same deadline.
    Continue,
    /// Unfinished items have no result.
    Stop,
}

/// Whether a thread of this process was given up and may still be running.
pub(crate) fn gave_up() -> bool {
    GAVE_UP.load(Ordering::Relaxed)
}

/// Does `work` on every item with `jobs` threads, and returns the results in the order of the items.
/// `progress` is called for each item that is done. An item is given up past the time limit, and
/// when the process uses more than [`MEMORY_LIMIT`].
pub(crate) fn work_on<I, T>(
    items: Vec<I>,
    jobs: usize,
    (time_limit, on_timeout): (Duration, OnTimeout),
    work: impl Fn(&I) -> T + Send + Sync + 'static,
    mut progress: impl FnMut(),
) -> Vec<Option<TimedResult<T>>>
where
    I: Send + Sync + 'static,
    T: Send + 'static,
{
    let count = items.len();
    let job = Arc::new(Job {
        items,
        next: AtomicUsize::new(0),
        work: Box::new(work),
    });
    let (idle, idlers) = channel();
    let mut workers: Vec<_> = (0..jobs.min(count)).map(|_| start(&job, &idle)).collect();
    let mut results: Vec<Option<TimedResult<T>>> = (0..count).map(|_| None).collect();
    let mut left = count;
    while left > 0 {
        // Either a worker found no item left, or it is time to look for late ones.
        let _ = idlers.recv_timeout(WATCH_INTERVAL);
        let is_too_large = memory_in_use().is_some_and(|bytes| bytes > MEMORY_LIMIT);
        let mut late = 0;
        for state in &workers {
            let mut state = lock(state);
            let done = state.done.drain(..);
            let mut seen: Vec<_> = done
                .map(|(index, it)| (index, TimedResult::Done(it)))
                .collect();
            if let Some((index, since)) = state.current
                && (is_too_large || since.elapsed() >= time_limit)
            {
                GAVE_UP.store(true, Ordering::Relaxed);
                // Cleared, so that the item is reported only once, and its thread knows that it was given up.
                state.current = None;
                late += 1;
                seen.push((index, TimedResult::TimedOut));
            }
            drop(state);
            left -= seen.len();
            for (index, result) in seen {
                results[index] = Some(result);
                progress();
            }
        }
        if late > 0 && on_timeout == OnTimeout::Stop {
            break;
        }
        // The threads that are late keep their state; new workers take over the remaining items.
        workers.extend((0..late).map(|_| start(&job, &idle)));
    }
    results
}

/// The memory that this process uses now, if the system reports it.
fn memory_in_use() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let resident = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kilobytes: u64 = resident.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kilobytes * 1024)
}

/// Starts a thread with a large stack for recursion.
pub(crate) fn spawn_worker(work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    thread::Builder::new()
        .name(WORKER.to_owned())
        .stack_size(STACK_SIZE)
        .spawn(work)
        .map(drop)
}

fn lock<T>(state: &SharedState<T>) -> MutexGuard<'_, WorkerState<T>> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

fn start<I, T>(job: &Arc<Job<I, T>>, idle: &Sender<()>) -> SharedState<T>
where
    I: Send + Sync + 'static,
    T: Send + 'static,
{
    let state = Arc::new(Mutex::new(WorkerState {
        current: None,
        done: Vec::new(),
    }));
    let run = || {
        let (job, idle, state) = (Arc::clone(job), idle.clone(), Arc::clone(&state));
        move || {
            loop {
                let index = job.next.fetch_add(1, Ordering::Relaxed);
                let Some(item) = job.items.get(index) else {
                    break;
                };
                lock(&state).current = Some((index, Instant::now()));
                let result = (job.work)(item);
                let mut state = lock(&state);
                // A thread that was given up has been replaced.
                if state.current.take().is_none() {
                    return;
                }
                state.done.push((index, result));
            }
            // The receiver is gone once every item has its result.
            let _ = idle.send(());
        }
    };
    let spawn = |stack_size| {
        thread::Builder::new()
            .name(WORKER.to_owned())
            .stack_size(stack_size)
            .spawn(run())
    };
    if spawn(STACK_SIZE)
        .or_else(|_| spawn(SMALL_STACK_SIZE))
        .is_err()
    {
        // No thread can be started: the work is done here, without a time limit.
        run()();
    }
    state
}

/// Does not print panics of worker threads. A panic of a parser or printer is caught and reported as a
/// finding of its file, so printing it in the middle of the output as well would be noise.
pub(crate) fn silence_worker_panics() {
    let default_hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if thread::current().name() != Some(WORKER) {
            default_hook(panic);
        }
    }));
}

/// Runs `work` with a large stack for recursion.
pub(crate) fn with_large_stack<T: Send + 'static>(
    time_limit: Duration,
    work: impl Fn() -> T + Send + Sync + 'static,
) -> TimedResult<T> {
    let limits = (time_limit, OnTimeout::Stop);
    work_on(vec![()], 1, limits, move |()| work(), || {})
        .pop()
        .flatten()
        .unwrap_or(TimedResult::TimedOut)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let mut finished = 0;
        let done = work_on(
            (0..500).collect(),
            4,
            (Duration::MAX, OnTimeout::Continue),
            |item: &i32| item * 2,
            || finished += 1,
        );
        let numbers: Vec<i32> = done
            .into_iter()
            .flatten()
            .filter_map(|it| match it {
                TimedResult::Done(it) => Some(it),
                TimedResult::TimedOut => None,
            })
            .collect();
        assert_eq!(numbers, (0..500).map(|item| item * 2).collect::<Vec<_>>());
        assert_eq!(finished, 500);
    }

    #[test]
    fn an_item_that_never_ends_does_not_stop_the_others() {
        let done = work_on(
            (0..20).collect(),
            1,
            (Duration::from_millis(200), OnTimeout::Continue),
            |item: &i32| {
                if *item == 3 {
                    loop {
                        thread::park();
                    }
                }
            },
            || {},
        );
        assert!(matches!(done[3], Some(TimedResult::TimedOut)));
        // On a busy machine, other items may exceed the time limit too. None of them is left out.
        assert!(done.iter().all(Option::is_some));
    }

    #[test]
    fn the_large_stack_allows_deep_recursion() {
        fn depth(left: u32, pad: [u8; 1024]) -> u32 {
            if left == 0 {
                u32::from(std::hint::black_box(pad)[0])
            } else {
                1 + depth(left - 1, std::hint::black_box(pad))
            }
        }
        let TimedResult::Done(depth) = with_large_stack(Duration::MAX, || depth(50_000, [0; 1024]))
        else {
            panic!("late")
        };
        assert_eq!(depth, 50_000);
    }
}

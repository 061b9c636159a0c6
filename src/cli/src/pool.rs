//! Work on many files at once, with a limit on the time each may take.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Parsers and printers recurse as deep as the text nests. The memory is only reserved, not used,
/// until a file needs it.
const STACK_SIZE: usize = 1 << 30;
/// Where so much cannot be reserved.
const SMALL_STACK_SIZE: usize = 64 << 20;
/// What the threads are called that run parsers and printers.
const WORKER: &str = "analysis";
const WATCH_INTERVAL: Duration = Duration::from_millis(50);

/// What became of one item.
#[derive(Debug)]
pub(crate) enum Worked<T> {
    Done(T),
    TimedOut,
}

/// A worker's desk: the item it is at and since when, and what it has done. The results stay there
/// until they are collected, so that nobody has to be woken for each of them.
struct Desk<T> {
    at: Option<(usize, Instant)>,
    done: Vec<(usize, T)>,
}

type SharedDesk<T> = Arc<Mutex<Desk<T>>>;

struct Job<I, T> {
    items: Vec<I>,
    next: AtomicUsize,
    work: Box<dyn Fn(&I) -> T + Send + Sync>,
}

/// Does `work` on every item with `jobs` threads, and gives the results in the order of the items.
/// `progress` is told of each item that is done. An item past the time limit is given up; its
/// thread cannot be stopped, and ends with the process.
pub(crate) fn work_on<I, T>(
    items: Vec<I>,
    jobs: usize,
    time_limit: Duration,
    work: impl Fn(&I) -> T + Send + Sync + 'static,
    mut progress: impl FnMut(),
) -> Vec<Worked<T>>
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
    let mut desks: Vec<_> = (0..jobs.min(count)).map(|_| start(&job, &idle)).collect();
    let mut results: Vec<Option<Worked<T>>> = (0..count).map(|_| None).collect();
    let mut left = count;
    while left > 0 {
        // Either a worker found nothing left to do, or it is time to look.
        let _ = idlers.recv_timeout(WATCH_INTERVAL);
        let mut late = 0;
        for desk in &desks {
            let mut desk = lock(desk);
            let done = desk.done.drain(..);
            let mut seen: Vec<_> = done.map(|(index, it)| (index, Worked::Done(it))).collect();
            if let Some((index, since)) = desk.at
                && since.elapsed() >= time_limit
            {
                // Cleared, so that it is told only once, and its thread knows that it is given up.
                desk.at = None;
                late += 1;
                seen.push((index, Worked::TimedOut));
            }
            drop(desk);
            left -= seen.len();
            for (index, result) in seen {
                results[index] = Some(result);
                progress();
            }
        }
        // The threads that are late keep their desks; others take up the rest.
        desks.extend((0..late).map(|_| start(&job, &idle)));
    }
    results.into_iter().flatten().collect()
}

fn lock<T>(desk: &SharedDesk<T>) -> MutexGuard<'_, Desk<T>> {
    desk.lock().unwrap_or_else(PoisonError::into_inner)
}

fn start<I, T>(job: &Arc<Job<I, T>>, idle: &Sender<()>) -> SharedDesk<T>
where
    I: Send + Sync + 'static,
    T: Send + 'static,
{
    let desk = Arc::new(Mutex::new(Desk {
        at: None,
        done: Vec::new(),
    }));
    let run = || {
        let (job, idle, desk) = (Arc::clone(job), idle.clone(), Arc::clone(&desk));
        move || {
            loop {
                let index = job.next.fetch_add(1, Ordering::Relaxed);
                let Some(item) = job.items.get(index) else {
                    break;
                };
                lock(&desk).at = Some((index, Instant::now()));
                let result = (job.work)(item);
                let mut desk = lock(&desk);
                // A thread that was given up for late has been replaced.
                if desk.at.take().is_none() {
                    return;
                }
                desk.done.push((index, result));
            }
            // Nobody listens once every item has its result.
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
        // No thread can be had: the work is done here, without a time limit.
        run()();
    }
    desk
}

/// A panic of a parser or printer is caught and told as a finding of its file; saying it a second
/// time, in the middle of the output, helps nobody.
pub(crate) fn quiet_workers() {
    let speak = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if thread::current().name() != Some(WORKER) {
            speak(panic);
        }
    }));
}

/// Runs `work` with room to recurse.
pub(crate) fn with_large_stack<T: Send + 'static>(
    time_limit: Duration,
    work: impl Fn() -> T + Send + Sync + 'static,
) -> Worked<T> {
    work_on(vec![()], 1, time_limit, move |()| work(), || {})
        .pop()
        .unwrap_or(Worked::TimedOut)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items() {
        let mut told = 0;
        let done = work_on(
            (0..500).collect(),
            4,
            Duration::MAX,
            |item: &i32| item * 2,
            || told += 1,
        );
        let numbers: Vec<i32> = done
            .into_iter()
            .filter_map(|it| match it {
                Worked::Done(it) => Some(it),
                Worked::TimedOut => None,
            })
            .collect();
        assert_eq!(numbers, (0..500).map(|item| item * 2).collect::<Vec<_>>());
        assert_eq!(told, 500);
    }

    #[test]
    fn an_item_that_never_ends_does_not_keep_the_others() {
        let done = work_on(
            (0..20).collect(),
            1,
            Duration::from_millis(200),
            |item: &i32| {
                if *item == 3 {
                    loop {
                        thread::park();
                    }
                }
            },
            || {},
        );
        let late: Vec<usize> = done
            .iter()
            .enumerate()
            .filter(|(_, it)| matches!(it, Worked::TimedOut))
            .map(|(index, _)| index)
            .collect();
        assert_eq!(late, [3]);
    }

    #[test]
    fn there_is_room_to_recurse() {
        fn depth(left: u32, pad: [u8; 1024]) -> u32 {
            if left == 0 {
                u32::from(std::hint::black_box(pad)[0])
            } else {
                1 + depth(left - 1, std::hint::black_box(pad))
            }
        }
        let Worked::Done(depth) = with_large_stack(Duration::MAX, || depth(50_000, [0; 1024]))
        else {
            panic!("late")
        };
        assert_eq!(depth, 50_000);
    }
}

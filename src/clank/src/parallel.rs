//! Runs two tasks in parallel.

use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Enough for a recursive pass over a tree of any height.
const STACK_SIZE: usize = 64 << 20;

/// Runs the first task on this thread and the second on another. If no thread can be started, the
/// second runs afterwards.
pub fn both<A, B: Send>(first: impl FnOnce() -> A, second: impl FnOnce() -> B + Send) -> (A, B) {
    let left = Mutex::new(Some(second));
    let second = || {
        let left = left.lock().unwrap_or_else(PoisonError::into_inner).take();
        left.map(|it| it())
    };
    let (first, spawned) = thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK_SIZE);
        let spawned = thread.spawn_scoped(scope, second);
        let first = first();
        let spawned = spawned.ok().and_then(|thread| {
            let ended = thread.join();
            ended.unwrap_or_else(|panic| resume_unwind(panic))
        });
        (first, spawned)
    });
    match spawned.or_else(second) {
        Some(second) => (first, second),
        None => unreachable!("it is done on the thread, or else here"),
    }
}

/// Runs a task with a stack that is large enough to recurse.
pub fn with_room<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    both(|| (), work).1
}

//! Two things done at once.

use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// What a pass over a tree of any height needs.
const STACK_SIZE: usize = 64 << 20;

/// Does the first here and the second beside it, or after it where there is no thread to be had.
pub fn both<A, B: Send>(first: impl FnOnce() -> A, second: impl FnOnce() -> B + Send) -> (A, B) {
    let left = Mutex::new(Some(second));
    let second = || {
        let left = left.lock().unwrap_or_else(PoisonError::into_inner).take();
        left.map(|it| it())
    };
    let (first, beside) = thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK_SIZE);
        let beside = thread.spawn_scoped(scope, second);
        let first = first();
        let beside = beside.ok().and_then(|thread| {
            let ended = thread.join();
            ended.unwrap_or_else(|panic| resume_unwind(panic))
        });
        (first, beside)
    });
    match beside.or_else(second) {
        Some(second) => (first, second),
        None => unreachable!("it is done on the thread, or else here"),
    }
}

/// Does something with room to recurse.
pub fn with_room<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    both(|| (), work).1
}

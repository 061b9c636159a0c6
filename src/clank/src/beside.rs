//! Two things done at once.

use std::panic::resume_unwind;
use std::thread;

/// What a pass over a tree of any height needs.
const STACK_SIZE: usize = 64 << 20;

/// Does the first here and the second beside it, or after it where there is no thread to be had.
pub fn both<A, B: Send>(first: impl FnOnce() -> A, second: &(impl Fn() -> B + Sync)) -> (A, B) {
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(STACK_SIZE);
        let beside = thread.spawn_scoped(scope, second);
        let first = first();
        let second = match beside {
            Ok(thread) => thread.join().unwrap_or_else(|panic| resume_unwind(panic)),
            Err(_) => second(),
        };
        (first, second)
    })
}

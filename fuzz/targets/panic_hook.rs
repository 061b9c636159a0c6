//! Allows panics of printers that Fixpoint catches. libFuzzer's hook aborts on every panic, so it
//! is replaced by one that prints. An uncaught panic still ends the run.

use std::panic::set_hook;
use std::sync::Once;

pub fn allow_caught_panics() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| set_hook(Box::new(|panic| eprintln!("{panic}"))));
}

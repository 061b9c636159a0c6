//! Prints `docs/clank-codes.md`: `cargo run -p fixpoint-clank --example codes > docs/clank-codes.md`.

#![allow(clippy::print_stdout, reason = "printing is all it does")]

fn main() {
    print!("{}", fixpoint_clank::reference());
}

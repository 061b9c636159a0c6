//! Prints `docs/clank-codes.md`.

use std::io::{Result, Write as _, stdout};

fn main() -> Result<()> {
    stdout().write_all(fixpoint_clank::reference().as_bytes())
}

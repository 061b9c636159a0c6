//! Compilation time is proportional to program size.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use crate::compiled;

/// Functions of seven lines each. If `broken`, every tenth has an error.
fn program(functions: usize, broken: bool) -> String {
    let mut text =
        String::from("rec Item { name: Str, qty: Int }\nsum Kind { Small, Large(Int) }\n");
    for at in 0..functions {
        let last = if broken && at % 10 == 0 {
            format!("acc + bas{at}")
        } else {
            "acc + d".to_owned()
        };
        let _ = write!(
            text,
            "fn f{at}(item: Item, k: Kind, xs: [Int], d: Int{{d > 0}}) -> Int {{\n  let base{at} = item.qty * {at};\n  let extra = match k {{ Small -> 1, Large(w) -> w + 2 }};\n  let mut acc = fold(xs, 0, \\(a: Int, x: Int) -> a + x);\n  if d > 1 {{ acc = acc + base{at} }} else {{ acc = acc - extra }};\n  {last} + f{}(item, k, xs, d + 1)\n}}\n",
            at.saturating_sub(1)
        );
    }
    text
}

fn time(text: &str) -> Duration {
    let runs = (0..3).map(|_| {
        let start = Instant::now();
        let result = compiled(text);
        assert!(result.obligations.is_empty());
        start.elapsed()
    });
    runs.min().unwrap_or_default()
}

#[test]
fn compile_time_does_not_grow_quadratically() {
    for broken in [false, true] {
        let small = time(&program(200, broken));
        let large = time(&program(4_000, broken));
        println!("broken: {broken}; 1,400 lines: {small:?}, 28,000 lines: {large:?}");
        // The text is twenty times larger. Quadratic time would be 400 times as much, which a busy
        // machine does not explain.
        assert!(large < small * 120, "{small:?} {large:?}");
    }
}

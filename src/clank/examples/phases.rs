#![allow(warnings)]
use fixpoint_clank::{Input, Options, compile};
use std::io::Write;
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;
fn cpu() -> f64 {
    let s = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    s.split(' ').next().unwrap().parse::<f64>().unwrap() / 1e6
}
fn main() {
    let file = std::env::args().nth(1).unwrap();
    let rounds: usize = std::env::args().nth(2).map_or(1, |it| it.parse().unwrap());
    let text = std::fs::read_to_string(&file).unwrap();
    std::thread::Builder::new()
        .stack_size(64 << 20)
        .spawn(move || {
            let r = compile(
                Input::Source {
                    file: "a.clank",
                    text: &text,
                },
                &Options::default(),
            )
            .ok()
            .unwrap();
            let mut best = [1e9f64; 3];
            for _ in 0..rounds {
                let t = cpu();
                let both = fixpoint_clank::emit::emit_both(&r.canonical, &r.ast, &r.typing, None)
                    .ok()
                    .unwrap();
                let t1 = cpu();
                let begun = fixpoint_clank::json::begin_result(&r, std::io::sink());
                let t2 = cpu();
                begun
                    .finish(
                        "x",
                        Some(fixpoint_clank::json::Output {
                            js: &both[0],
                            ts: &both[1],
                        }),
                    )
                    .unwrap();
                let t3 = cpu();
                for (b, v) in best.iter_mut().zip([t1 - t, t2 - t1, t3 - t2]) {
                    *b = b.min(v);
                }
            }
            eprintln!(
                "emit {:.2} json {:.2} rest {:.2}",
                best[0], best[1], best[2]
            );
        })
        .unwrap()
        .join()
        .unwrap();
}

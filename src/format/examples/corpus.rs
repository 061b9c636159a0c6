#![allow(clippy::all, clippy::print_stdout, clippy::unwrap_used)]
use fixpoint_format::*;
use std::time::Instant;
fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    std::thread::Builder::new().stack_size(1 << 30).spawn(run).unwrap().join().unwrap();
}
fn run() {
    let styles = |l: Language| Some(l.default_style());
    let args: Vec<String> = std::env::args().collect();
    let verbose = args[1] == "-v";
    let list = std::fs::read_to_string(&args[2]).unwrap();
    let (mut ok, mut same, mut err, mut bytes) = (0, 0, std::collections::BTreeMap::<String, usize>::new(), 0);
    let mut t1 = 0.0;
    let mut t2 = 0.0;
    for path in list.lines() {
        let Ok(raw) = std::fs::read(path) else { continue };
        let Ok(text) = String::from_utf8(raw) else { continue };
        let Some(lang) = Language::detect(path, text.lines().next().unwrap_or("")) else { continue };
        let t = Instant::now();
        let r = canonical(lang, path, &text, &styles);
        let dt = t.elapsed().as_secs_f64();
        t1 += dt;
        if dt > 2.0 { println!("SLOW {dt:.1}s {} bytes {path}", text.len()); }
        bytes += text.len();
        match r {
            Ok(std::borrow::Cow::Borrowed(_)) => { same += 1; ok += 1; t2 += dt; }
            Ok(c) => {
                ok += 1;
                let t = Instant::now();
                let again = canonical(lang, path, &c, &styles);
                t2 += t.elapsed().as_secs_f64();
                if !matches!(again, Ok(std::borrow::Cow::Borrowed(_))) { println!("NOTFIX {path} {again:?}"); }
            }
            Err(e) => {
                let k = match &e { FormatError::Syntax(_) => "syntax".into(), FormatError::Unstable{..} => "unstable".to_string(), o => format!("{o}").chars().take(50).collect() };
                *err.entry(k.clone()).or_default() += 1;
                if verbose || !matches!(e, FormatError::Syntax(_)) { println!("{k}: {path} {e}"); }
            }
        }
    }
    println!("{}: ok {ok} unchanged {same} errors {err:?}; {} KB; first {:.2} MB/s, canonical {:.2} MB/s", args[2], bytes / 1000, bytes as f64 / 1e6 / t1, bytes as f64 / 1e6 / t2);
}

#![allow(clippy::all, clippy::print_stdout, clippy::unwrap_used)]
use fixpoint_format::*;
fn main() {
    let styles = |l: Language| Some(l.default_style());
    let path = std::env::args().nth(1).unwrap();
    let text = std::io::read_to_string(std::io::stdin()).unwrap();
    let lang = Language::detect(&path, text.lines().next().unwrap_or("")).unwrap();
    match canonical(lang, &path, &text, &styles) { Ok(t) => print!("{t}"), Err(e) => println!("ERROR {e:?}") }
}

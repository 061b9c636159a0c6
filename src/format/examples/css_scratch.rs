use fixpoint_format::{Language, Style, canonical};
fn main() {
    let check = std::env::args().nth(1).as_deref() == Some("--raw");
    let _ = check;
    for path in std::env::args().skip(1) {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let language = match path.rsplit('.').next() { Some("scss") => Language::Scss, Some("less") => Language::Less, _ => Language::Css };
        let styles = |language| Some(Style::default_of(language));
        let out = format!("{path}.mine");
        match canonical(language, &path, &text, &styles) {
            Ok(printed) => std::fs::write(out, printed.as_bytes()).unwrap(),
            Err(error) => std::fs::write(out, format!("ERROR {error}")).unwrap(),
        }
    }
}

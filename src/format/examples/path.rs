#![allow(clippy::all, clippy::print_stdout, clippy::unwrap_used)]
use fixpoint_format::*;
use std::time::Instant;
fn main() {
    std::panic::set_hook(Box::new(|_| {}));
    let only = std::env::args().nth(1);
    let n: usize = std::env::args().nth(2).and_then(|s| s.parse().ok()).unwrap_or(990);
    let parts: Vec<(&str, &str, &str, &str)> = vec![
        ("a.json", "[", "1", "]"), ("a.json", "{\"a\":", "1", "}"), ("a.json", "[", "", ""),
        ("a.jsonc", "[/*c*/", "1", "]"),
        ("a.toml", "a=[", "", "]"), ("t.toml", "[", "1", "]"), ("t.toml", "{a=", "1", "}"), ("b.toml", "a.", "b=1", ""),
        ("a.ts", "(", "1", ")"), ("a.ts", "[", "1", "]"), ("a.ts", "{", "", "}"), ("x.ts", "{a:", "1", "}"), ("a.ts", "f(", "1", ")"), ("a.ts", "(a=>", "1", ")"), ("a.ts", "a=>", "1", ""), ("a.ts", "async (a)=>", "1", ""),
        ("a.ts", "!", "a", ""), ("a.ts", "- ", "a", ""), ("a.ts", "a+", "a", ""), ("a.ts", "a&&", "a", ""), ("a.ts", "a?b:", "a", ""), ("a.ts", "a?", "b", ":c"), ("a.ts", "a.", "b", ""), ("a.ts", "", "a", "[0]"), ("a.ts", "", "a", ".b()"), ("a.ts", "if(a){}else ", "b", ""), ("a.ts", "if(a)", "b", ""), ("a.ts", "function f(){", "b", "}"), ("a.ts", "class A{b(){", "c", "}}"), ("a.ts", "`${", "a", "}`"), ("y.ts", "A<", "B", ">"), ("y.ts", "", "a", "[]"), ("y.ts", "a|", "b", ""), ("y.ts", "a extends b?c:", "d", ""), ("a.ts", "a=", "b", ""), ("a.ts", "a,", "b", ""), ("a.ts", "new ", "b", ""), ("a.ts", "<A>", "b", ""), ("a.ts", "", "b", " as c"), ("a.tsx", "<a>", "b", "</a>"), ("a.tsx", "<a>{", "b", "}</a>"), ("a.ts", "(", "", ""), ("a.ts", "<", "a", ""), ("a.ts", "((a,b)=>", "1", ")"), ("a.ts","await ","b",""), ("a.ts", "for(;;)", "b", ""), ("a.ts", "a:", "b", ""), ("a.ts", "a\n", "b", ""), ("a.ts", "a ?? (", "b", ")"), ("a.ts", "{a:[", "b", "]}"), ("a.ts", "x(function(){", "b", "})"),("a.ts","yield ","a",""),
        ("a.py", "(", "1", ")"), ("a.py", "[", "1", "]"), ("a.py", "{1:", "1", "}"), ("a.py", "f(", "1", ")"), ("a.py", "not ", "a", ""), ("a.py", "-", "a", ""), ("a.py", "a+", "a", ""), ("a.py", "a and ", "a", ""), ("a.py", "a.", "b", ""), ("a.py", "", "a", "[0]"), ("a.py", "", "a", ".b()"), ("a.py", "lambda:", "a", ""), ("a.py", "a if b else ", "c", ""), ("a.py", "a=", "b", ""), ("a.py", "a<", "b", ""), ("a.py", "a**", "b", ""), ("a.py", "await ", "b", ""), ("a.py", "a,", "b", ""), ("a.py", "if a:b\nelif b:c\n", "b", ""), ("a.py", "(", "", ""), ("a.py", "f'{", "a", "}'"), ("a.py", "'a'", "'b'", ""),("a.py","f(a)(","1",")"),
        ("a.css", "a{", "b:c", "}"), ("a.css", "@media a{", "b{c:d}", "}"), ("v.css", "(", "1", ")"), ("v.css", "[", "1", "]"), ("v.css", "calc(1 + ", "1", ")"), ("a.css", ":not(", "a", ")"), ("a.css", "a>", "a", "{}"), ("v.css", "1+", "1", ""), ("a.css", "{", "", ""),
        ("a.html", "<div>", "a", "</div>"), ("a.html", "<b>", "a", "</b>"), ("a.html", "<div>", "", ""), ("a.html", "<!--", "", "-->"), ("a.html", "<p>", "", ""), ("a.html","<a ","b",">"), ("a.html", "<", "a", ""), ("a.html", "<svg>", "a", "</svg>"), ("a.html","<ul><li>","a","</li></ul>"), ("a.html","<pre>","a","</pre>"),
        ("a.graphql", "{a", "", "}"), ("a.graphql", "{a(b:[", "1", "])}"), ("w.graphql", "[", "1", "]"), ("w.graphql", "{a:", "1", "}"), ("z.graphql", "[", "Int", "]"),
        ("a.md", "> ", "a", ""), ("a.md", "- ", "a", ""), ("a.md", "[", "a", "]"), ("a.md", "*", "a", "*"), ("a.md", "**a ", "b", " c**"), ("a.md", "![", "a", "](b)"), ("a.md", "`", "a", ""), ("a.md", "<b>", "a", "</b>"), ("a.md", "_a ", "b", ""), ("a.md", "[a](", "b", ")"), ("a.md", "a\\\n", "b", ""), ("a.md", "|a", "|\n|-|\n", ""),("a.md","1. ","a",""),("a.md", "[a]: b\n", "", ""),
        ("a.yaml", "- ", "a", ""), ("a.yaml", "[", "a", "]"), ("a.yaml", "[", "", ""), ("a.yaml", "{", "a", "}"), ("a.yaml", "{a: ", "b", "}"), ("a.yaml", "? ", "a", ""), ("a.yaml", "a: ", "b", ""), ("a.yaml", "[{", "a", "}]"), ("a.yaml", "[\"a\" ", "b", "]"), ("a.yaml", "!!a ", "b", ""), ("a.yaml", "&a ", "b", ""), ("a.yaml", "'", "b", ""), ("a.yaml", "a\n", "b", ""), ("a.yaml", "[a, ", "b", "]"),("a.yaml", "- - ", "a: b", ""),
    ];
    let idx = std::env::args().nth(3).and_then(|s| s.parse::<usize>().ok());
    if idx == Some(9999) { println!("{}", parts.len()); return; }
    for (i, (name, open, mid, close)) in parts.into_iter().enumerate() {
        if idx.is_some_and(|x| x != i) { continue; }
        if let Some(o) = &only { if o != "all" && !name.ends_with(o.as_str()) { continue; } }
        let body = format!("{}{}{}", open.repeat(n), mid, close.repeat(n));
        let text = match name { "t.toml" => format!("a = {body}\n"), "x.ts" => format!("x = {body};"), "y.ts" => format!("type X = {body};"), "v.css" => format!("a {{ b: {body}; }}"), "w.graphql" => format!("{{ a(b: {body}) }}"), "z.graphql" => format!("type A {{ b: {body} }}"), _ => body };
        use std::io::Write;
        print!("{name:10} {open:?} {close:?} n={n} len={}: ", text.len()); std::io::stdout().flush().unwrap();
        let name = name.to_string();
        let t = Instant::now();
        let r = std::thread::Builder::new().stack_size(1 << 30).spawn(move || {
            let styles = |l: Language| Some(l.default_style());
            let lang = Language::detect(&name, "").unwrap();
            let r = canonical(lang, &name, &text, &styles).map(|t| t.len());
            
            r
        }).unwrap().join().unwrap();
        let dt = t.elapsed().as_secs_f64();
        println!("{} {dt:.2}s {}", if dt > 1.0 {"SLOW"} else {""}, match r { Ok(n) => format!("ok {n}"), Err(e) => format!("{e}").chars().take(60).collect() });
    }
}

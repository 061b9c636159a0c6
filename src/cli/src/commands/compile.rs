//! `fixpoint compile`: a Clank program as JavaScript, TypeScript, or data about it.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use fixpoint_clank::emit::{Emitted, Target};
use fixpoint_clank::json::{Form, program_json, result_json};
use fixpoint_clank::modules::{Modules, interface, module_name, read_interfaces, write_interfaces};
use fixpoint_clank::print;
use fixpoint_workspace::write_outputs;
use serde::Serialize;

use crate::Verdict;
use crate::args::{Arguments, CompileOptions, Emit, InputForm};
use crate::failure::Failure;
use crate::output::Output;
use crate::program::{Compiled, code_name, compiled};

const BOTH: &[Target] = &[Target::JavaScript, Target::TypeScript];

/// Code in the result, if there is some.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Code<'a> {
    js: &'a str,
    js_map: String,
    ts: &'a str,
    ts_map: String,
}

/// The result with what was generated.
#[derive(Serialize)]
struct WithCode<'a, R: Serialize> {
    #[serde(flatten)]
    result: R,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<Code<'a>>,
}

pub(crate) fn run(
    arguments: &Arguments,
    options: &CompileOptions,
    output: &mut Output,
) -> Result<Verdict, Failure> {
    if options.emit == Emit::All && options.output.is_none() {
        return Err(Failure::Usage(
            "--emit=all makes several files; name a folder for them with --output".to_owned(),
        ));
    }
    let targets: &'static [Target] = match options.emit {
        Emit::Js => &[Target::JavaScript],
        Emit::Ts => &[Target::TypeScript],
        Emit::Json | Emit::All => BOTH,
        Emit::Ast | Emit::Clank | Emit::Interface => &[],
    };
    let modules = modules(options)?;
    let program = &options.program;
    let Some(compiled) = compiled(arguments, program, targets, modules, output)? else {
        return Ok(Verdict::Findings);
    };
    match &options.output {
        Some(folder) => write(&compiled, options, folder)?,
        None => output.print(&printed(&compiled, options.emit)?)?,
    }
    output.flush()?;
    Ok(if compiled.has_code() {
        Verdict::Done
    } else {
        Verdict::Findings
    })
}

/// What `use` may bind, if the program is a module.
fn modules(options: &CompileOptions) -> Result<Option<Arc<Modules>>, Failure> {
    let is_module =
        options.modules || !options.module.is_empty() || options.emit == Emit::Interface;
    let mut known = Vec::new();
    for given in &options.module {
        let Some((name, file)) = given.split_once('=') else {
            return Err(Failure::Usage(format!(
                "--module={given} is to be NAME=FILE"
            )));
        };
        let unread = |error: std::io::Error| Failure::Run(format!("cannot read {file}: {error}"));
        let text = fs::read_to_string(file).map_err(unread)?;
        let found = read_interfaces(&text).map_err(|it| Failure::Run(format!("{file}: {it}")))?;
        let found = found.into_iter().find(|it| it.module == name);
        known.push(found.ok_or_else(|| {
            Failure::Usage(format!("{file} says nothing about a module `{name}`"))
        })?);
    }
    let modules = Modules::complete(known.into_iter().map(Into::into));
    Ok(is_module.then(|| modules.into()))
}

/// What goes to standard output. A program with errors has only a result.
fn printed(compiled: &Compiled, emit: Emit) -> Result<String, Failure> {
    match emit {
        Emit::Json => result(compiled),
        _ if !compiled.has_code() => Ok(String::new()),
        Emit::Ast => ast(compiled),
        Emit::Clank => Ok(text(compiled)),
        Emit::Interface => Ok(shown(compiled)),
        Emit::Js | Emit::Ts | Emit::All => {
            let code = compiled.code.first().map(with_map_inside);
            Ok(code.unwrap_or_default())
        }
    }
}

/// What others see of the program.
fn shown(compiled: &Compiled) -> String {
    let (ast, path) = (&compiled.result.ast, compiled.file.path());
    let module = module_name(ast, path);
    write_interfaces(&[interface(ast, &module, &code_name(path))])
}

fn write(compiled: &Compiled, options: &CompileOptions, folder: &Path) -> Result<(), Failure> {
    let emit = options.emit;
    let path = Path::new(compiled.file.path());
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let mut files: Vec<(String, String)> = Vec::new();
    if matches!(emit, Emit::Json | Emit::All) {
        files.push((format!("{name}.result.json"), result(compiled)?));
    }
    if compiled.has_code() {
        if matches!(emit, Emit::Ast | Emit::All) {
            files.push((format!("{name}.ast.json"), ast(compiled)?));
        }
        // Not the name of the source, which may lie in that folder.
        if matches!(emit, Emit::Clank | Emit::All) {
            files.push((format!("{name}.canonical.clank"), text(compiled)));
        }
        if emit == Emit::Interface {
            files.push((format!("{name}.interface.json"), shown(compiled)));
        }
        if emit != Emit::Json {
            let is_module = options.modules || !options.module.is_empty();
            let extensions = match (emit, is_module) {
                (Emit::Ts, false) => &["ts"][..],
                (Emit::Ts, true) => &["mts"],
                (_, false) => &["js", "ts"],
                (_, true) => &["mjs", "mts"],
            };
            for (code, extension) in compiled.code.iter().zip(extensions) {
                let file = format!("{name}.{extension}");
                let linked = format!("{}//# sourceMappingURL={file}.map\n", code.code);
                files.push((format!("{file}.map"), code.map.to_json()));
                files.push((file, linked));
            }
        }
    }
    let files = files
        .into_iter()
        .map(|(path, text)| (path, text.into_bytes()));
    write_outputs(folder, files.collect()).map_err(Failure::run)
}

fn with_map_inside(code: &Emitted) -> String {
    let map = STANDARD.encode(code.map.to_json());
    let comment = "//# sourceMappingURL=data:application/json;base64,";
    format!("{}{comment}{map}\n", code.code)
}

fn result(compiled: &Compiled) -> Result<String, Failure> {
    let output = match compiled.code.as_slice() {
        [js, ts] => Some(Code {
            js: &js.code,
            js_map: js.map.to_json(),
            ts: &ts.code,
            ts_map: ts.map.to_json(),
        }),
        _ => None,
    };
    json(&WithCode {
        result: result_json(&compiled.result),
        output,
    })
}

fn ast(compiled: &Compiled) -> Result<String, Failure> {
    let result = &compiled.result;
    json(&program_json(
        &result.canonical,
        &result.ast,
        Form::Brief,
        true,
    ))
}

fn json(value: &impl Serialize) -> Result<String, Failure> {
    let text = serde_json::to_string_pretty(value).map_err(Failure::run)?;
    Ok(text + "\n")
}

/// The canonical text: with the author's comments where there is a text that holds them.
fn text(compiled: &Compiled) -> String {
    let formatted = match compiled.form {
        InputForm::Source => print::format(compiled.file.path(), compiled.file.text()).ok(),
        InputForm::Ast => None,
    };
    formatted.unwrap_or_else(|| print::program_text(&compiled.result.ast))
}

//! `fixpoint compile`: compiles a Clank program to JavaScript, TypeScript, or data about it.

use std::io;
use std::path::Path;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use fixpoint_clank::emit::{Emitted, Target};
use fixpoint_clank::json::{self, Form, program_json};
use fixpoint_clank::modules::{interface, module_name, write_interfaces};
use fixpoint_clank::print;

use super::args::{CompileOptions, Emit, InputForm};
use super::escaped::EscapedJson;
use super::generated::write_code;
use super::given_modules::{GivenModules, read_modules};
use super::indented::indented;
use super::mode::accepts_compiled;
use super::program::{AsModule, Codes, Compiled, InvalidInput, Main, code_name, compiled};
use crate::Verdict;
use crate::args::Arguments;
use crate::failure::Failure;
use crate::output::Output;

const BOTH: &[Target] = &[Target::JavaScript, Target::TypeScript];

pub(crate) fn run(
    arguments: &Arguments,
    options: &CompileOptions,
    output: &mut Output,
) -> Result<Verdict, Failure> {
    if options.emit == Emit::All && options.output.is_none() {
        return Err(Failure::Usage(
            "--emit=all writes several files; name a folder for them with --output".to_owned(),
        ));
    }
    let targets: &'static [Target] = match options.emit {
        Emit::Js => &[Target::JavaScript],
        Emit::Ts => &[Target::TypeScript],
        Emit::Json | Emit::All => BOTH,
        Emit::Ast | Emit::Clank | Emit::Interface => &[],
    };
    let given = modules(arguments, options)?;
    let modules = given.as_ref().map(|it| as_module(it, options.emit));
    let program = &options.program;
    let prints_result = options.emit == Emit::Json && options.output.is_none();
    let targets = (targets, prints_result);
    let mut compiled = match compiled(arguments, program, targets, modules, output)? {
        Ok(compiled) => compiled,
        Err(invalid) => return refuse(&invalid, options, output),
    };
    if prints_result {
        // Most of the result does not depend on the code, which is generated meanwhile.
        let code = output.stream_json(|json| result(&compiled, json))?;
        code.into_iter().for_each(|it| compiled.take(it));
    }
    compiled.report_diagnostics(output);
    let file = &program.file;
    let is_accepted = !compiled.has_code()
        || accepts_compiled(arguments, &compiled, file, options.mode.strict, output)?;
    let is_accepted =
        given.is_none_or(|it| it.are_accepted(options.mode.strict, output)) && is_accepted;
    match &options.output {
        _ if !is_accepted => {}
        Some(folder) => write(&compiled, options, folder, output)?,
        None if prints_result => {}
        None => output.print(&printed(&compiled, options.emit)?)?,
    }
    output.flush()?;
    let verdict = if compiled.has_code() && is_accepted {
        Verdict::Done
    } else {
        Verdict::Findings
    };
    // The process ends now, and dropping a large program would take time.
    std::mem::forget(compiled);
    Ok(verdict)
}

/// The only output for a file that is not a program is the result with its errors.
fn refuse(
    invalid: &InvalidInput,
    options: &CompileOptions,
    output: &mut Output,
) -> Result<Verdict, Failure> {
    if matches!(options.emit, Emit::Json | Emit::All) {
        let result = invalid.result()?;
        match &options.output {
            Some(folder) => {
                let file = format!("{}.result.json", stem(&invalid.path));
                write_code(folder, vec![(file, result.into_bytes())], output)?;
            }
            None => output.print_json(&result)?,
        }
    }
    output.flush()?;
    Ok(Verdict::Findings)
}

/// The stem of the names of a program's output files.
fn stem(path: &str) -> String {
    let stem = Path::new(path).file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

/// The modules that `use` may import, if the program is a module.
fn modules(
    arguments: &Arguments,
    options: &CompileOptions,
) -> Result<Option<GivenModules>, Failure> {
    let is_module = options.modules
        || !options.module_options.module.is_empty()
        || options.emit == Emit::Interface;
    let modules = is_module.then(|| read_modules(arguments, &options.module_options));
    modules.transpose()
}

fn as_module(given: &GivenModules, emit: Emit) -> AsModule {
    AsModule {
        modules: Arc::clone(&given.modules),
        main: match emit {
            Emit::Js | Emit::Json | Emit::All => Main::RunUnlessNamed,
            _ => Main::Leave,
        },
    }
}

/// The text for standard output. A program with errors has only a result.
fn printed(compiled: &Compiled, emit: Emit) -> Result<String, Failure> {
    match emit {
        _ if !compiled.has_code() => Ok(String::new()),
        Emit::Ast => ast(compiled),
        Emit::Clank => text(compiled),
        Emit::Interface => Ok(shown(compiled)),
        Emit::Js | Emit::Ts | Emit::All | Emit::Json => {
            let code = compiled.code.first().map(with_map_inside);
            Ok(code.unwrap_or_default())
        }
    }
}

/// The interface of the program.
fn shown(compiled: &Compiled) -> String {
    let (ast, path) = (&compiled.result.ast, compiled.file.path());
    let module = module_name(ast, path);
    write_interfaces(&[interface(ast, &module, &code_name(path))])
}

fn write(
    compiled: &Compiled,
    options: &CompileOptions,
    folder: &Path,
    output: &mut Output,
) -> Result<(), Failure> {
    let emit = options.emit;
    let name = stem(compiled.file.path());
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    if matches!(emit, Emit::Json | Emit::All) {
        let mut bytes = Vec::new();
        result(compiled, EscapedJson::new(&mut bytes)).map_err(Failure::Output)?;
        files.push((format!("{name}.result.json"), bytes));
    }
    if compiled.has_code() {
        if matches!(emit, Emit::Ast | Emit::All) {
            files.push((format!("{name}.ast.json"), ast(compiled)?.into_bytes()));
        }
        // Not the name of the source, which may be in the same folder.
        if matches!(emit, Emit::Clank | Emit::All) {
            files.push((
                format!("{name}.canonical.clank"),
                text(compiled)?.into_bytes(),
            ));
        }
        if emit == Emit::Interface {
            files.push((
                format!("{name}.interface.json"),
                shown(compiled).into_bytes(),
            ));
        }
        if emit != Emit::Json {
            let is_module = options.modules || !options.module_options.module.is_empty();
            let extensions = match (emit, is_module) {
                (Emit::Ts, false) => &["ts"][..],
                (Emit::Ts, true) => &["mts"],
                (_, false) => &["js", "ts"],
                (_, true) => &["mjs", "mts"],
            };
            for (code, extension) in compiled.code.iter().zip(extensions) {
                let file = format!("{name}.{extension}");
                let linked = format!("{}//# sourceMappingURL={file}.map\n", code.code);
                files.push((format!("{file}.map"), code.map.to_json().into_bytes()));
                files.push((file, linked.into_bytes()));
            }
        }
    }
    write_code(folder, files, output)
}

fn with_map_inside(code: &Emitted) -> String {
    let map = STANDARD.encode(code.map.to_json());
    let comment = "//# sourceMappingURL=data:application/json;base64,";
    format!("{}{comment}{map}\n", code.code)
}

/// Writes the result, and returns the code that was deferred.
fn result(compiled: &Compiled, to: impl io::Write) -> io::Result<Option<Codes>> {
    let (begun, late) = compiled.beside_code(|it| json::begin_result(it, to));
    let code = match &late {
        Some(code) => code.as_deref().unwrap_or_default(),
        None => &compiled.code,
    };
    let output = match code {
        [js, ts] => Some(json::Output { js, ts }),
        _ => None,
    };
    begun.finish(&compiled.file.digest().to_string(), output)?;
    Ok(late)
}

fn ast(compiled: &Compiled) -> Result<String, Failure> {
    let result = &compiled.result;
    let ast = program_json(&result.canonical, &result.ast, Form::Brief, true);
    indented(&ast)
}

/// The canonical text, with the comments of the source if the program is given as source.
fn text(compiled: &Compiled) -> Result<String, Failure> {
    let path = compiled.file.path();
    if compiled.form == InputForm::Source
        && let Ok(text) = print::format(path, compiled.file.text())
    {
        return Ok(text);
    }
    print::exact_text(&compiled.result.ast).ok_or_else(|| {
        Failure::Run(format!(
            "{path} has no form in text, because a part of it exists only in AST JSON; use --emit=ast"
        ))
    })
}

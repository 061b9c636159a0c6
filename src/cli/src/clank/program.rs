//! Reads and compiles Clank programs on the command line, and reports their diagnostics.

use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use annotate_snippets::Level;
use fixpoint_clank::ast::{DeclKind, FnDecl, NodeId, Program};
use fixpoint_clank::diagnostic::Hint;
use fixpoint_clank::emit::{
    EmitError, Emitted, Module, Target, emit, emit_both, emit_both_beside, emit_module,
};
use fixpoint_clank::json::{InputError, input_error_json};
use fixpoint_clank::modules::Modules;
use fixpoint_clank::result::{CompileResult, Hole, Obligation};
use fixpoint_clank::{Deadline, Input, Options, compile};
use fixpoint_report::Severity;
use fixpoint_text::{Snapshot, Span, escape_json};
use fixpoint_workspace::ReadError;

use super::args::{InputForm, ProgramOptions};
use super::mode::analyzed;
use super::unit::Unit;
use crate::args::Arguments;
use crate::failure::Failure;
use crate::output::Output;
use crate::pool::{TimedResult, with_large_stack};
use crate::render::snippet::Source;
use crate::session::Session;

/// From this size in bytes, code and result of a program are produced in parallel.
const LARGE: usize = 1 << 15;

/// A program and the result of compiling it.
pub(crate) struct Compiled {
    pub(crate) file: Arc<Snapshot>,
    pub(crate) form: InputForm,
    as_module: Option<AsModule>,
    /// The canonical text, if that was compiled and not the file. Spans of the result refer to it.
    pub(crate) canonical: Option<Unit>,
    pub(crate) result: CompileResult,
    /// The code in each requested language; empty if the program has errors.
    pub(crate) code: Vec<Emitted>,
    /// Why a program without errors has no code.
    pub(crate) obstacle: Option<EmitError>,
    /// Whether the code has not been generated yet.
    is_code_pending: bool,
}

/// Code in each requested language, or why there is none.
pub(crate) type Codes = Result<Vec<Emitted>, EmitError>;

/// Reads the file of a program and determines its form.
pub(crate) fn read(
    arguments: &Arguments,
    options: &ProgramOptions,
) -> Result<Result<(Arc<Snapshot>, InputForm), InvalidInput>, Failure> {
    let session = Session::open(arguments, std::slice::from_ref(&options.file))?;
    let path = session.workspace.relative(&options.file)?;
    let what = match session.workspace.read(&path) {
        Ok(file) => Ok(file),
        Err(ReadError::HasNul { offset, .. }) => {
            Err(format!("the file contains a NUL at byte {offset}"))
        }
        Err(ReadError::NotUtf8 { offset, .. }) => {
            Err(format!("the file is not UTF-8 at byte {offset}"))
        }
        Err(error) => return Err(error.into()),
    };
    let file = match what {
        Ok(file) => Arc::new(file),
        Err(message) => {
            return Ok(Err(InvalidInput {
                path,
                digest: None,
                errors: vec![InputError::of_bytes(message)],
            }));
        }
    };
    let form = options.input.unwrap_or(if path.ends_with(".json") {
        InputForm::Ast
    } else {
        InputForm::Source
    });
    Ok(Ok((file, form)))
}

/// A file that is not a program.
pub(crate) struct InvalidInput {
    pub(crate) path: String,
    /// The digest of its text, if it is text.
    pub(crate) digest: Option<String>,
    pub(crate) errors: Vec<InputError>,
}

impl InvalidInput {
    pub(crate) fn of(file: &Snapshot, errors: Vec<InputError>) -> Self {
        Self {
            path: file.path().to_owned(),
            digest: Some(file.digest().to_string()),
            errors,
        }
    }

    /// Reports why the file is not a program.
    pub(crate) fn report(&self, output: &mut Output) {
        for error in &self.errors {
            let message = format!("{}: {} at {}", self.path, error.message, error.path);
            output.note(Level::ERROR, &message);
        }
    }

    /// The JSON result with these errors, as one line.
    pub(crate) fn result(&self) -> Result<String, Failure> {
        let result = input_error_json(&self.errors, self.digest.as_deref());
        let text = serde_json::to_string(&result)?;
        Ok(escape_json(&text).into_owned() + "\n")
    }
}

/// The deadlines of a compilation. Repairs are computed while there is time for one more check, which
/// may take as long as the first, and for the steps after it. The first check itself leaves time for
/// the steps after it. So diagnostics are reported in any case.
fn within(time_limit: Duration) -> Deadline {
    let start = Instant::now();
    let first = OnceLock::new();
    let deadline = Deadline::while_true(move || {
        let now = start.elapsed();
        now + *first.get_or_init(|| now) < time_limit / 3 * 2
    });
    deadline.deciding_while(move || start.elapsed() < time_limit / 2)
}

/// How a program is compiled as a module.
#[derive(Clone)]
pub(crate) struct AsModule {
    /// The modules that its `use`s may import.
    pub(crate) modules: Arc<Modules>,
    pub(crate) main: Main,
}

/// Whether the code of a module runs its `main`, if it has one without parameters.
#[derive(Clone, Copy)]
pub(crate) enum Main {
    Run,
    /// Runs it unless the program names itself with `mod`, and so is meant to be used by others.
    RunUnlessNamed,
    Leave,
}

impl Main {
    pub(crate) fn is_run(self, program: &Program) -> bool {
        let can_be_run = main_of(program).is_some_and(|it| it.signature.params.is_empty());
        let mut declarations = program.declarations.iter();
        let is_named = declarations.any(|it| matches!(it.kind, DeclKind::Mod(_)));
        match self {
            Self::Run => can_be_run,
            Self::RunUnlessNamed => can_be_run && !is_named,
            Self::Leave => false,
        }
    }
}

/// The function that a program runs as, if it has one.
pub(crate) fn main_of(program: &Program) -> Option<&FnDecl> {
    let mut declarations = program.declarations.iter().rev();
    declarations.find_map(|it| match &it.kind {
        DeclKind::Fn(function) if function.signature.name.text == "main" => Some(&**function),
        _ => None,
    })
}

impl AsModule {
    /// With the file that its code is written to.
    fn named<'a>(&self, code: &'a str, program: &Program) -> Module<'a> {
        Module {
            code,
            runs_main: self.main.is_run(program),
        }
    }
}

/// Reads and compiles the program. Reports a file that is not a program. The code of a large program may
/// be deferred to [`Compiled::beside_code`].
pub(crate) fn compiled(
    arguments: &Arguments,
    options: &ProgramOptions,
    (targets, defers_large): (&'static [Target], bool),
    as_module: Option<AsModule>,
    output: &mut Output,
) -> Result<Result<Compiled, InvalidInput>, Failure> {
    let (file, form) = match read(arguments, options)? {
        Ok(read) => read,
        Err(invalid) => {
            invalid.report(output);
            return Ok(Err(invalid));
        }
    };
    compile_file(
        arguments,
        (file, form),
        (targets, defers_large),
        as_module,
        output,
    )
}

fn compile_file(
    arguments: &Arguments,
    (file, form): (Arc<Snapshot>, InputForm),
    (targets, defers_large): (&'static [Target], bool),
    as_module: Option<AsModule>,
    output: &mut Output,
) -> Result<Result<Compiled, InvalidInput>, Failure> {
    let path = file.path().to_owned();
    let text = Arc::clone(&file);
    let is_large = file.text().len() >= LARGE;
    let module = as_module.clone();
    let time_limit = Duration::from_secs(arguments.time_limit);
    let work = move || {
        let module = module.as_ref();
        let input = match form {
            InputForm::Source => Input::Source {
                file: text.path(),
                text: text.text(),
            },
            InputForm::Ast => Input::Ast { json: text.text() },
        };
        let options = Options {
            modules: module.map(|it| Arc::clone(&it.modules)),
            deadline: within(time_limit),
        };
        let result = compile(input, &options)?;
        let code = match targets {
            _ if defers_large && is_large => Ok(Vec::new()),
            _ => emitted(&result, text.path(), module, targets),
        };
        Ok::<_, Vec<InputError>>((result, code))
    };
    let (result, code) = match with_large_stack(time_limit, work) {
        TimedResult::TimedOut => {
            return Err(Failure::Run(format!(
                "{path}: not compiled within {} seconds; raise --time-limit",
                arguments.time_limit
            )));
        }
        TimedResult::Done(Ok(done)) => done,
        TimedResult::Done(Err(errors)) => {
            let invalid = InvalidInput::of(&file, errors);
            invalid.report(output);
            return Ok(Err(invalid));
        }
    };
    let mut compiled = Compiled {
        file,
        form,
        as_module,
        canonical: None,
        result,
        code: Vec::new(),
        obstacle: None,
        is_code_pending: defers_large && is_large,
    };
    compiled.take(code);
    Ok(Ok(compiled))
}

/// Compiles the canonical text of a program that has errors, if safe fixes resolve them.
pub(crate) fn from_canonical(
    arguments: &Arguments,
    compiled: Compiled,
    (typed, targets): (&Path, &'static [Target]),
    output: &mut Output,
) -> Result<Compiled, Failure> {
    if compiled.has_code() || compiled.form != InputForm::Source {
        return Ok(compiled);
    }
    let file = Snapshot::clone(&compiled.file);
    let report = analyzed(arguments, file.text(), typed)?;
    let unit = Unit::new(file, report, String::new())?;
    if unit.text() == compiled.file.text() {
        return Ok(compiled);
    }
    let text = Arc::new(Snapshot::new(compiled.file.path(), unit.text()));
    let as_module = compiled.as_module.clone();
    let input = (text, compiled.form);
    match compile_file(arguments, input, (targets, false), as_module, output)? {
        Ok(mut canonical) if canonical.has_code() => {
            for code in &mut canonical.code {
                code.map = unit.author_map(code);
            }
            canonical.file = compiled.file;
            canonical.canonical = Some(unit);
            Ok(canonical)
        }
        _ => Ok(compiled),
    }
}

/// The name of the file with the code of a module.
pub(crate) fn code_name(path: &str) -> String {
    let stem = Path::new(path).file_stem().unwrap_or_default();
    format!("{}.mjs", stem.to_string_lossy())
}

/// Generates the code; empty if the program has errors.
fn emitted(
    result: &CompileResult,
    path: &str,
    module: Option<&AsModule>,
    targets: &[Target],
) -> Codes {
    if result.errors().next().is_some() {
        return Ok(Vec::new());
    }
    let (program, ast, typing) = (&result.canonical, &result.ast, &result.typing);
    let name = code_name(path);
    let module = module.map(|it| it.named(&name, program));
    match (targets, module) {
        ([_, _], module) => emit_both(program, ast, typing, module).map(Vec::from),
        (targets, module) => {
            let code = targets.iter().map(|target| match module {
                Some(module) => emit_module(program, ast, typing, *target, module),
                None => emit(program, ast, typing, *target),
            });
            code.collect()
        }
    }
}

impl Compiled {
    /// Does `work` while the deferred code is generated in both languages. Pass the code to
    /// [`take`](Self::take) afterwards.
    pub(crate) fn beside_code<'c, T>(
        &'c self,
        work: impl FnOnce(&'c CompileResult) -> T,
    ) -> (T, Option<Codes>) {
        let result = &self.result;
        let work = || work(result);
        if !self.is_code_pending {
            return (work(), None);
        }
        if result.errors().next().is_some() {
            return (work(), Some(Ok(Vec::new())));
        }
        let (program, ast, typing) = (&result.canonical, &result.ast, &result.typing);
        let name = code_name(self.file.path());
        let module = self.as_module.as_ref();
        let module = module.map(|it| it.named(&name, program));
        let (done, code) = emit_both_beside(program, ast, typing, module, work);
        (done, Some(code.map(Vec::from)))
    }

    pub(crate) fn take(&mut self, code: Codes) {
        match code {
            Ok(code) => self.code = code,
            Err(error) => self.obstacle = Some(error),
        }
    }

    /// The source that spans of the program refer to; `None` for AST JSON.
    pub(crate) fn source(&self) -> Option<Source<'_>> {
        let source = Source::new(self.file.path(), self.file.text());
        (self.form == InputForm::Source).then_some(source)
    }

    pub(crate) fn has_code(&self) -> bool {
        self.obstacle.is_none() && self.result.errors().next().is_none()
    }

    /// Reports diagnostics, unproved obligations and why there is no code.
    pub(crate) fn report_diagnostics(&self, output: &mut Output) {
        let source = self.source();
        let source = source.as_ref();
        for diagnostic in &self.result.diagnostics {
            let level = match diagnostic.severity() {
                Severity::Error => Level::ERROR,
                Severity::Warning | Severity::Info | Severity::Unspecified => Level::WARNING,
            };
            let message = (diagnostic.code.text(), diagnostic.message.as_str());
            let mut helps = helps(&diagnostic.hints);
            helps.extend(diagnostic.related.iter().map(|it| it.message.clone()));
            self.report_one(
                source,
                level,
                message,
                (diagnostic.node, diagnostic.span),
                &helps,
                output,
            );
        }
        for it in &self.result.obligations {
            let message = it.message();
            let mut helps = counterexample(it);
            helps.extend(self::helps(&it.hints));
            let message = (Obligation::CODE.text(), message.as_str());
            self.report_one(
                source,
                Level::WARNING,
                message,
                (Some(it.node), it.span),
                &helps,
                output,
            );
        }
        let holes = self.result.holes.iter();
        for it in holes.filter(|_| self.obstacle.is_some()) {
            let message = it.message();
            let message = (Hole::CODE.text(), message.as_str());
            let place = (Some(it.node), it.span);
            self.report_one(source, Level::ERROR, message, place, &[], output);
        }
        if let Some(error @ EmitError::Unchecked { .. }) = &self.obstacle {
            let node = error.node();
            let span = self.result.span_of(node);
            let message = ("no-code", &*error.to_string());
            self.report_one(
                source,
                Level::ERROR,
                message,
                (Some(node), span),
                &[],
                output,
            );
        }
    }

    fn report_one(
        &self,
        source: Option<&Source<'_>>,
        level: Level<'static>,
        (code, message): (&str, &str),
        (node, span): (Option<NodeId>, Span),
        helps: &[String],
        output: &mut Output,
    ) {
        let unit = self.canonical.as_ref();
        let span = unit.map_or(span, |unit| unit.base(span));
        match source {
            Some(source) => output.notice(&source.message(level, (code, message), span, helps)),
            None => {
                let node = node.map(|id| self.result.ast.ids.name(id));
                let place = node.map_or(String::new(), |node| format!(", at node {node}"));
                let path = self.file.path();
                output.note(level, &format!("{path}: {code}: {message}{place}"));
            }
        }
    }
}

fn helps(hints: &[Hint]) -> Vec<String> {
    let with_template = |hint: &Hint| match &hint.template {
        Some(template) => format!("{}: {template}", hint.description),
        None => hint.description.clone(),
    };
    hints.iter().map(with_template).collect()
}

/// The values for which an obligation does not hold, without internal names.
fn counterexample(obligation: &Obligation) -> Vec<String> {
    let values = obligation.counterexample.iter().flatten();
    let values: Vec<String> = values
        .filter(|(name, _)| !name.starts_with('_'))
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    if values.is_empty() {
        vec![]
    } else {
        vec![format!("it does not hold for {}", values.join(", "))]
    }
}

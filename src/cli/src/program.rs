//! Clank programs on the command line: read, compiled, and what is to be said about them.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use annotate_snippets::Level;
use fixpoint_clank::ast::{DeclKind, FnDecl, NodeId, Program};
use fixpoint_clank::diagnostic::{Hint, Severity};
use fixpoint_clank::emit::{
    EmitError, Emitted, Module, Target, emit, emit_both, emit_both_beside, emit_module,
};
use fixpoint_clank::json::{InputError, input_error_json};
use fixpoint_clank::modules::Modules;
use fixpoint_clank::result::{CompileResult, Obligation};
use fixpoint_clank::{Input, Options, Patience, compile};
use fixpoint_text::{Snapshot, Span, escape_json};
use fixpoint_workspace::ReadError;

use crate::args::{Arguments, InputForm, ProgramOptions};
use crate::failure::Failure;
use crate::output::Output;
use crate::pool::{TimedResult, with_large_stack};
use crate::render::snippet::Source;
use crate::session::Session;

/// What is made of a program of so many bytes is made at once.
const LARGE: usize = 1 << 15;

/// A program with what became of it.
pub(crate) struct Compiled {
    pub(crate) file: Arc<Snapshot>,
    pub(crate) form: InputForm,
    as_module: Option<AsModule>,
    pub(crate) result: CompileResult,
    /// The code in each language that was asked for; nothing where the program has errors.
    pub(crate) code: Vec<Emitted>,
    /// Why a program without errors has no code.
    pub(crate) obstacle: Option<EmitError>,
    /// Whether the code is still to be made.
    is_left: bool,
}

/// Code in each language that was asked for, or why there is none.
pub(crate) type Codes = Result<Vec<Emitted>, EmitError>;

/// The file of a program, and what it holds; or that it holds no text.
pub(crate) fn read(
    arguments: &Arguments,
    options: &ProgramOptions,
) -> Result<Result<(Arc<Snapshot>, InputForm), InvalidInput>, Failure> {
    let session = Session::open(arguments, std::slice::from_ref(&options.file))?;
    let path = session
        .workspace
        .relative(&options.file)
        .map_err(Failure::run)?;
    let what = match session.workspace.read(&path) {
        Ok(file) => Ok(file),
        Err(ReadError::HasNul { offset, .. }) => Err(format!("this holds a NUL at byte {offset}")),
        Err(ReadError::NotUtf8 { offset, .. }) => {
            Err(format!("this is not UTF-8 at byte {offset}"))
        }
        Err(error) => return Err(Failure::run(error)),
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

/// A document that is no program.
pub(crate) struct InvalidInput {
    pub(crate) path: String,
    /// Of its text, if it is one.
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

    /// Tells what keeps the document from being a program.
    pub(crate) fn report(&self, output: &mut Output) {
        for error in &self.errors {
            let message = format!("{}: {} at {}", self.path, error.message, error.path);
            output.note(Level::ERROR, &message);
        }
    }

    /// The result that says so, as one line.
    pub(crate) fn result(&self) -> Result<String, Failure> {
        let result = input_error_json(&self.errors, self.digest.as_deref());
        let text = serde_json::to_string(&result).map_err(Failure::run)?;
        Ok(escape_json(&text).into_owned() + "\n")
    }
}

/// For repairs, lasts as long as there is time for one more check, which may take as long as the first,
/// and for what comes after it; and for the first check itself, as long as there is for what comes after
/// it: what is wrong is told in any case.
fn within(time_limit: Duration) -> Patience {
    let start = Instant::now();
    let first = OnceLock::new();
    let patience = Patience::while_true(move || {
        let now = start.elapsed();
        now + *first.get_or_init(|| now) < time_limit / 3 * 2
    });
    patience.deciding_while(move || start.elapsed() < time_limit / 2)
}

/// What makes a program a module of others.
#[derive(Clone)]
pub(crate) struct AsModule {
    /// What its `use`s may bind.
    pub(crate) modules: Arc<Modules>,
    pub(crate) main: Main,
}

/// What the code of a module does with its `main`, if it has one that can be run.
#[derive(Clone, Copy)]
pub(crate) enum Main {
    Run,
    /// Runs it unless the program calls itself a module with `mod`, and so is there for others.
    RunUnlessNamed,
    Leave,
}

impl Main {
    fn is_run(self, program: &Program) -> bool {
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
    /// With the file its code goes to.
    fn named<'a>(&self, code: &'a str, program: &Program) -> Module<'a> {
        Module {
            code,
            runs_main: self.main.is_run(program),
        }
    }
}

/// Reads and compiles the program. That a file holds none is told. The code of a
/// large one may be left for [`Compiled::beside_code`].
pub(crate) fn compiled(
    arguments: &Arguments,
    options: &ProgramOptions,
    (targets, leaves_large): (&'static [Target], bool),
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
            patience: within(time_limit),
            ..Options::default()
        };
        let result = compile(input, &options)?;
        let code = match targets {
            _ if leaves_large && is_large => Ok(Vec::new()),
            _ => emitted(&result, text.path(), module, targets),
        };
        Ok::<_, Vec<InputError>>((result, code))
    };
    let (result, code) = match with_large_stack(time_limit, work) {
        TimedResult::TimedOut => {
            return Err(Failure::Run(format!(
                "{path}: not compiled within {} seconds; give more with --time-limit",
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
        result,
        code: Vec::new(),
        obstacle: None,
        is_left: leaves_large && is_large,
    };
    compiled.take(code);
    Ok(Ok(compiled))
}

/// What the file with the code of a module is called, beside those of others.
pub(crate) fn code_name(path: &str) -> String {
    let stem = std::path::Path::new(path).file_stem().unwrap_or_default();
    format!("{}.mjs", stem.to_string_lossy())
}

/// Nothing where the program has errors.
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
    /// Does something while the code that was left is made, in both languages. That is for
    /// [`take`](Self::take), later.
    pub(crate) fn beside_code<'c, T>(
        &'c self,
        work: impl FnOnce(&'c CompileResult) -> T,
    ) -> (T, Option<Codes>) {
        let result = &self.result;
        let work = || work(result);
        if !self.is_left {
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

    /// The lines a span of the program is shown with; none for AST JSON.
    pub(crate) fn source(&self) -> Option<Source<'_>> {
        let source = Source::new(self.file.path(), self.file.text());
        (self.form == InputForm::Source).then_some(source)
    }

    pub(crate) fn has_code(&self) -> bool {
        self.obstacle.is_none() && self.result.errors().next().is_none()
    }

    /// Says what there is to say about the program.
    pub(crate) fn report_diagnostics(&self, output: &mut Output) {
        let source = self.source();
        let source = source.as_ref();
        for diagnostic in &self.result.diagnostics {
            let level = match diagnostic.severity() {
                Severity::Error => Level::ERROR,
                Severity::Warning => Level::WARNING,
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
            let message = format!("cannot prove `{}`", it.goal);
            let mut helps = counterexample(it);
            helps.extend(self::helps(&it.hints));
            let message = ("unproved", message.as_str());
            self.report_one(
                source,
                Level::WARNING,
                message,
                (Some(it.node), it.span),
                &helps,
                output,
            );
        }
        if let Some(error) = &self.obstacle {
            let EmitError::Hole { node, .. } = error;
            let message = ("no-code", &*error.to_string());
            self.report_one(
                source,
                Level::ERROR,
                message,
                (Some(*node), Span::at(0)),
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

/// The values for which an obligation would not hold, those for people only.
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

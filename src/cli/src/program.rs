//! Clank programs on the command line: read, compiled, and what is to be said about them.

use std::sync::Arc;
use std::time::Duration;

use annotate_snippets::Level;
use fixpoint_clank::ast::NodeId;
use fixpoint_clank::diagnostic::{Hint, Severity};
use fixpoint_clank::emit::{EmitError, Emitted, Module, Target, emit, emit_module};
use fixpoint_clank::json::{InputError, canonical_json};
use fixpoint_clank::modules::Modules;
use fixpoint_clank::result::{CompileResult, Obligation};
use fixpoint_clank::{Input, Options, compile};
use fixpoint_text::{Snapshot, Span};

use crate::args::{Arguments, InputForm, ProgramOptions};
use crate::failure::Failure;
use crate::output::Output;
use crate::pool::{Worked, side_by_side, with_large_stack};
use crate::render::snippet::Source;
use crate::session::Session;

/// What is made of a program in both languages is made at once where it has so many bytes.
const LARGE: usize = 1 << 15;

/// Code as far as it was made.
type Codes = Result<Vec<Emitted>, EmitError>;

/// What is made of a program that has no errors.
enum Made {
    Code(Result<Emitted, EmitError>),
    Canonical(Option<Vec<u8>>),
}

fn both(made: Vec<Made>) -> (Option<Vec<u8>>, Codes) {
    let (mut canonical, mut code) = (None, Vec::new());
    for made in made {
        match made {
            Made::Canonical(json) => canonical = json,
            Made::Code(made) => code.push(made),
        }
    }
    (canonical, code.into_iter().collect())
}

/// A program with what became of it.
pub(crate) struct Compiled {
    pub(crate) file: Arc<Snapshot>,
    pub(crate) form: InputForm,
    pub(crate) result: CompileResult,
    /// The canonical program as JSON, where that could be made beside the code.
    pub(crate) canonical: Option<Vec<u8>>,
    /// The code in each language that was asked for; nothing where the program has errors.
    pub(crate) code: Vec<Emitted>,
    /// Why a program without errors has no code.
    pub(crate) obstacle: Option<EmitError>,
}

/// The file of a program, and what it holds.
pub(crate) fn read(
    arguments: &Arguments,
    options: &ProgramOptions,
) -> Result<(Arc<Snapshot>, InputForm), Failure> {
    let session = Session::open(arguments, std::slice::from_ref(&options.file))?;
    let path = session
        .workspace
        .relative(&options.file)
        .map_err(Failure::run)?;
    let file = Arc::new(session.workspace.read(&path).map_err(Failure::run)?);
    let form = options.input.unwrap_or(if path.ends_with(".json") {
        InputForm::Ast
    } else {
        InputForm::Source
    });
    Ok((file, form))
}

/// Tells what keeps a document from being a program.
pub(crate) fn tell_input_errors(path: &str, errors: &[InputError], output: &mut Output) {
    for error in errors {
        let message = format!("{path}: {} at {}", error.message, error.path);
        output.note(Level::ERROR, &message);
    }
}

/// What makes a program a module of others.
#[derive(Clone)]
pub(crate) struct AsModule {
    /// What its `use`s may bind.
    pub(crate) modules: Arc<Modules>,
    pub(crate) runs_main: bool,
}

/// Reads and compiles the program, and says what there is to say about it. `None` if the file holds
/// no program.
pub(crate) fn compiled(
    arguments: &Arguments,
    options: &ProgramOptions,
    targets: &'static [Target],
    as_module: Option<AsModule>,
    output: &mut Output,
) -> Result<Option<Compiled>, Failure> {
    let (file, form) = read(arguments, options)?;
    let path = file.path().to_owned();
    let text = Arc::clone(&file);
    let work = move || {
        let input = match form {
            InputForm::Source => Input::Source {
                file: text.path(),
                text: text.text(),
            },
            InputForm::Ast => Input::Ast { json: text.text() },
        };
        let options = Options {
            modules: as_module.as_ref().map(|it| Arc::clone(&it.modules)),
            ..Options::default()
        };
        let result = compile(input, &options)?;
        let name = code_name(text.path());
        let module = as_module.as_ref().map(|it| Module {
            code: &name,
            runs_main: it.runs_main,
        });
        let has_errors = result.errors().next().is_some();
        let emit = |target| {
            let (program, ast, typing) = (&result.canonical, &result.ast, &result.typing);
            match module {
                Some(module) => emit_module(program, ast, typing, target, module),
                None => emit(program, ast, typing, target),
            }
        };
        let (canonical, code) = match targets {
            _ if has_errors => (None, Ok(Vec::new())),
            [js, ts] if text.text().len() >= LARGE => {
                let made = side_by_side(&[
                    &|| Made::Code(emit(*js)),
                    &|| Made::Code(emit(*ts)),
                    &|| Made::Canonical(canonical_json(&result).ok()),
                ]);
                both(made)
            }
            _ => (None, targets.iter().map(|target| emit(*target)).collect()),
        };
        Ok::<_, Vec<InputError>>((result, canonical, code))
    };
    let time_limit = Duration::from_secs(arguments.time_limit);
    let (mut result, canonical, code) = match with_large_stack(time_limit, work) {
        Worked::TimedOut => {
            return Err(Failure::Run(format!(
                "{path}: not compiled within {} seconds; give more with --time-limit",
                arguments.time_limit
            )));
        }
        Worked::Done(Ok(done)) => done,
        Worked::Done(Err(errors)) => {
            tell_input_errors(&path, &errors, output);
            return Ok(None);
        }
    };
    let (code, obstacle) = match code {
        Ok(code) => (code, None),
        Err(error) => (Vec::new(), Some(error)),
    };
    if let Some(code) = code.first() {
        result.stats.output_lines = code.code.lines().count();
        result.stats.output_bytes = code.code.len();
    }
    let compiled = Compiled {
        file,
        form,
        result,
        canonical,
        code,
        obstacle,
    };
    compiled.tell(output);
    Ok(Some(compiled))
}

/// What the file with the code of a module is called, beside those of others.
pub(crate) fn code_name(path: &str) -> String {
    let stem = std::path::Path::new(path).file_stem().unwrap_or_default();
    format!("{}.mjs", stem.to_string_lossy())
}

impl Compiled {
    /// The lines a span of the program is shown with; none for AST JSON.
    pub(crate) fn source(&self) -> Option<Source<'_>> {
        let source = Source::new(self.file.path(), self.file.text());
        (self.form == InputForm::Source).then_some(source)
    }

    pub(crate) fn has_code(&self) -> bool {
        self.obstacle.is_none() && self.result.errors().next().is_none()
    }

    fn tell(&self, output: &mut Output) {
        for diagnostic in &self.result.diagnostics {
            let level = match diagnostic.severity() {
                Severity::Error => Level::ERROR,
                Severity::Warning => Level::WARNING,
            };
            let message = (diagnostic.code.text(), diagnostic.message.as_str());
            let mut helps = helps(&diagnostic.hints);
            helps.extend(diagnostic.related.iter().map(|it| it.message.clone()));
            self.tell_one(
                level,
                message,
                diagnostic.node,
                diagnostic.span,
                &helps,
                output,
            );
        }
        for it in &self.result.obligations {
            let message = format!("cannot prove `{}`", it.goal);
            let mut helps = counterexample(it);
            helps.extend(self::helps(&it.hints));
            let message = ("unproved", message.as_str());
            self.tell_one(
                Level::WARNING,
                message,
                Some(it.node),
                it.span,
                &helps,
                output,
            );
        }
        if let Some(error) = &self.obstacle {
            let (EmitError::Hole { node, .. } | EmitError::ExternalName { node, .. }) = error;
            let message = ("no-code", &*error.to_string());
            self.tell_one(Level::ERROR, message, Some(*node), Span::at(0), &[], output);
        }
    }

    fn tell_one(
        &self,
        level: Level<'static>,
        (code, message): (&str, &str),
        node: Option<NodeId>,
        span: Span,
        helps: &[String],
        output: &mut Output,
    ) {
        match self.source() {
            Some(source) => output.notice(&source.told(level, (code, message), span, helps)),
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

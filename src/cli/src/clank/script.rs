//! Runs a script in the JavaScript engine that is part of this program, so that no other is needed.
//! The script can write to standard output as in Node, and has no other access to the machine.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use rquickjs::context::EvalOptions;
use rquickjs::{CatchResultExt as _, CaughtError, Context, Ctx, Function, Module, Object, Runtime};
use thiserror::Error;

use crate::failure::Failure;
use crate::output::Output;

/// The highest limit that the engine allows: about twenty thousand nested calls.
const MAX_DEPTH: usize = 16 << 20;
/// Twice that, as the engine itself needs room beyond its limit.
const STACK: usize = 32 << 20;
const MEMORY: usize = 2 << 30;

/// The name of the script in the stack traces of the engine.
const SCRIPT: &str = "<script>";

/// Why a script could not be run.
#[derive(Debug, Error)]
pub(crate) enum ScriptError {
    #[error("cannot start a thread for the JavaScript engine: {0}")]
    Thread(#[source] io::Error),
    #[error("the JavaScript engine ended unexpectedly")]
    Crashed,
    #[error(transparent)]
    Engine(rquickjs::Error),
}

/// The error that ended a script, or that it was stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Thrown {
    pub(crate) message: String,
    was_stopped: bool,
    /// Places in the script, from the throwing one outwards.
    pub(crate) places: Vec<Place>,
    /// The same with their modules, for code that consists of modules.
    pub(crate) frames: Vec<(String, Place)>,
}

/// A line and a column, from 0. The column is that of any part of a call.
pub(crate) type Place = (usize, usize);

impl Thrown {
    /// How the program ended, and why.
    pub(crate) fn description(&self) -> String {
        let ending = if self.was_stopped {
            "was stopped"
        } else {
            "panicked"
        };
        format!("the program {ending}: {}", self.message)
    }
}

/// Runs `code` and prints its output, until the time limit is over.
pub(crate) fn run(
    code: &str,
    limit: Option<Duration>,
    output: &mut Output,
) -> Result<Result<(), Thrown>, Failure> {
    run_on_engine(output, |printed| {
        evaluate(printed, limit, |ctx| script(ctx, code))
    })
}

/// Runs the module `main`. `modules` maps paths to code; imports are relative to these paths.
pub(crate) fn run_modules(
    modules: &BTreeMap<String, String>,
    main: &str,
    limit: Option<Duration>,
    output: &mut Output,
) -> Result<Result<(), Thrown>, Failure> {
    run_on_engine(output, |printed| {
        evaluate(printed, limit, |ctx| {
            run_last(ctx, &in_order(modules, main))
        })
    })
}

type EngineResult = rquickjs::Result<Result<(), Thrown>>;

fn run_on_engine(
    output: &mut Output,
    evaluate: impl FnOnce(SyncSender<String>) -> EngineResult + Send,
) -> Result<Result<(), Thrown>, Failure> {
    // A small buffer, so that a script that prints faster than it is read has to wait.
    let (sender, printed) = sync_channel(64);
    thread::scope(|scope| {
        let engine = thread::Builder::new()
            .name("script".to_owned())
            .stack_size(STACK)
            .spawn_scoped(scope, move || evaluate(sender))
            .map_err(ScriptError::Thread)?;
        let print = print_all(printed, output);
        let ended = engine.join().map_err(|_| ScriptError::Crashed)?;
        print?;
        Ok(ended.map_err(ScriptError::Engine)?)
    })
}

/// Prints until the script has ended. If printing fails, the receiver is dropped, and the next write of
/// the script throws.
fn print_all(printed: Receiver<String>, output: &mut Output) -> Result<(), Failure> {
    for text in printed {
        output.print_raw(&text)?;
        output.flush()?;
    }
    Ok(())
}

fn evaluate(
    printed: SyncSender<String>,
    limit: Option<Duration>,
    run: impl for<'js> FnOnce(&Ctx<'js>) -> rquickjs::Result<()>,
) -> EngineResult {
    let runtime = Runtime::new()?;
    let started = Instant::now();
    let is_over = move || limit.is_some_and(|limit| started.elapsed() >= limit);
    runtime.set_interrupt_handler(Some(Box::new(is_over)));
    runtime.set_max_stack_size(MAX_DEPTH);
    runtime.set_memory_limit(MEMORY);
    let context = Context::full(&runtime)?;
    context.with(|ctx| {
        give_standard_output(&ctx, printed)?;
        let ended = run(&ctx).catch(&ctx).map_err(|error| thrown(&error));
        Ok(ended.map_err(|thrown| match limit {
            Some(limit) if is_over() => Thrown {
                message: format!("it exceeded --run-limit={}", limit.as_secs()),
                was_stopped: true,
                ..thrown
            },
            _ => thrown,
        }))
    })
}

fn script(ctx: &Ctx<'_>, code: &str) -> rquickjs::Result<()> {
    let mut options = EvalOptions::default();
    options.filename = Some(SCRIPT.to_owned());
    // As in Node, declarations of a script do not become properties of the global object.
    let code = format!("(function () {{{code}\n}})()");
    ctx.eval_with_options(code, options)
}

fn run_last(ctx: &Ctx<'_>, modules: &[(&str, &str)]) -> rquickjs::Result<()> {
    let mut last = None;
    for (path, code) in modules {
        last = Some(Module::declare(ctx.clone(), *path, *code)?);
    }
    match last {
        Some(module) => module.eval()?.1.finish(),
        None => Ok(()),
    }
}

/// The modules that `main` needs, each after those it imports.
fn in_order<'m>(modules: &'m BTreeMap<String, String>, main: &str) -> Vec<(&'m str, &'m str)> {
    let mut order: Vec<(&str, &str)> = Vec::new();
    let mut entered: BTreeSet<&str> = BTreeSet::new();
    // Each module is visited twice: before its imports, and after them.
    let mut left: Vec<(String, bool)> = vec![(main.to_owned(), false)];
    while let Some((path, is_done)) = left.pop() {
        let Some((path, code)) = modules.get_key_value(&path) else {
            continue;
        };
        if is_done {
            order.push((path, code));
        } else if entered.insert(path) {
            left.push((path.clone(), true));
            left.extend(imports(path, code).map(|it| (it, false)));
        }
    }
    order
}

/// The imports of code from the compiler, which are its first lines.
fn imports(path: &str, code: &str) -> impl Iterator<Item = String> {
    let folder: Vec<&str> = path.split('/').collect();
    let folder = folder[..folder.len() - 1].to_vec();
    let lines = code.lines().take_while(|it| it.starts_with("import "));
    lines.filter_map(move |line| {
        let (_, file) = line.strip_suffix("\";")?.rsplit_once('"')?;
        let mut parts = folder.clone();
        for part in file.split('/') {
            match part {
                "." => {}
                ".." if parts.last().is_some_and(|it| *it != "..") => {
                    parts.pop();
                }
                part => parts.push(part),
            }
        }
        Some(parts.join("/"))
    })
}

/// Provides `process.stdout.write` as in Node.
fn give_standard_output(ctx: &Ctx<'_>, printed: SyncSender<String>) -> rquickjs::Result<()> {
    let write = Function::new(ctx.clone(), move |text: String| {
        printed.send(text).map_err(|_| rquickjs::Error::Unknown)
    })?;
    let stdout = Object::new(ctx.clone())?;
    stdout.set("write", write)?;
    let process = Object::new(ctx.clone())?;
    process.set("stdout", stdout)?;
    ctx.globals().set("process", process)
}

fn thrown(error: &CaughtError<'_>) -> Thrown {
    let CaughtError::Exception(exception) = error else {
        return Thrown {
            message: describe_value(error),
            was_stopped: false,
            places: Vec::new(),
            frames: Vec::new(),
        };
    };
    let name: Option<String> = exception.get("name").ok();
    let message = exception.message().unwrap_or_default();
    let stack = exception.stack().unwrap_or_default();
    Thrown {
        message: match name.as_deref() {
            // A panic of the program itself.
            None | Some("Panic") => message,
            Some(name) => format!("{name}: {message}"),
        },
        was_stopped: false,
        places: stack.lines().filter_map(place_in_script).collect(),
        frames: stack.lines().filter_map(frame).collect(),
    }
}

/// Describes a thrown value that is not an `Error`. The compiler's code throws to return from a function
/// inside a lambda, and nothing catches that once the function has ended.
fn describe_value(error: &CaughtError<'_>) -> String {
    let object = match error {
        CaughtError::Value(value) => value.as_object(),
        _ => None,
    };
    match object {
        Some(object) if object.contains_key("frame").unwrap_or_default() => {
            "a lambda tried to `return` from its function, which had already ended".to_owned()
        }
        _ => error.to_string(),
    }
}

/// The place in the line `at main (<script>:12:3)` of a stack trace.
fn place_in_script(frame: &str) -> Option<Place> {
    let (_, location) = frame.rsplit_once(&format!("{SCRIPT}:"))?;
    place(location.trim_end_matches(')'))
}

/// The module and the place in the line `at f (lib/shapes.mjs:12:3)`.
fn frame(frame: &str) -> Option<(String, Place)> {
    let location = frame.rsplit([' ', '(']).next()?.trim_end_matches(')');
    let (rest, column) = location.rsplit_once(':')?;
    let (module, line) = rest.rsplit_once(':')?;
    Some((module.to_owned(), place(&format!("{line}:{column}"))?))
}

/// Parses `12:3`, which counts from 1.
fn place(location: &str) -> Option<Place> {
    let (line, column) = location.split_once(':')?;
    let from_zero = |number: &str| number.parse::<usize>().ok()?.checked_sub(1);
    Some((from_zero(line)?, from_zero(column)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(code: &str) -> Result<(), Thrown> {
        let mut output = Output::new(anstream::ColorChoice::Never);
        run(code, None, &mut output).expect("the engine runs")
    }

    #[test]
    fn a_thrown_error_has_a_message_and_lines() {
        let thrown = ended("function f() {\n  throw new TypeError('no');\n}\nf();").unwrap_err();
        assert_eq!(thrown.message, "TypeError: no");
        let lines: Vec<usize> = thrown.places.iter().map(|it| it.0).collect();
        assert_eq!(lines.get(..2), Some(&[1, 3][..]));
        assert!(ended("throw 5").unwrap_err().message.contains('5'));
    }

    #[test]
    fn modules_run_after_their_imports_and_errors_have_places() {
        let modules = BTreeMap::from([
            (
                "app/a.mjs".to_owned(),
                "import { f } from \"../lib/b.mjs\";\nf();\n".to_owned(),
            ),
            (
                "lib/b.mjs".to_owned(),
                "import { g } from \"./c.mjs\";\nexport function f() { g(); }\n".to_owned(),
            ),
            (
                "lib/c.mjs".to_owned(),
                "export function g() {\n  throw new Error('no');\n}\n".to_owned(),
            ),
        ]);
        let mut output = Output::new(anstream::ColorChoice::Never);
        let ended = run_modules(&modules, "app/a.mjs", None, &mut output).expect("the engine runs");
        let thrown = ended.unwrap_err();
        assert_eq!(thrown.message, "Error: no");
        let frames: Vec<(&str, usize)> = thrown
            .frames
            .iter()
            .map(|(module, place)| (module.as_str(), place.0))
            .collect();
        assert_eq!(
            frames.get(..3),
            Some(&[("lib/c.mjs", 1), ("lib/b.mjs", 1), ("app/a.mjs", 1)][..])
        );
    }

    #[test]
    fn endless_recursion_and_endless_allocation_end() {
        let deep = ended("function f(n) { return 1n + f(n); } f(1n)").unwrap_err();
        assert!(deep.message.contains("stack"), "{}", deep.message);
        let fine = ended("function f(n) { return n === 0n ? 0n : 1n + f(n - 1n); } f(15000n)");
        assert_eq!(fine, Ok(()));
        let large = ended("let s = 'x'; while (true) s += s;").unwrap_err();
        assert!(!large.message.is_empty());
    }

    #[test]
    fn an_endless_loop_is_stopped_at_the_time_limit() {
        let mut output = Output::new(anstream::ColorChoice::Never);
        let limit = Some(Duration::from_secs(1));
        let endless = "function f() {\n  try { while (true) {} } catch { f(); }\n}\nf();";
        let ended = run(endless, limit, &mut output).expect("the engine runs");
        let description = ended.unwrap_err().description();
        assert_eq!(
            description,
            "the program was stopped: it exceeded --run-limit=1"
        );
        let ended = run("1", limit, &mut output).expect("the engine runs");
        assert_eq!(ended, Ok(()));
    }

    #[test]
    fn declarations_of_a_script_do_not_hide_global_properties() {
        let code = "function parseInt() { throw 1; } if (globalThis.parseInt('7') !== 7) throw 2;";
        assert_eq!(ended(code), Ok(()));
    }

    #[test]
    fn a_script_cannot_access_the_machine() {
        for name in ["require", "std", "os", "fetch", "setTimeout", "scriptArgs"] {
            let code = format!("if (typeof {name} !== 'undefined') throw 1;");
            assert_eq!(ended(&code), Ok(()), "{name}");
        }
    }
}

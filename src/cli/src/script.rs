//! Runs a script in the JavaScript engine that is part of this program, so that no other is needed.
//! The script sees what it would see in Node of standard output, and nothing else of the machine.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use rquickjs::context::EvalOptions;
use rquickjs::{CatchResultExt as _, CaughtError, Context, Ctx, Function, Object, Runtime, Value};

use crate::failure::Failure;
use crate::output::Output;

/// Deep enough for some hundred thousand calls within each other.
const STACK: usize = 256 << 20;
/// What the engine leaves of the stack to itself.
const RESERVE: usize = 1 << 20;
const MEMORY: usize = 2 << 30;

/// What a script was that threw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Thrown {
    pub(crate) message: String,
    /// Lines and columns of the script, from 0, from where it threw outwards.
    pub(crate) places: Vec<(usize, usize)>,
}

/// Runs `code`, prints what it prints, and yields its last value as text: a bigint ends in `n`.
pub(crate) fn run(code: &str, output: &mut Output) -> Result<Result<String, Thrown>, Failure> {
    // Few at a time: a script that prints faster than it is read has to wait.
    let (sender, printed) = sync_channel(64);
    thread::scope(|scope| {
        let engine = thread::Builder::new()
            .name("script".to_owned())
            .stack_size(STACK)
            .spawn_scoped(scope, move || evaluate(code, sender))
            .map_err(Failure::run)?;
        let print = print_all(printed, output);
        let ended = engine
            .join()
            .map_err(|_| Failure::run("the JavaScript engine ended unexpectedly"))?;
        print?;
        ended.map_err(Failure::run)
    })
}

/// Prints until the script has ended. Where nothing can be printed any more the script's next
/// attempt throws, as the receiver is gone.
fn print_all(printed: Receiver<String>, output: &mut Output) -> Result<(), Failure> {
    for text in printed {
        output.print(&text)?;
        output.flush()?;
    }
    Ok(())
}

fn evaluate(code: &str, printed: SyncSender<String>) -> rquickjs::Result<Result<String, Thrown>> {
    let runtime = Runtime::new()?;
    runtime.set_max_stack_size(STACK - RESERVE);
    runtime.set_memory_limit(MEMORY);
    let context = Context::full(&runtime)?;
    context.with(|ctx| {
        give_standard_output(&ctx, printed)?;
        let mut options = EvalOptions::default();
        options.filename = Some(SCRIPT.to_owned());
        let value = ctx
            .eval_with_options::<Value<'_>, _>(code, options)
            .catch(&ctx);
        Ok(value
            .map(|value| shown(&value))
            .map_err(|error| thrown(&error)))
    })
}

/// The name the engine has for the script in what it tells of errors.
const SCRIPT: &str = "<script>";

/// Makes `process.stdout.write` what it is in Node.
fn give_standard_output(ctx: &Ctx<'_>, printed: SyncSender<String>) -> rquickjs::Result<()> {
    let write = Function::new(ctx.clone(), move |text: String| {
        printed.send(text).map_err(|_| rquickjs::Error::Exception)
    })?;
    let stdout = Object::new(ctx.clone())?;
    stdout.set("write", write)?;
    let process = Object::new(ctx.clone())?;
    process.set("stdout", stdout)?;
    ctx.globals().set("process", process)
}

fn shown(value: &Value<'_>) -> String {
    let suffix = if value.is_big_int() { "n" } else { "" };
    let text = value.get::<rquickjs::Coerced<String>>();
    text.map_or_else(|_| String::new(), |text| text.0) + suffix
}

fn thrown(error: &CaughtError<'_>) -> Thrown {
    match error {
        CaughtError::Exception(exception) => {
            let name: Option<String> = exception.get("name").ok();
            let message = exception.message().unwrap_or_default();
            let message = match name.as_deref() {
                // What the program itself panicked with.
                None | Some("Panic") => message,
                Some(name) => format!("{name}: {message}"),
            };
            let stack = exception.stack().unwrap_or_default();
            Thrown {
                message,
                places: stack.lines().filter_map(place).collect(),
            }
        }
        CaughtError::Value(value) => Thrown {
            message: shown(value),
            places: Vec::new(),
        },
        CaughtError::Error(error) => Thrown {
            message: error.to_string(),
            places: Vec::new(),
        },
    }
}

/// The place in a line `at main (<script>:12:3)` of a stack trace.
fn place(line: &str) -> Option<(usize, usize)> {
    let (_, place) = line.rsplit_once(&format!("{SCRIPT}:"))?;
    let mut numbers = place.trim_end_matches(')').split(':');
    let mut next = || numbers.next()?.parse::<usize>().ok()?.checked_sub(1);
    Some((next()?, next().unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(code: &str) -> Result<String, Thrown> {
        let mut output = Output::new(anstream::ColorChoice::Never);
        run(code, &mut output).expect("the engine runs")
    }

    #[test]
    fn the_last_value_is_told() {
        assert_eq!(ended("6n * 7n"), Ok("42n".to_owned()));
        assert_eq!(ended("undefined"), Ok("undefined".to_owned()));
        assert_eq!(ended("if (1 < 2) 'a' + 1;"), Ok("a1".to_owned()));
    }

    #[test]
    fn what_is_thrown_is_told_with_its_places() {
        let thrown = ended("function f() {\n  throw new TypeError('no');\n}\nf();").unwrap_err();
        assert_eq!(thrown.message, "TypeError: no");
        let lines: Vec<usize> = thrown.places.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [1, 3]);
        assert_eq!(ended("throw 5").unwrap_err().message, "5");
    }

    #[test]
    fn endless_recursion_and_endless_memory_end() {
        let deep = ended("function f(n) { return 1 + f(n); } f(1)").unwrap_err();
        assert!(deep.message.contains("stack"), "{}", deep.message);
        let fine = ended("function f(n) { return n === 0 ? 0 : 1 + f(n - 1); } f(50000)");
        assert_eq!(fine, Ok("50000".to_owned()));
        let large = ended("let s = 'x'; while (true) s += s;").unwrap_err();
        assert!(!large.message.is_empty());
    }

    #[test]
    fn nothing_of_the_machine_is_in_reach() {
        for name in ["require", "std", "os", "fetch", "setTimeout", "scriptArgs"] {
            assert_eq!(ended(&format!("typeof {name}")), Ok("undefined".to_owned()));
        }
    }
}

//! Runs a script in the JavaScript engine that is part of this program, so that no other is needed.
//! The script sees what it would see in Node of standard output, and nothing else of the machine.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use rquickjs::context::EvalOptions;
use rquickjs::{CatchResultExt as _, CaughtError, Context, Ctx, Function, Object, Runtime};

use crate::failure::Failure;
use crate::output::Output;

/// The most the engine can be limited to: some twenty thousand calls within each other.
const MAX_DEPTH: usize = 16 << 20;
/// Twice that, as the engine itself needs room beyond its limit.
const STACK: usize = 32 << 20;
const MEMORY: usize = 2 << 30;

/// The name the engine has for the script in what it tells of errors.
const SCRIPT: &str = "<script>";

/// What a script threw.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Thrown {
    pub(crate) message: String,
    /// Lines of the script, from 0, from where it threw outwards.
    pub(crate) lines: Vec<usize>,
}

/// Runs `code` and prints what it prints.
pub(crate) fn run(code: &str, output: &mut Output) -> Result<Result<(), Thrown>, Failure> {
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

fn evaluate(code: &str, printed: SyncSender<String>) -> rquickjs::Result<Result<(), Thrown>> {
    let runtime = Runtime::new()?;
    runtime.set_max_stack_size(MAX_DEPTH);
    runtime.set_memory_limit(MEMORY);
    let context = Context::full(&runtime)?;
    context.with(|ctx| {
        give_standard_output(&ctx, printed)?;
        let mut options = EvalOptions::default();
        options.filename = Some(SCRIPT.to_owned());
        // What a script declares is its own, as in Node, and not the global object's.
        let code = format!("(function () {{{code}\n}})()");
        let ended: rquickjs::Result<()> = ctx.eval_with_options(code, options);
        Ok(ended.catch(&ctx).map_err(|error| thrown(&error)))
    })
}

/// Makes `process.stdout.write` what it is in Node.
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
            message: error.to_string(),
            lines: Vec::new(),
        };
    };
    let name: Option<String> = exception.get("name").ok();
    let message = exception.message().unwrap_or_default();
    let stack = exception.stack().unwrap_or_default();
    Thrown {
        message: match name.as_deref() {
            // What the program itself panicked with.
            None | Some("Panic") => message,
            Some(name) => format!("{name}: {message}"),
        },
        lines: stack.lines().filter_map(line_number).collect(),
    }
}

/// The line told in `at main (<script>:12:3)`, of a stack trace. The column is that of any part of
/// the call.
fn line_number(frame: &str) -> Option<usize> {
    let (_, place) = frame.rsplit_once(&format!("{SCRIPT}:"))?;
    let (line, _) = place.split_once(':')?;
    line.parse::<usize>().ok()?.checked_sub(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(code: &str) -> Result<(), Thrown> {
        let mut output = Output::new(anstream::ColorChoice::Never);
        run(code, &mut output).expect("the engine runs")
    }

    #[test]
    fn what_is_thrown_is_told_with_its_lines() {
        let thrown = ended("function f() {\n  throw new TypeError('no');\n}\nf();").unwrap_err();
        assert_eq!(thrown.message, "TypeError: no");
        assert_eq!(thrown.lines.get(..2), Some(&[1, 3][..]));
        assert!(ended("throw 5").unwrap_err().message.contains('5'));
    }

    #[test]
    fn endless_recursion_and_endless_memory_end() {
        let deep = ended("function f(n) { return 1n + f(n); } f(1n)").unwrap_err();
        assert!(deep.message.contains("stack"), "{}", deep.message);
        let fine = ended("function f(n) { return n === 0n ? 0n : 1n + f(n - 1n); } f(15000n)");
        assert_eq!(fine, Ok(()));
        let large = ended("let s = 'x'; while (true) s += s;").unwrap_err();
        assert!(!large.message.is_empty());
    }

    #[test]
    fn what_a_script_declares_hides_nothing_of_the_global_object() {
        let code = "function parseInt() { throw 1; } if (globalThis.parseInt('7') !== 7) throw 2;";
        assert_eq!(ended(code), Ok(()));
    }

    #[test]
    fn nothing_of_the_machine_is_in_reach() {
        for name in ["require", "std", "os", "fetch", "setTimeout", "scriptArgs"] {
            let code = format!("if (typeof {name} !== 'undefined') throw 1;");
            assert_eq!(ended(&code), Ok(()), "{name}");
        }
    }
}

//! Applies ops to a whole program and prints it.

use serde_json::Value;

use super::{Lowerer, PatchError, PatchOp, Program, edited, patch};
use crate::json::{Form, InputError, program_json, read_program};
use crate::parse::parse;
use crate::print::exact_text;
use crate::{Deadline, Options, compile};

/// The form of a patched program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatchedForm {
    /// Clank text. Comments and layout of a program that was given as text stay.
    Text,
    /// The canonical program as AST JSON.
    Ast,
}

/// Applies ops to a program, whose node ids are those of its compilation. The program may have errors.
pub fn patch_program(
    program: &Program,
    ops: &[PatchOp],
    form: PatchedForm,
) -> Result<String, PatchError> {
    let options = Options {
        // Repairs are not needed here.
        deadline: Deadline::while_true(|| false),
        ..Options::default()
    };
    let result = compile(program.input(), &options).map_err(first)?;
    let canonical = program_json(&result.canonical, &result.ast, Form::Full, true);
    let canonical = serde_json::to_value(canonical).unwrap_or_default();
    let patched: Value = patch(&canonical, ops)?;
    // Reading the program completes the ids of new nodes.
    let ast = read_program(&patched.to_string()).map_err(first)?;
    // What the tree rejects, the text rejects too.
    if let (Program::Source { file, text }, PatchedForm::Text) = (program, form) {
        let edits = Lowerer::of(&result.ast).edits(ops)?;
        let after = edited(text, &edits).ok_or(PatchError::TextDiffers)?;
        let breaks = |text: &str| !parse(file, text).errors.is_empty();
        return match breaks(&after) && !breaks(text) {
            true => Err(PatchError::TextDiffers),
            false => Ok(after),
        };
    }
    match form {
        PatchedForm::Text => exact_text(&ast).ok_or(PatchError::NoProgramText),
        PatchedForm::Ast => {
            let json = program_json(&ast.program, &ast, Form::Brief, true);
            let json = serde_json::to_value(json).unwrap_or_default();
            Ok(json.to_string())
        }
    }
}

fn first(errors: Vec<InputError>) -> PatchError {
    let error = errors.into_iter().next();
    let (path, message) = error.map(|it| (it.path, it.message)).unwrap_or_default();
    PatchError::NoProgram { path, message }
}

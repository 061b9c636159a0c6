//! Asks an engine for a patch until it returns one that can be read.

use super::Engine;
use super::context::EditContext;
use super::error::EngineError;
use super::patch::{ParsedPatch, parse_patch};
use super::response::{PatchResponse, Plan, strip_fence};

/// A patch that can be read, and how many attempts it took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProposedPatch {
    pub response: PatchResponse,
    pub parsed: ParsedPatch,
    pub attempts: u32,
    /// Why the earlier attempts were rejected, in order.
    pub rejected: Vec<EngineError>,
}

/// Calls `apply_edits`, and again up to `max_retries` times if the response or its diff is
/// malformed. The engine receives the reason as `feedback`.
///
/// Failures of a program or a server are not retried here: engines that use a server do that.
pub fn propose_patch(
    engine: &mut dyn Engine,
    context: &EditContext,
    plan: &Plan,
    max_retries: u32,
) -> Result<ProposedPatch, EngineError> {
    let mut context = context.clone();
    let mut rejected = Vec::new();
    let mut attempts = 0;
    loop {
        attempts += 1;
        let proposal = engine.apply_edits(&context, plan).and_then(|mut response| {
            let mut diff = strip_fence(&response.patch_diff).to_owned();
            if !diff.ends_with('\n') {
                diff.push('\n');
            }
            response.patch_diff = diff;
            let parsed = parse_patch(&response.patch_diff)?;
            Ok((response, parsed))
        });
        match proposal {
            Ok((response, parsed)) => {
                return Ok(ProposedPatch {
                    response,
                    parsed,
                    attempts,
                    rejected,
                });
            }
            Err(error) if error.is_about_content() && attempts <= max_retries => {
                context.feedback = Some(error.to_string());
                rejected.push(error);
            }
            Err(error) => return Err(error),
        }
    }
}

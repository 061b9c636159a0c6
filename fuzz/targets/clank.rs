//! Any text, and any document, as a Clank program: checks the properties of parsing, printing,
//! compiling and repairing it.

#![no_main]

#[path = "../../src/clank/tests/common/properties.rs"]
mod properties;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    if let Ok(text) = std::str::from_utf8(data) {
        if text.trim_start().starts_with('{') {
            properties::hold_of_document(text);
        } else {
            properties::hold_of_text(text);
        }
    }
});

//! Secrets never survive redaction: in any encoding, and split at any byte.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};
use fixpoint_prove::redact::Redactor;

const SECRET: &str = "s3cr?t/Value>>+ü\"x";

fn redactor() -> Redactor {
    let secrets = [
        ("TOKEN", SECRET),
        ("OTHER", "Value>>+overlap"),
        (
            "KEY",
            "-----BEGIN-----\nabcdefgh12345678\nijklmnop87654321\n-----END-----\n",
        ),
        ("SHORT", "abc"),
    ];
    Redactor::new(
        secrets
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value.to_owned())),
    )
    .expect("the secrets are small")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn forms() -> Vec<String> {
    let bytes = SECRET.as_bytes();
    let mut forms = vec![
        SECRET.to_owned(),
        hex(bytes),
        hex(bytes).to_uppercase(),
        "s3cr%3Ft%2FValue%3E%3E%2B%C3%BC%22x".to_owned(),
        "s3cr%3ft%2fValue%3e%3e%2b%c3%bc%22x".to_owned(),
        "s3cr%3Ft/Value%3E%3E%2B%C3%BC%22x".to_owned(),
        bytes.iter().map(|byte| format!("%{byte:02X}")).collect(),
        "s3cr?t/Value>>+ü\\\"x".to_owned(),
    ];
    let pairs: Vec<String> = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    forms.extend([" ", ":", "\n", "\r\n"].map(|between| pairs.join(between)));
    for before in ["", "a", "ab", "user:"] {
        for after in ["", "z", "zz"] {
            let text = format!("{before}{SECRET}{after}");
            forms.push(STANDARD.encode(&text));
            forms.push(URL_SAFE.encode(&text));
            forms.push(STANDARD.encode(&text).replace('+', "%2B"));
            // Mailers wrap base64, so that a line may end anywhere in a secret.
            let mut wrapped = STANDARD.encode(&text);
            wrapped.insert_str(wrapped.len() / 2, "\r\n");
            forms.push(wrapped);
        }
    }
    forms
}

// E-38
#[test]
fn redacts_every_encoding_split_at_every_byte() {
    let redactor = redactor();
    for form in forms() {
        let text = format!("before {form} after");
        let whole = redactor.redact(&text);
        assert!(whole.contains("[redacted:TOKEN]"), "{form}: {whole}");
        assert!(!redactor.finds(whole.as_bytes()), "{form}: {whole}");
        assert!(
            whole.starts_with("before ") && whole.ends_with(" after"),
            "{whole}"
        );
        for split in 0..=text.len() {
            let (first, second) = text.as_bytes().split_at(split);
            let mut stream = redactor.stream();
            let mut output = Vec::new();
            stream.push(first, &mut output);
            stream.push(second, &mut output);
            stream.finish(&mut output);
            assert_eq!(String::from_utf8_lossy(&output), whole, "{form} at {split}");
        }
        let mut stream = redactor.stream();
        let mut output = Vec::new();
        for byte in text.as_bytes() {
            stream.push(std::slice::from_ref(byte), &mut output);
        }
        stream.finish(&mut output);
        assert_eq!(
            String::from_utf8_lossy(&output),
            whole,
            "{form} byte by byte"
        );
    }
}

#[test]
fn redacts_every_form_of_a_secret_with_blanks_in_a_url() {
    let secret = [("A".to_owned(), "a [b] |c^ + d\"/é".to_owned())];
    let redactor = Redactor::new(secret.into_iter()).expect("the secret is small");
    for form in [
        "a%20%5Bb%5D%20%7Cc%5E%20+%20d%22/%C3%A9",
        "a%20[b]%20|c^%20+%20d%22/%C3%A9",
        "a+%5Bb%5D+%7Cc%5E+%2B+d%22%2F%C3%A9",
        "a%20%5bb%5d%20%7cc%5e%20%2b%20d%22%2f%c3%a9",
    ] {
        let text = format!("https://a.example/?q={form}&x=1");
        assert_eq!(
            redactor.redact(&text),
            "https://a.example/?q=[redacted:A]&x=1"
        );
    }
}

#[test]
fn more_blanks_end_a_value() {
    let redactor = redactor();
    let pairs: Vec<String> = SECRET.bytes().map(|byte| format!("{byte:02x}")).collect();
    let text = pairs.join("   ");
    assert_eq!(redactor.redact(&text), text);
}

#[test]
fn overlapping_secrets_leave_no_rest() {
    let secrets = [("A", "abcdef"), ("B", "defghi"), ("C", "aaaa")];
    let redactor = Redactor::new(
        secrets
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value.to_owned())),
    )
    .expect("the secrets are small");
    assert_eq!(redactor.redact("x abcdefghi y"), "x [redacted:A] y");
    assert_eq!(redactor.redact("defghiabcdef"), "[redacted:B][redacted:A]");
    let long = "a".repeat(100_000);
    let mut stream = redactor.stream();
    let mut output = Vec::new();
    for chunk in long.as_bytes().chunks(7) {
        stream.push(chunk, &mut output);
    }
    stream.finish(&mut output);
    assert_eq!(output, b"[redacted:C]");
}

#[test]
fn redacts_the_lines_of_a_key() {
    let redactor = redactor();
    let text = redactor.redact("error near ijklmnop87654321, line 3");
    assert_eq!(text, "error near [redacted:KEY], line 3");
    assert_eq!(redactor.too_short(), ["SHORT"]);
    assert_eq!(redactor.redact("abc"), "abc");
}

#[test]
fn text_without_secrets_is_unchanged() {
    let text = "running 3 tests\ntest a ... ok\n".repeat(100);
    assert_eq!(redactor().redact(&text), text);
    assert_eq!(Redactor::none().redact(&text), text);
}

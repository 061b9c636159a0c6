//! Shortens labels.

use super::mark::LeaveAlone;
use super::place::places;
use super::{callee_name, table};
use crate::tree::{Flags, Kind, NodeId, Op, Tree};

/// `//a/b:b` becomes `//a/b`, `@r//:r` becomes `@r`, `"//a" + ":b"` becomes one string.
pub(super) fn shorten(tree: &mut Tree<'_>, calls: &[NodeId], alone: &LeaveAlone) {
    for &call in calls {
        let callee = callee_name(tree, call);
        for at in 0..tree.list(call).len() {
            let argument = tree.list(call)[at];
            let Some(name) = tree.keyword(argument) else {
                continue;
            };
            if !table::argument_info(callee, name).labels {
                continue;
            }
            if alone.covers(tree, call) {
                break;
            }
            let value = tree.node(argument).b;
            if !alone.names(tree, argument) && !alone.names(tree, value) {
                shorten_value(tree, alone, value);
            }
        }
    }
}

fn shorten_value(tree: &mut Tree<'_>, alone: &LeaveAlone, value: NodeId) {
    for place in places(tree, value) {
        if alone.names(tree, place) {
            continue;
        }
        match tree.kind(place) {
            Kind::List | Kind::Set => {
                for at in 0..tree.list(place).len() {
                    let element = tree.list(place)[at];
                    if !alone.names(tree, element) {
                        join(tree, element);
                        shorten_string(tree, element);
                    }
                }
            }
            Kind::Binary => join(tree, place),
            _ => {}
        }
        shorten_string(tree, place);
    }
}

/// Joins two string literals that form one label.
fn join(tree: &mut Tree<'_>, id: NodeId) {
    let sum = *tree.node(id);
    if sum.kind != Kind::Binary || sum.op != Op::Plus {
        return;
    }
    let [left, right] = [sum.a, sum.b];
    if [left, right]
        .iter()
        .any(|id| tree.kind(*id) != Kind::String)
    {
        return;
    }
    let mut label = tree.value(left).into_owned();
    let target = tree.value(right);
    let blank = |value: &[u8]| value.contains(&b' ');
    if !label.starts_with(b"//") || blank(&label) || blank(&target) {
        return;
    }
    label.extend_from_slice(&target);
    tree.move_comments(left, id);
    tree.move_comments(right, id);
    let own = tree.node(id).comments;
    *tree.node_mut(id) = *tree.node(left);
    tree.node_mut(id).comments = own;
    for id in [left, right] {
        tree.node_mut(id).flags.set(Flags::DEAD);
    }
    tree.replace(id, label);
}

fn shorten_string(tree: &mut Tree<'_>, id: NodeId) {
    if tree.kind(id) != Kind::String {
        return;
    }
    let value = tree.value(id);
    if let Some(short) = short_form(&value) {
        let short = short.to_vec();
        tree.replace(id, short);
    }
}

/// The shorter form of a label, if it has one.
fn short_form(label: &[u8]) -> Option<&[u8]> {
    let slashes = label.windows(2).position(|pair| pair == b"//")?;
    let repository = match label[..slashes].split_first() {
        None => None,
        Some((b'@', name)) if !name.is_empty() => Some(name),
        Some(_) => return None,
    };
    let word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    if label.contains(&b'\n') || !repository.unwrap_or(b"").iter().all(word) {
        return None;
    }
    let last = label.iter().rposition(|b| *b == b'/')? + 1;
    let colon = last + label[last..].iter().position(|b| *b == b':')?;
    let (package, target) = (&label[last..colon], &label[colon + 1..]);
    if target.contains(&b':') {
        return None;
    }
    if !package.is_empty() {
        return (package == target).then_some(&label[..colon]);
    }
    let bare = last == slashes + 2 && repository == Some(target);
    bare.then_some(&label[..slashes])
}

#[cfg(test)]
mod tests {
    use super::short_form;

    #[test]
    fn the_target_is_omitted_if_it_equals_the_package() {
        let short = |label: &'static str| {
            short_form(label.as_bytes()).and_then(|s| std::str::from_utf8(s).ok())
        };
        assert_eq!(short("//p/q:q"), Some("//p/q"));
        assert_eq!(short("@r//p:p"), Some("@r//p"));
        assert_eq!(short("@r//:r"), Some("@r"));
        for kept in [
            "//p:q",
            "@my-repo//:my-repo",
            "@@r//:r",
            "@//a:a",
            "//:x",
            ":a",
            "a",
            "//p",
            "//a:b:b",
            "x//p:p",
        ] {
            assert_eq!(short(kept), None, "{kept}");
        }
    }
}

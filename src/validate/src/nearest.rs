//! Finds the known name that a misspelled name means, if only one is possible.

/// The candidate that `name` is a misspelling of: the only nearest one, within the allowed
/// distance.
pub(crate) fn nearest<'c>(
    name: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> Option<&'c str> {
    let allowed = slips_allowed(name);
    let plain = without_separators(name);
    let mut best: Option<(usize, &str)> = None;
    let mut is_tied = false;
    for candidate in candidates {
        let distance = if without_separators(candidate) == plain {
            0
        } else if name.len().abs_diff(candidate.len()) > allowed {
            continue;
        } else {
            strsim::damerau_levenshtein(name, candidate)
        };
        if distance > allowed {
            continue;
        }
        match best {
            Some((least, it)) if distance == least => is_tied |= it != candidate,
            Some((least, _)) if distance > least => {}
            _ => {
                best = Some((distance, candidate));
                is_tied = false;
            }
        }
    }
    best.filter(|_| !is_tied).map(|(_, candidate)| candidate)
}

/// The maximum edit distance. It grows with the length of the name, because every letter of a short
/// name matters.
fn slips_allowed(name: &str) -> usize {
    match name.chars().count() {
        0..=2 => 0,
        3..=5 => 1,
        6..=9 => 2,
        _ => 3,
    }
}

/// Normalizes a name: `runsOn`, `runs_on` and `Runs-On` are spellings of the same name.
fn without_separators(name: &str) -> String {
    let letters = name.chars().filter(|it| !matches!(it, '-' | '_' | ' '));
    letters.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_misspelt_name_leads_to_the_only_possible_name() {
        let known = ["dependencies", "devDependencies", "name", "main", "runs-on"];
        for (slip, name) in [
            ("dependancies", Some("dependencies")),
            ("devDependancies", Some("devDependencies")),
            ("nmae", Some("name")),
            ("runsOn", Some("runs-on")),
            ("RUNS_ON", Some("runs-on")),
            ("license", None),
            ("", None),
        ] {
            assert_eq!(nearest(slip, known), name, "{slip}");
        }
    }

    #[test]
    fn two_equally_near_names_give_no_result() {
        // F-14 F-72
        assert_eq!(nearest("maxx", ["maxa", "maxb"]), None);
        assert_eq!(nearest("port", ["sort", "pork", "ports"]), None);
        assert_eq!(nearest("on", ["no", "in"]), None);
    }
}

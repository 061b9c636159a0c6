//! Which known names look like one that is not known.

/// How many are worth a look.
const MOST: usize = 3;

/// The nearest of `pool`, best first: by edit distance, where swapping two neighbours is one edit,
/// then the longer name, then the longer common start, then the place in the pool. Short names have
/// to be nearer than long ones.
pub fn similar_names<'a>(name: &str, pool: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let wanted = Shape::of(name);
    let mut found: Vec<Candidate<'a>> = Vec::new();
    for (place, known) in pool.enumerate() {
        if known == name || !wanted.may_be_near(&Shape::of(known)) {
            continue;
        }
        let distance = strsim::osa_distance(name, known);
        if distance > wanted.limit || distance >= wanted.length.max(2) {
            continue;
        }
        let length = known.chars().count();
        let common = name.chars().zip(known.chars()).take_while(|(a, b)| a == b);
        found.push(Candidate {
            key: (
                distance,
                usize::MAX - length,
                usize::MAX - common.count(),
                place,
            ),
            name: known,
        });
    }
    found.sort_unstable_by_key(|it| it.key);
    let mut names: Vec<&str> = Vec::new();
    for candidate in found {
        if !names.contains(&candidate.name) {
            names.push(candidate.name);
        }
        if names.len() == MOST {
            break;
        }
    }
    names
}

struct Candidate<'a> {
    key: (usize, usize, usize, usize),
    name: &'a str,
}

/// What tells most pairs of names apart without comparing them.
struct Shape {
    length: usize,
    /// One bit for each letter that occurs.
    letters: u64,
    limit: usize,
}

impl Shape {
    fn of(name: &str) -> Self {
        let mut letters = 0;
        let mut length = 0;
        for char in name.chars() {
            letters |= 1 << (u32::from(char) % 64);
            length += 1;
        }
        let limit = match length {
            0..=3 => 1,
            4 => 2,
            _ => 3,
        };
        Self {
            length,
            letters,
            limit,
        }
    }

    /// An edit changes the length by at most one and the set of letters by at most two.
    fn may_be_near(&self, other: &Self) -> bool {
        self.length.abs_diff(other.length) <= self.limit
            && (self.letters ^ other.letters).count_ones() as usize <= 2 * self.limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn similar<'a>(name: &str, pool: &[&'a str]) -> Vec<&'a str> {
        similar_names(name, pool.iter().copied())
    }

    #[test]
    fn the_nearest_comes_first_and_the_far_do_not_come() {
        assert_eq!(
            similar("subtotl", &["total", "subtotal", "sub"]),
            ["subtotal"]
        );
        assert_eq!(
            similar("Sting", &["Str", "String", "Int"]),
            ["String", "Str"]
        );
        assert_eq!(similar("bsae", &["base", "bases"]), ["base", "bases"]);
    }

    #[test]
    fn short_names_are_not_taken_for_each_other() {
        assert!(similar("q", &["zip", "Ok", "len"]).is_empty());
        assert_eq!(similar("xy", &["x", "zip"]), ["x"]);
    }
}

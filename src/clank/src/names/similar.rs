//! Finds known names that are similar to an unknown one.

/// The maximum number of suggestions.
const MAX_SUGGESTIONS: usize = 3;

/// The nearest names of `pool`, best first.
///
/// Names are ordered by edit distance, where swapping two neighbors counts as one edit. Ties are
/// broken by the longer name, then the longer common prefix, then the position in the pool. Short
/// names must be nearer than long ones.
pub fn similar_names<'a>(name: &str, pool: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let wanted = Shape::of(name);
    let mut found: Vec<Candidate<'a>> = Vec::new();
    for (place, known) in pool.enumerate() {
        if known == name || !wanted.may_be_near(&Shape::of(known)) {
            continue;
        }
        let limit = wanted.limit.min(wanted.length.max(2) - 1);
        let Some(distance) = distance(name, known).filter(|it| *it <= limit) else {
            continue;
        };
        found.push(Candidate::of(name, known, distance, place));
    }
    best(found)
}

/// The edit distance of two names, if it is at most `LIMIT`.
pub fn distance(name: &str, known: &str) -> Option<usize> {
    let wanted: Vec<char> = name.chars().collect();
    let mut above = Band::FAR;
    let mut band = Band::first(&wanted);
    let mut last = None;
    for char in known.chars() {
        let next = band.next(&wanted, &above, last, char);
        above = std::mem::replace(&mut band, next);
        last = Some(char);
        if band.least() > LIMIT {
            return None;
        }
    }
    band.distance(&wanted).filter(|it| *it <= LIMIT)
}

/// The maximum edit distance for any name.
const LIMIT: usize = 3;

/// One row of the edit distance matrix, limited to a diagonal band: distances from a prefix of a
/// known name to prefixes of similar length.
#[derive(Clone, Copy)]
struct Band {
    length: usize,
    /// The entry at `LIMIT` is for a prefix of the same length.
    row: [usize; 2 * LIMIT + 1],
}

impl Band {
    const FAR: Self = Self {
        length: 0,
        row: [LIMIT + 1; 2 * LIMIT + 1],
    };

    fn first(wanted: &[char]) -> Self {
        let mut band = Self::FAR;
        for (at, slot) in band.row.iter_mut().skip(LIMIT).enumerate() {
            if at <= wanted.len() {
                *slot = at;
            }
        }
        band
    }

    /// The band after one more character. `above` is the band before `last`.
    fn next(self, wanted: &[char], above: &Self, last: Option<char>, char: char) -> Self {
        let mut next = Self::FAR;
        next.length = self.length + 1;
        for place in 0..next.row.len() {
            let Some(column) = (next.length + place).checked_sub(LIMIT) else {
                continue;
            };
            if column > wanted.len() {
                break;
            }
            let cell = |row: &Self, at: usize| row.row.get(at).map_or(LIMIT + 1, |it| *it);
            let mut least = cell(&self, place + 1) + 1;
            if let Some(left) = place.checked_sub(1) {
                least = least.min(cell(&next, left) + 1);
            }
            if let Some(letter) = column.checked_sub(1).and_then(|it| wanted.get(it)) {
                least = least.min(cell(&self, place) + usize::from(*letter != char));
                // Two neighbors are swapped.
                let before = column.checked_sub(2).and_then(|it| wanted.get(it));
                if before == Some(&char) && last == Some(*letter) {
                    least = least.min(cell(above, place) + 1);
                }
            }
            next.row[place] = least.min(LIMIT + 1);
        }
        next
    }

    fn least(&self) -> usize {
        self.row.iter().copied().min().unwrap_or(LIMIT + 1)
    }

    /// The distance to the whole wanted name.
    fn distance(&self, wanted: &[char]) -> Option<usize> {
        let place = (wanted.len() + LIMIT).checked_sub(self.length)?;
        self.row.get(place).copied()
    }
}

fn best(mut found: Vec<Candidate<'_>>) -> Vec<&str> {
    found.sort_unstable_by_key(|it| it.key);
    let mut names: Vec<&str> = Vec::new();
    for candidate in found {
        if !names.contains(&candidate.name) {
            names.push(candidate.name);
        }
        if names.len() == MAX_SUGGESTIONS {
            break;
        }
    }
    names
}

/// A trie of many names, for finding similar ones without comparing each.
pub struct NameIndex<'a> {
    /// The trie by characters; the first node is the empty prefix.
    nodes: Vec<IndexNode>,
    names: Vec<&'a str>,
}

#[derive(Default)]
struct IndexNode {
    below: Vec<(char, usize)>,
    /// The index of the first name that ends here.
    ends: Option<usize>,
}

impl<'a> NameIndex<'a> {
    pub fn of(names: impl Iterator<Item = &'a str>) -> Self {
        let names: Vec<&str> = names.collect();
        let mut nodes = vec![IndexNode::default()];
        for (place, name) in names.iter().enumerate() {
            let mut at = 0;
            for char in name.chars() {
                let next = nodes.len();
                let below = &mut nodes[at].below;
                at = match below.iter().find(|it| it.0 == char) {
                    Some((_, at)) => *at,
                    None => {
                        below.push((char, next));
                        nodes.push(IndexNode::default());
                        next
                    }
                };
            }
            nodes[at].ends.get_or_insert(place);
        }
        Self { nodes, names }
    }

    /// The same suggestions as [`similar_names`] for the indexed names.
    pub fn similar(&self, name: &str) -> Vec<&'a str> {
        let shape = Shape::of(name);
        let wanted: Vec<char> = name.chars().collect();
        let mut found = Vec::new();
        // Nearer names win, so the search widens only until enough names are found.
        for limit in 1..=shape.limit.min(shape.length.max(2) - 1) {
            found.clear();
            self.within(limit, name, &wanted, &mut found);
            if found.len() >= MAX_SUGGESTIONS {
                break;
            }
        }
        best(found)
    }

    fn within(&self, limit: usize, name: &str, wanted: &[char], found: &mut Vec<Candidate<'a>>) {
        // Nodes to visit, each with its character, its band, and the band of one character less.
        let mut pending = vec![(0, None, Band::first(wanted), Band::FAR)];
        while let Some((node, last, band, above)) = pending.pop() {
            let Some(here) = self.nodes.get(node) else {
                continue;
            };
            if let Some(place) = here.ends
                && let Some(known) = self.names.get(place)
                && let Some(distance) = band.distance(wanted).filter(|it| *it <= limit)
                && *known != name
            {
                found.push(Candidate::of(name, known, distance, place));
            }
            for (char, next) in &here.below {
                let new = band.next(wanted, &above, last, *char);
                if new.least() <= limit {
                    pending.push((*next, Some(*char), new, band));
                }
            }
        }
    }
}

struct Candidate<'a> {
    key: (usize, usize, usize, usize),
    name: &'a str,
}

impl<'a> Candidate<'a> {
    fn of(name: &str, known: &'a str, distance: usize, place: usize) -> Self {
        let length = known.chars().count();
        let common = name.chars().zip(known.chars()).take_while(|(a, b)| a == b);
        Self {
            key: (
                distance,
                usize::MAX - length,
                usize::MAX - common.count(),
                place,
            ),
            name: known,
        }
    }
}

/// A cheap filter that rejects most pairs of names.
struct Shape {
    length: usize,
    /// A bit set of the characters that occur.
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
            _ => LIMIT,
        };
        Self {
            length,
            letters,
            limit,
        }
    }

    /// An edit changes the length by at most one and the set of characters by at most two.
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
    fn similar_names_are_sorted_by_distance_and_limited() {
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
    fn the_index_finds_the_same_names_as_a_linear_search() {
        let letters = ["a", "b", "ab", "ba", "_", "x1"];
        let mut pool = vec![String::new()];
        for at in 0..400 {
            let next = format!("{}{}", pool[at / 3], letters[at % letters.len()]);
            pool.push(next);
        }
        let names = || pool.iter().map(String::as_str);
        let index = NameIndex::of(names());
        for name in [
            "abab_", "bxa1", "aabb", "x1x1x1", "q", "ab", "_a_b_a", "zzzzz",
        ] {
            let expected = similar_names(name, names());
            assert_eq!(index.similar(name), expected, "{name}");
        }
        for name in names().skip(1) {
            assert_eq!(index.similar(name), similar_names(name, names()), "{name}");
        }
    }

    #[test]
    fn small_distances_equal_the_full_edit_distance() {
        let letters = ["a", "b", "c", "ab", "ba", "d"];
        let mut names = vec![String::new()];
        for at in 0..300 {
            let next = format!("{}{}", names[at / 2], letters[at % letters.len()]);
            names.push(next);
        }
        for a in &names {
            for b in &names {
                let whole = strsim::osa_distance(a, b);
                let small = (whole <= LIMIT).then_some(whole);
                assert_eq!(distance(a, b), small, "{a} {b}");
            }
        }
    }

    #[test]
    fn comparing_a_very_long_name_is_fast() {
        let long = "n".repeat(2_000_000);
        let other = format!("{long}x");
        assert_eq!(similar(&long, &["n", &other]), [other.as_str()]);
        let index = NameIndex::of(["n", other.as_str()].into_iter());
        assert_eq!(index.similar(&long), [other.as_str()]);
    }

    #[test]
    fn short_names_are_not_suggested_for_each_other() {
        assert!(similar("q", &["zip", "Ok", "len"]).is_empty());
        assert_eq!(similar("xy", &["x", "zip"]), ["x"]);
    }
}

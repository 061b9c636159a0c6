//! Which known names look like one that is not known.

/// How many are worth a look.
const MOST: usize = 3;

/// The longest name, in bytes, that is compared with others: nobody wrote a longer one by hand.
const LONGEST: usize = 200;

/// The nearest of `pool`, best first: by edit distance, where swapping two neighbours is one edit,
/// then the longer name, then the longer common start, then the place in the pool. Short names have
/// to be nearer than long ones.
pub fn similar_names<'a>(name: &str, pool: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    if name.len() > LONGEST {
        return Vec::new();
    }
    let wanted = Shape::of(name);
    let mut found: Vec<Candidate<'a>> = Vec::new();
    for (place, known) in pool.enumerate() {
        if known == name || known.len() > LONGEST || !wanted.may_be_near(&Shape::of(known)) {
            continue;
        }
        let distance = strsim::osa_distance(name, known);
        if distance > wanted.limit || distance >= wanted.length.max(2) {
            continue;
        }
        found.push(Candidate::of(name, known, distance, place));
    }
    best(found)
}

fn best(mut found: Vec<Candidate<'_>>) -> Vec<&str> {
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

/// Many names, to be asked for what is near without a look at each.
pub struct NameIndex<'a> {
    /// The names by their letters; the first node is the empty start of all.
    nodes: Vec<IndexNode>,
    names: Vec<&'a str>,
}

#[derive(Default)]
struct IndexNode {
    below: Vec<(char, usize)>,
    /// The first name that ends here.
    ends: Option<usize>,
}

impl<'a> NameIndex<'a> {
    pub fn of(names: impl Iterator<Item = &'a str>) -> Self {
        let names: Vec<&str> = names.collect();
        let mut nodes = vec![IndexNode::default()];
        for (place, name) in names.iter().enumerate() {
            if name.len() > LONGEST {
                continue;
            }
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

    /// What [`similar_names`] finds among the names.
    pub fn similar(&self, name: &str) -> Vec<&'a str> {
        if name.len() > LONGEST {
            return Vec::new();
        }
        let shape = Shape::of(name);
        let wanted: Vec<char> = name.chars().collect();
        let mut found = Vec::new();
        // What is nearer wins, so that few are looked at where enough are near.
        for limit in 1..=shape.limit.min(shape.length.max(2) - 1) {
            found.clear();
            let first: Vec<usize> = (0..=wanted.len()).collect();
            let mut search = Search {
                index: self,
                name,
                wanted: &wanted,
                limit,
                found: &mut found,
            };
            search.below(0, None, &[], &first);
            if found.len() >= MOST {
                break;
            }
        }
        best(found)
    }
}

struct Search<'s, 'a> {
    index: &'s NameIndex<'a>,
    name: &'s str,
    wanted: &'s [char],
    limit: usize,
    found: &'s mut Vec<Candidate<'a>>,
}

impl Search<'_, '_> {
    /// Goes on below a node: `row` has the distance of the letters up to there from each start of the
    /// wanted name, `above` the same for one letter less.
    fn below(&mut self, node: usize, last: Option<char>, above: &[usize], row: &[usize]) {
        let index = self.index;
        let Some(here) = index.nodes.get(node) else {
            return;
        };
        if let Some(place) = here.ends
            && let Some(known) = index.names.get(place)
            && let Some(distance) = row.last().filter(|it| **it <= self.limit)
            && *known != self.name
        {
            self.found
                .push(Candidate::of(self.name, known, *distance, place));
        }
        for (char, next) in &here.below {
            let mut new = Vec::with_capacity(row.len());
            new.push(row[0] + 1);
            for (at, letter) in self.wanted.iter().enumerate() {
                let mut least = (row[at] + usize::from(letter != char))
                    .min(row[at + 1] + 1)
                    .min(new[at] + 1);
                // Two neighbours that changed places.
                if at > 0 && last == Some(*letter) && self.wanted[at - 1] == *char {
                    least = least.min(above[at - 1] + 1);
                }
                new.push(least);
            }
            if new.iter().any(|it| *it <= self.limit) {
                self.below(*next, Some(*char), row, &new);
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
    fn the_index_finds_what_a_look_at_each_finds() {
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
    fn short_names_are_not_taken_for_each_other() {
        assert!(similar("q", &["zip", "Ok", "len"]).is_empty());
        assert_eq!(similar("xy", &["x", "zip"]), ["x"]);
    }
}

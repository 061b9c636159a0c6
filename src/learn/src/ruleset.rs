//! Many rules at once, with a filter so that most files are not parsed.

use aho_corasick::AhoCorasick;

use crate::compiled::CompiledRule;
use crate::tree::Language;

/// Rules in the order in which they are tried.
#[derive(Clone, Debug)]
pub struct RuleSet {
    rules: Vec<CompiledRule>,
    /// Finds the words that rules require.
    words: Option<AhoCorasick>,
    /// The words of each rule.
    required: Vec<Vec<usize>>,
    count: usize,
}

impl RuleSet {
    /// Sorts rules by their order. Of two with the same id, the first counts.
    pub fn new(mut rules: Vec<CompiledRule>) -> Self {
        rules.sort_by(|a, b| a.rule().order(b.rule()));
        rules.dedup_by(|a, b| a.rule().id == b.rule().id);
        let mut words: Vec<&str> = Vec::new();
        for rule in &rules {
            words.extend(rule.words.iter().map(String::as_str));
        }
        words.sort_unstable();
        words.dedup();
        let index = |word: &String| words.binary_search(&word.as_str()).ok();
        let required = rules
            .iter()
            .map(|rule| rule.words.iter().filter_map(index).collect());
        let required = required.collect();
        let count = words.len();
        // Too many words for an automaton only cost speed.
        let words = AhoCorasick::new(&words).ok();
        Self {
            rules,
            words,
            required,
            count,
        }
    }

    pub fn rules(&self) -> &[CompiledRule] {
        &self.rules
    }

    pub(crate) fn get(&self, index: usize) -> Option<&CompiledRule> {
        self.rules.get(index)
    }

    /// Whether some rule may match a text. If not, nothing has to be parsed.
    pub fn may_match(&self, language: Language, text: &str) -> bool {
        !self.candidates(language, text).is_empty()
    }

    /// The rules of a language whose words are all in the text, with their index.
    pub(crate) fn candidates(&self, language: Language, text: &str) -> Vec<(usize, &CompiledRule)> {
        let of_language = |rule: &CompiledRule| rule.language().name() == language.name();
        let mut found = vec![false; self.count];
        if let Some(words) = &self.words
            && self.rules.iter().any(of_language)
        {
            let mut missing = self.count;
            for word in words.find_overlapping_iter(text) {
                let found = &mut found[word.pattern().as_usize()];
                if !*found {
                    *found = true;
                    missing -= 1;
                    if missing == 0 {
                        break;
                    }
                }
            }
        } else {
            found.fill(true);
        }
        let all = self.rules.iter().enumerate();
        all.filter(|(index, rule)| {
            of_language(rule) && self.required[*index].iter().all(|word| found[*word])
        })
        .collect()
    }
}

3:1 unused-variable warning: the function `_types` is not used
3:19 unused-variable warning: the variable `string` is not used
5:14 depset-iteration warning: a depset is not iterable (likely_preserving: Add `.to_list()`)
7:13 depset-iteration warning: a depset is not iterable (likely_preserving: Add `.to_list()`)
7:27 depset-iteration warning: a depset is not iterable (likely_preserving: Add `.to_list()`)
8:24 depset-items warning: `items` is gone; use `direct` and `transitive`
9:9 depset-union warning: depsets are joined with `depset(transitive = [...])`
10:9 depset-union warning: depsets are joined with `depset(transitive = [...])`
11:16 depset-items warning: a depset in a depset goes into `transitive`
11:16 depset-iteration warning: a depset is not iterable
13:9 overly-nested-depset info: `c` is wrapped into a new depset each time round
14:9 unsorted-dict-items info: the keys are not sorted (behavior_changing: Sort the keys)
15:9 dict-concatenation warning: dictionaries have no `+`
16:16 dict-method-named-arg warning: `get` takes its default by position
18:17 string-iteration warning: a string is not iterable
20:12 integer-division info: `/` between integers (behavior_changing: Divide without a rest)
23:5 list-append info: a list of one element is added (likely_preserving: Append the element)
25:5 list-append info: a list of one element is added (behavior_changing: Append the element)
31:5 no-effect warning: the result is dropped
32:5 no-effect warning: the result is dropped
33:5 no-effect warning: the result is dropped

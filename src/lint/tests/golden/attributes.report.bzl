3:9 attr-applicable_licenses info: every rule has an attribute `applicable_licenses` already
3:9 attr-licenses info: every rule has an attribute `licenses` already
3:9 unsorted-dict-items info: the keys are not sorted (behavior_changing: Sort the keys)
5:17 attr-license warning: `attr.license()` is deprecated
6:24 attr-cfg warning: `cfg = "data"` means nothing (behavior_preserving: Remove it)
7:43 attr-cfg warning: the host configuration is gone; "exec" took its place (likely_preserving: Use the exec configuration)
8:24 attr-output-default warning: an output has no default
11:9 attr-single-file warning: `single_file` is gone; `allow_single_file` took its place (behavior_preserving: Use `allow_single_file`)
14:23 attr-single-file warning: `single_file` is gone; `allow_single_file` took its place (behavior_preserving: Use `allow_single_file`)
15:25 attr-single-file warning: `single_file` is gone; `allow_single_file` took its place
16:29 attr-non-empty warning: `non_empty` is gone; `allow_empty` took its place (behavior_preserving: Use `allow_empty`)
17:29 attr-non-empty warning: `non_empty` is gone; `allow_empty` took its place (behavior_preserving: Use `allow_empty`)
18:46 attr-non-empty warning: `non_empty` is gone; `allow_empty` took its place

//! Converts the measurements to ratios that must stay below a limit.

use serde_json::Value;

pub(crate) struct Ratio {
    pub(crate) what: String,
    pub(crate) value: f64,
    pub(crate) limit: f64,
}

pub(crate) fn ratios(measured: &Value) -> Vec<Ratio> {
    let sizes = measured["sizes"].as_array().expect("sizes");
    let mut ratios = Vec::new();
    for (what, above, below, limit) in [
        ("nothing changed", "no_op_fix", "no_op_plain", 1.3),
        (
            "one file changed, beside a genrule",
            "one_file_fix",
            "one_genrule_plain",
            1.5,
        ),
    ] {
        ratios.extend(sizes.iter().map(|size| Ratio {
            what: format!("{what}, {} files", size["files"]),
            value: number(size, above) / number(size, below),
            limit,
        }));
    }
    ratios.extend(sizes.iter().map(|size| Ratio {
        what: format!("a strict build fails again, {} files", size["files"]),
        value: number(size, "failing_strict") / number(size, "no_op_plain"),
        limit: 3.0,
    }));
    ratios.extend(sizes.iter().map(|size| {
        let test = &size["workspace_test"];
        Ratio {
            what: format!(
                "the workspace test, nothing changed, {} files",
                size["files"]
            ),
            value: number(test, "no_op_test") / number(test, "no_op_plain"),
            limit: 1.2,
        }
    }));
    // The time of the smallest workspace is the startup cost, which does not depend on the number
    // of files.
    let [start, small, large] = &sizes[..] else {
        panic!("three sizes");
    };
    let per_file = |size| {
        let files = number(size, "files") - number(start, "files");
        (number(size, "cold_analysis") - number(start, "cold_analysis")) / files
    };
    ratios.push(Ratio {
        what: "cold analysis per file, 10000 beside 1000".to_owned(),
        value: per_file(large) / per_file(small),
        limit: 1.2,
    });
    let test = &large["workspace_test"];
    ratios.push(Ratio {
        what: "the first build of all reports, beside `fixpoint check`, 10000 files".to_owned(),
        value: number(large, "first_build") / number(test, "check"),
        limit: 2.5,
    });
    let added = number(test, "first_run") - number(test, "no_op_plain");
    ratios.push(Ratio {
        what: "what its first run adds, beside `fixpoint check`, 10000 files".to_owned(),
        value: added / number(test, "check"),
        limit: 2.0,
    });
    ratios
}

fn number(value: &Value, key: &str) -> f64 {
    value[key].as_f64().expect("a number")
}

//! Formats the results as a page.

use std::fmt::Write as _;

use serde_json::Value;

use crate::ratio::Ratio;

pub(crate) fn markdown(results: &Value, ratios: &[Ratio]) -> String {
    let mut page = String::from(
        "# What Fixpoint costs in Bazel\n\n\
         Made by `benches/bazel`; the figures are in [bazel.json](bazel.json). Workspaces of 100, 1,000 and\n\
         10,000 files in packages of 50, every tenth file not canonical; medians of 12 runs of the whole\n\
         `bazel` command, in turns on one machine, with the binary of the cargo profile `toolchain`. Compare\n\
         only the ratios with other machines. This one did other work too, so a ratio below 1 is noise. Cold\n\
         analysis per file excludes the time that 100 files take.\n\n\
         ![The ratios beside their limits](bazel.svg)\n\n",
    );
    let rows = ratios.iter().map(|Ratio { what, value, limit }| {
        let verdict = if value <= limit { "met" } else { "**missed**" };
        vec![
            what.clone(),
            format!("{value:.2}x"),
            format!("at most {limit}x"),
            verdict.to_owned(),
        ]
    });
    table(
        &mut page,
        &["What", "Measured", "Limit", ""],
        rows.collect(),
    );
    page.push_str("\n## Seconds\n\n");
    let columns = [
        ("files", "Files"),
        ("cold_analysis", "Cold analysis"),
        ("first_build", "First build of all reports"),
        ("no_op_plain", "No-op, plain"),
        ("no_op_fix", "No-op, `--config=fix`"),
        ("one_genrule_plain", "One genrule, plain"),
        ("one_file_fix", "One file, `--config=fix`"),
        ("failing_strict", "Failing again, `--config=strict`"),
    ];
    let sizes = results["sizes"].as_array().into_iter().flatten();
    let rows = sizes.map(|size| columns.map(|(key, _)| shown(&size[key])).to_vec());
    table(&mut page, &columns.map(|(_, title)| title), rows.collect());
    page.push_str("\n## The test of the workspace\n\n");
    let columns = [
        ("no_op_plain", "No-op, without the test"),
        ("no_op_test", "No-op, with the test"),
        ("first_run", "First run of the test"),
        ("check", "`fixpoint check`"),
    ];
    let sizes = results["sizes"].as_array().into_iter().flatten();
    let rows = sizes.map(|size| {
        let test = columns.map(|(key, _)| shown(&size["workspace_test"][key]));
        [vec![shown(&size["files"])], test.to_vec()].concat()
    });
    let titles = [&["Files"][..], &columns.map(|(_, title)| title)].concat();
    table(&mut page, &titles, rows.collect());
    page.push_str(
        "\n## Ways to execute\n\nSeconds for the first build of all reports of 1,000 files.\n\n",
    );
    let executions = results["executions"].as_array().into_iter().flatten();
    let rows = executions.map(|it| {
        vec![
            it["way"].as_str().unwrap_or("").to_owned(),
            shown(&it["seconds"]),
        ]
    });
    table(&mut page, &["Way", "Seconds"], rows.collect());
    page
}

fn shown(value: &Value) -> String {
    match value.as_u64() {
        Some(whole) => whole.to_string(),
        None => format!("{:.2}", value.as_f64().unwrap_or(f64::NAN)),
    }
}

/// A table in canonical Markdown: columns as wide as their widest cell.
fn table(page: &mut String, head: &[&str], rows: Vec<Vec<String>>) {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].len());
        cells.chain([head[column].len(), 3]).max().unwrap_or(3)
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let mut line = |cells: Vec<&str>, fill: char| {
        for (cell, width) in cells.iter().zip(&widths) {
            let rest: String = std::iter::repeat_n(fill, width - cell.len()).collect();
            let _ = write!(page, "| {cell}{rest} ");
        }
        page.push_str("|\n");
    };
    line(head.to_vec(), ' ');
    line(vec![""; head.len()], '-');
    for row in &rows {
        line(row.iter().map(String::as_str).collect(), ' ');
    }
}

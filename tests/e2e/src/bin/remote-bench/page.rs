//! Formats the results as a page.

use std::fmt::Write as _;

use crate::simulation::{Costs, actions};

const SIZES: [u64; 2] = [100_000, 1_000_000];

pub(crate) fn markdown(measured: &Costs, checked: &Costs) -> String {
    let mut page = format!(
        "# What Fixpoint transfers with a remote executor\n\n\
         Made by `benches/remote`; the measured sizes are in [remote.json](remote.json). Only the first line of each table is \
         measured, from the log of a build of {} files in packages of 50. The others are computed.\n\n\
         ## First build\n\n\
         Uploads are the binary once, all sources, and the command line and messages of each action. Downloads are \
         the reports and the results of the actions. All sizes are before compression.\n\n\
         | Files | Actions | Uploaded | of it the binary | of it sources | Downloaded | of it reports |\n\
         | --- | --- | --- | --- | --- | --- | --- |\n",
        measured.files
    );
    let scaled = SIZES.map(|files| measured.scaled(files));
    for costs in [measured].into_iter().chain(&scaled) {
        let _ = writeln!(
            page,
            "| {} | {} | {} | {} | {} | {} | {} |",
            costs.files,
            costs.actions,
            bytes(costs.uploaded() as f64),
            bytes(costs.binary as f64),
            bytes(costs.sources as f64),
            bytes(costs.downloaded(costs.actions as f64)),
            bytes(costs.reports as f64),
        );
    }
    page.push_str(
        "\n## After a change\n\n\
         Random files have changed. Each belongs to one action, and all other actions are hits.\n\n\
         | Files | Changed | Executed actions | Hit rate | Uploaded | Downloaded |\n\
         | --- | --- | --- | --- | --- | --- |\n",
    );
    for costs in [measured].into_iter().chain(&scaled) {
        for changed in [1.0, 100.0, costs.files as f64 / 100.0] {
            let executed = costs.repeated(changed);
            let _ = writeln!(
                page,
                "| {} | {changed} | {executed:.0} | {:.3} % | {} | {} |",
                costs.files,
                100.0 * (1.0 - executed / costs.actions as f64),
                bytes(costs.uploaded_again(changed, executed)),
                bytes(costs.downloaded(executed)),
            );
        }
    }
    let predicted = measured.scaled(checked.files);
    let _ = write!(
        page,
        "\nA build without changes, in a fresh checkout too, executes nothing and uploads nothing. A change of `fixpoint.toml` or of the \
         binary executes all actions. A changed schema or learned rule executes those of its documents or its language.\n\n\
         ## The formula\n\n\
         - A package of `n` files has `b(n)` actions: the least power of 2 that is at least `n / 64`. A workspace of \
           `N` files in packages of 50 has `A = b(50) * N / 50` of them.\n\
         - First upload: `binary + N * (source + line) + A * messages`, where `line` is the part of a file in the \
           command line of its action, and `messages` describe the action and its input folders.\n\
         - First download: `N * report + A * result`.\n\
         - `k` random files change `E = A * (1 - (1 - 1/A)^k)` actions. The hit rate is `1 - E/A`. The upload is `k * source \
           + E * messages`, and the download is `E / A` of the first one.\n\n\
         ## The formula beside a build\n\n\
         | {} files | Computed | Measured |\n| --- | --- | --- |\n",
        checked.files
    );
    for (what, computed, measured) in [
        (
            "actions",
            actions(checked.files) as f64,
            checked.actions as f64,
        ),
        (
            "uploaded bytes",
            predicted.uploaded() as f64,
            checked.uploaded() as f64,
        ),
        (
            "downloaded bytes",
            predicted.downloaded(predicted.actions as f64),
            checked.downloaded(checked.actions as f64),
        ),
    ] {
        let _ = writeln!(page, "| {what} | {computed:.0} | {measured:.0} |");
    }
    page
}

fn bytes(count: f64) -> String {
    let units = ["B", "kB", "MB", "GB", "TB"];
    let mut scaled = (count, "B");
    for unit in units {
        scaled.1 = unit;
        if scaled.0 < 1000.0 {
            break;
        }
        scaled.0 /= 1000.0;
    }
    format!("{:.1} {}", scaled.0, scaled.1)
}

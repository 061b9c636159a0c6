"""Renders the results as a Markdown page."""


def text(results):
    parts = [
        "# Results",
        "Made by `benches/run`; [README.md](README.md) describes how it measures. "
        f"Measured on {results['date']} with {results['cores']} cores"
        + (", in quick mode" if results["quick"] else "")
        + ". The binary is built in the cargo profile `release`.",
        "## Bars",
        table(
            ["What", "Measured", "With start-up", "Bar", ""],
            [bar_row(bar) for bar in results["bars"]],
        ),
        "## Start",
        "Milliseconds of processor time, and on the wall.",
        table(["What", "Tool", "CPU", "Wall"], start_rows(results["start"])),
        "## Languages",
        'MB per second of processor time on one core: net of start-up, and all in all. "Fixpoint is" so many times as fast, net.',
    ]
    for language, tools in results["languages"].items():
        held = results["corpus"][language]
        parts += [
            f"### {language.capitalize()}",
            f"{held['files']} files, {held['bytes'] / 1e6:.1f} MB, of {held['distinct_files']} distinct ones; "
            f"{held['left_out']} left out because not every tool takes them.",
            table(
                [
                    "Tool",
                    "Clean, net",
                    "All in all",
                    "Fixpoint is",
                    "Messy, net",
                    "All in all",
                    "Fixpoint is",
                    "Start ms",
                ],
                language_rows(tools),
            ),
        ]
    if results["two_cores"]:
        rows = [
            [jobs, cost["cpu_ms"], cost["wall_ms"]]
            for jobs, cost in results["two_cores"].items()
        ]
        parts += ["## A mixed tree", table(["Jobs", "CPU ms", "Wall ms"], rows)]
    if results["edits"]:
        rows = [
            [line["case"].replace("_", " "), f"{line['edits']:,}", line["ns_per_edit"]]
            for line in results["edits"]
        ]
        parts += [
            "## Merging edits in one file",
            table(["Case", "Edits", "ns per edit"], rows),
        ]
    parts.append("## Versions")
    parts.append(
        ", ".join(f"{name} {version}" for name, version in results["versions"].items())
        + "."
    )
    return "\n\n".join(parts) + "\n"


def bar_row(bar):
    sign = "at most" if bar["at_most"] else "at least"
    with_start = f"{bar['with_start']:.2f}x" if "with_start" in bar else ""
    judged = "met" if bar["met"] else "**missed**"
    return [
        bar["what"],
        f"{bar['value']:.2f}x",
        with_start,
        f"{sign} {bar['bar']}x",
        judged,
    ]


def start_rows(start):
    for what, tools in start.items():
        for name, cost in tools.items():
            yield [what, name, cost["cpu_ms"], cost["wall_ms"]]


def language_rows(tools):
    ours = tools["fixpoint"]
    for name, cost in tools.items():
        row = [name]
        for situation in ("clean", "messy"):
            net, whole = (
                cost[situation][unit] for unit in ("net_mb_per_s", "mb_per_s")
            )
            ratio = (
                "" if cost is ours else f"{ours[situation]['net_mb_per_s'] / net:.2f}x"
            )
            row += [f"{net:.1f}", f"{whole:.1f}", ratio]
        yield [*row, cost["start"]["cpu_ms"]]


def table(heads, rows):
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(
        "| " + " | ".join(str(cell) for cell in line) + " |" for line in lines
    )

"""The page docs/peers.md, from what the judge measured. Every figure comes from there."""

from __future__ import annotations

import pathlib
import platform
import re

import objections
import peers as tools

HERE = pathlib.Path(__file__).resolve().parent
TREE = HERE.parents[1]
LEVEL = 0.01  # of an error: less is no difference
METRICS = {"total": "error over all joints", "mean": "mean over joints", "worst": "worst joint"}


def text(keep: dict, titles: dict[str, str]) -> str:
    """Return the page."""
    parts = [*head(keep, titles), *tables(keep, titles)]
    return re.sub("\n{3,}", "\n\n", "\n".join(parts)).rstrip() + "\n"


def tables(keep: dict, titles: dict[str, str]) -> list[str]:
    """Return the parts of the page that have been measured."""
    reasons: dict[str, str] = {}
    parts = losses(keep, titles)
    for name, part in (("unseen", unseen), ("truth", truth), ("unseen", cost), ("faults", faults), ("same", same), ("speed", speed)):
        if keep.get(name):
            parts += part(keep, titles, reasons)
    parts += [*objections.PARTS, *CLAIMS] if "faults" in keep else []
    if reasons:
        parts += ["## Reasons", "", *("%s: %s" % (mark, why) + "\n" for why, mark in reasons.items())]
    return parts


CLAIMS = [
    "## Other claims of speed and accuracy", "",
    "| where | what | command that gives the figures |", "|---|---|---|",
    "| README | errors and grades of five measured robots, behind ident's own cut-off and without rows at rest, unlike the judge's here | `IDENT_LONG=1 go test ./cmd/ident -run TestReadmeRobots` |",
    "| [measured logs](measured-logs.md) | errors beside published parameters | `IDENT_LONG=1 go test ./cmd/ident -run Measured` |",
    "| [benchmark](benchmark.md) | coverage, bias and scatter of the estimators | `go test ./cmd/ident -run TestBenchmark$` |",
    "| [operation counts](operation-counts.md) | generated models beside the guide of SYMORO+ | `IDENT_LONG=1 go test ./codegen -run TestOperationCounts` |",
    "| [speed](speed.md) | seconds of commands and kernels | the commands below each table there |", "",
]


def machine() -> str:
    """Return the processor's name and the versions of what all peers share."""
    try:
        model = next(line.split(":")[1].strip() for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name"))
    except (OSError, StopIteration):
        model = platform.processor() or platform.machine()
    return "%s, %s, Python %s" % (model, platform.system(), platform.python_version())


def version(peer: str) -> str:
    """Return the version that a peer's list pins; of ident that of the changelog of the tree."""
    if peer == "ident":
        sections = re.findall(r"^## (\S+)", (TREE / "CHANGELOG.md").read_text(), re.M)
        return sections[0] if sections[0] != "Unreleased" else sections[1] + ", and what is unreleased"
    lines = (HERE / (tools.PACKAGES.get(peer, peer) + ".txt")).read_text().splitlines()
    found = (next(line.split("==")[1].split()[0] for line in lines if line.lower().replace("_", "-").startswith(name + "==")) for name in PACKAGES.get(peer, [tools.PACKAGES.get(peer, peer)]))
    return ", ".join(found)


def head(keep: dict, titles: dict[str, str]) -> list[str]:
    days = keep.get("days") or ["unknown"]
    return [
        "# Beside other tools", "",
        "    benchmarks/peers/run", "",
        "writes this page: it fits the same logs with the tools that people would use instead, each by a script as its author would write it, and judges all",
        "answers by one function. No figure is typed by hand. The cases in which ident loses come first.", "",
        "Measured on: %s; %s. SHA-256 of the program ident: %s…. A dash means: not measured." % (keep["machine"], " to ".join(dict.fromkeys((days[0], days[-1]))), keep.get("program", "")), "",
        "| tool | version | what its script does | lines that a user writes |", "|---|---|---|---|",
        *("| %s | %s | %s | %s |" % (titles[p], version(p), WHAT[p], keep["lines"][p]) for p in titles), "",
        "Lines are those between the marks of the scripts in `benchmarks/peers`, without blank ones and comments, counted alike for all: from a repaired robot file and a",
        "log in memory (channels named, in SI units and at the joints) to torques of another motion. figaroh's two columns are one script.", "",
        "All tools get the same repaired robot file: without shapes, and with the first of repeated origins. All but ident are told the cut-off of the log, and of the",
        "TX40 that joints 5 and 6 share a motor; ident gets the raw log and no setting. All but ident filter the motion at five times the cut-off, take velocities from the log",
        "where it has them, and pass torques and every column of the regressor through one zero-phase low-pass; figaroh does so by its own filters.", "",
    ]


PACKAGES = {"cvxpy": ["pin", "cvxpy", "clarabel"]}
WHAT = {
    "ident": "fits, with all choices its own",
    "cvxpy": "Pinocchio's regressor; joints weighted by their residuals; feasible bodies near the file's, the strength by blocked folds",
    "figaroh": "its filters on, `solve(wls=True)`",
    "figaroh-lmi": "the same, then its fit of feasible bodies (`select_stage: physical_fit`) with the same weights",
    "mujoco": "MuJoCo's toolbox: feasible bodies by Gauss-Newton on a residual of inverse dynamics",
    "pin": "Pinocchio's regressor; least squares",
    "drake": "inverse dynamics differentiated by the parameters; least squares",
    "mujoco-sysid": "mujoco-sysid's regressor; least squares",
}
SEEN = {
    "tuned": "ident was developed with this log and this split",
    "split": "developed with this log, by another split",
    "arm": "developed with other logs of this arm; nothing in the tree names these",
    "no": "not used in development",
}


def mark(reasons: dict[str, str], why: str) -> str:
    """Return the mark of a reason in the list at the end of the page."""
    why = re.sub(r"/\S*/", "", why)
    return reasons.setdefault(why, "R%d" % (len(reasons) + 1))


def best(row: dict, titles: dict[str, str], metric: str) -> tuple[float, str] | None:
    """Return the least error of the others and whose it is."""
    known = [(row[p][metric], p) for p in titles if p != "ident" and metric in row.get(p, {})]
    return min(known) if known else None


def ratios(table: dict, titles: dict[str, str], metric: str) -> dict[str, tuple[float, str]]:
    """Return ident's error over the least of the others, and whose that is, for each log that ident and another fit."""
    found = {log: best(row, titles, metric) for log, row in table.items() if metric in row.get("ident", {})}
    return {log: (table[log]["ident"][metric] / b[0], b[1]) for log, b in found.items() if b}


def losses(keep: dict, titles: dict[str, str]) -> list[str]:
    """Return where ident loses: by log and metric, on known parameters, in time, memory and speed of regressors."""
    out = ["## Where ident loses", ""]
    table = keep.get("unseen", {})
    for metric, name in METRICS.items():
        r = ratios(table, titles, metric)
        behind = sorted(((x, log, p) for log, (x, p) in r.items() if x > 1 + LEVEL), reverse=True)
        said = "; ".join("%s %.3g %% (%s: %.3g %%)" % (log, table[log]["ident"][metric], titles[p], table[log][p][metric]) for _, log, p in behind)
        if r:
            out.append("- **%s**, against the best of all others: behind on %d of %d%s." % (name, len(behind), len(r), ": " + said if said else ""))
    failed = ["%s (%s)" % (log, row["ident"]["reason"]) for log, row in table.items() if "reason" in row.get("ident", {})]
    if failed:
        out.append("- **No answer** without a setting: %s." % "; ".join(failed))
    for sensors, row in keep.get("truth", {}).items():
        mean = {p: means(row[p]) for p in titles if p in row and means(row[p])}
        for key, name in (("torque", "torque error"), ("median", "median error of parameters")):
            if "ident" in mean and len(mean) > 1:
                least, p = min((m[key], p) for p, m in mean.items() if p != "ident")
                if mean["ident"][key] > (1 + LEVEL) * least:
                    out.append("- **Known parameters, %s, %s**: %.3g %% (%s: %.3g %%)." % (sensors, name, mean["ident"][key], titles[p], least))
        if "ident" in mean and mean["ident"].get("share", 1) < 0.9:
            out.append("- **Known parameters, %s, intervals**: %.0f %% of the 95 %% intervals hold." % (sensors, 100 * mean["ident"]["share"]))
    for key, name in (("cpu", "Processor seconds"), ("memory", "Peak memory")):
        less = []
        for p in titles:
            pairs = [(row[p][key], row["ident"][key]) for row in table.values() if p != "ident" and row.get(p, {}).get(key) and row.get("ident", {}).get(key)]
            share = sum(x for x, _ in pairs) / sum(y for _, y in pairs) if pairs else 1
            if share < 1 - LEVEL:
                less.append("%s takes %.2f of ident's over %d logs" % (titles[p], share, len(pairs)))
        if less:
            out.append("- **%s**: %s." % (name, "; ".join(less)))
    speeds = {p: c["seconds"][1] for p, c in keep.get("speed", {}).items() if "seconds" in c}
    less = sorted((v, p) for p, v in speeds.items() if v < speeds.get("ident", 0))
    if less:
        out.append("- **A regressor from Python**: %s." % ", ".join("%s takes %.2f of ident's time" % (titles[p], v / speeds["ident"]) for v, p in less))
    return [*out, ""] if len(out) > 2 else []


def means(seeds: dict) -> dict:
    """Return the means over the seeds that gave an answer, and the share of the intervals that hold; nothing where none did."""
    good = [c for c in seeds.values() if "reason" not in c]
    if not good:
        return {}
    out = {key: sum(c[key] for c in good) / len(good) for key in ("torque", "median")}
    if all("inside" in c for c in good):
        out["share"] = sum(c["inside"] for c in good) / sum(c["parameters"] for c in good)
    return {**out, "count": sum(c["parameters"] for c in good), "seeds": len(good)}


def unseen(keep: dict, titles: dict[str, str], reasons: dict[str, str]) -> list[str]:
    table = keep["unseen"]
    out = [
        "## Error on motion not seen", "",
        "`100·‖τ̂ − τ‖/‖τ‖` of the runs held back, in per cent, both sides behind the same zero-phase low-pass at the stated cut-off: over all joints / mean of the joints' own / worst",
        "joint. The norm over all joints depends on the strong joints, and plain least squares minimises it; the mean shows the weak ones too. Rows at rest count. The motion of the held-back",
        "runs is filtered once, for all tools. The least of a row is bold. R marks a reason below.", "",
        "| log | split | filter | %s |" % " | ".join(titles.values()), "|---|---|---|%s" % ("---|" * len(titles))]
    for log, row in table.items():
        if not any(p in row for p in titles):
            continue
        least = {m: min((float("%.3g" % row[p][m]) for p in titles if m in row.get(p, {})), default=0) for m in METRICS}
        words = []
        for p in titles:
            c = row.get(p, {})
            cells = ["%.3g" % c[m] for m in METRICS] if "total" in c else []
            words.append(" / ".join("**%s**" % w if float(w) == least[m] else w for w, m in zip(cells, METRICS)) or (mark(reasons, c["reason"]) if c else "–"))
        out.append("| %s | %s | %g Hz | %s |" % (log, row["split"], row["cutoff"], " | ".join(words)))
    out += ["", "Drake and mujoco-sysid with numpy solve the problem of Pinocchio with numpy, and are fitted to show so on two logs.", "", "Which logs ident was developed with:", ""]
    for seen, words in SEEN.items():
        names = [log for log, row in table.items() if row["seen"] == seen and any(p in row for p in titles)]
        if names:
            out.append("- %s: %s." % (words, ", ".join(names)))
    out += ["", "A log of your own joins by `benchmarks/peers/run --logs FOLDER`: a folder for each, with a robot file and CSV files; the header of the script says more.", "",
            "### Wins and losses", "", "ident against the best of all others, which is another tool from log to log, and against each by itself. Level is within one per cent of the error. Geometric means",
            "are of the logs that all these tools answered.", "", "| against | metric | ahead | level | behind | ident's error over theirs, geometric mean | worst |", "|---|---|---|---|---|---|---|"]
    for metric in METRICS:
        for against in [None, *[p for p in titles if p != "ident"]]:
            r = [x for x, _ in ratios(table, titles if against is None else {against: ""}, metric).values()]
            if len(r) > (2 if against else 0) and (metric != "worst" or against is None):
                product = 1.0
                for x in r:
                    product *= x ** (1 / len(r))
                out.append("| %s | %s | %d | %d | %d | %.2f | %.2f |" % ("the best" if against is None else titles[against], METRICS[metric], sum(x < 1 - LEVEL for x in r),
                                                                          sum(abs(x - 1) <= LEVEL for x in r), sum(x > 1 + LEVEL for x in r), product, max(r)))
    again = [(c["again"], log, p) for log, row in table.items() for p, c in row.items() if isinstance(c, dict) and "again" in c]
    if again:
        most = max(again)
        out += ["", "Twice: %d of these fits were made twice; the predicted torques differ by at most %.1e of their norm (%s, %s)." % (len(again), most[0], most[1], titles.get(most[2], most[2]))]
    return [*out, ""]


def truth(keep: dict, titles: dict[str, str], reasons: dict[str, str]) -> list[str]:
    out = [
        "## Known parameters", "",
        "The example robot is simulated (`ident simulate`, two periods of 10 s at 200 Hz), and every tool gets a rough file of it: masses off by e^(0.25·N), centres of mass by 20 mm. *white* and",
        "*coloured* are torque noise of 2 % of each joint's root mean square, independent or autoregressive (0.9), with encoders of 20 bits; *industrial* are the errors of `--sensors industrial`.",
        "*Torque* is the error of the torques predicted for **another** motion against the noise-free ones, *parameters* the median error of the tool's own base parameters, both in per cent and means",
        "over the seeds, and *inside* the share of its 95 % intervals that hold the truth. Tools without standard deviations have the textbook's, `s²(WᵀW)⁻¹`; those of Pinocchio + cvxpy are of the weighted",
        "rows without its prior. mujoco.sysid gives bodies and no base parameters; in directions that the log does not show, its intervals are infinite and hold anything.", "",
        "| sensors | tool | seeds | torque | parameters | inside |", "|---|---|---|---|---|---|"]
    for sensors, row in keep["truth"].items():
        for p in titles:
            m = means(row.get(p, {}))
            if m:
                inside = "%.0f %% of %d" % (100 * m["share"], m["count"]) if "share" in m else "none"
                out.append("| %s | %s | %d | %.3g | %.3g | %s |" % (sensors, titles[p], m["seeds"], m["torque"], m["median"], inside))
            elif p in row:
                out.append("| %s | %s | 0 | %s | | |" % (sensors, titles[p], mark(reasons, next(iter(row[p].values()))["reason"])))
    return [*out, "", "Drake and mujoco-sysid with numpy give Pinocchio's columns to the same least squares; a few seeds show it.", ""]


def loaded(keep: dict) -> str:
    """Return the sentence that says how many processors other programs used while these were measured."""
    others = [cell["others"] for row in keep["unseen"].values() for cell in row.values() if isinstance(cell, dict) and cell.get("others") is not None]
    if not others:
        return "What other programs did meanwhile is not known: small differences mean nothing."
    most = max(others)
    return "Other programs used %.2f processors on average meanwhile, at most %.2f during one of these runs%s" % (
        sum(others) / len(others), most, "." if most < 0.2 else ": small differences mean nothing.")


def cost(keep: dict, titles: dict[str, str], reasons: dict[str, str]) -> list[str]:
    out = ["## Processor seconds and memory", "",
           "Of the whole process: imports, reading, fit, prediction; of ident its check, statistics and files too. Linear algebra has one thread in all. Seconds / peak in MB.", loaded(keep), "",
           "| log | joints | rows | %s |" % " | ".join(titles.values()), "|---|---|---|%s" % ("---|" * len(titles))]
    for log, row in keep["unseen"].items():
        if not any(p in row for p in titles):
            continue
        cells = ["%.2g / %.0f" % (row[p]["cpu"], row[p]["memory"]) if row.get(p, {}).get("cpu") else "–" for p in titles]
        out.append("| %s | %d | %d | %s |" % (log, row["joints"], row["rows"], " | ".join(cells)))
    return [*out, ""]


def faults(keep: dict, titles: dict[str, str], reasons: dict[str, str]) -> list[str]:
    table = keep.get("faults", {})
    out = ["## Faulty logs", "",
           "Ten faults, one at a time, in the embedded log of the Panda. *named*: a message that appears for the faulty log only contains a word for the cause. *noticed*:",
           "another message, or the tool stops. *silent*: it fits and says what it says of the sound log, figures aside. ident runs with its check. The numpy and cvxpy scripts fit what they get: a check is more lines.", "",
           "| fault | %s |" % " | ".join(titles.values()), "|---|%s" % ("---|" * len(titles))]
    for name, row in table.items():
        out.append("| %s | %s |" % (name, " | ".join(row.get(p, {}).get("says", "–") for p in titles)))
    for kind in ("named", "silent"):
        sums = ["%d of %d" % (sum(row[p]["says"] == kind for row in table.values() if p in row), sum(p in row for row in table.values())) for p in titles]
        out.append("| **%s** | %s |" % (kind, " | ".join("–" if s == "0 of 0" else s for s in sums)))
    out += ["", "figaroh's physical_fit says what its other column says; Drake and mujoco-sysid with numpy what Pinocchio with numpy does. What was said, where anything was:", ""]
    for name, row in table.items():
        for p in titles:
            if row.get(p, {}).get("text"):
                out.append("- %s, %s: `%s`" % (name, titles[p], re.sub(r"/\S*/", "", row[p]["text"]).replace("`", "'")[:160]))
    return [*out, ""]


def same(keep: dict, titles: dict[str, str], reasons: dict[str, str]) -> list[str]:
    table = keep.get("same", {})
    peers = [p for p in titles if any(p in row for row in table.values())]
    out = ["## The same models", "",
           "Relative differences at random states. Link frames differ by tool, so columns are compared as spaces: every column of a tool's regressor",
           "is a combination K of the columns of ident's base regressor (*regressor*), these are as many as the rank of the tool's regressor (*base = rank*), and the unique K turns",
           "the parameters of the file into ident's base parameters (*parameters*). *torques* are inverse dynamics of the file.", "",
           "| robot | joints | base = rank | %s |" % " | ".join("%s: regressor, parameters, torques" % TOOLS[p] for p in peers), "|---|---|---|%s" % ("---|" * len(peers))]
    worst: dict[str, float] = {}
    for name, row in table.items():
        cells, ranks = [], []
        for p in peers:
            c = row.get(p, {"reason": "not run"})
            if "reason" in c:
                cells.append(mark(reasons, c["reason"]))
                continue
            cells.append(", ".join("%.1e" % c[k] for k in ("regressor", "parameters", "torques")))
            ranks.append((c["base"], c["rank"]))
            worst[p] = max(worst.get(p, 0), *(c[k] for k in ("regressor", "parameters", "torques")))
        equal = "%d = %d" % ranks[0] if ranks and all(b == r for b, r in ranks) else ", ".join("%d ≠ %d" % x for x in ranks if x[0] != x[1])
        out.append("| %s | %d | %s | %s |" % (name, row["joints"], equal, " | ".join(cells)))
    out += ["", "%d robots; the largest difference is %s." % (len(table), ", ".join("%.1e from %s" % (w, TOOLS[p]) for p, w in worst.items()) or "not measured"),
            "Where regressor and parameters agree and torques do not, the tool holds other bodies than the file has: it changes infeasible bodies while reading.", ""]
    return out


TOOLS = {"pin": "Pinocchio", "drake": "Drake", "mujoco-sysid": "MuJoCo"}


def speed(keep: dict, titles: dict[str, str], reasons: dict[str, str]) -> list[str]:
    table = keep["speed"]
    n = keep["speed states"]
    out = ["## One regressor, many states", "",
           "Processor time a state of the full regressor of the example robot at %d states, from Python, as its users call it: median of three. ident's is a process" % n,
           "and two files for each call, in which all states go at once; the others' loops run in Python, and in C++ they would take less.", "", "| tool | µs a state |", "|---|---|"]
    for p, c in table.items():
        out.append("| %s | %s |" % (titles[p], c["reason"] if "reason" in c else "%.3g" % (1e6 * c["seconds"][1] / n)))
    return [*out, ""]

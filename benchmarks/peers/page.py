"""The page docs/peers.md, from what the judge measured. Every figure in the tables comes from there."""

from __future__ import annotations

import pathlib
import platform
import re

HERE = pathlib.Path(__file__).resolve().parent
TREE = HERE.parents[1]
PACKAGES = {"figaroh": "figaroh", "pin": "pin", "drake": "drake", "mujoco-sysid": "mujoco-sysid", "mujoco": "mujoco"}
KINDS = ("own", "given")


def text(keep: dict, titles: dict[str, str]) -> str:
    """Return the page."""
    reasons: dict[str, str] = {}
    parts = [*head(keep, titles), *unseen(keep, titles, reasons), *standing(keep, titles), *truth(keep, titles, reasons), *cost(keep, titles), *faults(keep, titles),
             *same(keep, titles, reasons), *speed(keep, titles)]
    parts += CLAIMS
    if reasons:
        parts += ["## Reasons", "", *("%s: %s" % (mark, why) + "\n" for why, mark in reasons.items())]
    return re.sub("\n{3,}", "\n\n", "\n".join(parts)).rstrip() + "\n"


CLAIMS = [
    "## Other claims of speed and accuracy", "",
    "| where | what | command that gives the figures |", "|---|---|---|",
    "| README | errors and grades of five measured robots, behind ident's own cut-off and without rows at rest, unlike the judge's here | `go test ./cmd/ident -run TestReadmeRobots` |",
    "| [measured logs](measured-logs.md) | errors beside published parameters | `go test ./cmd/ident -run Measured` |",
    "| [benchmark](benchmark.md) | coverage, bias and scatter of the estimators | `go test ./cmd/ident -run TestBenchmark$` |",
    "| [operation counts](operation-counts.md) | generated models beside the guide of SYMORO+ | `go test ./codegen -run TestOperationCounts` |",
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
        return next(m[1] for m in re.finditer(r"^## (\d[\d.]*)", (TREE / "CHANGELOG.md").read_text(), re.M))
    lines = (HERE / (peer + ".txt")).read_text().splitlines()
    return next(line.split("==")[1] for line in lines if line.lower().replace("_", "-").startswith(PACKAGES[peer] + "=="))


def head(keep: dict, titles: dict[str, str]) -> list[str]:
    return [
        "# Beside other tools", "",
        "    benchmarks/peers/run", "",
        "writes this page. It fits the same logs with the tools that people would use instead, and judges all answers by one function. No",
        "figure in the tables is typed by hand. Where ident loses, the table says so in the same type.", "",
        "Measured on: %s." % keep.get("machine", machine()), "",
        "| tool | version | what it is | lines that a user writes |", "|---|---|---|---|",
        *("| %s | %s | %s | %s |" % (titles[p], version(p), WHAT[p], keep.get("lines", {}).get(p, "–")) for p in titles), "",
        "Lines are those between the marks of the scripts in `benchmarks/peers`, without blank ones and comments: from a robot file and a log",
        "in memory to torques of another motion.", "",
        "**Alone** means that a tool filters as its own documentation says, or, where it has no filters, as its users write them: a zero-phase",
        "Butterworth low-pass of positions and torques at the log's cut-off, and numerical derivatives. ident alone gets the raw log and no",
        "setting. **Given** means that every tool gets our preprocessing: the robot file as `ident robot --to urdf` writes it, the motion filtered",
        "at five times the cut-off, and one low-pass for the torques and every column of the regressor; ident fits with `--plain` and the log's cut-off.",
        "The motor that joints 5 and 6 of the TX40 share is in all models that are given, and alone in those that find it.", "",
    ]


WHAT = {
    "ident": "identification of robots",
    "figaroh": "identification and calibration, on Pinocchio",
    "pin": "Pinocchio's regressor; least squares in numpy",
    "drake": "inverse dynamics differentiated by the parameters; least squares in numpy",
    "mujoco-sysid": "regressor for MuJoCo; least squares in numpy",
    "mujoco": "MuJoCo's own toolbox: simulations, or any residual, by Gauss-Newton",
}


def mark(reasons: dict[str, str], why: str) -> str:
    """Return the mark of a reason in the list at the end of the page."""
    why = re.sub(r"/\S*/", "", why)
    return reasons.setdefault(why, "R%d" % (len(reasons) + 1))


def figure(c: dict | None, key: str, unit: str, reasons: dict[str, str]) -> str:
    if c is None:
        return ""
    return mark(reasons, c["reason"]) if "reason" in c else "%.3g%s" % (c[key], unit)


def unseen(keep: dict, titles: dict[str, str], reasons: dict[str, str]) -> list[str]:
    table = keep.get("unseen", {})
    out = [
        "## Error on motion not seen", "",
        "`100·‖τ̂ − τ‖/‖τ‖` over all joints of the runs held back, in per cent, both sides behind the same zero-phase low-pass at the stated cut-off.",
        "The motion of the held-back runs is filtered once, for all tools. The least of a column is bold. R marks a reason below.", ""]
    if any(kind not in row.get(p, {}) for row in table.values() for p in titles for kind in KINDS):
        out += ["*not run*: this cell was left out (`--peer`, `--log` and `--given` choose cells). It says nothing of the tool.", ""]
    for kind, title in zip(KINDS, ("Alone", "Given our preprocessing")):
        out += ["### " + title, "", "| log | split | filter | %s |" % " | ".join(titles.values()), "|---|---|---|%s" % ("---|" * len(titles))]
        for log, row in table.items():
            cells = [row.get(p, {}).get(kind) for p in titles]
            known = [float("%.3g" % c["error"]) for c in cells if c and "error" in c]
            words = [figure(c, "error", "", reasons) or "not run" for c in cells]
            words = ["**%s**" % w if c and "error" in c and float(w) == min(known) else w for w, c in zip(words, cells)]
            out.append("| %s | %s | %g Hz | %s |" % (log, row["split"], row["cutoff"], " | ".join(words)))
        out.append("")
    return out


def standing(keep: dict, titles: dict[str, str]) -> list[str]:
    """Say on how many logs ident is ahead, level and behind, against the best of the others."""
    out = ["### Wins and losses of ident", "", "Against the best of the others on each log; level means within one per cent of the error.", "", "| | ahead | level | behind |", "|---|---|---|---|"]
    for kind, title in zip(KINDS, ("alone", "given")):
        sides: dict[str, list[str]] = {"ahead": [], "level": [], "behind": []}
        for log, row in keep.get("unseen", {}).items():
            ours = row.get("ident", {}).get(kind, {}).get("error")
            others = [row[p][kind]["error"] for p in titles if p != "ident" and "error" in row.get(p, {}).get(kind, {})]
            if ours is None or not others:
                continue
            ratio = ours / min(others)
            sides["level" if abs(ratio - 1) <= 0.01 else "ahead" if ratio < 1 else "behind"].append("%s (%.2f)" % (log, ratio))
        out.append("| %s | %s |" % (title, " | ".join(", ".join(s) or "none" for s in sides.values())))
    return [*out, "", "In brackets: ident's error divided by the least error of the others. Why the errors differ was not tested; the likely reasons are:", "", *CAUSES, ""]


CAUSES = [
    "- Given the same rows, all tools but MuJoCo's solve one problem. What differs between ident and the others is the weight of the joints: ident weighs each joint's rows by",
    "  the size of its residuals, the others weigh a newton metre of each joint alike, and so does the error that is compared. This is probably why ident loses on KUKA and UR10e.",
    "- Alone, ident also chooses friction terms, feasible bodies and a prior by what predicts rows left out. This is probably why it wins on some logs and loses on others.",
    "- Alone, ident chooses its own cut-off, which differs from the one that errors are measured with.", "",
    "The README shows other errors for the same fits: here all rows count, while ident's own errors leave out rows of joints at rest. One fit of the TX40's first 60 %",
    "at 20 Hz leaves 5.3 % of the rest without the rows at rest, and 12.3 % with them; the cut-off that ident chooses, 12 Hz, gives 5.3 and 12.9 %.", "",
    "    ident fit DATA/tx40/tx40_joint_side_5kHz.csv.gz --robot DATA/tx40/model/tx40_mdh_modified.urdf --train-fraction 0.6 --cutoff 20 -o tx",
    "    ident validate tx DATA/tx40/tx40_joint_side_5kHz.csv.gz --rows tx40_joint_side_5kHz.csv.gz:27001-45000 [--rest keep]",
]


def truth(keep: dict, titles: dict[str, str], reasons: dict[str, str]) -> list[str]:
    table = keep.get("truth", {})
    out = [
        "## Known parameters", "",
        "The example robot is simulated (`ident simulate`, some runs each), and every tool gets a rough file of it: masses off by e^(0.25·N), centres of mass by",
        "20 mm. *Torque* is the error of the predicted torques against the noise-free ones of the same motion, *parameters* the median error of",
        "the tool's own base parameters, both in per cent, and *inside* the share of its 95 % intervals that hold the truth. Tools without standard deviations of their own have the",
        "textbook's, `s²(WᵀW)⁻¹`, which takes all samples for independent.", "",
        "| sensors | tool | alone: torque, parameters, inside | given: torque, parameters, inside |", "|---|---|---|---|"]
    for sensors, row in table.items():
        for p in titles:
            cells = []
            for kind in KINDS:
                seeds = list(row.get(p, {}).get(kind, {}).values())
                good = [c for c in seeds if "reason" not in c]
                if not seeds:
                    cells.append("not run")
                elif not good:
                    cells.append(mark(reasons, seeds[0]["reason"]))
                else:
                    n = len(good)
                    inside = "%.0f %% of %d" % (100 * sum(c["inside"] for c in good) / sum(c["parameters"] for c in good), sum(c["parameters"] for c in good)) if "inside" in good[0] else "none"
                    cells.append("%.3g, %.3g, %s" % (sum(c["torque"] for c in good) / n, sum(c["median"] for c in good) / n, inside))
            out.append("| %s | %s | %s |" % (sensors, titles[p], " | ".join(cells)))
    return [*out, ""]


def cost(keep: dict, titles: dict[str, str]) -> list[str]:
    table = keep.get("unseen", {})
    out = ["## Processor seconds", "",
           "Of the whole process: imports, reading, fit, prediction; of ident its check, statistics and files too. Linear algebra has one thread in all. Alone, then given.",
           "Measured on a machine that was loaded by other programs: small differences mean nothing.", "",
           "| log | joints | rows | %s |" % " | ".join(titles.values()), "|---|---|---|%s" % ("---|" * len(titles))]
    for log, row in table.items():
        cells = [", ".join("%.3g" % row.get(p, {}).get(k, {})["cpu"] if row.get(p, {}).get(k, {}).get("cpu") else "–" for k in KINDS) for p in titles]
        out.append("| %s | %d | %d | %s |" % (log, row["joints"], row["rows"], " | ".join(cells)))
    return [*out, ""]


def faults(keep: dict, titles: dict[str, str]) -> list[str]:
    table = keep.get("faults", {})
    out = ["## Faulty logs", "",
           "Ten faults, one at a time, in the embedded log of the Panda. *named*: a message that the sound log does not get has a word of the cause. *noticed*:",
           "another message, or the tool stops. *silent*: it fits and says what it says of the sound log, figures aside. Tools run alone, ident with its check.", "",
           "| fault | %s |" % " | ".join(titles.values()), "|---|%s" % ("---|" * len(titles))]
    for name, row in table.items():
        out.append("| %s | %s |" % (name, " | ".join(row.get(p, {}).get("says", "not run") for p in titles)))
    out += ["| **named** | %s |" % " | ".join(str(sum(row.get(p, {}).get("says") == "named" for row in table.values())) for p in titles),
            "| **silent** | %s |" % " | ".join(str(sum(row.get(p, {}).get("says") == "silent" for row in table.values())) for p in titles), "", "What was said, where anything was:", ""]
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


def speed(keep: dict, titles: dict[str, str]) -> list[str]:
    table = keep.get("speed", {})
    if not table:
        return []
    n = keep["speed states"]
    out = ["## One regressor, many states", "",
           "Processor time a state of the full regressor of the example robot at %d states, from Python, as its users call it: median of three. ident's is a process" % n,
           "and two files for each call, in which all states go at once; the others' loops run in Python, and in C++ they would take less.", "", "| tool | µs a state |", "|---|---|"]
    for p, c in table.items():
        out.append("| %s | %s |" % (titles[p], c["reason"] if "reason" in c else "%.3g" % (1e6 * c["seconds"][1] / n)))
    return [*out, ""]

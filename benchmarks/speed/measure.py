"""Processor seconds and peak memory of commands, by several builds of ident in turn. See the script run."""

from __future__ import annotations

import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tempfile

TREE = pathlib.Path(__file__).resolve().parents[2]
PAGE = TREE / "docs/speed.md"
TIMES = 3
EXAMPLE = TREE / "datasets/example"


def commands(data: pathlib.Path, folder: pathlib.Path, long: bool) -> list[tuple[str, list[str]]]:
    """Return what is measured: as the page calls it, and the words after ident; what needs a file that is not there is left out."""
    kuka, robot = data / "kuka_lwr4", data / "kuka_lwr4/model/kuka_lwr4.urdf"
    run = [str(kuka / ("measurements_%d.csv.gz" % i)) for i in (1, 2, 3)]
    fit = ["fit", run[1], run[2], "--validate", run[0], "--robot", str(robot), "--cutoff", "8", "-o", "out"]
    found = []
    if robot.exists():
        found += [
            ("`check`, 5,000 rows of seven joints", ["check", run[1], "--robot", str(robot)]),
            ("`fit --plain`, two runs of 5,000 rows", [*fit, "--plain"]),
            ("`fit`, all choices automatic", fit),
            ("`design-trajectory --self-collision`, KUKA", ["design-trajectory", str(robot), "--self-collision", "-o", "out.csv"]),
        ]
    if long:
        found += [
            ("`simulate`, 10⁶ rows of six joints", ["simulate", str(EXAMPLE / "puma560.urdf"), "--trajectory", str(EXAMPLE / "puma560.json"), "--repeat", "100", "--rate", "1000", "-o", "out.parquet"]),
            ("`check`, these 10⁶ rows", ["check", str(folder / "long.parquet")]),
            ("`fit --plain`, these 10⁶ rows", ["fit", str(folder / "long.parquet"), "--plain", "-o", "out"]),
        ]
    return found


def measure(program: pathlib.Path, words: list[str], folder: pathlib.Path) -> tuple[float, float] | None:
    """Return processor seconds and peak memory in MB of one run; None where it fails (3 is the code of a check that finds something)."""
    place = folder / "place"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    with subprocess.Popen([str(program), *words], cwd=place, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return (usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024) if process.returncode in (0, 3) else None


def processor() -> str:
    """Return the processor's name with its widest vector instructions."""
    try:
        text = pathlib.Path("/proc/cpuinfo").read_text()
    except OSError:
        return platform.processor() or platform.machine()
    name = re.search(r"^model name\s*: (.*)$", text, re.M)
    return "%s with %s" % (name[1] if name else platform.machine(), "AVX-512" if " avx512f" in text else "AVX2" if " avx2" in text else "neither AVX2 nor AVX-512")


def table(builds: dict[str, pathlib.Path]) -> list[str]:
    """Return the table of the page, of the least seconds and the largest memory of some runs of each command, the builds in turn."""
    names = list(builds)
    data = pathlib.Path(os.environ.get("IDENT_DATA") or TREE.parent / "shared") / "data"
    head = [*("%s: s, MB" % name for name in names), *("time over %s" % name for name in names[1:]), *("memory over %s" % name for name in names[1:])]
    out = ["%s, %s. Each figure is the least of %d runs; the programs took turns, on a machine that did other work too." % (processor(), platform.system(), TIMES), "", "| command | %s |" % " | ".join(head), "|---|%s" % ("---|" * len(head))]
    with tempfile.TemporaryDirectory(prefix="speed") as scratch:
        folder = pathlib.Path(scratch)
        made = subprocess.run([str(builds[names[0]]), "simulate", str(EXAMPLE / "puma560.urdf"), "--trajectory", str(EXAMPLE / "puma560.json"), "--repeat", "100", "--rate", "1000", "-o", "long.parquet"],
                              cwd=folder, capture_output=True)
        for name, words in commands(data, folder, made.returncode == 0):
            runs: dict[str, list] = {build: [] for build in names}
            for _ in range(TIMES):
                for build in names:
                    runs[build].append(measure(builds[build], words, folder))
            best = {b: (min(x[0] for x in r), max(x[1] for x in r)) for b, r in runs.items() if None not in r}
            cells = ["%.2f, %.0f" % best[b] if b in best else "fails" for b in names]
            cells += ["%.2f" % (best[names[0]][k] / best[b][k]) if names[0] in best and b in best else "–" for k in (0, 1) for b in names[1:]]
            out.append("| %s | %s |" % (name, " | ".join(cells)))
            print(out[-1], file=sys.stderr, flush=True)
    return out


def main() -> None:
    cache, show = pathlib.Path(sys.argv[1]), "--print" in sys.argv
    builds = {name: cache / file for name, file in (word.split("=") for word in sys.argv[2:] if "=" in word) if (cache / file).exists()}
    lines = table(builds)
    if show:
        print("\n".join(lines))
        return
    text = PAGE.read_text()
    PAGE.write_text(re.sub(r"(<!-- measured -->\n).*?(<!-- end -->)", lambda m: m[1] + "\n" + "\n".join(lines) + "\n\n" + m[2], text, flags=re.S))


if __name__ == "__main__":
    main()

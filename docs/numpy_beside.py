"""numpy_fit.py and `ident fit --plain` on the same log, one after the other: CPU seconds, user and system, of both commands.

    python3 docs/numpy_beside.py IDENT ROBOT.urdf LOG.parquet FOLDER [RUNS]

The cut-off is 10 Hz, and one row in 16 is fitted, as ident does at 1 kHz. Skips, and says so, where python3 has no numpy.
"""
import glob
import os
import statistics
import subprocess
import sys

ident, robot, log, folder = sys.argv[1:5]
runs = int(sys.argv[5]) if len(sys.argv) > 5 else 3
try:
    import numpy
except ImportError:
    sys.exit(print("skipped: this python3 has no numpy"))
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[name] = "1"
npz, generated = os.path.join(folder, "log.npz"), os.path.join(folder, "generated")
quiet = dict(check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
subprocess.run([ident, "convert", log, "-o", npz], **quiet)
subprocess.run([ident, "codegen", robot, "--model", "dynamic", "--base", "--lang", "python", "-o", generated], **quiet)
source = glob.glob(os.path.join(generated, "*.py"))[0]


def seconds(command):
    """User and system seconds of a command, which may end with a verdict."""
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 3):
        sys.exit(f"{' '.join(command)}: exit status {status}")
    return used.ru_utime + used.ru_stime


numpy_fit = os.path.join(os.path.dirname(os.path.abspath(__file__)), "numpy_fit.py")
commands = {
    f"numpy {numpy.__version__}": [sys.executable, numpy_fit, source, npz, "10", "16"],
    "ident fit --plain": [ident, "fit", log, "--robot", robot, "--plain", "--cutoff", "10", "-o", os.path.join(folder, "result")],
}
found = {name: [] for name in commands}
for _ in range(runs):
    for name, command in commands.items():
        found[name].append(seconds(command))
for name, s in found.items():
    print(f"{name:20s} {statistics.median(s):6.2f} s, {min(s):.2f} to {max(s):.2f} in {runs} runs")

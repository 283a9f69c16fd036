"""What the sampling rate of a log costs: the table of questions/sampling-rate.md.

    python3 docs/rates.py IDENT FOLDER

The example's robot repeats its motion three times (30 s), seen by three classes of sensors at each rate; positions and torques alone are
fitted, and the fit predicts the exact torques of another motion. Medians of the error in per cent over three seeds. Only the standard library is used.
"""
import json
import os
import statistics
import subprocess
import sys

RATES = [50, 100, 125, 200, 500, 1000]


def main():
    ident, folder = os.path.abspath(sys.argv[1]), sys.argv[2]
    example = os.path.abspath(os.path.join(os.path.dirname(__file__), "../datasets/example"))
    robot, motion = (os.path.join(example, "puma560." + x) for x in ("urdf", "json"))
    os.makedirs(folder, exist_ok=True)
    os.chdir(folder)

    def run(*args):
        done = subprocess.run([ident, *args], capture_output=True, text=True)
        if done.returncode not in (0, 3):  # 3: a verdict is fail
            sys.exit(done.stderr)
        return done.stdout

    run("design-trajectory", robot, "--starts", "1", "--period", "8", "--seed", "5", "-o", "other.json")
    run("simulate", robot, "--trajectory", "other.json", "--rate", "500", "--ideal", "-o", "exact.parquet")
    print("| rate, Hz | white noise, 1 % of torque | an industrial arm | a hobby servo |")
    print("|---|---|---|---|")
    for rate in RATES:
        cells = []
        for sensors in ([], ["--sensors", "industrial"], ["--sensors", "hobby-servo"]):
            errors = []
            for seed in "123":
                run("simulate", robot, "--trajectory", motion, "--repeat", "3", "--rate", str(rate), *sensors, "--seed", seed, "-o", "log.parquet")
                run("fit", "log.parquet", "--velocity", "position", "--force", "-o", "log.ident")
                score = json.loads(run("validate", "log.ident", "exact.parquet", "--json"))["validation"]["relative_error_percent"]
                errors.append(score["stacked"])
            cells.append(f"{statistics.median(errors):.2f}")
        print(f"| {rate} | {' | '.join(cells)} |", flush=True)


main()

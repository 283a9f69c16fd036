"""run.py IDENT FOLDER checks every log of expected.json, and writes raw.jsonl beside this file: findings without prose."""
import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
KEEP = ("id", "severity", "joint", "channel", "value", "limit", "group", "explains", "class", "nearest", "tried", "excess")


def main():
    ident, folder = sys.argv[1:3]
    with open(os.path.join(HERE, "expected.json")) as f:
        runs = json.load(f)
    path = os.path.join(HERE, "raw.jsonl")
    done = set()
    if os.path.exists(path):
        done = {json.loads(x)["run"] for x in open(path)}
    with open(path, "a") as out:
        for r in runs:
            if r["run"] in done:
                continue
            p = subprocess.run([ident, "check", os.path.join(folder, r["run"] + ".csv"), "--robot", os.path.join(folder, r["robot"] + ".urdf"), "--json"],
                               capture_output=True, text=True)
            row = {"run": r["run"], "exit": p.returncode}
            try:
                doc = json.loads(p.stdout)
                row["findings"] = [{k: x[k] for k in KEEP if x.get(k)} for x in doc["findings"] or []]
            except (ValueError, KeyError):
                row["stderr"] = p.stderr[:300]
            out.write(json.dumps(row) + "\n")
            out.flush()


if __name__ == "__main__":
    main()

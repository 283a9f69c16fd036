"""run.py IDENT FOLDER OUT [RUNS...] checks every log, and fits those without a leading finding; OUT has findings without prose."""
import json
import os
import subprocess
import sys
import tempfile

KEEP = ("id", "severity", "joint", "channel", "value", "limit", "group", "explains", "class", "nearest", "tried", "excess", "why", "fix")


def main():
    ident, folder, out = sys.argv[1:4]
    only = set(sys.argv[4:])
    done = set()
    try:
        done = {json.loads(x)["run"] for x in open(out)}
    except FileNotFoundError:
        pass
    with open(out, "a") as f:
        for r in json.load(open(f"{folder}/expected.json")):
            if r["run"] in done or (only and r["run"] not in only and r["kind"] not in only) or (not only and not r.get("harmful", True)):
                continue
            args = [f"{folder}/{r['run']}.csv", "--robot", f"{folder}/{r['robot']}.urdf"]
            p = subprocess.run([ident, "check", *args, "--json"], capture_output=True, text=True)
            row = {"run": r["run"], "exit": p.returncode}
            try:
                doc = json.loads(p.stdout)
                row["findings"] = [{k: x[k] for k in KEEP if x.get(k)} for x in doc["findings"] or []]
            except (ValueError, KeyError):
                row["stderr"] = p.stderr[:400]
            if not any(x["severity"] != "info" for x in row.get("findings", [])):
                p = subprocess.run([ident, "fit", *args, "--json", "-o", os.path.join(tempfile.gettempdir(), "third.ident"), "--overwrite", "--force"], capture_output=True, text=True)
                try:
                    doc = json.loads(p.stdout)
                    row["grade"] = doc.get("grade"); row["reasons"] = doc.get("reasons")
                    if row["grade"] is None:
                        row["doc"] = list(doc)
                except ValueError:
                    row["fiterr"] = (p.stderr or p.stdout)[:300]
            f.write(json.dumps(row) + "\n"); f.flush()


main()

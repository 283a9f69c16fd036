"""run.py IDENT FOLDER OUT: check and fit of each run of expected.json, one after the other, into OUT (one JSON a line)."""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import bodies

HERE = os.path.dirname(os.path.abspath(__file__))
TIMEOUT = 120


def call(args):
    start = time.time()
    try:
        p = subprocess.run(args, capture_output=True, text=True, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return {"exit": "timeout", "seconds": TIMEOUT}, {}
    try:
        doc = json.loads(p.stdout)
    except ValueError:
        doc = {}
    out = {"exit": p.returncode, "seconds": round(time.time() - start, 1)}
    if not doc:
        out["message"] = p.stderr.strip()[-200:]
    return out, doc


def short(findings):
    out = []
    for f in findings or []:
        x = {k: f[k] for k in ("id", "severity", "class", "joint", "fix") if f.get(k)}
        if "fix" in x:
            x["fix"] = x["fix"][:80]
        if f["id"] == "unexplained":
            x["why"] = f.get("why", "")[:150]
        if f.get("severity") == "info":
            x.pop("fix", None)
        out.append(x)
    return out


if __name__ == "__main__":
    ident, folder, path = sys.argv[1:4]
    with open(path, "w") as raw:
        for e in map(json.loads, open(os.path.join(HERE, "expected.json"))):
            log, urdf = os.path.join(folder, e["run"] + ".csv"), os.path.join(folder, e["robot"] + ".urdf")
            gains = bodies.ROBOTS[e["robot"]]["gains"]
            more = ["--gains", ",".join(map(str, gains))] if gains else []
            check, doc = call([ident, "check", log, "--robot", urdf, "--json"] + more)
            check["findings"] = short(doc.get("findings"))
            where = tempfile.mkdtemp()
            fit, doc = call([ident, "fit", log, "--robot", urdf, "--json", "-o", os.path.join(where, "r")] + more)
            shutil.rmtree(where)
            g = doc.get("grade") or {}
            fit["grade"] = g.get("value")
            fit["torques"], fit["parameters"] = (g.get("torques") or {}).get("value"), (g.get("parameters") or {}).get("value")
            fit["reasons"] = [x["id"] for x in g.get("reasons") or []]
            fit["findings"] = [{k: x[k] for k in ("id", "joint") if x.get(k)} for x in doc.get("findings") or [] if x.get("severity") != "info"]
            raw.write(json.dumps({"run": e["run"], "check": check, "fit": fit}) + "\n")
            raw.flush()

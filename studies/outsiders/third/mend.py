"""mend.py IDENT FOLDER SET OUT: what ident check --fix writes, and the unseen error of the free fit before and after."""
import json
import os
import subprocess
import sys
import tempfile

import numpy as np
import kinds, lab
ident, folder, which, out = sys.argv[1:5]
from make import SETS
arms, base = SETS[which]
seen = {}
for i, name in enumerate(arms):
    s = kinds.Run(name, base + 500 + i)
    seen[name] = (lab.Arm(name), (s.q, s.dq, s.ddq), s.sound()[1])
done = set()
if os.path.exists(out):
    done = {json.loads(x)["run"] for x in open(out)}
for r in json.load(open(f"{folder}/expected.json")):
    if r["kind"] == "sound" or not r["harmful"] or r["run"] in done:
        continue
    to = os.path.join(tempfile.gettempdir(), "third.csv")
    if os.path.exists(to):
        os.remove(to)
    p = subprocess.run([ident, "check", f"{folder}/{r['run']}.csv", "--robot", f"{folder}/{r['robot']}.urdf", "--fix", to], capture_output=True, text=True)
    row = {"run": r["run"], "error": r["error"], "sound": r["sound"]}
    if os.path.exists(to):
        h = open(to).readline().strip().split(",")
        d = np.genfromtxt(to, delimiter=",", skip_header=1)
        col = lambda k: np.stack([d[:, next(i for i, x in enumerate(h) if x.split(" ")[0].split("[")[0] == f"{k}{j+1}")] for j in range(lab.Arm(r["robot"]).n)], 1)
        arm, truth, clean = seen[r["robot"]]
        ok = np.isfinite(d).all(1)
        t = d[ok, 0]
        q, u = col("q")[ok], col("tau")[ok]
        grid = np.arange(t[0], t[-1], np.median(np.diff(t)))
        q = np.stack([np.interp(grid, t, c) for c in q.T], 1); u = np.stack([np.interp(grid, t, c) for c in u.T], 1)
        row["after"] = round(lab.unseen(arm, lab.fit(arm, grid, q, u), truth, clean), 3)
        row["rows"] = int(len(t))
        row["said"] = [x for x in p.stdout.splitlines() + p.stderr.splitlines() if "mend" in x or "wrote" in x or "->" in x or "→" in x][:4]
    open(out, "a").write(json.dumps(row) + "\n")

"""make.py FOLDER SET writes robots, logs and expected.json of a set of arms and seeds into a folder."""
import json
import os
import sys

import numpy as np
import kinds, lab

SETS = {"a": (("painter", "bench5", "assist7"), 31000), "b": (("lathe6", "garden4", "assist7"), 77000), "c": (("bench5", "lathe6", "painter"), 93000)}


def main():
    folder, which = sys.argv[1:3]
    arms, base = SETS[which]
    os.makedirs(folder, exist_ok=True)
    out = []
    for i, name in enumerate(arms):
        arm = lab.Arm(name)
        with open(f"{folder}/{name}.urdf", "w") as f:
            f.write(arm.urdf())
        second = kinds.Run(name, base + 500 + i)
        truth = second.q, second.dq, second.ddq
        _, clean = second.sound()
        for k, (kind, (make, sizes, joints, *names)) in enumerate(kinds.KINDS.items()):
            z = (i + k) % 2  # one size an arm, two of one size in three arms
            seed = base + 10 * k + i
            s, j = sizes[z], joints[z % len(joints)] % arm.n
            style = "stops" if (i + k) % 3 == 2 else "waves"
            r = kinds.Run(name, seed, style)
            q, u = r.sound()
            sigma = 0.006 * np.abs(u).max(0) + 1e-4
            first = lab.unseen(arm, lab.fit(arm, r.t, *lab.sensors(r.t, q, u, sigma, np.random.default_rng(seed))[::2]), truth, clean)
            r = kinds.Run(name, seed, style)
            q, u = make(r, s, j)
            q, dq, u = lab.sensors(r.t, q, u, sigma, np.random.default_rng(seed))
            u = r.after(u)
            e = lab.unseen(arm, lab.fit(arm, r.t, q, u), truth, clean)
            harmful = e >= 1.5 * first and e >= first + 1
            at = f"{name}-{kind}"
            lab.write(f"{folder}/{at}.csv", r.t, q, dq, u)
            out.append(dict(run=at, robot=name, kind=kind, style=style, size=s, joint=j + 1, sound=round(first, 3), error=round(e, 3), harmful=harmful, names=names[0], kin=names[1], cls=names[2]))
        for z, style in enumerate(("waves", "stops", "standing", "turns", "slow", "fast", "rare", "noisy", "waves", "stops", "frictionless", "rough", "coarse", "stamps")):
            seed = base + 7000 + 20 * i + z
            rng = np.random.default_rng(seed)
            t, q, dq, ddq = lab.motion(arm.n, seed, style)
            u = arm.torque(q, dq, ddq) + (0 if style == "frictionless" else arm.rub(dq))
            sigma = 0.006 * np.abs(u).max(0) * (4 if style == "noisy" else 1) + 1e-4
            if style == "coarse":
                q = np.round(q / 0.0015) * 0.0015
            q, dq, u = lab.sensors(t, q, u, sigma, rng)
            robot = name
            if style == "rough":  # a file whose bodies are guessed
                def guess(x):
                    for b in x:
                        b[3] = round(b[3] * np.exp(0.3 * rng.normal()), 2); b[4] = tuple(np.array(b[4]) + 0.02 * rng.normal(size=3))
                robot = name + "-rough"
                open(f"{folder}/{robot}.urdf", "w").write(lab.Arm(name, guess).urdf())
            if style == "stamps":
                t = np.round(t + rng.uniform(0, 0.0015, len(t)), 3)
            at = f"{name}-sound-{z}-{style}"
            lab.write(f"{folder}/{at}.csv", t, q, dq, u)
            out.append(dict(run=at, robot=robot, kind="sound", style=style))
    json.dump(out, open(f"{folder}/expected.json", "w"), indent=0)
    print(len(out), sum(r.get("harmful", False) for r in out), "harmful")
    for r in out:
        if not r.get("harmful", True):
            print(r["run"], r["size"], r["sound"], r["error"])


if __name__ == "__main__":
    main()

"""User and system seconds of `ident fit --plain` over rows, joints and cores, as a table and a figure.

    python3 docs/scaling.py IDENT FOLDER FIGURE.svg [MOST_ROWS]

Robots are serial chains with random bodies, a log is a simulated motion at 1 kHz. The logs stay in FOLDER, where a
second run finds them; ten million rows take 1.7 GB. Only the standard library is used.
"""
import json
import math
import os
import random
import subprocess
import sys
import time

ROWS = [10**4, 10**5, 10**6, 10**7]  # of seven joints
JOINTS = [3, 7, 15, 30, 60]  # at FEW rows; a fit takes 60 joints at most
FEW = 10**4


def chain(n, folder):
    """A chain of n joints and a motion of ten seconds: its two files."""
    urdf, motion = (os.path.join(folder, f"chain{n}.{x}") for x in ("urdf", "json"))
    r = random.Random(n)
    links, joints = ['<link name="base"/>'], []
    for k in range(1, n + 1):
        at = " ".join(f"{r.uniform(-0.05, 0.05):.6f}" for _ in range(3))
        i = [r.uniform(0.010, 0.015) for _ in range(3)]
        links.append(f'<link name="l{k}"><inertial><origin xyz="{at}"/><mass value="{r.uniform(0.5, 1.5):.6f}"/>'
                     f'<inertia ixx="{i[0]:.6f}" iyy="{i[1]:.6f}" izz="{i[2]:.6f}" ixy="5e-4" ixz="3e-4" iyz="2e-4"/></inertial></link>')
        parent, axis = "base" if k == 1 else f"l{k-1}", ["1 0 0", "0 0 1", "0 1 0"][k % 3]
        joints.append(f'<joint name="j{k}" type="revolute"><parent link="{parent}"/><child link="l{k}"/>'
                      f'<origin xyz="{r.uniform(0, 0.1):.6f} 0 0.15"/><axis xyz="{axis}"/>'
                      '<limit lower="-3" upper="3" velocity="4" effort="500"/><dynamics damping="0.3" friction="0.4"/></joint>')
    with open(urdf, "w") as f:
        f.write(f'<robot name="chain{n}">\n' + "\n".join(links + joints) + "\n</robot>\n")
    series = [{"name": f"j{k}", "q0": r.uniform(-0.4, 0.4), "a": [r.gauss(0, 0.3) for _ in range(5)], "b": [r.gauss(0, 0.3) for _ in range(5)]}
              for k in range(1, n + 1)]
    form = "q(t) = q0 + sum over l of a[l]/(w*l)*sin(l*w*t) - b[l]/(w*l)*cos(l*w*t), w = 2*pi/period_s, l = 1, 2, ..."
    with open(motion, "w") as f:
        json.dump({"schema": "ident.trajectory/1", "form": form, "period_s": 10, "joints": series}, f)
    return urdf, motion


def log(ident, n, rows, folder):
    """The log of a chain, made where it is not there yet, and its robot."""
    urdf, motion = chain(n, folder)
    path = os.path.join(folder, f"chain{n}-{rows}.parquet")
    if not os.path.exists(path):
        subprocess.run([ident, "simulate", urdf, "--trajectory", motion, "--repeat", str(rows // 10**4), "-o", path],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return path, urdf


def fit(ident, n, rows, folder, cores=2):
    """Seconds, user and system, peak memory in MB and seconds by the wall clock of a fit."""
    path, urdf = log(ident, n, rows, folder)
    command = [ident, "fit", path, "--robot", urdf, "--plain", "--cutoff", "10", "-o", os.path.join(folder, "result")]
    began = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=dict(os.environ, GOMAXPROCS=str(cores)))
    _, status, used = os.wait4(child.pid, 0)
    wall = time.monotonic() - began
    if status != 0 and os.waitstatus_to_exitcode(status) != 3:
        sys.exit(f"{' '.join(command)}: exit status {status}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, wall


def panel(x0, title, unit, points):
    """One diagram of seconds over a quantity, both on logarithmic axes."""
    w, h, y0 = 250, 200, 40
    lx = [math.log10(p[0]) for p in points]
    lo, hi = -1.3, 2.0  # 0.05 to 100 s
    to_x = lambda v: x0 + (math.log10(v) - lx[0]) / (lx[-1] - lx[0]) * w
    to_y = lambda s: y0 + h - (min(max(math.log10(s), lo), hi) - lo) / (hi - lo) * h
    out = [f'<rect x="{x0}" y="{y0}" width="{w}" height="{h}" fill="none" stroke="#888"/>',
           f'<text x="{x0 + w / 2}" y="{y0 - 12}" text-anchor="middle">{title}</text>',
           f'<text x="{x0 + w / 2}" y="{y0 + h + 36}" text-anchor="middle">{unit}</text>']
    for s in (0.1, 1, 10, 100):
        out.append(f'<line x1="{x0}" x2="{x0 + w}" y1="{to_y(s):.1f}" y2="{to_y(s):.1f}" stroke="#ddd"/>')
        out.append(f'<text x="{x0 - 6}" y="{to_y(s) + 4:.1f}" text-anchor="end">{s:g} s</text>')
    for v, _ in points:
        text = f"10<tspan dy='-5' font-size='9'>{round(math.log10(v))}</tspan>" if v >= 1000 else str(v)
        out.append(f'<text x="{to_x(v):.1f}" y="{y0 + h + 17}" text-anchor="middle">{text}</text>')
    path = " ".join(f"{to_x(v):.1f},{to_y(s):.1f}" for v, s in points)
    out.append(f'<polyline points="{path}" fill="none" stroke="#1f6fb4" stroke-width="2"/>')
    for i, (v, s) in enumerate(points):
        anchor, dx = [("middle", 0), ("start", 4), ("end", -4)][1 if i == 0 else 2 if i == len(points) - 1 else 0]  # clear of the frame
        out.append(f'<circle cx="{to_x(v):.1f}" cy="{to_y(s):.1f}" r="3" fill="#1f6fb4"/>')
        out.append(f'<text x="{to_x(v) + dx:.1f}" y="{to_y(s) - 8:.1f}" text-anchor="{anchor}" font-size="10">{s:.3g}</text>')
    return out


def main():
    ident, folder, figure = sys.argv[1:4]
    most = int(sys.argv[4]) if len(sys.argv) > 4 else ROWS[-1]
    os.makedirs(folder, exist_ok=True)
    rows, joints, cores = [], [], []
    for n in JOINTS:
        s, mb, _ = fit(ident, n, FEW, folder)
        print(f"{n} joints, {FEW} rows: {s:.2f} s, {mb:.0f} MB", flush=True)
        joints.append((n, s))
    for m in ROWS:
        if m > most:
            break
        s, mb, _ = fit(ident, 7, m, folder)
        print(f"7 joints, {m} rows: {s:.2f} s, {mb:.0f} MB", flush=True)
        rows.append((m, s))
    for n in (1, 2):
        s, _, wall = fit(ident, 7, min(most, 10**6), folder, n)
        print(f"7 joints, {min(most, 10**6)} rows, {n} cores: {s:.2f} s, {wall:.2f} s by the wall clock", flush=True)
        cores.append((n, wall))
    svg = panel(60, "seven joints", "rows", rows) + panel(390, "10 000 rows", "joints", joints)
    svg += panel(720, "seven joints, 10<tspan dy='-5' font-size='9'>6</tspan><tspan dy='5'> rows, wall clock</tspan>", "processors", cores)
    with open(figure, "w") as f:
        f.write('<svg xmlns="http://www.w3.org/2000/svg" width="1010" height="300" font-family="sans-serif" font-size="12">\n'
                '<rect width="1010" height="300" fill="white"/>\n' + "\n".join(svg) + "\n</svg>\n")


if __name__ == "__main__":
    main()

"""Weighted least squares of a robot's base parameters as one would write it with numpy:
the generated regressor, the low-pass on both sides, numpy.linalg.lstsq.

    ident convert log.parquet -o log.npz
    ident codegen arm.urdf --model dynamic --base --lang python -o generated
    python numpy_fit.py generated/arm.py log.npz 10 16

Arguments: the generated file, the log (t, q1…, dq1…, tau1…), the cut-off in hertz, and
the samples from row to row. Terms of drives: Ia, Fv, Fs, Fo of every joint. Prints the
CPU seconds of each step.
"""
import importlib.util
import sys
import time

import numpy as np


def lowpass(x, hertz, dt):
    """|H|² of a Butterworth filter of order 2, by the Fourier transform along axis 0, over
    point reflections at both ends up to a power of two samples."""
    n = 1 << (len(x) + 2000).bit_length()
    samples, before = len(x), (n - len(x)) // 2
    x = np.pad(x, [(before, n - len(x) - before)] + [(0, 0)] * (x.ndim - 1), mode="reflect", reflect_type="odd")
    f = np.fft.rfftfreq(n, dt)
    warped = np.tan(np.pi * np.minimum(f * dt, 0.4999)) / np.tan(np.pi * hertz * dt)
    gain = 1 / (1 + warped**4)
    return np.fft.irfft(np.fft.rfft(x, axis=0) * gain.reshape(-1, *[1] * (x.ndim - 1)), n, axis=0)[before : n - before - (n - samples) % 2]


clock = [("", time.process_time())]


def lap(name):
    clock.append((name, time.process_time()))


source, log, cutoff, every = sys.argv[1], np.load(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4])
spec = importlib.util.spec_from_file_location("generated", source)
model = importlib.util.module_from_spec(spec)
spec.loader.exec_module(model)
joints = sum(name.startswith("tau") for name in log.files)
column = lambda kind: np.stack([log[f"{kind}{j + 1}"].ravel() for j in range(joints)], axis=1)
t, q, dq, tau = log["t"].ravel(), column("q"), column("dq"), column("tau")
dt = (t[-1] - t[0]) / (len(t) - 1)
lap("reading")
q, dq = lowpass(q, cutoff, dt), lowpass(dq, cutoff, dt)
ddq = np.gradient(dq, dt, axis=0)
lap("motion")
links = model.dynamic_regressor(q, dq, ddq)  # sample, joint, column
lap("regressor")
cut = slice(int(0.5 / dt), len(t) - int(0.5 / dt), every)
rows, sides = [], []
for j in range(joints):
    drive = np.zeros((len(t), joints, 4))
    drive[:, j] = np.stack([ddq[:, j], dq[:, j], np.sign(dq[:, j]), np.ones(len(t))], axis=1)
    w = np.concatenate([links[:, j], drive.reshape(len(t), -1)], axis=1)
    rows.append(lowpass(w, cutoff, dt)[cut])
    sides.append(lowpass(tau[:, j], cutoff, dt)[cut])
lap("filter")
x, *_ = np.linalg.lstsq(np.concatenate(rows), np.concatenate(sides), rcond=1e-10)
sigma = [np.sqrt(np.mean((w @ x - y) ** 2)) for w, y in zip(rows, sides)]
x, *_ = np.linalg.lstsq(np.concatenate([w / s for w, s in zip(rows, sigma)]), np.concatenate([y / s for y, s in zip(sides, sigma)]), rcond=1e-10)
lap("least squares")
for (_, a), (name, b) in zip(clock, clock[1:]):
    print(f"{name:14s} {b - a:8.2f} s")
print(f"{'all':14s} {clock[-1][1] - clock[0][1]:8.2f} s, {(clock[-1][1] - clock[0][1]) / len(t) * 1e6:.2f} µs a sample")
error = np.sqrt(sum(np.sum((w @ x - y) ** 2) for w, y in zip(rows, sides)) / sum(np.sum(y**2) for y in sides))
print(f"relative error {100 * error:.3f} %, {len(rows[0])} rows a joint")

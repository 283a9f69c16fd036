"""The laboratory of the second outsider's round: motions, torques by Pinocchio, sensors, and the free fit in numpy."""
import numpy as np
import pinocchio as pin
from scipy.signal import butter, filtfilt

import bodies

RATE, SECONDS = 100.0, 20.0
STEP = 2 * np.pi / 2**18  # of an 18 bit encoder


def friction(dq, fc, fv):
    """friction returns Coulomb and viscous friction; the sign is smooth over 5 mrad/s, as of a real gear."""
    return fc * np.tanh(dq / 0.005) + fv * dq


class Arm:
    """Arm is a robot with its drives: the true one, or the one of the file."""

    def __init__(self, name, axis=None, tip=0.0):
        self.name, self.n = name, len(bodies.CHAINS[name])
        self.model = pin.buildModelFromXML(bodies.urdf(name, axis, tip))
        self.data = self.model.createData()
        self.fc, self.fv, self.ia = bodies.drives(name)

    def torque(self, q, dq, ddq, g=None):
        """torque returns the torques of the bodies and rotors without friction; g is gravity of each row, or None."""
        out = np.empty_like(q)
        for k in range(len(q)):
            if g is not None:
                self.model.gravity.linear = g[k]
            out[k] = pin.rnea(self.model, self.data, q[k], dq[k], ddq[k])
        self.model.gravity.linear = np.array([0, 0, -9.81])
        return out + self.ia * ddq

    def columns(self, q, dq, ddq):
        """columns returns the regressor, rows by joints by columns, with friction, offset and rotor of each joint."""
        rows, n = q.shape
        y = np.zeros((rows, n, 10 * n + 4 * n))
        for k in range(rows):
            y[k, :, :10 * n] = pin.computeJointTorqueRegressor(self.model, self.data, q[k], dq[k], ddq[k])
        for j in range(n):
            c = 10 * n + 4 * j
            y[:, j, c], y[:, j, c + 1] = np.tanh(dq[:, j] / 0.005), dq[:, j]
            y[:, j, c + 2], y[:, j, c + 3] = 1.0, ddq[:, j]
        return y


def motion(n, seed, style="series", rate=RATE, seconds=SECONDS, slide=None):
    """motion returns time, positions and their two derivatives of a smooth exciting motion."""
    rng = np.random.default_rng(seed)
    t = np.arange(int(rate * seconds)) / rate
    q, dq, ddq = (np.zeros((len(t), n)) for _ in range(3))
    w = 2 * np.pi / 10.0
    for j in range(n):
        a, b = rng.normal(size=5), rng.normal(size=5)
        k = np.arange(1, 6) * w
        peak = max(np.abs(np.outer(t, k) @ (a * 0) + (a * k * np.cos(np.outer(t, k)) - b * k * np.sin(np.outer(t, k))).sum(1)))
        s = (1.6 if style != "slow" else 0.25) / peak
        q[:, j] = s * (a * np.sin(np.outer(t, k)) + b * np.cos(np.outer(t, k))).sum(1) + rng.uniform(-0.5, 0.5)
        dq[:, j] = s * (a * k * np.cos(np.outer(t, k)) - b * k * np.sin(np.outer(t, k))).sum(1)
        ddq[:, j] = -s * (a * k**2 * np.sin(np.outer(t, k)) + b * k**2 * np.cos(np.outer(t, k))).sum(1)
        if slide == j:
            q[:, j], dq[:, j], ddq[:, j] = q[:, j] * 0.1, dq[:, j] * 0.1, ddq[:, j] * 0.1
    if style == "standing":
        for j in rng.choice(n, max(1, n // 3), replace=False):
            q[:, j], dq[:, j], ddq[:, j] = q[0, j], 0, 0
    if style == "turns":  # one joint at a time, each in its part of the log, with a smooth start and end
        for j in range(n):
            span = seconds / n
            x = np.clip((t - j * span) / span, 0, 1)
            u = 2 * np.pi * 2 * x
            env = np.sin(np.pi * x)**4
            d = lambda f: np.gradient(f, 1 / rate)
            q[:, j] = q[0, j] + (0.1 if slide == j else 0.8) * env * np.sin(u)
            dq[:, j] = d(q[:, j])
            ddq[:, j] = d(dq[:, j])
    return t, q, dq, ddq


def pause(t, q, dq, ddq, j, start, length):
    """pause holds joint j still from start for length seconds; it stops and starts within half a second."""
    speed = np.ones_like(t)
    ramp = lambda x: 0.5 - 0.5 * np.cos(np.pi * np.clip(x, 0, 1))
    speed -= ramp((t - start) / 0.5) - ramp((t - start - length) / 0.5)
    s = np.concatenate([[0], np.cumsum((speed[1:] + speed[:-1]) / 2) * (t[1] - t[0])])
    at = lambda x: np.interp(s, t, x[:, j])
    rate = np.gradient(speed, t)
    q, dq, ddq = q.copy(), dq.copy(), ddq.copy()
    q[:, j], dq[:, j], ddq[:, j] = at(q), at(dq) * speed, at(ddq) * speed**2 + at(dq) * rate
    return q, dq, ddq, speed < 1e-6


def sensors(t, q, tau, sigma, rng, velocity=True):
    """sensors returns the channels: quantised positions, their filtered differences, torques with noise."""
    q = np.round(q / STEP) * STEP
    dq = None
    if velocity:
        dq = np.gradient(q, t, axis=0)
        for _ in range(2):
            dq[1:-1] = (dq[:-2] + 2 * dq[1:-1] + dq[2:]) / 4
    return q, dq, tau + sigma * rng.normal(size=tau.shape)


def fit(arm, t, q, tau, sigma):
    """fit returns base parameters of a log by weighted least squares, of positions filtered forward and backward."""
    dt = float(np.median(np.diff(t)))
    rate = min(max(1 / dt, 20.0), 1000.0)
    b, a = butter(4, 8 / (rate / 2))
    f = filtfilt(b, a, q, axis=0)
    dq = np.gradient(f, dt, axis=0)
    ddq = np.gradient(dq, dt, axis=0)
    b, a = butter(2, 5 / (rate / 2))
    y = filtfilt(b, a, arm.columns(f, dq, ddq), axis=0)[50:-50:4]
    z = filtfilt(b, a, tau, axis=0)[50:-50:4]
    n = arm.n
    return np.linalg.lstsq((y / sigma[:, None]).reshape(-1, y.shape[2]), (z / sigma).reshape(-1), rcond=1e-6)[0].reshape(-1)


def unseen(arm, p, t, truth, tau, sigma):
    """unseen returns the error of parameters on a second clean motion, in standard deviations of its noise."""
    r = (tau - arm.columns(*truth) @ p) / sigma
    return float(np.sqrt(np.mean(r[50:-50]**2)))


def write(path, t, q, dq, tau, unit="", digits=6):
    """write stores a log as CSV with the names of a logger."""
    n = q.shape[1]
    head = ["t" + unit] + [f"q{j+1}" for j in range(n)] + ([f"dq{j+1}" for j in range(n)] if dq is not None else []) + [f"tau{j+1}" for j in range(n)]
    data = np.column_stack([t, q] + ([dq] if dq is not None else []) + [tau])
    fmt = [f"%.{digits}f"] + ["%.8g"] * (data.shape[1] - 1)
    np.savetxt(path, data, delimiter=",", header=",".join(head), comments="", fmt=fmt)

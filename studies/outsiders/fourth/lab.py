"""Dynamics, motions, sensors and a free fit of its own. Needs pinocchio, numpy and scipy."""
import zlib
import numpy as np
import pinocchio as pin
from scipy.signal import butter, filtfilt
import bodies


def rng_of(*key):
    return np.random.default_rng(zlib.crc32("/".join(map(str, key)).encode()))


class Robot:
    """Robot holds the model of the file and the real one, whose bodies differ by some per cent."""

    def __init__(self, name):
        self.name, self.spec = name, bodies.ROBOTS[name]
        self.n = len(self.spec["links"])
        self.file = pin.buildModelFromXML(bodies.urdf(name))
        self.real = pin.Model(self.file)
        r = rng_of("real", name)
        for k in range(1, self.n + 1):
            I = self.real.inertias[k]
            m = I.mass * (1 + r.uniform(-.1, .1))
            self.real.inertias[k] = pin.Inertia(m, I.lever + r.uniform(-.012, .012, 3), I.inertia * (m / I.mass) * (1 + r.uniform(-.1, .1)))
        for key in ("Ia", "Fv", "Fc", "Fo"):
            setattr(self, key, np.array(self.spec[key]) * (1 + r.uniform(-.15, .15, self.n)))
        self.prismatic = np.array([l[1] == "prismatic" for l in self.spec["links"]])
        self.slow = np.where(self.prismatic, .004, .02)  # speed at which friction has turned its sign


def bodies_torque(model, q, v, a):
    d = model.createData()
    return np.array([pin.rnea(model, d, x, y, z) for x, y, z in zip(q, v, a)])


class Sines:
    """Sines is a periodic sum of five harmonics with a smooth start."""

    def __init__(self, robot, r, period=None, still=()):
        s = robot.spec
        self.w = 2 * np.pi * (1 / period if period else s["base"] * r.uniform(.85, 1.15))
        self.home = np.array(s["home"]) + np.array(s["amp"]) * r.uniform(-.2, .2, robot.n)
        c = r.normal(size=(robot.n, 5, 2)) / np.array([1, 1, 1.2, 1.8, 2.6])[None, :, None]
        self.c = c / np.abs(c).sum(axis=(1, 2), keepdims=True) * 1.9 * np.array(s["amp"])[:, None, None]
        for j in still:
            self.c[j] = 0
            self.home[j] = s["home"][j]

    def __call__(self, t):
        q = v = a = 0
        for k in range(5):
            w = self.w * (k + 1)
            S, C = np.sin(w * t)[:, None], np.cos(w * t)[:, None]
            A, B = self.c[:, k, 0], self.c[:, k, 1]
            q, v, a = q + A * S + B * C, v + w * (A * C - B * S), a - w * w * (A * S + B * C)
        u = np.clip(t / 2, 0, 1)[:, None]
        g, h, i = u**3 * (10 - 15 * u + 6 * u * u), 30 * u * u * (1 - u)**2 / 2, 60 * u * (1 - u) * (1 - 2 * u) / 4
        return self.home + g * q, g * v + h * q, g * a + 2 * h * v + i * q


class Points:
    """Points goes from point to point with pauses; alone moves one joint at a time."""

    def __init__(self, robot, r, length, alone=False):
        s, t, q = robot.spec, 0., np.array(robot.spec["home"])
        self.legs, amp, k = [], np.array(s["amp"]), 0
        while t < length + 5:
            goal = np.array(s["home"]) + amp * r.uniform(-1, 1, robot.n)
            if alone:
                new = q.copy()
                new[k % robot.n] = s["home"][k % robot.n] + amp[k % robot.n] * (1 if k // robot.n % 2 == 0 else -1) * r.uniform(.6, 1)
                goal, k = new, k + 1
            step = np.max(np.abs(goal - q) / amp)
            span = max(.35, .62 * step) * r.uniform(.9, 1.3)
            self.legs.append((t + .2, span, q, goal - q))
            q, t = goal, t + span + r.uniform(.1, .4) + .2

    def __call__(self, t):
        n = len(self.legs[0][2])
        q, v, a = np.tile(self.legs[0][2], (len(t), 1)), np.zeros((len(t), n)), np.zeros((len(t), n))
        for start, span, q0, d in self.legs:
            on = t >= start
            u = np.clip((t[on] - start) / span, 0, 1)[:, None]
            q[on] = q0 + d * u**3 * (10 - 15 * u + 6 * u * u)
            v[on] = d * 30 * u * u * (1 - u)**2 / span
            a[on] = d * 60 * u * (1 - u) * (1 - 2 * u) / span**2
        return q, v, a


class Sim:
    """Sim is one robot on one motion: its true states and torques at any time."""

    def __init__(self, robot, motion, friction="stribeck"):
        self.robot, self.motion, self.friction = robot, motion, friction
        self.scale = np.sqrt(np.mean(self.torque(np.arange(2, 20, .05))**2, axis=0))

    def rub(self, v):
        R = self.robot
        if self.friction == "none":
            return .0 * v
        s = np.tanh(v / R.slow)
        bump = .25 * np.exp(-(v / (8 * R.slow))**2) if self.friction == "stribeck" else 0
        return R.Fv * v + R.Fc * s * (1 + bump)

    def torque(self, t, model=None):
        R = self.robot
        q, v, a = self.motion(t)
        return bodies_torque(model or R.real, q, v, a) + R.Ia * a + self.rub(v) + R.Fo

    def record(self, r, rate, length):
        """record returns a sound log before noise: exact values at the times of the logger."""
        t = np.arange(int(rate * length)) / rate
        q, v, a = self.motion(t)
        return dict(t=t, q=q, dq=v, tau=self.torque(t), noise=r.normal(size=q.shape), vnoise=r.normal(size=q.shape), phase=r.uniform(0, 1, q.shape[1]))


def sense(robot, sim, log, noise=.007):
    """sense adds what encoders and torque sensors do: steps of the counts, noise and digits."""
    count = np.array(robot.spec["count"])
    full = 4 * sim.scale
    out = dict(log)
    out["q"] = np.round(log["q"] / count + 0) * count
    out["tau"] = np.round((log["tau"] + noise * sim.scale * log["noise"]) / (full / 4000)) * (full / 4000)
    vs = .002 * np.array(robot.spec["amp"])
    out["dq"] = log["dq"] + vs * log["vnoise"]
    return out


def regressor(robot, q, v, a):
    m, d, n, N = robot.file, robot.file.createData(), robot.n, len(q)
    W = np.zeros((N, n, 14 * n))
    for i in range(N):
        W[i, :, :10 * n] = pin.computeJointTorqueRegressor(m, d, q[i], v[i], a[i])
    for j in range(n):
        W[:, j, 10 * n + 4 * j:10 * n + 4 * j + 4] = np.stack([a[:, j], v[:, j], np.tanh(v[:, j] / (1.5 * robot.slow[j])), np.ones(N)], axis=1)
    return W


def free_fit(robot, log):
    """free_fit is weighted least squares of all base parameters, rotors, friction and offsets."""
    t, q, tau, dq = log["t"], log["q"], log["tau"], log.get("dq")
    ok = np.isfinite(q).all(1) & np.isfinite(tau).all(1)
    t, q, tau = t[ok], q[ok], tau[ok]
    dt = np.median(np.diff(t))
    if np.all(np.diff(t) > 0):
        u = np.arange(t[0], t[-1], dt)
        at = lambda x: np.stack([np.interp(u, t, x[:, j]) for j in range(x.shape[1])], 1)
    else:
        at = lambda x: x
    b, c = butter(4, min(8., .4 / dt) * 2 * dt)
    low = lambda x: filtfilt(b, c, x, axis=0)
    q, tau = low(at(q)), low(at(tau))
    v = low(at(dq[ok])) if robot.spec["velocity"] else np.gradient(q, dt, axis=0)
    a = np.gradient(v, dt, axis=0)
    trim, step = int(.4 / dt), max(1, int(round(1 / dt / 40)))
    cut = slice(trim, len(q) - trim, step)
    W, y = regressor(robot, q[cut], v[cut], a[cut]), tau[cut]
    n, P = robot.n, W.shape[2]
    size = np.sqrt((W.reshape(-1, P)**2).mean(0))
    size[size < 1e-12] = 1
    w = 1 / np.maximum(y.std(0), 1e-9)
    for _ in range(3):
        A = (W / size * w[None, :, None]).reshape(-1, P)
        U, s, V = np.linalg.svd(A, full_matrices=False)
        keep = s > 1e-5 * s[0]
        x = V[keep].T @ ((U[:, keep].T @ (y * w).reshape(-1)) / s[keep])
        e = y - W @ (x / size)
        w = 1 / np.maximum(e.std(0), 1e-4 * y.std(0) + 1e-9)
    return x / size


def error(robot, sim, x):
    """error of the fit on a clean motion, relative to the torque of each joint."""
    t = np.arange(0, 16, .03)
    q, v, a = sim.motion(t)
    y = sim.torque(t)
    e = y - regressor(robot, q, v, a) @ x
    return float(np.sqrt(np.mean((e**2).mean(0) / (y**2).mean(0))))


def write_csv(path, robot, log, digits="%.8g", velocity=None, plain=False):
    n = robot.n
    velocity = robot.spec["velocity"] if velocity is None else velocity
    K = robot.spec["gains"]
    head, cols, forms = ["t"], [log["t"][:, None]], ["%.6f"]
    head += [f"q{j + 1}" for j in range(n)]
    cols.append(log["q"])
    forms += [digits if not plain else "%.4f"] * n
    if velocity:
        head += [f"dq{j + 1}" for j in range(n)]
        cols.append(log["dq"])
        forms += ["%.6g" if not plain else "%.3f"] * n
    head += [("i" if K else "tau") + str(j + 1) for j in range(n)]
    cols.append(log["tau"] / np.array(K) if K else log["tau"])
    forms += ["%.6g" if not plain else "%.2f"] * n
    if plain:
        forms[0] = "%.3f"
    np.savetxt(path, np.concatenate(cols, axis=1), fmt=forms, delimiter=",", header=",".join(head), comments="")

"""The laboratory of the third round: three arms as URDF, rigid-body torques and regressors of many rows at once in numpy,
motions, sensors, and a free fit. Nothing of the program is used."""
import numpy as np

STEP = 2 * np.pi / 2**19  # of a 19 bit encoder
# Joint: (origin xyz, rpy, axis, mass, centre of mass, moments Ixx Iyy Izz about the centre); drives: Coulomb, viscous, rotor inertia.
ARMS = {
    "painter": [  # six axes, spherical wrist, about 60 kg
        ((0, 0, 0.45), (0, 0, 0), (0, 0, 1), 16.0, (0.06, -0.02, 0.05), (0.30, 0.35, 0.28), (6.0, 8.0, 0.9)),
        ((0.20, 0.05, 0.20), (-np.pi / 2, 0, 0), (0, 0, 1), 18.0, (0.30, -0.03, 0.04), (0.08, 0.70, 0.70), (7.0, 9.0, 1.1)),
        ((0.70, 0, 0), (0, 0, 0), (0, 0, -1), 11.0, (0.05, -0.12, 0.02), (0.22, 0.07, 0.20), (4.0, 5.0, 0.5)),
        ((0.13, -0.35, 0), (np.pi / 2, 0, 0), (0, 0, 1), 6.0, (0.00, 0.02, 0.18), (0.09, 0.09, 0.02), (1.4, 1.6, 0.12)),
        ((0, 0, 0.40), (-np.pi / 2, 0, 0), (0, 0, 1), 2.4, (0.02, -0.05, 0.00), (0.010, 0.006, 0.009), (0.8, 0.8, 0.06)),
        ((0, -0.12, 0), (np.pi / 2, 0, 0), (0, 0, 1), 1.6, (0.03, 0.02, 0.06), (0.006, 0.005, 0.004), (0.5, 0.4, 0.03)),
    ],
    "bench5": [  # five axes, light, direct and belts
        ((0, 0, 0.12), (0, 0, 0), (0, 0, 1), 2.2, (0.01, 0.01, 0.04), (0.008, 0.008, 0.007), (0.5, 0.6, 0.05)),
        ((0.02, 0, 0.08), (0, 0, 0), (0, 1, 0), 1.9, (0.03, 0.01, 0.15), (0.015, 0.016, 0.004), (0.6, 0.7, 0.06)),
        ((0, 0, 0.30), (0, 0, 0), (0, 1, 0), 1.4, (0.12, -0.01, 0.02), (0.003, 0.010, 0.010), (0.4, 0.4, 0.03)),
        ((0.25, 0, 0.03), (0, 0, 0), (0, 1, 0), 0.8, (0.05, 0.01, 0.01), (0.001, 0.002, 0.002), (0.2, 0.2, 0.01)),
        ((0.10, 0, 0), (0, 0, 0), (1, 0, 0), 0.5, (0.05, 0.015, 0.02), (0.0008, 0.0009, 0.0009), (0.1, 0.1, 0.006)),
    ],
    "assist7": [  # seven axes, arm of a companion, about 30 kg
        ((0, 0, 0.20), (0, 0, 0), (0, 0, 1), 6.5, (0.01, -0.05, 0.08), (0.05, 0.04, 0.03), (2.0, 2.5, 0.30)),
        ((0, -0.03, 0.18), (np.pi / 2, 0, 0), (0, 0, 1), 6.8, (0.00, 0.09, 0.03), (0.05, 0.03, 0.05), (2.0, 2.5, 0.30)),
        ((0, 0.24, 0), (-np.pi / 2, 0, 0), (0, 0, 1), 4.5, (0.02, 0.03, 0.10), (0.03, 0.03, 0.012), (1.3, 1.5, 0.15)),
        ((0.05, 0, 0.20), (np.pi / 2, 0, 0), (0, 0, 1), 4.0, (-0.04, 0.06, 0.03), (0.025, 0.012, 0.025), (1.2, 1.4, 0.12)),
        ((-0.05, 0.24, 0), (-np.pi / 2, 0, 0), (0, 0, 1), 3.0, (0.01, 0.03, 0.07), (0.02, 0.02, 0.006), (0.7, 0.7, 0.05)),
        ((0, 0, 0.18), (np.pi / 2, 0, 0), (0, 0, 1), 2.1, (0.03, 0.02, -0.02), (0.006, 0.005, 0.006), (0.5, 0.5, 0.04)),
        ((0.08, 0, 0), (-np.pi / 2, 0, 0), (0, 0, 1), 1.1, (0.02, 0.01, 0.07), (0.004, 0.004, 0.002), (0.3, 0.3, 0.02)),
    ],
}
ARMS["lathe6"] = [  # six axes, loads a lathe: the painter's layout with other lengths
    ((0, 0, 0.38), (0, 0, 0), (0, 0, 1), 22.0, (0.03, 0.05, 0.09), (0.5, 0.5, 0.4), (8.0, 12.0, 1.6)),
    ((0.12, 0.0, 0.25), (0, 0, 0), (0, 1, 0), 20.0, (0.02, 0.06, 0.34), (1.1, 1.1, 0.12), (8.0, 11.0, 1.8)),
    ((0.02, 0, 0.75), (0, 0, 0), (0, 1, 0), 13.0, (0.14, 0.02, 0.10), (0.14, 0.30, 0.28), (5.0, 6.0, 0.7)),
    ((0.42, 0, 0.16), (0, 0, 0), (1, 0, 0), 5.5, (0.13, 0.015, 0.01), (0.02, 0.09, 0.09), (1.8, 1.9, 0.15)),
    ((0.34, 0, 0), (0, 0, 0), (0, 1, 0), 2.8, (0.05, -0.01, 0.01), (0.008, 0.010, 0.009), (1.0, 1.0, 0.08)),
    ((0.10, 0, 0), (0, 0, 0), (1, 0, 0), 1.9, (0.05, 0.025, 0.01), (0.004, 0.007, 0.007), (0.6, 0.5, 0.04)),
]
ARMS["garden4"] = [  # four axes, picks fruit
    ((0, 0, 0.60), (0, 0, 0), (0, 0, 1), 5.0, (0.05, 0.02, 0.06), (0.04, 0.05, 0.04), (1.5, 2.0, 0.25)),
    ((0.08, 0.04, 0.10), (0, 0, 0), (0, 1, 0), 4.2, (0.24, 0.01, 0.02), (0.01, 0.13, 0.13), (1.6, 2.1, 0.28)),
    ((0.52, -0.03, 0), (0, 0, 0), (0, 1, 0), 2.6, (0.18, 0.02, -0.02), (0.005, 0.06, 0.06), (0.9, 1.0, 0.10)),
    ((0.40, 0, 0), (0, 0, 0), (0, 1, 0), 1.3, (0.06, 0.02, 0.03), (0.002, 0.005, 0.005), (0.4, 0.4, 0.03)),
]
GRAVITY = np.array([0, 0, -9.81])


def turn(rpy):
    """turn returns the rotation of roll, pitch and yaw."""
    c, s = np.cos(rpy), np.sin(rpy)
    x = np.array([[1, 0, 0], [0, c[0], -s[0]], [0, s[0], c[0]]])
    y = np.array([[c[1], 0, s[1]], [0, 1, 0], [-s[1], 0, c[1]]])
    z = np.array([[c[2], -s[2], 0], [s[2], c[2], 0], [0, 0, 1]])
    return z @ y @ x


def skew(v):
    """skew returns the matrices of cross products of rows."""
    z = np.zeros(len(v))
    return np.stack([np.stack([z, -v[:, 2], v[:, 1]], 1), np.stack([v[:, 2], z, -v[:, 0]], 1), np.stack([-v[:, 1], v[:, 0], z], 1)], 1)


def about(v):
    """about returns L with I·v = L·(xx xy xz yy yz zz)."""
    z = np.zeros(len(v))
    return np.stack([np.stack([v[:, 0], v[:, 1], v[:, 2], z, z, z], 1), np.stack([z, v[:, 0], z, v[:, 1], v[:, 2], z], 1),
                     np.stack([z, z, v[:, 0], z, v[:, 1], v[:, 2]], 1)], 1)


class Arm:
    """Arm is a robot with its drives: the true one, or that of the file."""

    def __init__(self, name, change=None):
        self.name, self.joints = name, [list(j) for j in ARMS[name]]
        if change:
            change(self.joints)
        self.n = len(self.joints)
        self.fc, self.fv, self.ia = np.array([j[6] for j in self.joints]).T

    def bodies(self):
        """bodies returns xx xy xz yy yz zz mx my mz m of each link about its frame."""
        out = []
        for _, _, _, m, c, d, _ in self.joints:
            c = np.array(c, float)
            i = np.diag(d) + m * (c @ c * np.eye(3) - np.outer(c, c))
            out += [i[0, 0], i[0, 1], i[0, 2], i[1, 1], i[1, 2], i[2, 2], *(m * c), m]
        return np.array(out)

    def columns(self, q, dq, ddq, g=None):
        """columns returns the regressor of the bodies, rows by joints by 10 columns a link; g is gravity of each row, or None."""
        rows, n = q.shape
        w, dw = np.zeros((rows, 3)), np.zeros((rows, 3))
        a = np.tile(-GRAVITY, (rows, 1)) if g is None else -g
        y = np.zeros((rows, n, 10 * n))
        frames = []
        for i, (xyz, rpy, axis, *_) in enumerate(self.joints):
            k = np.array(axis, float) / np.linalg.norm(axis)
            kk = skew(k[None])[0]
            s, c = np.sin(q[:, i])[:, None, None], np.cos(q[:, i])[:, None, None]
            r = turn(rpy) @ (np.eye(3) + s * kk + (1 - c) * kk @ kk)  # child to parent
            p = np.array(xyz, float)
            a = a + np.cross(dw, p) + np.cross(w, np.cross(w, p))
            back = lambda v: np.einsum("rij,ri->rj", r, v)
            w, dw, a = back(w), back(dw), back(a)
            dw = dw + np.cross(w, k) * dq[:, [i]] + k * ddq[:, [i]]
            w = w + k * dq[:, [i]]
            frames.append((r, p, k))
            force = np.zeros((rows, 3, 10))
            force[:, :, 6:9] = skew(dw) + skew(w) @ skew(w)
            force[:, :, 9] = a
            moment = np.zeros((rows, 3, 10))
            moment[:, :, :6] = about(dw) + skew(w) @ about(w)
            moment[:, :, 6:9] = -skew(a)
            for j in range(i, -1, -1):
                y[:, j, 10 * i:10 * i + 10] = np.einsum("i,rik->rk", frames[j][2], moment)
                force = frames[j][0] @ force
                moment = frames[j][0] @ moment + skew(frames[j][1][None]) @ force
        return y

    def torque(self, q, dq, ddq, g=None):
        """torque returns the torques of bodies and rotors, without friction."""
        return self.columns(q, dq, ddq, g) @ self.bodies() + self.ia * ddq

    def rub(self, dq):
        """rub returns friction; the sign is smooth over 4 mrad/s."""
        return self.fc * np.tanh(dq / 0.004) + self.fv * dq

    def urdf(self):
        """urdf returns the robot file."""
        out = ['<?xml version="1.0"?>', f'<robot name="{self.name}">', '  <link name="base"/>']
        text = lambda v: " ".join(f"{x:.10g}" for x in v)
        for k, (xyz, rpy, axis, m, c, d, _) in enumerate(self.joints):
            out += [f'  <link name="body{k+1}"><inertial><origin xyz="{text(c)}"/><mass value="{m}"/>',
                    f'    <inertia ixx="{d[0]}" iyy="{d[1]}" izz="{d[2]}" ixy="0" ixz="0" iyz="0"/></inertial></link>',
                    f'  <joint name="j{k+1}" type="revolute"><parent link="{f"body{k}" if k else "base"}"/><child link="body{k+1}"/>',
                    f'    <origin xyz="{text(xyz)}" rpy="{text(rpy)}"/><axis xyz="{text(axis)}"/>',
                    '    <limit lower="-3.1" upper="3.1" velocity="6" effort="900"/></joint>']
        return "\n".join(out + ["</robot>"]) + "\n"


def motion(n, seed, style="waves"):
    """motion returns time, positions and two derivatives; waves, stops (points reached with pauses), slow, standing, turns."""
    rng = np.random.default_rng(seed)
    rate = {"fast": 500.0, "rare": 50.0}.get(style, 125.0)
    seconds = 24.0
    t = np.arange(int(seconds * rate)) / rate
    q, dq, ddq = (np.zeros((len(t), n)) for _ in range(3))
    if style == "stops":
        for j in range(n):
            q[:, j] = at = rng.uniform(-1, 1)
            when = 0.4
            while when < seconds - 1.5:
                to = np.clip(at + rng.normal() * 0.9, -1.6, 1.6)
                span = max(0.7, abs(to - at) / 1.0)
                if when + span > seconds - 0.3:
                    break
                x = np.clip((t - when) / span, 0, 1)
                q[:, j] += (to - at) * (10 * x**3 - 15 * x**4 + 6 * x**5)
                dq[:, j] += (to - at) * (30 * x**2 - 60 * x**3 + 30 * x**4) / span
                ddq[:, j] += (to - at) * (60 * x - 180 * x**2 + 120 * x**3) / span**2 * ((x > 0) & (x < 1))
                at, when = to, when + span + rng.uniform(0.0, 0.5)
        return t, q, dq, ddq
    for j in range(n):
        k = (np.arange(1, 7) + rng.uniform(-0.15, 0.15, 6)) * 2 * np.pi / 8  # not periodic
        a, b = rng.normal(size=6) / np.arange(1, 7)**0.3, rng.normal(size=6) / np.arange(1, 7)**0.3
        ph = np.outer(t, k)
        x = (a * np.sin(ph) + b * np.cos(ph)).sum(1)
        v = (a * k * np.cos(ph) - b * k * np.sin(ph)).sum(1)
        s = min((0.3 if style == "slow" else 2.0) / np.abs(v).max(), 1.4 / np.abs(x).max())
        q[:, j], dq[:, j] = s * x + rng.uniform(-0.5, 0.5), s * v
        ddq[:, j] = s * (-a * k**2 * np.sin(ph) - b * k**2 * np.cos(ph)).sum(1)
    if style == "standing":
        for j in rng.choice(n, max(1, n // 3), replace=False):
            q[:, j], dq[:, j], ddq[:, j] = q[0, j], 0, 0
    if style == "turns":
        for j in range(n):
            span = seconds / n
            x = np.clip((t - j * span) / span, 0, 1)
            bell = np.sin(np.pi * x)**4
            q[:, j] = q[0, j] + 0.9 * bell * np.sin(4 * np.pi * x)
            dq[:, j] = np.gradient(q[:, j], t)
            ddq[:, j] = np.gradient(dq[:, j], t)
    return t, q, dq, ddq


def smooth(x, cut, rate, orders=2):
    """smooth is a zero-phase low-pass: a pole forward and backward, orders times."""
    a = 1 - np.exp(-2 * np.pi * cut / rate)
    y = np.array(x, float)
    for _ in range(orders):
        for way in (1, -1):
            z = y[::way].copy()
            for k in range(1, len(z)):
                z[k] = z[k - 1] + a * (z[k] - z[k - 1])
            y = z[::way].copy()
    return y


def coloured(shape, rng, rate):
    """coloured returns noise of unit variance: half white, half with a memory of 40 ms."""
    e = rng.normal(size=shape)
    r = np.exp(-1 / (0.04 * rate))
    m = np.zeros(shape)
    for k in range(1, shape[0]):
        m[k] = r * m[k - 1] + np.sqrt(1 - r * r) * e[k]
    return (rng.normal(size=shape) + m) / np.sqrt(2)


def sensors(t, q, u, sigma, rng):
    """sensors returns counted positions, velocities of a drive (differences behind a short mean), torques with noise."""
    q = np.round(q / STEP) * STEP
    dq = np.gradient(q, t, axis=0)
    dq[1:-1] = (dq[:-2] + 2 * dq[1:-1] + dq[2:]) / 4
    return q, dq, u + sigma * coloured(u.shape, rng, 1 / (t[1] - t[0]))


def rows(arm, q, dq, ddq):
    """rows returns the free model: bodies, rotors, friction, offsets."""
    y = arm.columns(q, dq, ddq)
    n = arm.n
    more = np.zeros((len(q), n, 4 * n))
    for j in range(n):
        more[:, j, 4 * j:4 * j + 4] = np.stack([np.tanh(dq[:, j] / 0.004), dq[:, j], np.ones(len(q)), ddq[:, j]], 1)
    return np.concatenate([y, more], 2)


def fit(arm, t, q, u):
    """fit returns parameters by least squares, weighted by joint, twice, of one zero-phase low-pass on both sides."""
    rate = 1 / np.median(np.diff(t))
    f = smooth(q, 14, rate)
    dq = np.gradient(f, t, axis=0)
    ddq = np.gradient(dq, t, axis=0)
    y = rows(arm, f, dq, ddq)
    y = smooth(y.reshape(len(q), -1), 8, rate, 1).reshape(y.shape)
    z = smooth(u, 8, rate, 1)
    keep = slice(60, -60, 5)
    y, z = y[keep], z[keep]
    w = 1 / z.std(0)
    for _ in range(2):
        a = (y * w[:, None]).reshape(-1, y.shape[2])
        size = np.sqrt((a * a).sum(0)) + 1e-12
        p = np.linalg.lstsq(a / size, (z * w).reshape(-1), rcond=1e-5)[0] / size
        w = 1 / np.maximum((z - y @ p).std(0), 1e-3 * z.std(0))
    return p


def unseen(arm, p, truth, u):
    """unseen returns the error of parameters on a clean motion, in per cent: the mean over joints of rms error over rms torque changes."""
    r = u - rows(arm, *truth) @ p
    return float(100 * np.sqrt(np.mean((r**2).mean(0) / u.var(0))))


def write(path, t, q, dq, u):
    """write stores a log as CSV with a logger's names."""
    n = q.shape[1]
    head = ["time"] + [f"q{j+1}" for j in range(n)] + [f"dq{j+1}" for j in range(n)] + [f"tau{j+1}" for j in range(n)]
    np.savetxt(path, np.column_stack([t, q, dq, u]), delimiter=",", header=",".join(head), comments="", fmt=["%.6f"] + ["%.8g"] * (3 * n))

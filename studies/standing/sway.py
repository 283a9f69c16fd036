"""Logs of a quadruped that sways on its feet in MuJoCo, for fits whose truth is known.

sway.py MODEL FOLDER SEED [--seconds 30] [--load KG] [--mu 1] [--lift] [--held] [--limp S] [--noise 1] [--motion SEED] [--trajectory FILE]

MODEL is an MJCF whose feet are spheres with names. FOLDER gets robot.xml (the model without meshes), SEED.xml (the same with the
true bodies), SEED.csv and SEED.json. Feet of a --trajectory give up their load as its columns on_FOOT say. With --lift a foot after the other is in the air; the robot then falls unless --size is 0.4 or less. Bodies, motion and noise are drawn from the seed. SEED.json also has
the speed of each foot against the floor where it touches it, m/s rms. With --limp the motors lose their torque after S seconds. coverage.py fits the logs.
"""
import argparse, json, os, re
import numpy as np, mujoco

GRAVITY, STEP, HOLD = 9.81, 0.001, 2   # s; the drives hold a torque for HOLD steps
ARMATURE, VISCOUS, COULOMB = 0.01, 0.1, 0.2


def options():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument('model'), p.add_argument('folder'), p.add_argument('seed', type=int)
    for name, value in (('seconds', 30.), ('load', 0.), ('mu', 1.), ('noise', 1.), ('size', 1.), ('limp', np.inf)):
        p.add_argument('--' + name, type=float, default=value)
    p.add_argument('--motion', type=int, help='seed of the motion and the noise, if it is another one')
    p.add_argument('--name', help='of the log')
    p.add_argument('--trajectory', help='CSV of ident design-trajectory --standing that the legs play, in place of a drawn motion')
    for name in ('lift', 'held'):
        p.add_argument('--' + name, action='store_true')
    return p.parse_args()


def plain(model):
    """The text of a model without meshes, with feet of three friction directions."""
    text = re.sub(r'<geom [^>]*mesh=[^>]*/>|<mesh [^>]*/>', '', open(model).read())
    return re.sub(r'condim="6"\s+friction="[^"]*"', 'condim="3" friction="1 0.02 0.01"', text)


def build(text, o, rng):
    """The true robot on a floor. Its bodies are not those of the file."""
    spec = mujoco.MjSpec.from_string(text)
    spec.option.timestep, spec.option.integrator, spec.option.impratio = STEP, mujoco.mjtIntegrator.mjINT_IMPLICITFAST, 100
    spec.option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    spec.option.gravity = [0, 0, -GRAVITY]
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[5, 5, .1], friction=[o.mu, .02, .01], condim=3, solref=[.004, 1, ], name='floor')
    for g in spec.geoms:
        if g.name != 'floor' and g.type == mujoco.mjtGeom.mjGEOM_SPHERE and g.name:
            g.friction, g.solref, g.priority = [o.mu, .02, .01], [.004, 1], 1
        elif g.name != 'floor':
            g.contype = g.conaffinity = 0
    for j in spec.joints:
        if j.type == mujoco.mjtJoint.mjJNT_HINGE:
            j.armature, j.damping, j.frictionloss = ARMATURE, [VISCOUS, 0, 0], COULOMB
            j.solref_friction, j.solimp_friction = [.002, 1], [.99, .999, .001, .5, 2]
    m = spec.compile()
    for b in range(1, m.nbody):
        m.body_mass[b] *= np.exp(.2 * rng.normal())
        m.body_inertia[b] *= np.exp(.2 * rng.normal())
        m.body_ipos[b] += .005 * rng.normal(size=3)
        turn, q = np.zeros(4), np.zeros(4)
        axis = rng.normal(size=3)
        mujoco.mju_axisAngle2Quat(turn, axis / np.linalg.norm(axis), .2 * rng.normal())
        mujoco.mju_mulQuat(q, m.body_iquat[b], turn)
        m.body_iquat[b] = q
    bodies = iter([standard(m, b) for b in range(1, m.nbody)])
    text = re.sub(r'<inertial [^>]*/>', lambda _: inertial(next(bodies)), text)
    if o.load:
        add(m, 1, o.load, np.array([.10, .03, .08]), o.load * .01 * np.eye(3) / 6)
    mujoco.mj_setConst(m, mujoco.MjData(m))
    return m, text


def standard(m, b):
    """(mass, first moments, inertia about the link's origin: xx xy xz yy yz zz)."""
    turn = np.zeros(9)
    mujoco.mju_quat2Mat(turn, m.body_iquat[b])
    turn, c, mass = turn.reshape(3, 3), m.body_ipos[b], m.body_mass[b]
    i = turn @ np.diag(m.body_inertia[b]) @ turn.T + mass * (c @ c * np.eye(3) - np.outer(c, c))
    return [mass, *(mass * c), i[0, 0], i[0, 1], i[0, 2], i[1, 1], i[1, 2], i[2, 2]]


def inertial(x):
    mass, c = x[0], np.array(x[1:4]) / x[0]
    i = np.array([[x[4], x[5], x[6]], [x[5], x[7], x[8]], [x[6], x[8], x[9]]]) - mass * (c @ c * np.eye(3) - np.outer(c, c))
    entries = i[0, 0], i[1, 1], i[2, 2], i[0, 1], i[0, 2], i[1, 2]
    return f'<inertial mass="{mass:.12g}" pos="{" ".join("%.12g" % v for v in c)}" fullinertia="{" ".join("%.12g" % v for v in entries)}"/>'


def add(m, b, mass, at, inertia):
    """Fixes a load to a body."""
    x = standard(m, b)
    total, moment = x[0] + mass, np.array(x[1:4]) + mass * at
    i = np.array([[x[4], x[5], x[6]], [x[5], x[7], x[8]], [x[6], x[8], x[9]]]) + inertia + mass * (at @ at * np.eye(3) - np.outer(at, at))
    c = moment / total
    own, axes = np.linalg.eigh(i - total * (c @ c * np.eye(3) - np.outer(c, c)))
    axes[:, 2] *= np.linalg.det(axes)
    m.body_mass[b], m.body_ipos[b], m.body_inertia[b] = total, c, own
    mujoco.mju_mat2Quat(m.body_iquat[b], axes.ravel())


class Played:
    """The wanted motion of the legs out of a file."""

    def __init__(self, drawn, path):
        self.legs, self.feet, self.d = drawn.legs, drawn.feet, drawn.d
        table = np.genfromtxt(path, delimiter=',', names=True, deletechars='', comments='#')
        names = [drawn.m.joint(k + 1).name for k in range(drawn.m.nv - 6)]
        head = {n.split(' ')[0]: n for n in table.dtype.names}
        ones = np.ones(len(table))
        self.on = np.array([table[n] for n in table.dtype.names if n.startswith('on_')] or [ones for _ in self.feet])
        self.t, (self.q, self.dq) = table[head['t']], (np.array([table[head[p + n]] for n in names]) for p in ('q_', 'dq_'))
        self.d.qpos[7:] = self.q[:, 0]
        mujoco.mj_kinematics(drawn.m, self.d)
        self.d.qpos[2] -= min(self.d.geom_xpos[g][2] - drawn.m.geom_size[g][0] for g in self.feet)

    def step(self, t, h):
        return np.array([np.interp(t, self.t, x) for x in self.q]), np.array([np.interp(t, self.t, x, right=0.) for x in self.dq]), [np.interp(t, self.t, x) for x in self.on]


class Sway:
    """The wanted motion: of the base by sums of sines, of the legs by feet that roll without slip."""

    def __init__(self, m, o, rng):
        self.m, self.d, self.o = m, mujoco.MjData(m), o
        self.feet = [g for g in range(m.ngeom) if m.geom(g).name and m.geom(g).name != 'floor']
        self.legs = [6 + np.array([k for k in range(m.nv - 6) if m.body_rootid[m.jnt_bodyid[k + 1]] and self.moves(k + 1, g)]) for g in self.feet]
        size = o.size * np.array([.05, .05, .03, .2, .2, .2])[:, None]
        self.f = .15 + .85 * rng.random((6, 5))
        self.a, self.p = size * (.5 + .5 * rng.random((6, 5))) / 3.2 / (.5 + self.f), 2 * np.pi * rng.random((6, 5))
        self.d.qpos[:7] = [0, 0, .4, 1, 0, 0, 0]
        self.d.qpos[7:] = np.tile([0, .9, -1.7], len(self.feet))
        mujoco.mj_kinematics(m, self.d)
        self.d.qpos[2] -= min(self.d.geom_xpos[g][2] - m.geom_size[g][0] for g in self.feet)
        self.start = self.d.qpos[:3].copy()
        self.q = self.d.qpos[7:].copy()
        self.dq = np.zeros(m.nv - 6)

    def moves(self, joint, geom):
        b, of = self.m.geom_bodyid[geom], self.m.jnt_bodyid[joint]
        while b > 0 and b != of:
            b = self.m.body_parentid[b]
        return b == of

    def base(self, t):
        """Pose (x, y, z, roll, pitch, yaw) and its rate, which start gently; the trunk leans off a foot that is lifted."""
        w, ramp, dramp = 2 * np.pi * self.f, min(t / 2, 1), .5 * (t < 2)
        x, dx = (self.a * np.sin(w * t + self.p)).sum(1), (self.a * w * np.cos(w * t + self.p)).sum(1)
        return ramp * x, ramp * dx + dramp * x

    def lifted(self, t):
        """The foot that is in the air, and how high; None where all stand."""
        if not self.o.lift:
            return None, 0., np.zeros(2)
        span = self.o.seconds / 4
        foot, at = int(t // span) % 4, t % span
        rise = np.clip(min(at - 1, span - 1 - at), 0, 1)
        lean = np.clip(min(at, span - at), 0, 1)
        away = -np.sign(self.d.geom_xpos[self.feet[foot]][:2] - self.d.qpos[:2]) * .07
        return (foot if rise > 0 else None), .04 * np.sin(rise * np.pi / 2), lean * away

    def step(self, t, h):
        """Moves the wanted pose on by h, and returns it with the part of its load that each foot takes."""
        x, dx = self.base(t)
        foot, height, lean = self.lifted(t)
        m, d = self.m, self.d
        r, p, y = x[3:]
        turn = rot(2, y) @ rot(1, p) @ rot(0, r)
        rate = turn.T @ (np.array([0, 0, dx[5]]) + rot(2, y) @ np.array([0, dx[4], 0]) + rot(2, y) @ rot(1, p) @ np.array([dx[3], 0, 0]))
        place = self.start + x[:3] + [*lean, 0]
        speed = (place - d.qpos[:3]) / h if t > 0 else dx[:3]
        d.qpos[:3], d.qpos[7:] = place, self.q
        mujoco.mju_mat2Quat(d.qpos[3:7], turn.ravel())
        mujoco.mj_kinematics(m, d), mujoco.mj_comPos(m, d)
        if t == 0:
            self.rest = [d.geom_xpos[g][2] for g in self.feet]
        twist = np.concatenate([speed, rate])
        for k, g in enumerate(self.feet):
            j = np.zeros((3, m.nv))
            point = d.geom_xpos[g] - [0, 0, m.geom_size[g][0]]
            mujoco.mj_jac(m, d, j, None, point, m.geom_bodyid[g])
            want = np.array([0, 0, 2 * (m.geom_size[g][0] + (height if k == foot else 0) - d.geom_xpos[g][2])])
            leg = self.legs[k]
            self.dq[leg - 6] = np.linalg.solve(j[:, leg], want - j[:, :6] @ twist)
        out = self.q.copy(), self.dq.copy(), [float(k != foot) for k in range(len(self.feet))]
        self.q += h * self.dq
        return out


def rot(axis, a):
    out, c, s = np.eye(3), np.cos(a), np.sin(a)
    i, k = (axis + 1) % 3, (axis + 2) % 3
    out[i, i] = out[k, k] = c
    out[i, k], out[k, i] = -s, s
    return out


def forces(m, d, feet, shares):
    """Torques that carry the robot in this pose: feet push, each its share, so that the base is at rest."""
    h = np.zeros(m.nv)
    mujoco.mj_factorM(m, d)
    mujoco.mj_rne(m, d, 0, h)
    rows = []
    for g in feet:
        j = np.zeros((3, m.nv))
        mujoco.mj_jac(m, d, j, None, d.geom_xpos[g] - [0, 0, m.geom_size[g][0]], m.geom_bodyid[g])
        rows.append(j)
    j = np.vstack(rows) * np.repeat(shares, 3)[:, None]
    return (h - j.T @ np.linalg.lstsq(j[:, :6].T, h[:6], rcond=None)[0])[6:]


def main():
    o = options()
    os.makedirs(o.folder, exist_ok=True)
    text = plain(o.model)
    open(os.path.join(o.folder, 'robot.xml'), 'w').write(text)
    m, truth = build(text, o, np.random.default_rng([o.seed, 1]))
    rng = np.random.default_rng([o.seed if o.motion is None else o.motion, 2])
    sway, d = Sway(m, o, rng), mujoco.MjData(m)
    if o.trajectory:
        sway = Played(sway, o.trajectory)
    site, radius = m.site('imu').id, m.geom_size[sway.feet[0]][0]
    q, dq, shares = sway.step(0, HOLD * STEP)
    d.qpos[:] = sway.d.qpos
    names = [m.joint(k + 1).name for k in range(m.nv - 6)]
    rows, tau, slips = [], np.zeros(m.nv - 6), {g: [] for g in sway.feet}
    settle = 1.0
    held = d.qpos[:7].copy()
    for i in range(int((o.seconds + settle) / STEP)):
        if i % HOLD == 0:
            if i * STEP >= settle:
                q, dq, shares = sway.step(i * STEP - settle, HOLD * STEP)
            mujoco.mj_kinematics(m, d), mujoco.mj_comPos(m, d), mujoco.mj_crb(m, d)
            tau = forces(m, d, sway.feet, shares) + 60 * (q - d.qpos[7:]) + 2 * (dq - d.qvel[6:])
            tau *= i * STEP < o.limp + settle
            d.qfrc_applied[6:] = tau
        if o.held:
            d.qpos[:7], d.qvel[:6] = [*held[:2], held[2] + .2, *held[3:]], 0
        if i % HOLD == 0 and i * STEP >= settle:
            mujoco.mj_forward(m, d)
            for c in d.contact:
                foot = next((g for g in (c.geom1, c.geom2) if g in slips), None)
                if foot is not None:
                    slips[foot].append(slip(m, d, foot, c.pos))
            rows.append([i * STEP - settle, *d.qpos[7:], *tau, *d.qvel[3:6], *sensed(m, d, site, o.held), *(float(any(c.geom2 == g or c.geom1 == g for c in d.contact)) for g in sway.feet)])
        mujoco.mj_step(m, d)
    rows, n = np.array(rows), m.nv - 6
    for cols, sigma in ((slice(1, 1 + n), 1e-4), (slice(1 + n, 1 + 2 * n), .1), (slice(1 + 2 * n, 4 + 2 * n), 3e-3), (slice(4 + 2 * n, 7 + 2 * n), .05)):
        rows[:, cols] += o.noise * sigma * rng.normal(size=rows[:, cols].shape)
    head = ['t', *('q_' + x for x in names), *('tau_' + x for x in names), *('imu_w' + x for x in 'xyz'), *('imu_a' + x for x in 'xyz'), *('on_' + m.geom(g).name for g in sway.feet)]
    name = os.path.join(o.folder, o.name or str(o.seed))
    np.savetxt(name + '.csv', rows, fmt='%.7g', delimiter=',', header=','.join(head), comments='')
    open(name + '.xml', 'w').write(truth)
    json.dump({'mass': float(m.body_mass.sum()), 'Ia': ARMATURE, 'Fv': VISCOUS, 'Fs': COULOMB, 'radius': float(radius),
               'slip': {m.geom(g).name: float(np.sqrt(np.mean(np.square(v)))) for g, v in slips.items() if v},
               'feet': ','.join(f'{m.body(m.geom_bodyid[g]).name}={"/".join("%g" % v for v in m.geom_pos[g])}' for g in sway.feet)}, open(name + '.json', 'w'))


def slip(m, d, foot, at):
    """The speed, m/s, of the point of a foot that is at a place on the floor."""
    j = np.zeros((3, m.nv))
    mujoco.mj_jac(m, d, j, None, at, m.geom_bodyid[foot])
    return np.linalg.norm((j @ d.qvel)[:2])


def sensed(m, d, site, held):
    """The specific force at the sensor, in the axes of the base."""
    turn = d.xmat[1].reshape(3, 3)
    if held:
        return turn.T @ [0, 0, GRAVITY]
    at = d.site_xpos[site] - d.xpos[1]
    w, dw = turn @ d.qvel[3:6], turn @ d.qacc[3:6]
    return turn.T @ (d.qacc[:3] + np.cross(dw, at) + np.cross(w, np.cross(w, at)) + [0, 0, GRAVITY])


if __name__ == '__main__':
    main()

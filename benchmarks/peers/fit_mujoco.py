"""MuJoCo's own toolbox, mujoco.sysid, with a residual of inverse dynamics, which the toolbox takes in place of simulations.

A motion under torques alone drifts away from the log within a second or two, and pieces of a quarter of a second, each from its measured state, say
little of inertias. The residual is that of the filtered motion: torques of mj_inverse less those measured, both behind one low-pass. They are linear in
the bodies' parameters, so mj_inverse is asked once for each, and Gauss-Newton can go on until nothing changes. Coulomb friction and offsets are
parameters of the residual: MuJoCo's friction is a soft constraint, and it has no offset.
"""

import rows
import trial

job = trial.Job()
# user begins
import mujoco
import numpy as np
from mujoco import sysid
from mujoco.sysid._src.model_modifier import pi_from_theta

spec = mujoco.MjSpec.from_file(job.urdf)
spec.compiler.balanceinertia = True
spec.option.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT
for geom in list(spec.geoms):
    spec.delete(geom)
for body in spec.bodies[1:]:
    full = body.fullinertia[[0, 3, 4, 3, 1, 5, 4, 5, 2]].reshape(3, 3)
    if not (body.mass > 0 and (min(body.inertia) > 0 or np.isfinite(full).all() and min(np.linalg.eigvalsh(full)) > 0)):
        body.mass, body.ipos, body.inertia, body.explicitinertial = 2, np.zeros(3), np.full(3, 0.02), True
        body.fullinertia = [np.nan, 0, 0, 0, 0, 0]
model = spec.compile()
model.dof_damping[:] = model.dof_armature[:] = 0
model.body_sameframe[:] = model.body_simple[:] = model.dof_simplenum[:] = 0
n, moved, data = model.nv, model.jnt_bodyid, mujoco.MjData(model)
params = sysid.ParameterDict()
for b in moved:
    params.add(sysid.body_inertia_param(
        spec, model, model.body(b).name, sysid.InertiaType.Pseudo, mass_bound_mult=np.array([0.05, 20.0]), stretch_bound_mult=np.array([0.01, 100.0]),
        shear_bound_off=np.array([-5.0, 5.0]), ipos_bound_off=np.array([-0.5, 0.5])))


def inverse(pi, q, dq, ddq):
    for b, (m, x, y, z, xx, xy, xz, yy, yz, zz) in zip(moved, pi):
        c = np.array([x, y, z]) / m
        values, axes = np.linalg.eigh(np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) - m * (c @ c * np.eye(3) - np.outer(c, c)))
        axes[:, 0] *= np.linalg.det(axes)
        model.body_mass[b], model.body_ipos[b], model.body_inertia[b] = m, c, values
        mujoco.mju_mat2Quat(model.body_iquat[b], axes.reshape(-1))
    out = np.zeros_like(q)
    for i in range(len(q)):
        data.qpos[:], data.qvel[:], data.qacc[:] = q[i], dq[i], ddq[i]
        mujoco.mj_inverse(model, data)
        out[i] = data.qfrc_inverse
    return out


def regressor(q, dq, ddq):
    start = np.tile([1.0, 0, 0, 0, 0, 0, 0, 0, 0, 0], (n, 1))
    still = inverse(start, q, dq, ddq)
    Y = [inverse(start + unit.reshape(n, 10), q, dq, ddq) - still for unit in np.eye(10 * n)]
    return np.stack(Y, axis=2)


# user ends
def columns(q, dq, ddq):
    return rows.columns(job, regressor, q, dq, ddq)


# user begins
Y, tau = [], []
for run in job.runs:
    k = max(1, int(run.rate / (10 * job.cutoff)))
    Y.append(rows.thinned(columns(*(x[::k] for x in rows.motion(run, job.cutoff))), run.rate / k, job.cutoff))
    tau.append(rows.thinned(rows.lowpass(run.tau, run.rate, 4 * job.cutoff)[::k], run.rate / k, job.cutoff))
Y, tau = np.concatenate(Y), np.concatenate(tau)
scale = np.sqrt((tau ** 2).mean(axis=0))
W, y = (Y / scale[:, None]).reshape(-1, Y.shape[2]), (tau / scale).reshape(-1)
R = np.linalg.qr(np.column_stack([W, y]), mode="r")
count = W.shape[1] - 10 * n
least = np.array([0 if k < 4 * n and k % 4 != 2 else -200 for k in range(count)])
params.add(sysid.Parameter("joints", np.full(count, 0.1), least.astype(float), np.full(count, 200.0)))
params.move_off_bounds()


def linear(x):
    pi = np.array([pi_from_theta(theta)[[0, 1, 2, 3, 4, 5, 6, 8, 9, 12]] for theta in x[: 10 * n].reshape(n, 10)])
    return np.append(pi, x[10 * n :])


def residual(x, params, **_):
    r = np.stack([R @ np.append(linear(column), -1) for column in x.reshape(len(x), -1).T], axis=1)
    return [r[:, 0] if x.ndim == 1 else r], None, None


found, result = sysid.optimize(initial_params=params, residual_fn=residual, optimizer="mujoco", verbose=False, max_iters=120)
# user ends
torques = columns(*job.states) @ linear(result.x)
# user begins
_, half_widths = sysid.calculate_intervals([W @ linear(result.x) - y], np.asarray(result.jac))
# user ends
truth = None
if job.truth is not None:
    from mujoco.sysid._src.model_modifier import pseudoinertia_from_pi, theta_from_pseudoinertia

    truth = []
    for m, x, y, z, xx, xy, yy, xz, yz, zz in job.bodies:
        truth.extend(theta_from_pseudoinertia(pseudoinertia_from_pi(np.array([m, x, y, z, xx, xy, xz, xy, yy, yz, xz, yz, zz]))))
    truth.extend(job.friction.reshape(-1))
job.answer(torques, estimate=result.x, sigma=half_widths / 1.96, truth=truth)

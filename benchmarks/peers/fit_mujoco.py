"""MuJoCo's own toolbox, mujoco.sysid: simulations under the logged torques, compared with the logged motion, as its notebook does.

A motion under torques alone drifts away from the log within a second or two, so the log is cut into short sequences, each from its own
measured state. With our preprocessing the simulation is replaced, as the toolbox allows, by inverse dynamics of the filtered motion.
"""

import trial

job = trial.Job()
SEQUENCES, SECONDS, STEP = 30, 0.25, 0.002
# user begins
import mujoco
import numpy as np
from mujoco import sysid

spec = mujoco.MjSpec.from_file(job.urdf)
spec.compiler.balanceinertia = True
for geom in list(spec.geoms):
    spec.delete(geom)
for body in spec.bodies[1:]:
    if not (body.mass > 0 and (min(body.inertia) > 0 or min(body.fullinertia[:3]) > 0)):
        body.mass, body.ipos, body.inertia, body.explicitinertial = 0.5, np.zeros(3), np.full(3, 0.005), True
for joint in spec.joints:
    joint.limited = False
    spec.add_actuator(name="torque_" + joint.name, target=joint.name, trntype=mujoco.mjtTrn.mjTRN_JOINT)
    spec.add_sensor(name="q_" + joint.name, type=mujoco.mjtSensor.mjSENS_JOINTPOS, objtype=mujoco.mjtObj.mjOBJ_JOINT, objname=joint.name)
    spec.add_sensor(name="dq_" + joint.name, type=mujoco.mjtSensor.mjSENS_JOINTVEL, objtype=mujoco.mjtObj.mjOBJ_JOINT, objname=joint.name)
spec.option.timestep, spec.option.integrator = STEP, mujoco.mjtIntegrator.mjINT_IMPLICITFAST
model = spec.compile()
params = sysid.ParameterDict()
for name in (model.body(b).name for b in model.jnt_bodyid):
    def put(s, p, name=name):
        sysid.apply_body_inertia(s, name, p)
        s.body(name).iquat = [1, 0, 0, 0]  # mujoco 4.0.0 leaves it undefined, and then no body with a joint compiles
    params.add(sysid.body_inertia_param(spec, model, name, sysid.InertiaType.Pseudo, mass_bound_mult=np.array([0.05, 20.0]), modifier=put))
for joint in spec.joints:
    for key, most in (("damping", 200.0), ("frictionloss", 100.0), ("armature", 20.0)):
        def change(s, p, name=joint.name, key=key):
            if key == "damping":
                s.joint(name).damping[0] = p.value[0]
            else:
                setattr(s.joint(name), key, p.value[0])
        params.add(sysid.Parameter("%s_%s" % (key, joint.name), 0.1, 0.0, most, modifier=change))
params.move_off_bounds()


def sequences(runs):
    starts, controls, sensors = [], [], []
    for run in runs:
        q = trial.lowpass(run.q, run.rate, job.cutoff)
        dq = np.gradient(q, 1 / run.rate, axis=0) if run.dq is None else trial.lowpass(run.dq, run.rate, job.cutoff)
        tau, n = trial.lowpass(run.tau, run.rate, job.cutoff), int(SECONDS * run.rate)
        for at in np.linspace(0.5 * run.rate, len(q) - 0.5 * run.rate - n - 1, SEQUENCES // len(runs)).astype(int):
            part, t = slice(at, at + n), np.arange(n) / run.rate
            starts.append(sysid.create_initial_state(model, q[at], dq[at]))
            controls.append(sysid.TimeSeries(t, tau[part]))
            sensors.append(sysid.TimeSeries.from_names(t, np.stack([q[part], dq[part]], axis=2).reshape(n, -1), model))
    return sysid.ModelSequences("arm", spec, ["s%d" % i for i in range(len(starts))], starts, controls, sensors)


def inverse(model, q, dq, ddq):
    data, out = mujoco.MjData(model), []
    for data.qpos[:], data.qvel[:], data.qacc[:] in zip(q, dq, ddq):
        mujoco.mj_inverse(model, data)
        out.append(data.qfrc_inverse.copy())
    return np.array(out)


# user ends
def by_inverse_dynamics():
    """Return the residual of the filtered motion: torques predicted less measured, behind the parallel filter."""
    motions = [trial.prepare(r, job.cutoff) for r in job.runs]
    measured = np.concatenate([trial.rows(m.tau, m.rate, job.cutoff) for m in motions])
    scale = np.sqrt((measured ** 2).mean(axis=0))
    keep = [max(1, int(m.rate / (10 * job.cutoff))) for m in motions]  # inverse dynamics at ten times the cut-off
    measured = np.concatenate([trial.rows(m.tau[::k], m.rate / k, job.cutoff) for m, k in zip(motions, keep)])

    def residual(x, params, **_):
        columns = x.reshape(len(x), -1)
        out = []
        for i in range(columns.shape[1]):
            params.update_from_vector(columns[:, i])
            changed = sysid.apply_param_modifiers(params, spec)
            told = np.concatenate([trial.rows(inverse(changed, m.q[::k], m.dq[::k], m.ddq[::k]), m.rate / k, job.cutoff) for m, k in zip(motions, keep)])
            out.append(((told - measured) / scale).reshape(-1))
        r = np.stack(out, axis=1)
        return [r[:, 0] if x.ndim == 1 else r], None, None

    return residual


# user begins
residual = by_inverse_dynamics() if job.given else sysid.build_residual_fn(models_sequences=[sequences(job.runs)])
found, result = sysid.optimize(initial_params=params, residual_fn=residual, optimizer="mujoco", verbose=False, max_iters=10)
torques = inverse(sysid.apply_param_modifiers(found, spec), *job.states)
residuals, _, _ = residual(result.x, found)
_, half_widths = sysid.calculate_intervals([np.ravel(r) for r in residuals], np.asarray(result.jac))
# user ends
truth = None
if job.truth is not None:
    from mujoco.sysid._src.model_modifier import pseudoinertia_from_pi, theta_from_pseudoinertia

    truth = []
    for m, x, y, z, xx, xy, yy, xz, yz, zz in job.bodies:
        truth.extend(theta_from_pseudoinertia(pseudoinertia_from_pi(np.array([m, x, y, z, xx, xy, xz, xy, yy, yz, xz, yz, zz]))))
    truth.extend(x for f in job.friction for x in (f[0], f[1], f[3]))
job.answer(torques, estimate=result.x, sigma=half_widths / 1.96, truth=truth)

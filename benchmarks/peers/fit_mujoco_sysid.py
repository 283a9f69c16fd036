"""The regressor of mujoco-sysid with numpy's least squares."""

import least_squares
import trial

job = trial.Job()
# user begins
import mujoco
import numpy as np
from mujoco_sysid import regressors

spec = mujoco.MjSpec.from_file(job.urdf)
spec.compiler.discardvisual = True
spec.compiler.boundmass, spec.compiler.boundinertia, spec.compiler.balanceinertia = 1e-6, 1e-9, True
for geom in list(spec.geoms):
    spec.delete(geom)
model = spec.compile()
data = mujoco.MjData(model)


def regressor(q, dq, ddq):
    Y = []
    for data.qpos[:], data.qvel[:], data.qacc[:] in zip(q, dq, ddq):
        mujoco.mj_inverse(model, data)
        mujoco.mj_rnePostConstraint(model, data)
        Y.append(regressors.joint_torque_regressor(model, data))
    return np.array(Y)


# user ends


def torques(q, dq, ddq):
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT  # stops at the ends of the joints
    out = []
    for data.qpos[:], data.qvel[:], data.qacc[:] in zip(q, dq, ddq):
        mujoco.mj_inverse(model, data)
        out.append(data.qfrc_inverse.copy())
    return np.array(out)


least_squares.solve(job, regressor, torques)

"""Drake's inverse dynamics, differentiated by the parameters of the bodies, with numpy's least squares.

Drake has no regressor. Its courses decompose symbolic expressions, which suits two links; for arms its users let AutoDiffXd differentiate
the inverse dynamics, which is linear in the parameters, and that is done here.
"""

import least_squares
import trial

job = trial.Job()
# user begins
import numpy as np
from pydrake.all import AutoDiffXd, InitializeAutoDiff, MultibodyForces_, MultibodyPlant, Parser, SpatialInertia_, UnitInertia_

plant = MultibodyPlant(0.0)
(arm,) = Parser(plant).AddModels(job.urdf)
bodies = [plant.get_body(i) for i in plant.GetBodyIndices(arm)]
if all(plant.get_joint(j).child_body().index() != bodies[0].index() for j in plant.GetJointIndices(arm)):
    plant.WeldFrames(plant.world_frame(), bodies[0].body_frame())
plant.Finalize()
moved = [plant.get_joint(j).child_body().name() for j in plant.GetJointIndices(arm) if plant.get_joint(j).num_velocities()]
n = plant.num_velocities()
ad = plant.ToAutoDiffXd()
context = ad.CreateDefaultContext()
start = np.tile([1, 0, 0, 0, 1, 0, 1, 0, 0, 1.0], n)
theta = InitializeAutoDiff(start).reshape(n, 10)
for name, (m, x, y, z, Ixx, Ixy, Iyy, Ixz, Iyz, Izz) in zip(moved, theta):
    G = UnitInertia_[AutoDiffXd](Ixx / m, Iyy / m, Izz / m, Ixy / m, Ixz / m, Iyz / m)
    M = SpatialInertia_[AutoDiffXd](m, np.array([x / m, y / m, z / m]), G, skip_validity_check=True)
    ad.GetBodyByName(name).SetSpatialInertiaInBodyFrame(context, M)
gravity = MultibodyForces_[AutoDiffXd](ad)


def regressor(q, dq, ddq):
    Y = np.zeros((len(q), n, 10 * n))
    for i in range(len(q)):
        ad.SetPositions(context, q[i])
        ad.SetVelocities(context, dq[i])
        ad.CalcForceElementsContribution(context, gravity)
        for j, tau in enumerate(ad.CalcInverseDynamics(context, ddq[i], gravity)):
            Y[i, j] = tau.derivatives() if len(tau.derivatives()) else 0
    return Y


# user ends


def torques(q, dq, ddq):
    own, out = plant.CreateDefaultContext(), []
    forces = MultibodyForces_[float](plant)
    for i in range(len(q)):
        plant.SetPositions(own, q[i])
        plant.SetVelocities(own, dq[i])
        plant.CalcForceElementsContribution(own, forces)
        out.append(plant.CalcInverseDynamics(own, ddq[i], forces))
    return np.array(out)


least_squares.solve(job, regressor, torques)

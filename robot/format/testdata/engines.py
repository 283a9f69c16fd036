"""Inverse dynamics of robots by their own engines: MuJoCo from MJCF; Drake, Pinocchio and iDynTree from URDF.

Reads {"robots": [{"urdf", "mjcf", "joints", "states": [[q, dq, ddq], ...]}]} and prints, by engine, torques by robot and state.
"""
import json
import sys

import numpy as np


def by_mujoco(robot):
    import mujoco

    model = mujoco.MjModel.from_xml_string(robot["mjcf"])
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT  # dry friction and limits, which states exceed
    data = mujoco.MjData(model)
    at = [model.joint(name).dofadr[0] for name in robot["joints"]]
    tau = []
    for q, dq, ddq in robot["states"]:
        data.qpos[at], data.qvel[at], data.qacc[at] = q, dq, ddq
        mujoco.mj_inverse(model, data)
        tau.append(data.qfrc_inverse[at].tolist())
    return tau


def by_pinocchio(robot):
    import pinocchio as pin

    model = pin.buildModelFromXML(robot["urdf"])
    data = model.createData()
    at = [model.joints[model.getJointId(name)].idx_v for name in robot["joints"]]
    tau = []
    for state in robot["states"]:
        q, dq, ddq = (np.zeros(model.nv) for _ in range(3))
        q[at], dq[at], ddq[at] = state
        tau.append(pin.rnea(model, data, q, dq, ddq)[at].tolist())
    return tau


def by_drake(robot):
    from pydrake.multibody.parsing import Parser
    from pydrake.multibody.plant import MultibodyPlant
    from pydrake.multibody.tree import MultibodyForces

    plant = MultibodyPlant(0.0)
    Parser(plant).AddModelsFromString(robot["urdf"], "urdf")
    plant.WeldFrames(plant.world_frame(), plant.GetFrameByName("base"))
    plant.Finalize()
    context = plant.CreateDefaultContext()
    at = [plant.GetJointByName(name).velocity_start() for name in robot["joints"]]
    tau = []
    for state in robot["states"]:
        q, dq, ddq = (np.zeros(plant.num_velocities()) for _ in range(3))
        q[at], dq[at], ddq[at] = state
        plant.SetPositions(context, q)
        plant.SetVelocities(context, dq)
        forces = MultibodyForces(plant)
        plant.CalcForceElementsContribution(context, forces)  # gravity and the damping of joints
        tau.append(plant.CalcInverseDynamics(context, ddq, forces)[at].tolist())
    return tau


def by_idyntree(robot):
    import idyntree.bindings as idyn

    loader = idyn.ModelLoader()
    assert loader.loadModelFromString(robot["urdf"], "urdf")
    dynamics = idyn.KinDynComputations()
    assert dynamics.loadRobotModel(loader.model())
    dynamics.setFloatingBase("base")
    model = dynamics.model()
    at = [model.getJoint(model.getJointIndex(name)).getDOFsOffset() for name in robot["joints"]]
    n = model.getNrOfDOFs()
    tau = []
    for state in robot["states"]:
        q, dq, ddq = (np.zeros(n) for _ in range(3))
        q[at], dq[at], ddq[at] = state
        dynamics.setRobotState(np.eye(4), q, np.zeros(6), dq, np.array([0.0, 0.0, -9.81]))
        external = idyn.LinkWrenches(model)
        external.zero()
        forces = idyn.FreeFloatingGeneralizedTorques(model)
        assert dynamics.inverseDynamics(idyn.Vector6_Zero() if hasattr(idyn, "Vector6_Zero") else np.zeros(6), ddq, external, forces)
        tau.append(forces.jointTorques().toNumPy()[at].tolist())
    return tau


answers = {}
robots = json.load(sys.stdin)["robots"]
for name, ask in (("mujoco", by_mujoco), ("pinocchio", by_pinocchio), ("drake", by_drake), ("idyntree", by_idyntree)):
    try:
        answers[name] = {"torques": [ask(robot) for robot in robots]}
    except Exception as e:  # noqa: BLE001 - each engine for itself
        answers[name] = {"error": "%s: %s" % (type(e).__name__, e)}
json.dump(answers, sys.stdout)

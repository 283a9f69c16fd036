"""Inverse dynamics of robots by their own engines: MuJoCo from MJCF; Drake, Pinocchio and iDynTree from URDF. Newton says what it read of both.

Reads {"robots": [{"urdf", "mjcf", "joints", "states": [[q, dq, ddq], ...]}], "constraints", "torques", "step"} and prints, by engine, torques by robot and state;
of engines that simulate, the speeds of the first joint of each robot after each step under torques, from rest; the dry friction of joints where it is kept.
"""
import contextlib
import io
import json
import sys

import numpy as np


def by_mujoco(robot):
    import mujoco

    model = mujoco.MjModel.from_xml_string(robot["mjcf"])
    if not asked["constraints"]:
        model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONSTRAINT  # dry friction and limits, which states exceed
    data = mujoco.MjData(model)
    at = [model.joint(name).dofadr[0] for name in robot["joints"]]
    tau = []
    for q, dq, ddq in robot["states"]:
        data.qpos[at], data.qvel[at], data.qacc[at] = q, dq, ddq
        mujoco.mj_inverse(model, data)
        tau.append(data.qfrc_inverse[at].tolist())
    mujoco.mj_resetData(model, data)
    model.opt.timestep = asked["step"]
    speeds = []
    for applied in asked["torques"] or ():
        data.qfrc_applied[at[0]] = applied
        mujoco.mj_step(model, data)
        speeds.append(data.qvel[at[0]])
    return tau, speeds, model.dof_frictionloss[at].tolist()


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
    return tau, [], model.upperDryFrictionLimit[at].tolist()


def by_drake(robot):
    from pydrake.multibody.parsing import Parser
    from pydrake.multibody.plant import MultibodyPlant
    from pydrake.multibody.tree import MultibodyForces
    from pydrake.systems.analysis import Simulator

    plant = MultibodyPlant(asked["step"])
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
    if not asked["torques"]:
        return tau, [], []
    simulator = Simulator(plant)
    context = simulator.get_mutable_context()
    force, speeds = np.zeros(plant.num_velocities()), []
    port = plant.get_applied_generalized_force_input_port()
    for k, applied in enumerate(asked["torques"]):
        force[at[0]] = applied
        port.FixValue(context, force)
        simulator.AdvanceTo((k + 1) * asked["step"])
        speeds.append(plant.GetVelocities(context)[at[0]])
    return tau, speeds, []


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
    return tau, [], [model.getJoint(model.getJointIndex(name)).getStaticFriction(0) for name in robot["joints"]]


def by_newton(robot):
    """Of each joint and its body what Newton reads, from MJCF and then from URDF: armature, damping, friction, mass, centre, moments."""
    with contextlib.redirect_stdout(io.StringIO()):
        import newton

    rows = []
    for kind in ("mjcf", "urdf"):
        with contextlib.redirect_stdout(io.StringIO()):
            builder = newton.ModelBuilder()
            getattr(builder, "add_" + kind)(robot[kind])
        names = [label.split("/")[-1] for label in builder.joint_label]
        for name in robot["joints"]:
            joint = names.index(name)
            dof, body = builder.joint_qd_start[joint], builder.joint_child[joint]
            moments = np.array(builder.body_inertia[body]).reshape(3, 3)
            rows.append([builder.joint_armature[dof], builder.joint_damping[dof], builder.joint_friction[dof], builder.body_mass[body], *map(float, builder.body_com[body]),
                         *map(float, moments[[0, 0, 0, 1, 1, 2], [0, 1, 2, 1, 2, 2]])])
    return rows, [], []


answers = {}
asked = json.load(sys.stdin)
for name, ask in (("mujoco", by_mujoco), ("pinocchio", by_pinocchio), ("drake", by_drake), ("idyntree", by_idyntree), ("newton", by_newton)):
    try:
        torques, speeds, friction = zip(*(ask(robot) for robot in asked["robots"]))
        answers[name] = {"torques": torques, "speeds": speeds, "friction": friction}
    except Exception as e:  # noqa: BLE001 - each engine for itself
        answers[name] = {"error": "%s: %s" % (type(e).__name__, e)}
json.dump(answers, sys.stdout)

"""ident, by its Python package."""

import sys

import trial

job = trial.Job()
if job.evaluate:
    import ident_robotics as ident

    robot = ident.Robot(job.urdf, terms="links")
    robot.joints
    began = trial.seconds()
    robot.regressor(*job.states, base=False)
    took = trial.seconds() - began
    base = robot.base_parameters()
    job.answer(robot.inverse_dynamics(*job.states), Y=robot.regressor(*job.states), values=base["value"], seconds=took)
    sys.exit()
if job.faulty:
    import ident_robotics as ident

    for f in ident.check(job.files, robot=job.urdf).document["findings"] or []:
        print("finding:", f["id"], f["severity"], f.get("why", ""))
# user begins
import ident_robotics as ident

result = ident.fit(job.files, robot=job.urdf)
torques = result.predict(*job.states)
# user ends
if job.faulty:
    print("grade:", result.grade)
table = result.parameters
truth = None
if job.truth is not None:
    known = ident.Robot(job.true_urdf).base_parameters()
    value = dict(zip(known["name"], known["value"]))
    truth = [value.get(name, float("nan")) for name in table["name"]]
job.answer(torques, estimate=table["value"], sigma=table["sigma"], truth=truth)

"""ident, by its Python package."""

import trial

job = trial.Job()
settings = {"plain": True, "cutoff": job.cutoff} if job.given else {}
if job.coupled and job.given:
    settings["coupling"] = "joint_6=joint_5+joint_6"
# user begins
import ident_robotics as ident

result = ident.fit(job.files, robot=job.urdf, **settings)
torques = result.predict(*job.states)
# user ends
if job.faulty:
    report = ident.check(job.files, robot=job.urdf)
    for f in report.document["findings"] or []:
        print("finding:", f["id"], f.get("why", ""))
    print("grade:", result.grade)
table = result.parameters
truth = None
if job.truth:
    known = ident.Robot(job.urdf).base_parameters()
    value = dict(zip(known["name"], known["value"]))
    truth = [value.get(name, float("nan")) for name in table["name"]]
job.answer(torques, estimate=table["value"], sigma=table["sigma"], truth=truth)

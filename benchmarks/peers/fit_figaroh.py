"""figaroh, by a subclass of BaseIdentification and a configuration, as its guides say.

Its filter of torques and regressor is on, as solve() has it by default, with the factor that leaves four rows a period of the cut-off: 10, the
default, takes the motion of slow logs and leaves the noise of fast ones. Weighted least squares, or its fit of feasible bodies with the same weights ("lmi").
"""

import trial

job = trial.Job()
names = job.joints
# user begins
import numpy as np
import yaml
from figaroh.data import TrajectoryData
from figaroh.identification import BaseIdentification
from figaroh.tools.load_robot import load_robot
from figaroh.tools.regressor import build_regressor_basic, build_regressor_reduced

rate = float(job.runs[0].rate)
config = {
    "robot": {"name": "arm", "properties": {"joints": {"active_joints": names}, "mechanics": {"reduction_ratios": [1.0] * len(names)}}},
    "tasks": {"identification": {
        "enabled": True,
        "select_stage": "physical_fit" if job.variant == "lmi" else "fit",
        "problem": {"include_external_forces": False, "use_joint_torques": True, "model_components": {"friction": True, "actuator_inertia": True, "joint_offset": True}},
        "signal_processing": {"sampling_frequency": rate, "cutoff_frequency": min(5 * job.cutoff, 0.4 * rate), "filter_order": 4},
    }},
}
with open("figaroh.yaml", "w") as f:
    yaml.safe_dump(config, f)


class Arm(BaseIdentification):
    def __init__(self, robot):
        super().__init__(robot, "figaroh.yaml")
        joints = [robot.model.joints[robot.model.getJointId(name)] for name in names]
        self.identif_config.update(active_joints=names, act_idxq=[j.idx_q for j in joints], act_idxv=[j.idx_v for j in joints])

    def load_trajectory_data(self, data_source=None):
        edge = int(0.5 * rate)
        mask = np.concatenate([np.r_[np.zeros(edge, bool), np.ones(len(r.t) - 2 * edge, bool), np.zeros(edge, bool)] for r in job.runs])
        q, tau = (np.concatenate([getattr(r, key) for r in job.runs]) for key in ("q", "tau"))
        dq = None if job.runs[0].dq is None else np.concatenate([r.dq for r in job.runs])
        return TrajectoryData(np.arange(len(q)) / rate, names, q, tau, job.kinds, job.units, dq=dq, mask=mask)


# user ends
class Coupled(Arm):
    """Arm with the columns of a coupled wrist, as figaroh's example of this arm adds them."""

    def calculate_full_regressor(self):
        super().calculate_full_regressor()
        self.dynamic_regressor = coupled(self.dynamic_regressor, self.processed_data["velocities"], self.processed_data["accelerations"])

    def initialize_standard_parameters(self):
        super().initialize_standard_parameters()
        self.standard_parameter.update({"Iam6": 0.0, "fvm6": 0.0, "fsm6": 0.0})

    def _compute_validation_metrics(self):
        # figaroh judges the fit on its own rows by a regressor without columns that a subclass adds, and stops on them.
        return None


def coupled(W, dq, ddq):
    return np.hstack([W, trial.coupled(dq, ddq).transpose(1, 0, 2).reshape(-1, 3)]) if job.coupled else W


# user begins
arm = load_robot(job.urdf, load_by_urdf=True)
fit = (Coupled if job.coupled else Arm)(arm)
fit.initialize()
factor = int(rate / (4 * job.cutoff))
fit.solve(decimate=factor > 1, decimation_factor=factor, wls=True, plotting=False)
q, dq, ddq = job.states
W = coupled(build_regressor_basic(arm, q, dq, ddq, fit.identif_config), dq, ddq)
if job.variant == "lmi":
    if not fit.selected.accepted:
        raise RuntimeError(fit.selected.reason)
    torques = fit.selected.predict(W).reshape(len(names), -1).T
else:
    torques = (build_regressor_reduced(W, fit._idx_eliminated)[:, fit._base_indices] @ fit.phi_base).reshape(len(names), -1).T
x = fit.phi_base if job.variant != "lmi" else fit.selected.phi_base_equivalent
sigma = fit.result["wls_std_deviations"] / 100 * abs(fit.phi_base)
# user ends
if job.faulty:
    verdict = fit.verify(scope="execution")
    print("verdict:", verdict.passed, *verdict.insights, sep="\n")
truth = None
if job.truth is not None:
    known = {}
    for j, name in enumerate(names):
        known.update(zip(("%s_%s" % (key, name) for key in ("m", "mx", "my", "mz", "Ixx", "Ixy", "Iyy", "Ixz", "Iyz", "Izz")), job.bodies[j]))
        known.update(zip(("%s_%s" % (key, name) for key in ("fv", "fs", "off", "Ia")), job.friction[j]))
    standard = np.delete(np.array([known.get(key, 0.0) for key in fit.standard_parameter]), fit._idx_eliminated)
    # Columns of the base regressor times the parameters regrouped are those of all: the truth in figaroh's own grouping, from its own relation.
    all_columns = build_regressor_reduced(fit.dynamic_regressor, fit._idx_eliminated)
    truth = np.linalg.lstsq(all_columns[:, fit._base_indices], all_columns @ standard, rcond=None)[0]
job.answer(torques, estimate=x, sigma=sigma, truth=truth)

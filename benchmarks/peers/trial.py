"""What every peer's script shares: the job that the judge wrote, and the answer; and the judge's own filters.

A script is called as ``python fit_PEER.py JOB.npz ANSWER.npz``. It must import its own packages within its marked lines, so that the
lines counted are those that a user writes.
"""

from __future__ import annotations

import json
import resource
import sys
import xml.etree.ElementTree
from dataclasses import dataclass

import numpy as np
from scipy import signal
from scipy.spatial.transform import Rotation

ORDER = 4  # of the Butterworth low-pass, which runs forwards and backwards
MOTION = 5  # times the cut-off: the low-pass of the motion before it is differentiated
TRIM = 0.5  # seconds that are cut at either end of a run, where zero-phase filters have no data on one side


@dataclass
class Run:
    """One log on a uniform clock: times in s, positions, velocities (None where not measured), torques; (N, n) each."""

    t: np.ndarray
    q: np.ndarray
    dq: np.ndarray | None
    tau: np.ndarray

    @property
    def rate(self) -> float:
        return (len(self.t) - 1) / (self.t[-1] - self.t[0])


@dataclass
class Motion:
    """Filtered motion: positions, velocities and accelerations (N, n), and the torques as logged."""

    rate: float
    q: np.ndarray
    dq: np.ndarray
    ddq: np.ndarray
    tau: np.ndarray


def lowpass(x: np.ndarray, rate: float, cutoff: float) -> np.ndarray:
    """Return the columns of x behind a zero-phase Butterworth low-pass; x itself where the cut-off is at the Nyquist frequency."""
    if cutoff >= 0.45 * rate:
        return x
    return signal.sosfiltfilt(signal.butter(ORDER, cutoff, fs=rate, output="sos"), x, axis=0, padlen=min(len(x) - 1, int(3 * rate / cutoff)))


def prepare(run: Run, cutoff: float) -> Motion:
    """Return the motion of a run, filtered well above the cut-off of the rows and differentiated once or twice."""
    q = lowpass(run.q, run.rate, MOTION * cutoff)
    dq = np.gradient(q, 1 / run.rate, axis=0) if run.dq is None else lowpass(run.dq, run.rate, MOTION * cutoff)
    ddq = np.gradient(dq, 1 / run.rate, axis=0)
    return Motion(run.rate, q, dq, ddq, run.tau)


def trim(rate: float) -> slice:
    """Return the samples of a run that zero-phase filters leave usable."""
    k = int(TRIM * rate)
    return slice(k, -k or None)


def coupled(dq: np.ndarray, ddq: np.ndarray) -> np.ndarray:
    """Return the columns (N, 6, 3) of a motor that turns with the sum of joints 5 and 6: inertia, viscous and Coulomb friction."""
    out = np.zeros((len(dq), 6, 3))
    for row, other in ((4, 5), (5, 4)):
        out[:, row] = np.stack([ddq[:, other], dq[:, other], np.sign(dq[:, 4] + dq[:, 5])], axis=1)
    return out


def moving(urdf: str) -> list[xml.etree.ElementTree.Element]:
    """Return the joints of a URDF that move, in the order of the file."""
    return [j for j in xml.etree.ElementTree.parse(urdf).getroot().findall("joint") if j.get("type") != "fixed"]


def numbers(element: xml.etree.ElementTree.Element | None, key: str) -> np.ndarray:
    return np.array([float(x) for x in (element.get(key) if element is not None and element.get(key) else "0 0 0").split()])


def parameters(urdf: str) -> tuple[np.ndarray, np.ndarray]:
    """Return ten parameters of the body behind each moving joint of a URDF, fixed links with it, and four of the joint."""
    root = xml.etree.ElementTree.parse(urdf).getroot()
    links = {link.get("name"): link.find("inertial") for link in root.findall("link")}
    joints = moving(urdf)
    bodies, friction = np.zeros((len(joints), 10)), np.zeros((len(joints), 4))

    def carried(link: str) -> list[tuple[float, np.ndarray, np.ndarray]]:
        """Return mass, centre and inertia at the centre of the bodies that are fixed to a link, in its frame."""
        out = []
        if (inertial := links[link]) is not None:
            I = inertial.find("inertia")
            xx, xy, xz, yy, yz, zz = (float(I.get("i" + k)) for k in ("xx", "xy", "xz", "yy", "yz", "zz"))
            out.append(placed(inertial.find("origin"), float(inertial.find("mass").get("value")), np.zeros(3), np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])))
        for joint in root.findall("joint"):
            if joint.get("type") == "fixed" and joint.find("parent").get("link") == link:
                out += [placed(joint.find("origin"), *body) for body in carried(joint.find("child").get("link"))]
        return out

    for row, law, joint in zip(bodies, friction, joints):
        if (d := joint.find("dynamics")) is not None:
            law[:2] = float(d.get("damping", 0)), float(d.get("friction", 0))
        for m, c, I in carried(joint.find("child").get("link")):
            J = I + m * (c @ c * np.eye(3) - np.outer(c, c))
            row += [m, *(m * c), J[0, 0], J[0, 1], J[1, 1], J[0, 2], J[1, 2], J[2, 2]]
    return bodies, friction


def placed(origin: xml.etree.ElementTree.Element | None, m: float, c: np.ndarray, I: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
    """Return a body in the frame that an origin stands in."""
    R = Rotation.from_euler("xyz", numbers(origin, "rpy")).as_matrix()
    return m, R @ c + numbers(origin, "xyz"), R @ I @ R.T


def seconds() -> float:
    """Return the processor seconds of this process and of those that it waited for."""
    return sum(u.ru_utime + u.ru_stime for u in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)))


class Job:
    """The job of the judge: a robot file, runs to fit, states to predict."""

    def __init__(self) -> None:
        data = np.load(sys.argv[1], allow_pickle=False)
        told = json.loads(str(data["job"]))
        self.urdf: str = told["urdf"]
        self.cutoff: float = told["cutoff"]
        self.coupled: bool = told["coupled"]  # the motor of the last joint turns with the sum of the last two: told to all but ident
        self.variant: str = told["variant"]  # of a script that serves two peers
        self.files: list[str] = told["files"]
        self.faulty: bool = told["faulty"]
        self.runs = [Run(data["t%d" % i], data["q%d" % i], data["dq%d" % i] if "dq%d" % i in data else None, data["tau%d" % i]) for i in range(told["runs"])]
        self.joints: list[str] = told["joints"]
        self.kinds: list[str] = ["joint_torque" if unit == "N·m" else "joint_force" for unit in told["units"]]
        self.units: list[str] = told["units"]
        self.evaluate: bool = told["evaluate"]  # no fit: the regressor and the torques of the robot file at the states
        self.true_urdf: str = told["true_urdf"]  # the robot that made the log, "" where it is not known
        # Its parameters: ten of each body (m, mx, my, mz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz at the joint's frame) and viscous friction, Coulomb
        # friction, offset and rotor inertia of each joint.
        self.bodies, self.friction = parameters(self.true_urdf) if self.true_urdf else (np.zeros((0, 10)), np.zeros((0, 4)))
        self.states = data["states_q"], data["states_dq"], data["states_ddq"]

    @property
    def truth(self) -> np.ndarray | None:
        """All parameters of the robot that made the log: those of the bodies, then four a joint."""
        return np.concatenate([self.bodies.reshape(-1), self.friction.reshape(-1)]) if self.true_urdf else None

    def answer(self, tau: np.ndarray, **more: np.ndarray) -> None:
        """Write the torques of the states, and what more the tool says: estimate, sigma and truth of its own base parameters."""
        np.savez(sys.argv[2], tau=tau, **{k: v for k, v in more.items() if v is not None})

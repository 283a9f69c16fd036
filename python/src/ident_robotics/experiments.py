"""Experiments: exciting trajectories, virtual logs of them, and the loads of a motion."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, Any, Optional, Union

from . import _arrays, _folders, _keywords, _program

if TYPE_CHECKING:
    import pandas
    from typing_extensions import Unpack

    from ._arrays import Log
    from ._options import DesignOptions, LoadsOptions, Path, SimulateOptions
    from .documents import DesignDocument, LoadsDocument
    from .results import Result
    from .robots import Robot


class Trajectory(_folders.OnDisk):
    """An exciting trajectory, with what its design says of it."""

    def __init__(self, keep: _folders.Folder, document: "DesignDocument") -> None:
        self._keep, self.document = keep, document
        self._moved(keep.name)

    def _moved(self, folder: str) -> None:
        self.folder, self.path = folder, os.path.join(folder, "trajectory.json")

    def sample(self) -> "pandas.DataFrame":
        """Return its samples: t, q, dq and ddq of each joint."""
        return _arrays.frame(_arrays.read(os.path.join(self.folder, "trajectory.npz")))

    def save(self, path: "Path") -> None:
        """Write the trajectory: .json keeps its coefficients, any other extension of a log its samples."""
        path = _program.path(path)
        if path.endswith(".json"):
            shutil.copyfile(self.path, path)
        else:
            _program.run(["convert", os.path.join(self.folder, "trajectory.npz"), "-o", path])


def design(robot: "Union[Path, Robot]", *, progress: "Optional[_program.Progress]" = None, **options: "Unpack[DesignOptions]") -> Trajectory:
    """Design an exciting trajectory within the robot's limits."""
    words = _keywords.words("design-trajectory", options)
    folder = _program.scratch()
    outputs = ["-o", os.path.join(folder.name, "trajectory.json"), "-o", os.path.join(folder.name, "trajectory.npz")]
    with _program.unless_done(folder):
        document = _program.call(["design-trajectory", _path(robot), *words, *outputs], progress, folder.name)
    return Trajectory(folder, document)


def simulate(robot: "Union[Path, Robot, Result]", trajectory: "Union[Path, Trajectory, Log, None]" = None, *, noise: "Optional[str]" = None, **options: "Unpack[SimulateOptions]") -> "pandas.DataFrame":
    """Run a virtual experiment and return its log.

    The motion is a trajectory, or a log with positions (a path, a DataFrame, a dict of arrays), or with ``task`` that of the tip.
    ``noise="industrial"`` adds what the sensors of a class of arms do; it is the option ``sensors``.
    """
    if noise is not None:
        if options.get("sensors") is not None:
            raise TypeError("simulate() has noise and sensors, which are one option: give one of them")
        options["sensors"] = noise
    words = _keywords.words("simulate", options)
    with _program.scratch() as folder:
        out = os.path.join(folder, "log.npz")
        motion = [] if trajectory is None else ["--trajectory=" + _motion(trajectory, folder)]
        _program.run(["simulate", _path(robot), *motion, *words, "-o", out], private=folder)
        return _arrays.frame(_arrays.read(out))


class Loads:
    """What a motion demands of a machine: torques, power, energy, bearings, and where the file has them motors and sections."""

    def __init__(self, document: "LoadsDocument", series: "pandas.DataFrame") -> None:
        self.document = document
        self.series = series
        """All quantities, sample by sample."""

    @property
    def drives(self) -> "pandas.DataFrame":
        """Table of the drives: peaks of torque, speed and power, energies. A peak is its value, and the second at which it is, ``…_at_s``."""
        return _table(self.document["drives"])

    @property
    def bearings(self) -> "pandas.DataFrame":
        """Table of the forces and moments of the bearings."""
        return _table(self.document["bearings"])

    @property
    def beams(self) -> "pandas.DataFrame":
        """Table of stress and deflection of the links that have a section."""
        return _table(self.document.get("beams"))

    def __repr__(self) -> str:
        return "<Loads of %s on %s>" % (self.document["motion"], self.document["robot"])


def loads(robot: "Union[Path, Robot, Result]", motion: "Union[Path, Trajectory, Log]", **options: "Unpack[LoadsOptions]") -> Loads:
    """Compute the loads of a motion for a robot file or an identified robot.

    >>> import ident_robotics as ident
    >>> log, urdf = ident.example()
    >>> len(ident.loads(urdf, log).drives["joint"])
    6
    """
    words = _keywords.words("loads", options)
    with _program.scratch() as folder:
        out = os.path.join(folder, "series.npz")
        document = _program.call(["loads", _path(robot), _motion(motion, folder), *words, "--series=" + out], private=folder)
        return Loads(document, _arrays.frame(_arrays.read(out)))


def _table(rows: Any) -> "pandas.DataFrame":
    """Return a table of objects; of a peak the value and its second, of longer fields nothing."""
    flat = []
    for row in rows or []:
        flat.append({})
        for name, x in row.items():
            if isinstance(x, dict) and "at_s" in x:
                flat[-1].update({name: x["value"], name + "_at_s": x["at_s"]})
            elif not isinstance(x, (dict, list)):
                flat[-1][name] = x
    return _arrays.records(flat, list(dict.fromkeys(name for row in flat for name in row)))


def _motion(of: Any, folder: str) -> str:
    if isinstance(of, Trajectory) or _arrays.is_path(of):
        return _path(of)
    return _arrays.logs(of, folder, "motion")[0]


def _path(of: Any) -> str:
    return _program.path(of.path if isinstance(of, Trajectory) else getattr(of, "folder", getattr(of, "path", of)))

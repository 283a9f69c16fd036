"""Experiments: exciting trajectories, and virtual logs of them."""

from __future__ import annotations

import os
import shutil
from typing import TYPE_CHECKING, Any, Optional, Union

from . import _arrays, _keywords, _program

if TYPE_CHECKING:
    import pandas
    from typing_extensions import Unpack

    from ._options import DesignOptions, Path, SimulateOptions
    from .documents import DesignDocument
    from .robots import Robot


class Trajectory:
    """An exciting trajectory, with what its design says of it."""

    def __init__(self, folder: Any, document: "DesignDocument") -> None:
        self._folder = folder
        self.path = os.path.join(folder.name, "trajectory.json")
        self.document = document

    def sample(self) -> "pandas.DataFrame":
        """Return its samples: t, q, dq and ddq of each joint."""
        return _arrays.frame(_arrays.read(os.path.join(self._folder.name, "trajectory.npz")))

    def save(self, path: "Path") -> None:
        """Write the trajectory: .json keeps its coefficients, any other extension of a log its samples."""
        path = os.fspath(path)
        if path.endswith(".json"):
            shutil.copyfile(self.path, path)
        else:
            _program.run(["convert", os.path.join(self._folder.name, "trajectory.npz"), "-o", path])


def design(robot: "Union[Path, Robot]", *, progress: "Optional[_program.Progress]" = None, **options: "Unpack[DesignOptions]") -> Trajectory:
    """Design an exciting trajectory within the robot's limits."""
    words = _keywords.words("design-trajectory", options)
    folder = _program.scratch()
    outputs = ["-o", os.path.join(folder.name, "trajectory.json"), "-o", os.path.join(folder.name, "trajectory.npz")]
    with _program.unless_done(folder):
        document = _program.call(["design-trajectory", _path(robot), *words, *outputs], progress, folder.name)
    return Trajectory(folder, document)


def simulate(robot: "Union[Path, Robot]", trajectory: "Union[Path, Trajectory]", **options: "Unpack[SimulateOptions]") -> "pandas.DataFrame":
    """Run a virtual experiment and return its log; ``sensors="industrial"`` adds what real sensors do."""
    words = _keywords.words("simulate", options)
    with _program.scratch() as folder:
        out = os.path.join(folder, "log.npz")
        _program.run(["simulate", _path(robot), "--trajectory=" + _path(trajectory), *words, "-o", out], private=folder)
        return _arrays.frame(_arrays.read(out))


def _path(of: Any) -> str:
    return os.fspath(getattr(of, "path", of))

"""Robots: what a file says, base parameters, regressors and torques at given states."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Optional, cast

import numpy as np

from . import _arrays, _kept, _keywords, _program

if TYPE_CHECKING:
    import pandas
    from numpy.typing import ArrayLike, NDArray
    from typing_extensions import Unpack

    from ._options import EvaluateOptions, Path
    from .documents import BaseParamsDocument, EvaluateDocument, RobotDocument

# A file of values beyond this many bytes is made in parts.
PART_BYTES = 1 << 28


class Models:
    """What a robot and a result have in common: models that are evaluated at states."""

    def __init__(self, subject: str, options: list[str]) -> None:
        self._subject = subject
        self._options = options
        self._program = _kept.Kept()

    @functools.cached_property
    def joints(self) -> list[str]:
        """Names of the joints, in the order of the columns of ``q``."""
        raise NotImplementedError

    def inverse_dynamics(self, q: "ArrayLike", dq: "Optional[ArrayLike]" = None, ddq: "Optional[ArrayLike]" = None) -> "NDArray[np.float64]":
        """Return the joint torques (N, n) in N·m or N of states (N, n) in rad or m, rad/s and rad/s². None is zero."""
        few = self._few("inverse-dynamics", q, dq, ddq)
        if few is not None:
            return few[:, :, 0]
        out: Any = None
        for part, doc, columns in self._parts("inverse-dynamics", q, dq, ddq, 8 * len(self.joints)):
            if out is None:
                out = np.zeros((_rows(q, len(self.joints)), len(doc["joints"])))
            for c in doc["channels"]:
                out[part, c["joint"]] = columns[c["name"]]
        return out

    def regressor(self, q: "ArrayLike", dq: "Optional[ArrayLike]" = None, ddq: "Optional[ArrayLike]" = None, *, base: bool = True) -> "NDArray[np.float64]":
        """Return the regressor (N, n, p) at states (N, n), of the base parameters or of the standard ones.

        Its columns are those of :meth:`base_parameters` or :meth:`standard_parameters`: torques are ``Y @ parameters``. A large one is
        computed in parts; :meth:`regressor_parts` hands them out one by one. Up to 64 states are evaluated by a program that is kept with
        this object: a call costs some microseconds.
        """
        few = self._few("base-regressor" if base else "regressor", q, dq, ddq)
        if few is not None:
            return few
        out: Any = None
        for part, values in self.regressor_parts(q, dq, ddq, base=base):
            if out is None:
                # One column is contiguous along the states, as the program writes it.
                out = np.zeros((*values.shape[1:], _rows(q, len(self.joints)))).transpose(2, 0, 1)
                if part == slice(0, len(out)):
                    return values
            out[part] = values
        return out

    def regressor_parts(self, q: "ArrayLike", dq: "Optional[ArrayLike]" = None, ddq: "Optional[ArrayLike]" = None, *, base: bool = True) -> "Iterator[tuple[slice, NDArray[np.float64]]]":
        """Yield the rows of each part of a regressor and its values, some 256 MB at a time."""
        n = len(self.joints)
        for part, doc, columns in self._parts("base-regressor" if base else "regressor", q, dq, ddq, 8 * n * 14 * n):
            parameters = doc.get("base_parameters") if base else doc["parameters"]
            values = np.zeros((len(doc["joints"]), len(parameters or []), part.stop - part.start))
            for c in doc["channels"]:
                values[c["joint"], c["parameter"]] = columns.pop(c["name"])
            yield part, values.transpose(2, 0, 1)

    def energy(self, q: "ArrayLike", dq: "Optional[ArrayLike]" = None) -> "pandas.DataFrame":
        """Return the kinetic and potential energies in J and the power of friction in W at states (N, n).

        The zero of the potential energy is arbitrary.
        """
        parts: dict[str, list[Any]] = {}
        for _, doc, columns in self._parts("energy", q, dq, None, 24):
            for c in doc["channels"]:
                parts.setdefault(c["name"], []).append(columns[c["name"]])
        return _arrays.frame({name: np.concatenate(x) for name, x in parts.items()})

    def _few(self, quantity: str, q: Any, dq: Any, ddq: Any) -> Any:
        """Return a quantity at few states as an array (N, n, p), or None: the states are many, or an error is to be told by a call of the program."""
        now = self._program.at_once(self._subject, quantity, q, dq, ddq)
        if now is not None:
            return now
        states = None if os.name == "nt" else _arrays.few(len(self.joints), q, dq, ddq, _kept.ROWS)
        return None if states is None else self._program.values([self._subject, *self._options], quantity, states)

    def _parts(self, quantity: str, q: Any, dq: Any, ddq: Any, row_bytes: int) -> "Iterator[tuple[slice, dict[str, Any], dict[str, Any]]]":
        columns = _arrays.states(len(self.joints), q, dq, ddq)
        rows = len(columns["q1"])
        step = max(1, PART_BYTES // max(1, row_bytes))
        if rows == 0:
            raise ValueError("q holds no states")
        for first in range(0, rows, step):
            part = slice(first, min(first + step, rows))
            with _program.scratch() as folder:
                given, out = os.path.join(folder, "states.npz"), os.path.join(folder, "values.npz")
                _arrays.save(given, {name: x[part] for name, x in columns.items()})
                doc = _program.call(["evaluate", self._subject, given, "--quantity=" + quantity, "-o", out, *self._options], private=folder)
                yield part, doc, _arrays.read(out)


def _rows(q: Any, joints: int) -> int:
    return len(_arrays.matrix("q", q, joints))


class Robot(Models):
    """A robot file: URDF, xacro, MJCF, SDF, SYMORO+ .par or YAML.

    >>> import ident_robotics as ident
    >>> robot = ident.Robot(ident.example()[1])
    >>> robot.joints
    ['waist', 'shoulder', 'elbow', 'wrist_roll', 'wrist_bend', 'flange_turn']
    >>> robot.inverse_dynamics([0, 0, 0, 0, 0, 0]).shape
    (1, 6)
    """

    def __init__(self, path: "Path", **options: "Unpack[EvaluateOptions]") -> None:
        """Read a robot file; ``gravity``, ``lock``, ``set`` and ``terms`` are among the options."""
        super().__init__(_program.path(path), _keywords.words("evaluate", options))
        self.path, self._given = self._subject, options
        known = _keywords.table()
        self._described = {c: _keywords.words(c, {k: v for k, v in options.items() if k in known[c]["options"]}) for c in ("robot", "base-params")}
        self.document

    def regressor(self, q: "ArrayLike", dq: "Optional[ArrayLike]" = None, ddq: "Optional[ArrayLike]" = None, *, base: bool = True, terms: Any = None) -> "NDArray[np.float64]":
        """Return the regressor as :meth:`Models.regressor` does; ``terms`` stand in place of those of the robot."""
        if terms is not None:
            return Robot(self.path, **{**self._given, "terms": terms}).regressor(q, dq, ddq, base=base)
        now = self._program.at_once(self._subject, "base-regressor" if base else "regressor", q, dq, ddq)
        return super().regressor(q, dq, ddq, base=base) if now is None else now

    @functools.cached_property
    def document(self) -> "RobotDocument":
        """The document of ``ident robot --json``."""
        return _program.call(["robot", self.path, *self._described["robot"]])

    @functools.cached_property
    def joints(self) -> list[str]:
        """Names of the joints, in the order of the columns of ``q``."""
        return list(self._models["joints"] or [])

    @functools.cached_property
    def _models(self) -> "EvaluateDocument":
        """What an evaluation says of the models: locked, coupled and passive joints have no column."""
        names = [j["name"] for j in self.document["joints"] or []]
        with _program.scratch() as folder:
            given, out = os.path.join(folder, "states.npz"), os.path.join(folder, "values.npz")
            _arrays.save(given, {"%s_%s" % (k, n): np.zeros(1) for k in ("q", "dq", "ddq") for n in names})
            return _program.call(["evaluate", self._subject, given, "--quantity=base-regressor", "-o", out, *self._options], private=folder)

    @property
    def links(self) -> "pandas.DataFrame":
        """Joints and links as the file has them: kind, limits, friction."""
        joints = cast("list[dict[str, Any]]", self.document["joints"])
        return _arrays.records(joints, list(joints[0]) if joints else [])

    @functools.cached_property
    def base_document(self) -> "BaseParamsDocument":
        """The document of ``ident base-params --json``."""
        terms = ",".join(self._models["terms"] or [])
        return _program.call(["base-params", self.path, *self._described["base-params"], "--terms=" + terms])

    def base_parameters(self) -> "pandas.DataFrame":
        """Return the minimal parameters that torques can determine, with the values of the file.

        They are the columns of :meth:`regressor`; ``expression`` says which standard parameters are regrouped onto one.
        """
        relations = {r["base"]: r["expression"] for r in self.base_document["relations"] or []}
        rows = [{**p, "expression": relations.get(p["name"], p["name"])} for p in self._models.get("base_parameters") or []]
        return _arrays.records(rows, ("name", "expression", "value", "unit"))

    def standard_parameters(self) -> "pandas.DataFrame":
        """Return the standard parameters with the values of the file: the columns of ``regressor(…, base=False)``."""
        return _arrays.records(self._models["parameters"], ("name", "value", "unit"))

    def __repr__(self) -> str:
        return "<Robot %s, %d joints>" % (self.document["name"], self.document["dof"])

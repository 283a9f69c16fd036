"""Results: fits, their parameters and verdicts, validation, comparison, export."""

from __future__ import annotations

import functools
import html
import json
import os
import re
from typing import TYPE_CHECKING, Any, Optional, cast

import numpy as np

from . import _arrays, _folders, _keywords, _program
from .logs import _robot
from .robots import Models

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Union

    import pandas
    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from ._arrays import Log
    from ._options import CompareOptions, ExportOptions, FitOptions, Path, ValidateOptions
    from .documents import CompareDocument, FitDocument, FitElasticDocument, ValidateDocument
    from .robots import Robot

RESIDUALS = "residuals.parquet"


class Result(_folders.OnDisk, Models):
    """The result of a fit. It is a folder on disk, removed with this object unless ``output`` named it."""

    def __init__(self, folder: str, document: "FitDocument", keep: Any = None) -> None:
        super().__init__(folder, [])
        self.folder, self.document, self._keep = folder, document, keep

    def _moved(self, folder: str) -> None:
        self.folder = self._subject = folder

    @functools.cached_property
    def joints(self) -> list[str]:
        """Names of the joints, in the order of the columns of ``q``."""
        return list(self.document["joints"] or [])

    @property
    def grade(self) -> str:
        """How far the result can be trusted: sound, doubtful or unusable."""
        return self._document["grade"]["value"]

    @property
    def reasons(self) -> "pandas.DataFrame":
        """Table of the reasons of the grade: id, why and fix."""
        return _arrays.records(self._document["grade"]["reasons"], ("id", "why", "fix"))

    @property
    def parameters(self) -> "pandas.DataFrame":
        """Table of the base parameters: name, value, standard deviation and unit first, the 95 % interval last."""
        return _arrays.records(self._document["base_parameters"], ("name", "value", "sigma", "unit", "relative_sigma_percent", "expression", "joint", "low95", "high95"))

    @property
    def covariance(self) -> "NDArray[np.float64]":
        """Covariance of the base parameters (p, p)."""
        return np.asarray(self._document.get("covariance") or [], dtype=float)

    @property
    def links(self) -> "pandas.DataFrame":
        """Table of the standard parameters of the links; determined says whether torques fix one by itself."""
        return _arrays.records(self._document["standard_parameters"], ("name", "value", "sigma", "unit", "link", "frame", "determined"))

    @property
    def errors(self) -> "pandas.DataFrame":
        """Table of the relative error in per cent by joint: of the fit, and of the validation where there is one."""
        table: dict[str, Any] = {"joint": self.joints, "fit": self._document["fit"]["relative_error_percent"]["joints"]}
        validation = self._document.get("validation")
        if validation:
            table["validation"] = validation["relative_error_percent"]["joints"]
        return _arrays.frame(table)

    @functools.cached_property
    def residuals(self) -> "pandas.DataFrame":
        """Table of measured and predicted torques, sample by sample, as the fit filtered them."""
        with _program.scratch() as folder:
            out = os.path.join(folder, "residuals.npz")
            _program.run(["convert", os.path.join(self.folder, RESIDUALS), "-o", out], private=folder)
            return _arrays.frame(_arrays.read(out))

    @property
    def report(self) -> str:
        """Path of the page of the result."""
        path = os.path.join(self.folder, "report.html")
        if not os.path.exists(path):
            _program.run(["plot", self.folder])
        return path

    def predict(self, q: Any, dq: Any = None, ddq: Any = None) -> "NDArray[np.float64]":
        """Return the torques (N, n) that the identified model predicts: :meth:`inverse_dynamics`."""
        return self.inverse_dynamics(q, dq, ddq)

    def export(self, path: "Path", **options: "Unpack[ExportOptions]") -> None:
        """Write the identified robot (.urdf, .xml, .sdf, .yaml, .par) or its parameters (.csv, .json)."""
        _program.run(["export", self.folder, "-o", _program.path(path), *_keywords.words("export", options)])

    def draws(self, n: int, *, seed: int = 1, prior_deviation: float = 50.0, flat_prior: bool = False) -> "Draws":
        """Draw n feasible robots from what the fit knows; the same seed gives the same robots. With flat_prior no prior narrows their base parameters."""
        with _program.scratch() as folder:
            path = os.path.join(folder, "draws.json")
            _program.run(["export", self.folder, "--draws", str(int(n)), "--to", "json", "-o", path, "--seed", str(int(seed)), "--prior-deviation", repr(float(prior_deviation)), *(["--flat-prior"] if flat_prior else [])])
            with open(path, encoding="utf-8") as file:
                return Draws(json.load(file))

    def validate(self, logs: "Union[Log, Iterable[Log]]", *, progress: "Optional[_program.Progress]" = None, **options: "Unpack[ValidateOptions]") -> "Validation":
        """Predict logs that the fit has not seen."""
        words = _keywords.words("validate", options)
        with _program.scratch() as folder:
            return Validation(_program.call(["validate", self.folder, *_arrays.logs(logs, folder, "frame"), *words], progress, folder))

    def compare(self, *others: "Union[Result, Robot, Path]", **options: "Unpack[CompareOptions]") -> "Comparison":
        """Put other results, or robot files, beside this one."""
        return compare(self, *others, **options)

    @property
    def _document(self) -> dict[str, Any]:
        return cast("dict[str, Any]", self.document)

    def __repr__(self) -> str:
        return "<Result of %s: %s, %d base parameters>" % (self._document["robot"]["name"], self.grade, len(self._document["base_parameters"]))

    @functools.cached_property
    def _summary(self) -> str:
        return _program.run(["export", self.folder, "--to", "text"])[0].decode("utf-8").rstrip("\n")

    def __str__(self) -> str:
        """Return the summary that the terminal prints after a fit."""
        return self._summary

    def _repr_html_(self) -> str:
        """Return the first screen of the page: grades, reasons, errors, and the torque of each joint that is not explained."""
        esc, doc = html.escape, self._document
        grade = doc["grade"]
        parts = ", ".join("%s %s" % (name, grade[name]["value"]) for name in ("torques", "parameters", "bodies") if (grade.get(name) or {}).get("value"))
        reasons = "".join("<li>%s</li>" % esc(r["why"]) for r in grade["reasons"] or [])
        errors = ["%.3g %% on the training motion" % doc["fit"]["relative_error_percent"]["stacked"]]
        if doc.get("validation"):
            errors.insert(0, "%.3g %% on motion not seen" % doc["validation"]["relative_error_percent"]["stacked"])
        seen = doc.get("validation") or doc["fit"]
        bars = "".join(
            '<tr><th style="text-align:left">%s</th><td style="width:10em"><div style="background:%s;height:.7em;width:%.4g%%"></div></td><td>%.3g %%</td></tr>' % (
                esc(name), _COLOURS.get(g["torque"], "#888"), min(100.0, error), error)
            for name, g, error in zip(self.joints, doc.get("joint_grades") or [{"torque": ""}] * len(self.joints), seen["relative_error_percent"]["joints"]))
        cells = "".join("<tr><td>%s</td><td>%s</td><td>%.4g</td><td>%.2g</td><td>%s</td></tr>" % (
            esc(p["name"]), esc(p["expression"]), p["value"], p["sigma"], esc(p["unit"])) for p in doc["base_parameters"])
        return ("<div><b>%s: %s</b><p>%s</p><ul>%s</ul><p>relative error %s</p><table><caption>not explained, by joint</caption>%s</table>"
                "<details><summary>%d base parameters</summary><table><tr><th>name</th><th>expression</th><th>value</th><th>σ</th><th>unit</th></tr>%s</table></details></div>") % (
            esc(doc["robot"]["name"]), esc(self.grade), esc(parts), reasons, ", ".join(errors), bars, len(doc["base_parameters"]), cells)


# Of the bars of sound, doubtful and unusable joints, as on the page.
_COLOURS = {"sound": "#2f7d4f", "doubtful": "#b7791f", "unusable": "#b3261e"}


class Draws:
    """Robots drawn from a result: arrays with one robot a row."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document

    @property
    def standard(self) -> "NDArray[np.float64]":
        """Standard parameters (N, n), in the order of names."""
        return np.asarray(self.document["standard"], dtype=float)

    @property
    def names(self) -> list[str]:
        """Names of the standard parameters."""
        return list(self.document["names"])

    @property
    def base(self) -> "NDArray[np.float64]":
        """Base parameters (N, p), in the order of Result.parameters."""
        return np.asarray(self.document["base"], dtype=float)

    @property
    def mixing(self) -> dict[str, Any]:
        """How well the chains agree: r_hat, effective_draws."""
        return dict(self.document["mixing"])

    def __len__(self) -> int:
        return len(self.document["standard"])

    def __repr__(self) -> str:
        return "<%d draws of %s>" % (len(self), self.document["robot"])


class Validation:
    """The errors of a result on logs that it has not seen."""

    def __init__(self, document: "ValidateDocument") -> None:
        self.document = document

    @property
    def verdicts(self) -> "pandas.DataFrame":
        """Table of the verdicts: id, pass, value, limit and why."""
        return _arrays.records(cast("dict[str, Any]", self.document).get("verdicts"), ("id", "pass", "value", "limit", "why"))

    @property
    def relative_error_percent(self) -> float:
        """The relative error of all joints together, in per cent."""
        document = cast("dict[str, Any]", self.document)
        return (document.get("validation") or document)["relative_error_percent"]["stacked"]


class ElasticResult(_folders.OnDisk):
    """The result of a fit of elastic joints: the springs between motors and links, and the parameters of both."""

    def __init__(self, folder: str, document: "FitElasticDocument", keep: Any = None) -> None:
        self.folder, self.document, self._keep = folder, document, keep

    @property
    def grade(self) -> str:
        """How far the result can be trusted: sound, doubtful or unusable."""
        return self.document["grade"]["value"]

    @property
    def joints(self) -> "pandas.DataFrame":
        """Table of stiffness, damping and rotor inertia of each joint, with deviations."""
        rows = [{"joint": j["joint"], **{k + part: (j[k] or {}).get(field) for k in ("stiffness", "damping", "rotor_inertia") for part, field in (("", "value"), ("_sigma", "sigma"))}}
                for j in cast("list[dict[str, Any]]", self.document["joints"] or [])]
        return _arrays.records(rows, ("joint", "stiffness", "stiffness_sigma", "damping", "damping_sigma", "rotor_inertia", "rotor_inertia_sigma"))

    @property
    def parameters(self) -> "pandas.DataFrame":
        """Table of the base parameters of links and motors, with the standard deviation and the 95 % interval of each."""
        return _arrays.records(self.document["base_parameters"], ("name", "owner", "expression", "value", "sigma", "low95", "high95", "unit"))

    @property
    def resonances(self) -> "pandas.DataFrame":
        """Table of the natural frequencies at the zero position; motors are free in resonances, locked in anti-resonances."""
        modes = cast("dict[str, Any]", self.document.get("modes") or {})
        rows = [{"motors": motors, **f} for motors, name in (("free", "resonances"), ("locked", "antiresonances")) for f in modes.get(name) or []]
        return _arrays.records(rows, ("motors", "hz", "sigma", "low95", "high95"))

    @property
    def report(self) -> str:
        """Path of the page of the result."""
        return os.path.join(self.folder, "report.html")

    def __repr__(self) -> str:
        return "<Result of %s with elastic joints: %s>" % (self.document["robot"], self.grade)


class Comparison:
    """Results side by side."""

    def __init__(self, document: "CompareDocument") -> None:
        self.document = document


def fit(logs: "Union[Log, Iterable[Log]]", robot: "Union[Path, Robot, None]" = None, *, validate: "Union[Log, Iterable[Log], None]" = None, output: "Optional[Path]" = None,
        rigid: bool = False, progress: "Optional[_program.Progress]" = None, **options: "Unpack[FitOptions]") -> Result:
    """Identify a robot's parameters from logs.

    ``validate`` are logs that the result must predict without having seen them. ``output`` is the folder where the result stays;
    without it the folder lives as long as the result. ``progress`` is called with stage, done and total; without it tqdm draws bars
    where it is installed. ``rigid`` takes elastic joints of a robot file as rigid, the option ``--elastic=false``; :func:`fit_elastic`
    finds their springs.
    """
    folder, document, kept = _fit(logs, robot, validate, output, progress, _keywords.words("fit", options) + ["--elastic=false"] * rigid)
    if document["schema"] != "ident.fit/1":
        if kept is not None:
            kept.cleanup()
        raise _program.Error("the robot file has elastic joints: call fit_elastic, or give rigid=True")
    return Result(folder, document, kept)


def fit_elastic(logs: "Union[Log, Iterable[Log]]", robot: "Union[Path, Robot, None]" = None, *, cubic: bool = False, hysteresis: bool = False, output: "Optional[Path]" = None,
                progress: "Optional[_program.Progress]" = None, **options: "Unpack[FitOptions]") -> ElasticResult:
    """Identify stiffness and damping of joints between motors and links, from logs with ``qm1`` … beside ``q1`` …, or ``tauj1`` ….

    ``cubic`` adds a stiffness that grows with the deflection, ``hysteresis`` friction within the gears. Of the options of :func:`fit`
    those of choices and priors do not apply.
    """
    words = _keywords.words("fit", options) + ["--elastic"] + ["--elastic-cubic"] * cubic + ["--elastic-hysteresis"] * hysteresis
    return ElasticResult(*_fit(logs, robot, None, output, progress, words))


def _fit(logs: Any, robot: Any, validate: Any, output: "Optional[Path]", progress: "Optional[_program.Progress]", words: list[str]) -> "tuple[str, Any, Any]":
    """Run a fit; return the folder of its result, its document, and what keeps the folder."""
    with _program.scratch() as temp:
        seen = _arrays.logs(logs, temp, "frame")
        held = ["--validate=" + p for p in _arrays.logs(validate, temp, "validation")]
        kept = None if output is not None else _program.scratch()
        folder = _program.path(output) if output is not None else os.path.join(cast("Any", kept).name, "result")
        with _program.unless_done(kept):
            document = _program.call(["fit", *seen, *_robot(robot), *held, *words, "-o", folder], progress, (temp, kept.name) if kept is not None else temp)
    return folder, document, kept


def open_result(folder: "Path") -> Result:
    """Open the folder of a result that ``ident fit`` or :func:`fit` wrote."""
    folder = _program.path(folder)
    path = os.path.join(folder, "result.json")
    try:
        with open(path, encoding="utf-8") as f:
            return Result(folder, json.load(f))
    except (OSError, ValueError) as e:
        raise _program.Error("%s is no folder of a result: %s" % (folder, re.sub(r"^\[Errno \d+\] ", "", str(e)))) from None


def compare(*results: "Union[Result, Robot, Path]", validate: "Union[Log, Iterable[Log], None]" = None, **options: "Unpack[CompareOptions]") -> Comparison:
    """Compare results, or a result and robot files: parameters with intervals, and errors on the logs of ``validate``."""
    words = _keywords.words("compare", options)
    paths = [_program.path(getattr(r, "folder", getattr(r, "path", r))) for r in results]
    with _program.scratch() as temp:
        held = ["--validate=" + p for p in _arrays.logs(validate, temp, "frame")]
        return Comparison(_program.call(["compare", *paths, *held, *words], private=temp))


if fit.__doc__:
    fit.__doc__ += _keywords.describe("fit")

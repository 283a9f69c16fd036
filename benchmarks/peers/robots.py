"""Robots to compare models on: those of the tree and of IDENT_DATA, and drawn ones."""

from __future__ import annotations

import pathlib
import xml.etree.ElementTree

import logs
import numpy as np

COUNT = 20


def all_robots(folder: pathlib.Path) -> list[tuple[str, str]]:
    """Return names and files of twenty robots: the example, those of the measured logs that have bodies, and drawn trees."""
    files = [logs.TREE / "datasets/example/puma560.urdf"]
    data = logs.data_folder()
    if data is not None:
        files += sorted(p for p in data.glob("*/model/*.urdf") if "<mass" in p.read_text())
    found = [(path.stem, plain(path, folder / (path.stem + ".urdf"))) for path in files[:COUNT]]
    for seed in range(COUNT - len(found)):
        found.append(drawn(seed, folder))
    return found


def plain(urdf: pathlib.Path, path: pathlib.Path) -> str:
    """Write a URDF with its bodies and joints only: no shapes, no friction, of doubled origins the first."""
    tree = xml.etree.ElementTree.parse(urdf)
    for element in list(tree.getroot()):
        if element.tag not in ("link", "joint"):
            tree.getroot().remove(element)
            continue
        origins = element.findall("origin")
        for e in [e for e in element if e.tag in ("visual", "collision", "dynamics")] + origins[1:]:
            element.remove(e)
    tree.write(path)
    return str(path)


def drawn(seed: int, folder: pathlib.Path) -> tuple[str, str]:
    """Write a drawn robot: a chain or a tree of 2 to 9 turning and sliding joints about any axes, with any feasible bodies."""
    rng = np.random.default_rng(seed)
    n = 2 + seed % 8
    parts = ['<robot name="drawn%d"><link name="base"/>' % seed]
    path: list[int] = []  # from the base to the last link: a branch leaves from it, so that the order of the file is depth first
    for j in range(n):
        if seed % 3 == 0 and j > 1:
            path = path[: rng.integers(1, len(path) + 1)]
        parent = "link%d" % path[-1] if path else "base"
        path.append(j)
        axis = rng.normal(size=3)
        axis /= np.linalg.norm(axis)
        sides, m = rng.uniform(0.05, 0.4, 3), rng.uniform(0.5, 8)
        box = m / 12 * np.array([sides[1] ** 2 + sides[2] ** 2, sides[0] ** 2 + sides[2] ** 2, sides[0] ** 2 + sides[1] ** 2])
        parts.append('<link name="link%d"><inertial><origin xyz="%s" rpy="%s"/><mass value="%r"/><inertia ixx="%r" iyy="%r" izz="%r" ixy="0" ixz="0" iyz="0"/></inertial></link>' % (
            j, words(rng.normal(0, 0.1, 3)), words(rng.uniform(-3, 3, 3)), float(m), *map(float, box)))
        parts.append('<joint name="joint%d" type="%s"><parent link="%s"/><child link="link%d"/><origin xyz="%s" rpy="%s"/><axis xyz="%s"/><limit lower="-3" upper="3" velocity="3" effort="100"/></joint>' % (
            j, "prismatic" if rng.random() < 0.25 else "revolute", parent, j, words(rng.normal(0, 0.3, 3)), words(rng.uniform(-3, 3, 3)), words(axis)))
    file = folder / ("drawn%d.urdf" % seed)
    file.write_text("\n".join([*parts, "</robot>"]))
    return "drawn %d" % seed, str(file)


def words(x: np.ndarray) -> str:
    return " ".join(repr(float(v)) for v in x)


def rough(urdf: str, path: pathlib.Path, seed: int = 0) -> str:
    """Write a URDF whose masses are off by e^(0.25 N) and whose centres of mass are off by 20 mm, as vendors' files are."""
    rng = np.random.default_rng(seed)
    tree = xml.etree.ElementTree.parse(urdf)
    for inertial in tree.getroot().iter("inertial"):
        factor = float(np.exp(0.25 * rng.normal()))
        mass, inertia, origin = (inertial.find(key) for key in ("mass", "inertia", "origin"))
        mass.set("value", repr(factor * float(mass.get("value"))))
        for key in inertia.attrib:
            inertia.set(key, repr(factor * float(inertia.get(key))))
        if origin is not None:
            origin.set("xyz", words(np.array(origin.get("xyz", "0 0 0").split(), float) + rng.normal(0, 0.02, 3)))
    tree.write(path)
    return str(path)

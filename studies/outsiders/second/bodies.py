"""Robots of the second outsider's round: URDF text of five arms, and the drives that they are said to have."""
import numpy as np

# name: list of (origin xyz, axis, mass, centre of mass, length of the body, radius of the body).
CHAINS = {
    "shop6": [
        ((0, 0, 0.40), "z", 12.0, (0.05, 0.00, 0.02), 0.30, 0.10),
        ((0.15, 0, 0.10), "y", 14.0, (0.01, 0.02, 0.28), 0.60, 0.08),
        ((0, 0, 0.60), "y", 9.0, (0.09, -0.01, 0.07), 0.30, 0.08),
        ((0.30, 0, 0.12), "x", 4.0, (0.12, 0.01, 0.00), 0.30, 0.05),
        ((0.30, 0, 0), "y", 1.8, (0.04, 0.00, 0.01), 0.12, 0.04),
        ((0.09, 0, 0), "x", 0.9, (0.03, 0.015, 0.01), 0.06, 0.04),
    ],
    "cobot6": [
        ((0, 0, 0.18), "z", 7.4, (0.00, 0.02, -0.03), 0.18, 0.07),
        ((0, 0.13, 0), "y", 12.6, (0.01, 0.03, 0.27), 0.60, 0.06),
        ((0, -0.10, 0.60), "y", 4.3, (0.00, 0.01, 0.22), 0.55, 0.05),
        ((0, 0.00, 0.55), "y", 2.0, (0.01, 0.09, 0.00), 0.12, 0.045),
        ((0, 0.10, 0), "z", 2.0, (0.00, 0.01, 0.09), 0.12, 0.045),
        ((0, 0, 0.11), "y", 0.7, (0.02, 0.05, 0.01), 0.06, 0.04),
    ],
    "seven": [
        ((0, 0, 0.16), "z", 5.8, (0.00, -0.03, 0.12), 0.25, 0.07),
        ((0, 0, 0.20), "y", 6.3, (0.01, 0.04, 0.05), 0.22, 0.07),
        ((0, 0, 0.20), "z", 3.5, (0.01, 0.03, 0.13), 0.22, 0.06),
        ((0.03, 0, 0.21), "y", 3.4, (0.02, 0.03, 0.06), 0.20, 0.06),
        ((-0.03, 0, 0.20), "z", 2.9, (0.00, 0.02, 0.09), 0.20, 0.06),
        ((0, 0, 0.20), "y", 1.8, (0.01, 0.00, 0.02), 0.10, 0.05),
        ((0.05, 0, 0.09), "z", 0.8, (0.02, 0.01, 0.06), 0.08, 0.04),
    ],
    "scara4": [
        ((0, 0, 0.30), "z", 8.0, (0.15, 0.00, 0.02), 0.35, 0.06),
        ((0.35, 0, 0), "z", 5.0, (0.12, 0.01, 0.03), 0.30, 0.06),
        ((0.30, 0, 0.05), "slide", 1.2, (0.00, 0.00, -0.05), 0.30, 0.02),
        ((0, 0, -0.15), "z", 0.5, (0.01, 0.01, -0.02), 0.06, 0.03),
    ],
    "two": [
        ((0, 0, 0.50), "y", 5.0, (0.02, 0.00, 0.18), 0.40, 0.05),
        ((0, 0, 0.40), "y", 3.0, (0.00, 0.01, 0.14), 0.30, 0.04),
    ],
}
LETTER = {"x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1), "slide": (0, 0, 1)}


def inertia(m, length, radius, along):
    """inertia returns the moments of a cylinder whose axis lies along the coordinate 0, 1 or 2."""
    side = m * (3 * radius**2 + length**2) / 12
    d = [side, side, side]
    d[along] = m * radius**2 / 2
    return d


def urdf(name, axis=None, tip=0.0):
    """urdf returns the robot's text. axis {joint: vector} replaces axes, tip adds a mass to the last body, kg."""
    out = ['<?xml version="1.0"?>', f'<robot name="{name}">', '  <link name="base"/>']
    for k, (xyz, letter, m, c, length, radius) in enumerate(CHAINS[name]):
        last = k == len(CHAINS[name]) - 1
        if last and tip:
            c = [(m * a + tip * b) / (m + tip) for a, b in zip(c, (0.04, 0.02, 0.10))]
            m = m + tip
        d = inertia(m, length, radius, int(np.argmax(np.abs(c))))
        a = LETTER[letter] if not axis or k not in axis else axis[k]
        kind, low, high = ("prismatic", -0.2, 0.2) if letter == "slide" else ("revolute", -3.0, 3.0)
        parent = f"link{k}" if k else "base"
        text = lambda v: " ".join(f"{x:.9g}" for x in v)
        out += [f'  <joint name="axis{k+1}" type="{kind}">',
                f'    <parent link="{parent}"/><child link="link{k+1}"/>',
                f'    <origin xyz="{text(xyz)}" rpy="0 0 0"/><axis xyz="{text(a)}"/>',
                f'    <limit lower="{low}" upper="{high}" velocity="4" effort="500"/>', '  </joint>',
                f'  <link name="link{k+1}"><inertial>', f'    <origin xyz="{text(c)}" rpy="0 0 0"/><mass value="{m:.9g}"/>',
                f'    <inertia ixx="{d[0]:.9g}" iyy="{d[1]:.9g}" izz="{d[2]:.9g}" ixy="0" ixz="0" iyz="0"/>',
                '  </inertial></link>']
    return "\n".join(out + ["</robot>"]) + "\n"


def drives(name):
    """drives returns Coulomb and viscous friction and rotor inertia of each joint, larger at the base."""
    n = len(CHAINS[name])
    big = np.linspace(1.0, 0.25, n)
    return 4.0 * big**2, 6.0 * big**2, 0.8 * big**3

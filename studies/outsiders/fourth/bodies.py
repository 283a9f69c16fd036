"""Three robots: links, drives and the URDF text. Lengths in m, masses in kg."""
import os
import numpy as np

# A link: name, kind of joint, origin (xyz, rpy) in the link before, axis, mass, centre, box for the inertia.
PI2 = np.pi / 2
ROBOTS = {
    "scara4": dict(
        links=[("swing", "revolute", (0, 0, .42), (0, 0, 0), (0, 0, 1), 9.2, (.17, .01, .04), (.46, .14, .16)),
               ("fore", "revolute", (.35, 0, .06), (0, 0, 0), (0, 0, 1), 5.1, (.13, -.01, .05), (.38, .12, .18)),
               ("quill", "prismatic", (.29, 0, 0), (0, 0, 0), (0, 0, 1), 2.1, (.01, .004, -.1), (.05, .05, .42)),
               ("flange", "revolute", (0, 0, -.2), (0, 0, 0), (0, 0, 1), 1.3, (.035, .02, -.05), (.14, .08, .07))],
        Ia=[.9, .35, 4.0, .012], Fv=[6.0, 3.1, 60., .25], Fc=[5.5, 3.0, 12., .35], Fo=[.4, -.2, 1.5, .02],
        amp=[1.1, 1.2, .09, 1.8], base=.13, rate=250., count=[2 * np.pi / 2**20, 2 * np.pi / 2**19, 2e-7, 2 * np.pi / 2**18],
        home=[.2, -.4, -.05, .3], velocity=True, gains=None),
    "arm6": dict(
        links=[("waist", "revolute", (0, 0, .31), (0, 0, 0), (0, 0, 1), 14., (.03, -.02, .08), (.26, .24, .3)),
               ("upper", "revolute", (.08, 0, .16), (-PI2, 0, 0), (0, 0, 1), 11., (.19, .02, .05), (.5, .16, .15)),
               ("lower", "revolute", (.44, 0, 0), (0, 0, 0), (0, 0, 1), 6.4, (.06, .03, -.04), (.2, .2, .16)),
               ("roll", "revolute", (.07, .12, 0), (-PI2, 0, 0), (0, 0, 1), 3.9, (.0, .012, .16), (.1, .1, .36)),
               ("bend", "revolute", (0, 0, .31), (PI2, 0, 0), (0, 0, 1), 1.9, (.01, .05, .015), (.09, .16, .09)),
               ("disc", "revolute", (0, .09, 0), (-PI2, 0, 0), (0, 0, 1), 1.4, (.045, .02, .07), (.14, .09, .1))],
        Ia=[3.1, 3.4, 1.5, .25, .16, .08], Fv=[14., 12., 7., 1.6, 1.1, .6], Fc=[11., 12., 6., 1.9, 1.4, .8],
        Fo=[.5, -.7, .3, .05, -.08, .03], amp=[1., .6, .7, 1.2, 1.1, 1.5], base=.11, rate=200.,
        count=[2 * np.pi / 2**19] * 6, home=[.1, -.7, .5, .2, .4, 0.], velocity=False, gains=None),
    "crane5": dict(
        links=[("column", "revolute", (0, 0, .2), (0, 0, 0), (0, 0, 1), 12., (.05, .02, .3), (.25, .25, .7)),
               ("lift", "prismatic", (.1, 0, .45), (0, 0, 0), (0, 0, 1), 8.5, (.12, -.01, .03), (.35, .2, .2)),
               ("boom", "revolute", (.26, 0, .04), (PI2, 0, 0), (0, 0, 1), 5.6, (.16, .015, .02), (.44, .12, .11)),
               ("hand", "revolute", (.36, 0, 0), (0, 0, 0), (0, 0, 1), 2.9, (.1, -.02, .03), (.26, .1, .1)),
               ("spindle", "revolute", (.2, 0, 0), (0, PI2, 0), (0, 0, 1), 1.5, (.04, .03, .06), (.12, .1, .12))],
        Ia=[2.2, 9., 1.1, .3, .05], Fv=[9., 160., 5., 1.8, .4], Fc=[8., 26., 5., 1.9, .5], Fo=[-.3, 2., .2, .06, .02],
        amp=[1., .16, .8, 1., 1.6], base=.12, rate=160., count=[2 * np.pi / 2**18, 1e-6, 2 * np.pi / 2**18, 2 * np.pi / 2**18, 2 * np.pi / 2**17],
        home=[.3, .05, .3, -.4, 0.], velocity=True, gains=[9.6, 88., 8.1, 4.4, 1.25]),
}


def box(m, size):
    x, y, z = size
    return m / 12 * np.array([y * y + z * z, x * x + z * z, x * x + y * y])


def urdf(name):
    r = ROBOTS[name]
    out = [f'<robot name="{name}">', '<link name="base"/>']
    before = "base"
    for k, (link, kind, xyz, rpy, axis, m, c, size) in enumerate(r["links"]):
        ix, iy, iz = box(m, size)
        out.append(f'<link name="{link}"><inertial><origin xyz="{c[0]} {c[1]} {c[2]}"/><mass value="{m}"/>'
                   f'<inertia ixx="{ix:.6g}" ixy="0" ixz="0" iyy="{iy:.6g}" iyz="0" izz="{iz:.6g}"/></inertial></link>')
        reach = 1.5 if kind == "prismatic" else 3.1
        out.append(f'<joint name="j{k + 1}" type="{kind}"><parent link="{before}"/><child link="{link}"/>'
                   f'<origin xyz="{xyz[0]} {xyz[1]} {xyz[2]}" rpy="{rpy[0]:.12g} {rpy[1]:.12g} {rpy[2]:.12g}"/>'
                   f'<axis xyz="{axis[0]} {axis[1]} {axis[2]}"/><limit lower="{-reach}" upper="{reach}" effort="1500" velocity="8"/></joint>')
        before = link
    return "\n".join(out + ["</robot>"]) + "\n"


def write(folder):
    os.makedirs(folder, exist_ok=True)
    for name in ROBOTS:
        with open(os.path.join(folder, name + ".urdf"), "w") as f:
            f.write(urdf(name))

"""What the makers of the other tools would object to, and what the page answers."""

PARTS = [
    "## What their makers would object to", "",
    "**figaroh.** *Its filter was off.* It is on, as `solve()` has it by default, with the factor that leaves four rows a period of the cut-off: 10, its default, is too much for slow logs and too little for 1 kHz and more. *It has weights and feasible fits.* Both have",
    "columns of their own. *`prior_weight` can be tuned.* It is left at figaroh's default, as figaroh has no rule for it. *Excitation is half of figaroh.* These are given logs: its designs are not compared.", "",
    "**Pinocchio.** *It is a library, not an identification.* So it is here twice: with plain least squares, as in a first script, and with weights and feasible bodies, as an expert would write it. *Python loops are slow.* The C++ library",
    "would need less time for the regressor; most of the seconds here are imports and numpy.", "",
    "**Drake.** *It has convex programs and pseudo-inertias of its own.* They solve the problem of the cvxpy column; the table of models shows that Drake's columns are Pinocchio's to rounding, so the answer would be the same.",
    "*AutoDiff is not how one gets a regressor.* There is no other in Drake.", "",
    "**MuJoCo.** *The toolbox fits simulations.* Pieces of a quarter of a second under logged torques were tried before, and had several times the error in many times the time; the residual here is the better use of it that we know.",
    "*Its files were refused.* They are repaired now: repeated origins are removed for all tools, two inertias of one body in the script, and links without a body get one of 2 kg to start from. *Friction is a constraint in MuJoCo.* A",
    "Coulomb term in the residual fits logs better. *Bounds and starts matter.* The bounds are wide, and Gauss-Newton goes on for 120 steps.", "",
    "**mujoco-sysid.** *It is a regressor.* It has the same lines as Pinocchio + numpy, and the same errors.", "",
    "**Anybody.** *ident chooses its cut-off, the others are told it.* They are told the one that errors are measured with, which is to their advantage. *The logs are those that you tuned on.* Most are, and the page says which;",
    "bring yours. *One metric rewards one estimator.* There are three. *A smaller error is not a better model.* Therefore the page also has robots with known parameters, and faulty logs. *You wrote our script.* Send a better one: the judge runs it unchanged.", "",
]

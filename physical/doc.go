// Package physical holds estimates to feasible bodies and drives: the nearest
// possible estimate, the proof that there is none with the estimated parameters, the
// prior of a robot file, bounds on masses and places, and intervals under constraints.
//
// # Consistency
//
// A body with the ten parameters χ exists if and only if its pseudo-inertia
//
//	J(χ) = ∫[p;1][p;1]ᵀdm = [½tr(L)·I − L, l; lᵀ, m]
//
// is positive semidefinite (Wensing, Kim and Slotine 2018). Consistent minimises, over
// all standard parameters at once,
//
//	½‖R·(K(χ) − K̂)‖²/σ² + w·Σ D(J‖J₀)   with J ⪰ ε·J₀, Ia, Fv, Fs ≥ 0, and Bounds
//
// R is the factor of the estimate's weighted rows, K the map to the base parameters, K̂
// the estimate. σ² is the variance of a weighted row times the mean inflation, so that
// the first term is about half a squared deviation. Package internal/conic solves the
// program in the variables X = L⁻¹·J·L⁻ᵀ, J₀ = L·Lᵀ, of each body and the ratios of
// drive parameters to their prior values; the duality gap that is reported holds
// whatever the rounding of its iterates.
//
// D is a Distance from the prior's body J₀: the log-determinant divergence
// tr(J₀⁻¹J) − log det(J₀⁻¹J) − 4 (Lee, Wensing and Park 2020), the affine-invariant
// distance ½‖log(J₀^-½·J·J₀^-½)‖², its constant pull-back ½·tr((J₀⁻¹J − I)²) (Lee and
// Park 2018), or a Euclidean one for comparison; the same of the ratio to the prior for
// drive parameters. All but the last are independent of frames and units, and so is ε·J₀.
//
// # Prior
//
// Where the file gives no body, a ball of 1 kg and 0.01 kg·m² at the frame's origin
// stands for it; where it gives a mass with an impossible inertia, that ball's gyration
// about the file's centre of mass; where it gives no drive parameter, a tenth of an SI
// unit. A Gaussian prior (Informative) has no opinion on any of those. By default the
// weight w is small, and always so for such values: the prior decides where neither
// data nor constraints do. With no more than the default weight an estimate that is possible as it is stays as it is.
//
// # Likely bodies
//
// The nearest feasible estimate has bodies as thin and as heavy as they come where data are silent. Bodies returns
// likely ones: those of a file, thickened, with rows of their masses that have wide tails (MassPrior), a common factor
// of all masses where the data ask for one, and a weight that is limited by what it costs in torque. It says what
// decides each mass, and how far the masses are known.
//
// # Bounds, proofs, intervals
//
// Bounds are on the masses of links and their total, linear in J; on centres of
// mass, in half-spaces n·l ≤ d·m or ellipsoids ‖A⁻¹(l − m·c)‖ ≤ m; on the place of
// all mass of a body, ∫(1 − ‖A⁻¹(p − c)‖²)dm ≥ 0. Where they cannot hold together
// an InfeasibleError has multipliers that prove it. An Impossibility proves that no
// robot has the estimated base parameters: a combination of them that every robot keeps
// at zero or above, and that the estimate has below.
//
// Chance tells how far an estimate may be from all feasible ones if noise alone is the reason.
//
// Deviations of a consistent estimate are those of the free one; UnderConstraints draws
// the free estimate, constrains every draw again, and takes percentiles.
//
// # Sources
//
// J. Besag and P. Clifford, Sequential Monte Carlo p-values, Biometrika 78(2), 1991.
// T. Lee, P. M. Wensing and F. C. Park, Geometric robot dynamic identification:
// a convex programming approach, IEEE Transactions on Robotics 36(2), 2020.
// T. Lee and F. C. Park, A geometric algorithm for robust multibody inertial
// parameter identification, IEEE RA-L 3(3), 2018.
// C. Rucker and P. M. Wensing, Smooth parameterization of rigid-body inertia,
// IEEE RA-L 7(2), 2022.
// P. M. Wensing, S. Kim and J.-J. E. Slotine, Linear matrix inequalities for
// physically consistent inertial parameter identification, IEEE RA-L 3(1), 2018.
package physical

// Package doctor examines a log and a robot together before anything is fitted. The costly failures of
// identification are not those of estimators: a clock that ran at another rate, velocities that come
// late, a joint logged in degrees, currents taken for torques. Every one of them gives a plausible fit.
//
// Check returns findings, each with the evidence as a number beside its limit, the rows concerned, the
// likely cause, and the option or line of ident.yaml that repairs it. Nothing is repaired here. A false
// alarm costs more than a miss, for a doctor who cries wolf is not read: every limit leaves room for
// the faults of real drives, prints and sensors, and says so where it stands.
//
// # Severity
//
// Error: the fit's answer would be wrong, or there is none (missing values, time that repeats or runs
// backward, absurd values, positions that were not recorded or are in degrees). Warning: the answer
// suffers or an option is needed (late velocities, filter edges, motion that leaves parameters
// undetermined). Info: worth knowing (jitter, short gaps, coarse prints).
//
// # Checks
//
// The checks are functions of the robot, of the recording (times, statistics of every channel, windows of
// rows) and of the findings before them, in this order:
//
//   - The clock: missing, repeated and backward times, gaps, jitter, a declared rate.
//   - Each channel by itself: NaN and infinity; magnitudes beyond the Bounds of the robot; single rows
//     that leave their neighbours; constant channels; stretches of one value, and efforts flat at an
//     extreme, while the robot moves; values that fall to exactly zero again and again; coarse steps.
//   - Velocities against positions. Both go through the same zero-phase low-pass; the lag is the maximum
//     of the cross-correlation, the scale the regression of one on the other. One factor for all joints
//     is the clock's, but 57.3, 9.55 and 6.28 are units, another factor is a gear's. The rest is disagreement,
//     and where it is large at an end only, the edge of a filter.
//   - Sizes against the joint limits of the robot file: degrees, millimetres, newton millimetres,
//     milliamperes; currents without gains.
//   - Frames that were lost and held: rows that repeat the one before to the last bit between two steps
//     of the channel, of one channel or of all; times that are two increasing sequences in turn.
//   - Torques against the model, see below.
//   - Spectra (Welch 1967): lines of the torques that no motion makes, and the band of the motion, from which
//     package observation has the cut-off of a fit.
//   - Excitation. The regressor of the base parameters (package baseparams) is evaluated at the motion,
//     W, and at the motion with a draw of its own noise added, W + ΔW. A column whose ‖ΔW‖ is a third of
//     its ‖W‖ says nothing; of the others, with unit norm, a right singular vector v determines nothing
//     when ‖ΔW·v‖ is a third of the singular value. A motion that is collinear but for its noise would
//     otherwise pass as exciting: noise makes every matrix regular. Parameters are named after the
//     vectors' large entries. Errors in the regressor bias an estimate by about the square of that
//     third (Fuller, Measurement Error Models, 1987, section 1.1).
//
// # Torques against the model
//
// Package trialfit makes the equations, y = W·χ, and fits them joint by joint and all together.
//
// First every joint's equation by itself, with the columns that it has. Signs and scales of other torques
// cannot touch it. Its residual gives the joint's noise σ_j, and to it are added, as columns:
//
//   - a lag δ: y(t) = W(t-δ)·χ, to first order -δ·dy/dt, iterated from the best of a search in steps of
//     10 ms; its interval allows for reversals that fall between samples;
//   - ramps of the offset and of the Coulomb friction;
//   - acceleration, velocity and sign of the sum or difference with a neighbour's: a shared drive.
//
// The power Σ Fv·dq² + Fs·|dq| of the own fit is positive unless the torque's sign is wrong or friction was
// taken out of it.
//
// Then all joints together, rows weighted by 1/σ_j. The sum of squares exceeds that of the own fits where
// the equations contradict each other. With ŷ_j the own fit's prediction, a scale s of torque j is the
// column ŷ_j with coefficient 1 - 1/s, a wrong sign the exact case s = -1; offsets and scales of positions
// and tilts of gravity are derivatives of W·χ. Large ones (exchanged joints, quarter turns, gravity along
// another axis, directions) are tried outright, by package causes.
//
// Among reasons the one with the best n·log(RSS₀/RSS) - k·log n is taken (Schwarz, Annals of Statistics 6,
// 1978), its effect removed, and the rest asked again; this is the data snooping of geodesy (Baarda 1968)
// with hypotheses that have names. A reason must be clear of noise, explain a good part of the rest
// and matter beside the torque: drives are not the model, and their misfit follows any column a little.
//
// A factor common to all torques, and effects that the base parameters absorb (the zero of the last joint, or of
// the first about the vertical) cannot be seen so. The bodies of the robot file are asked about the first,
// within a factor of 2.5.
//
// # Repairs
//
// A Finding's Repair lists its remedies, as settings of ident.yaml and as edits of the log; Mend makes
// them. Between compares several runs of one robot with each other.
//
// # Cost
//
// The time column is read once and held whole, 8 bytes a row and as much again while the intervals are
// sorted. All other channels are read once, together. Counts, extremes and histograms of binary
// exponents are kept of every row. Checks that need several signals see a log of up to 65536 rows whole,
// and of a longer one eight windows of 8192 neighbouring rows, the first and the last rows among them.
// Of more than twelve joints the torque checks take 20 000 equations, from pieces that lie evenly over the log, and say so.
// Excitation sees up to 2000 centres, evenly spread over the log, with the motion that a least-squares
// cubic through the rows within 40 ms gives. Memory beyond the time column is bounded, whatever the
// length of the log.
//
// # Conventions
//
// Values are SI. Rows are counted from 1 in texts, as everywhere a user reads or gives them. Order and
// figures of findings depend on the log, the robot and the options only, not on the number of cores.
package doctor

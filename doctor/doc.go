// Package doctor examines a log and a robot together before anything is fitted. The costly failures of
// identification are not those of estimators: a clock that ran at another rate, velocities that come
// late, a joint logged in degrees, currents taken for torques. Every one of them gives a plausible fit.
//
// Check returns findings, each with what was seen, where, the evidence as a number beside its limit, the
// likely cause, and the option or line of ident.yaml that repairs it. Nothing is repaired here. A false
// alarm costs more than a miss, for a doctor who cries wolf is not read: every limit leaves room for
// what real drives, prints and sensors do, and says so where it stands.
//
// # Severity
//
// Error: the fit's answer would be wrong, or there is none (missing values, time that repeats or runs
// backward, absurd values, positions that were not recorded or are in degrees). Warning: the answer
// suffers or an option is needed (late velocities, filter edges, motion that leaves parameters
// undetermined). Info: worth knowing (jitter, short gaps, coarse prints).
//
// # What is looked at
//
//   - The clock: missing, repeated and backward times, gaps, jitter, a declared rate.
//   - Each channel by itself: NaN and infinity; magnitudes beyond the Bounds of the robot; single rows
//     that leave their neighbours; constant channels; stretches of one value, and efforts flat at an
//     extreme, while the robot moves; values that fall to exactly zero again and again; coarse steps.
//   - Velocities against positions. Both go through the same zero-phase low-pass; the lag is the maximum
//     of the cross-correlation, the scale the regression of one on the other. One factor for all joints
//     is the clock's, 57.3 and 9.55 are units, another factor is a gear's. What remains is disagreement,
//     and where it is large at an end only, the edge of a filter.
//   - Sizes against the joint limits of the robot file: degrees, millimetres, newton millimetres,
//     milliamperes; currents without gains.
//   - Excitation. The regressor of the base parameters (package baseparams) is evaluated at the motion,
//     W, and at the motion with a draw of its own noise added, W + ΔW. A column whose ‖ΔW‖ is a third of
//     its ‖W‖ says nothing; of the others, with unit norm, a right singular vector v determines nothing
//     when ‖ΔW·v‖ is a third of the singular value. A motion that is collinear but for its noise would
//     otherwise pass as exciting: noise makes every matrix regular. Parameters are named after the
//     vectors' large entries. Errors in the regressor bias an estimate by about the square of that
//     third (Fuller, Measurement Error Models, 1987, section 1.1).
//
// # Cost
//
// The time column is read once and held whole, 8 bytes a row and as much again while the intervals are
// sorted. All other channels are read once, together. Counts, extremes and histograms of binary
// exponents are kept of every row. Checks that need several signals see a log of up to 65536 rows whole,
// and of a longer one eight windows of 8192 neighbouring rows, the first and the last rows among them.
// Excitation sees up to 2000 centres, evenly spread over the log, with the motion that a least-squares
// cubic through the rows within 40 ms gives. Memory beyond the time column is bounded, whatever the
// length of the log.
//
// # Conventions
//
// Values are SI. Rows are counted from 1 in texts, as everywhere a user reads or gives them. Order and
// figures of findings depend on the log, the robot and the options only, not on the number of cores.
package doctor

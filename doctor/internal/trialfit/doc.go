// Package trialfit fits the torques of one log for the checks of package doctor: quickly, in bounded memory, and
// so that hypotheses about the torques can be added as columns.
//
// NewRows makes the equations y = W·χ: base regressor and torques through one zero-phase low-pass, kept at 2.5
// rows a hertz of its cut-off, so that white noise is nearly independent from row to row. Any correlation of the
// residuals left inflates every standard deviation by 1 + 2Σρ.
//
// A Joint is one joint's equation with the columns that it has. Signs and scales of other torques cannot touch it;
// its residual gives the joint's noise σ_j. Stacked has the equations of all joints, rows weighted by 1/σ_j, which
// share the bodies' parameters: its sum of squares exceeds that of the joints where they contradict each other.
//
// # Hypotheses
//
// Added gives the effect of columns that are added to a fit: their coefficients, the part of the residual that they
// explain, and the score n·log(RSS₀/RSS) - k·log n by which hypotheses compare (Schwarz, Annals of Statistics 6,
// 1978). With ŷ_j the own fit's prediction, a scale s of torque j is the column ŷ_j with coefficient 1 - 1/s;
// a lag δ is to first order the column dy/dt with coefficient -δ; Derivative makes columns of changes of the
// motion or the model.
//
// Values are SI; joints count from 0 in the model's order, rows of a stacked column are joint after joint.
package trialfit

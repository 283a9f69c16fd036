package result

import (
	"fmt"
	"math"
)

// MotionNoise is the noise of the measured motion and the bias that it causes. Noise of positions and velocities enters
// the regressor, where least squares takes it for motion.
type MotionNoise struct {
	Position []float64 `json:"position_sigma"`           // standard deviation by joint, rad or m, the largest of the training runs
	Velocity []float64 `json:"velocity_sigma,omitempty"` // standard deviation by joint, rad/s or m/s; nil if velocities are not measured
	BandHz   float64   `json:"band_hz"`                  // frequency below which 98 % of the velocity's power lies, of the fastest joint
	Percent  float64   `json:"acceleration_percent"`     // noise as percent of the accelerations' power in the rows, for the worst joint
	// Bias of each base parameter in its standard deviations; nil if Percent is too small for any bias.
	Bias []float64 `json:"bias_in_sigma,omitempty"`
	// BiasError is the standard error of Bias, from the contributions of the time blocks. The log's noise is one
	// realization, in which a wrong sign of a velocity near zero pulls the estimate once, either way.
	BiasError []float64 `json:"bias_error_in_sigma,omitempty"`
	// Left is the part of Bias that remains after correction, in standard deviations, from the growth of the moments
	// with the noise variance; nil without a correction. LeftError is its standard error.
	Left      []float64 `json:"bias_left_in_sigma,omitempty"`
	LeftError []float64 `json:"bias_left_error_in_sigma,omitempty"`
	// Declined is the reason why the correction of the estimate was tried and not applied; empty if it was applied, or if
	// no bias called for one.
	Declined string `json:"correction_declined,omitempty"`
	// Deviation that the noise causes in each base parameter, to first order, in the parameter's own standard
	// deviations.
	Deviation []float64 `json:"noise_in_sigma,omitempty"`
	// Widened says that standard deviations were multiplied by √(1 + Bias²), with the bias or the remaining one.
	Widened bool `json:"widened,omitempty"`
}

// chanceErrors returns the number of standard errors that the bias of any of the given number of parameters exceeds by
// chance at most once in twenty results. A sum of independent contributions of either sign exceeds z roots of the sum of
// their squares with a probability below 2·exp(-z²/2), whatever their sizes (Efron, J. American Statistical Association
// 64, 1969).
func chanceErrors(parameters int) float64 { return math.Sqrt(2 * math.Log(2*20*float64(parameters))) }

// Worst returns the largest significant bias of the estimate, after its correction, and its parameter's index; -1 if
// there is none.
func (m *MotionNoise) Worst() (bias float64, at int) {
	at = -1
	biases, errors := m.Bias, m.BiasError
	if m.Left != nil {
		biases, errors = m.Left, m.LeftError
	}
	chance := chanceErrors(len(biases))
	for i, b := range biases {
		b = math.Abs(b)
		if i < len(errors) && b < chance*errors[i] {
			continue
		}
		if b > bias {
			bias, at = b, i
		}
	}
	return bias, at
}

// judgeMotion judges the bias caused by motion noise.
func (res *Result) judgeMotion(l Limits, add func(id string, value, limit float64, why string) *Verdict) {
	m := res.MotionNoise
	if m == nil {
		return
	}
	bias, at := m.Worst()
	why := "the noise of the measured motion biases no parameter"
	if at >= 0 && at < len(res.BaseParameters) {
		why = fmt.Sprintf("the noise of the measured motion biases %s by %.2g standard deviations", res.BaseParameters[at].Name, bias)
		if bias >= math.MaxFloat64 {
			why = fmt.Sprintf("the noise of the measured motion is as large as the part of the motion that separates %s from the other parameters", res.BaseParameters[at].Name)
		}
		if m.Declined != "" {
			why = fmt.Sprintf("the noise of the measured motion may bias %s by %.2g standard deviations; the correction was tried and declined", res.BaseParameters[at].Name, bias)
		}
	}
	v := add("motion-noise", bias, l.MotionBias, why)
	v.Makes, v.Fix = Doubtful, "leave the motion's cut-off to the program, or lower it; velocities from the less noisy source; a faster motion or better encoders"
}

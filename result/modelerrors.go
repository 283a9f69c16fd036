package result

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"ident/estimate"
)

// Causes of model errors that a fit looks for.
const (
	FrictionError   = "friction"   // friction follows another law of velocity
	DriftError      = "drift"      // offset and friction that change with time
	HarmonicError   = "harmonic"   // a torque periodic in the joint's angle
	PreslidingError = "presliding" // friction with a memory of reversals
	ScaleError      = "scale"      // wrong scales of the torques, which joints that move the same bodies reveal
)

// ModelErrors holds systematic errors that are significant in the residuals, and their effect: the change of the
// parameters if the model had their columns.
type ModelErrors struct {
	Causes []ModelError `json:"causes"` // by descending shift
	// Allowance holds, by base parameter, factors on the standard deviations for harmonics of the joint angles of usual
	// size that residuals would not show; nil if the residuals show harmonics.
	Allowance []float64 `json:"allowance,omitempty"`
	Shift     []float64 `json:"shift_in_sigma"` // shift of each base parameter by all causes together, in standard deviations before widening
}

// ModelError is one cause of model errors.
type ModelError struct {
	Cause      string  `json:"cause"`
	P          float64 `json:"p"`                   // probability that chance explains as much
	ShiftSigma float64 `json:"shift_in_sigma"`      // largest shift of a body's parameter, in standard deviations
	Parameter  string  `json:"parameter,omitempty"` // the parameter with that shift
}

// ModelErrorChance is the significance from which a cause can make parameters doubtful; five causes are tested.
const ModelErrorChance = 0.001

// Widen increases standard deviations by the shift where intervals would otherwise lose coverage.
func (m *ModelErrors) Widen(sol *estimate.Solution) {
	if m == nil {
		return
	}
	factor := m.factors()
	sol.Covariance = slices.Clone(sol.Covariance)
	for i := range factor {
		sol.Covariance[i] = slices.Clone(sol.Covariance[i])
		for j := range factor {
			sol.Covariance[i][j] *= factor[i] * factor[j]
		}
	}
}

// factors returns the factor on each standard deviation that Widen applies.
func (m *ModelErrors) factors() []float64 {
	factor := make([]float64, len(m.Shift))
	for i, b := range m.Shift {
		if factor[i] = 1; math.Abs(b) > WidenFrom {
			factor[i] = math.Hypot(1, b)
		}
		if m.Allowance != nil {
			factor[i] *= m.Allowance[i]
		}
	}
	return factor
}

// PredictionCovariance returns the covariance of the base parameters to propagate into predicted torques:
// [Result].Covariance without what [ModelErrors.Widen] added. Widen makes the interval of each single parameter hold.
// Predicted torques of the same kind of motion do not need it, because shifts of parameters that share a torque cancel
// in it. The caller may change the rows.
func (res *Result) PredictionCovariance() [][]float64 {
	out := make([][]float64, len(res.Covariance))
	var factor []float64
	if m := res.ModelErrors; m != nil && len(m.Shift) == len(out) {
		factor = m.factors()
	}
	for i, row := range res.Covariance {
		out[i] = slices.Clone(row)
		if factor == nil {
			continue
		}
		for j := range row {
			out[i][j] /= factor[i] * factor[j]
		}
	}
	return out
}

// what returns the cause in words.
func (m ModelError) what() string {
	switch m.Cause {
	case FrictionError:
		return "friction by another law of velocity"
	case DriftError:
		return "offset and friction that change with time"
	case HarmonicError:
		return "torque that follows the angle of a joint"
	case PreslidingError:
		return "friction with a memory of reversals"
	}
	return "scales of the torques that do not agree"
}

// cure returns what removes the cause.
func (m ModelError) cure() string {
	switch m.Cause {
	case FrictionError:
		return "other friction terms ({terms} auto,Fq)"
	case DriftError:
		return "warm the robot up before logging, or {terms} auto,Fw"
	case HarmonicError:
		return "{terms} auto,Tr:1+2"
	case PreslidingError:
		return "{terms} auto,Fh:0.01, or a motion with fewer reversals"
	}
	return "state the uncertainty of the gains ({gain-sigma} 2)"
}

// judgeModel says what model errors do to the parameters of the bodies. Their intervals are widened by it and hold as often
// as those of other logs (97.2 and 96.7 % of 95 % intervals under 15 errors of the model), so it is a remark: parameters
// that are not known well enough behind the widening count as weak.
func (res *Result) judgeModel(l Limits, add func(id string, value, limit float64, why string) *Verdict) {
	m := res.ModelErrors
	if m == nil || len(m.Causes) == 0 {
		return
	}
	var worst ModelError
	var names []string
	for _, c := range m.Causes {
		if c.P > ModelErrorChance {
			continue
		}
		if worst.Cause == "" {
			worst = c
		}
		if c.ShiftSigma > l.ModelShift {
			names = append(names, c.what())
		}
	}
	why := "the residuals show no model error that shifts a parameter of the bodies by much"
	if len(names) > 0 {
		why = fmt.Sprintf("the residuals show %s: with it in the model, %s changes by %.2g standard deviations; the intervals are widened accordingly", strings.Join(names, ", and "), worst.Parameter, worst.ShiftSigma)
	}
	v := add("model-error", worst.ShiftSigma, l.ModelShift, why)
	v.Makes, v.Fix, v.Advice = "", worst.cure(), true
}

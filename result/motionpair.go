package result

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"ident/estimate"
)

// MotionPair compares the estimate with that behind twice the cut-off of the motion's low-pass. They part if the low-pass
// takes a part of the motion.
type MotionPair struct {
	CutoffHz float64   `json:"cutoff_hz"`
	TwiceHz  float64   `json:"twice_hz"`
	Shift    []float64 `json:"shift_in_sigma"` // by base parameter: its change at twice the cut-off, in standard deviations
	Error    []float64 `json:"error_in_sigma"` // standard error of Shift
	Widened  bool      `json:"widened,omitempty"`
}

// parted reports whether a parameter moves by more than chance explains.
func (m *MotionPair) parted(i int) bool {
	return math.Abs(m.Shift[i]) > max(WidenFrom, chanceErrors(len(m.Shift))*m.Error[i])
}

// Widen increases the standard deviations of the parameters that move by their shift.
func (m *MotionPair) Widen(sol *estimate.Solution) {
	if m == nil {
		return
	}
	factor := slices.Repeat([]float64{1}, len(m.Shift))
	for i, d := range m.Shift {
		if m.parted(i) {
			factor[i], m.Widened = math.Hypot(1, d), true
		}
	}
	if !m.Widened {
		return
	}
	sol.Covariance = slices.Clone(sol.Covariance)
	for i := range factor {
		sol.Covariance[i] = slices.Clone(sol.Covariance[i])
		for j := range factor {
			sol.Covariance[i][j] *= factor[i] * factor[j]
		}
	}
}

// judgePair judges the bias by the motion's low-pass.
func (res *Result) judgePair(l Limits, add func(id string, value, limit float64, why string) *Verdict) {
	m := res.MotionPair
	if m == nil {
		return
	}
	worst := 0.0
	var order []int
	for i := range min(len(m.Shift), len(res.BaseParameters)) {
		if !m.parted(i) {
			continue
		}
		worst = max(worst, math.Abs(m.Shift[i]))
		if math.Abs(m.Shift[i]) > l.ModelShift {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if math.Abs(m.Shift[a]) > math.Abs(m.Shift[b]) {
			return -1
		}
		return 1
	})
	var names []string
	for _, i := range order[:min(len(order), 4)] {
		names = append(names, fmt.Sprintf("%s by %.2g", res.BaseParameters[i].Name, math.Abs(m.Shift[i])))
	}
	why := "the motion's low-pass biases no parameter by much"
	if len(names) > 0 {
		why = fmt.Sprintf("the motion's low-pass at %.3g Hz takes a part of the motion: at %.3g Hz parameters move in standard deviations: %s", m.CutoffHz, m.TwiceHz, strings.Join(names, ", "))
		if len(order) > len(names) {
			why += fmt.Sprintf(" and %d more", len(order)-len(names))
		}
	}
	v := add("motion-cutoff", worst, l.ModelShift, why)
	v.Makes, v.Fix = Doubtful, fmt.Sprintf("{motion-cutoff} %.3g", m.TwiceHz)
}

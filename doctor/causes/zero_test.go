package causes

import (
	"context"
	"math"
	"slices"
	"testing"

	"ident/robot"
)

// The column of a joint's zero is the change of the fitted torques by an offset of its position: the coefficient is what has to be added to
// the position, which the repair adds.
func TestZeroColumn(t *testing.T) {
	r := robot.FromMDH("two", []robot.MDHFrame{{Antecedent: -1, Alpha: math.Pi / 2}, {Antecedent: 0, Alpha: math.Pi / 2, D: 0.4}})
	const rows = 1500
	seg := Segment{Uniform: true}
	seg.Q, seg.Effort = make([][]float64, 2), make([][]float64, 2)
	for k := range rows {
		s := 0.01 * float64(k)
		seg.T = append(seg.T, s)
		for j, w := range []float64{2.1, 3.3} {
			seg.Q[j] = append(seg.Q[j], 0.8*math.Sin(w*s)+0.3*math.Sin(1.7*w*s))
			seg.Effort[j] = append(seg.Effort[j], 4*math.Cos(seg.Q[0][k])+math.Sin(w*s)*float64(j+1))
		}
	}
	opt := Options{Gravity: r.Gravity}
	if err := opt.complete(r); err != nil {
		t.Fatal(err)
	}
	trial, err := newTrial(context.Background(), r, []Log{{Interval: 0.01, Segments: []Segment{seg}}}, opt)
	if err != nil {
		t.Fatal(err)
	}
	hyps := trial.linear(nil)
	for joint := range 2 {
		at := slices.IndexFunc(hyps, func(h *hypothesis) bool {
			return h.Kind == Zero && slices.Equal(h.Joints, []int{joint}) && len(h.cols) == 1
		})
		if at < 0 {
			t.Fatalf("no hypothesis of the zero of joint %d", joint+1)
		}
		const step = 1e-5 // of a central difference, whose error is its square times the torque
		shifted := func(by float64) [][]float64 {
			m := trial.motion.clone()
			for k := range m.q[joint] {
				m.q[joint][k] += by
			}
			return evaluate(opt.models.under(nil, opt.Gravity), m.q, m.v, m.a).torques(trial.links)
		}
		up, down := shifted(step), shifted(-step)
		for j, col := range hyps[at].cols[0] {
			for k, v := range col {
				if want := (up[j][k] - down[j][k]) / (2 * step); !(math.Abs(v-want) < 1e-3*(1+math.Abs(want))) {
					t.Fatalf("zero of joint %d: torque %d changes by %.6g in row %d, the column has %.6g", joint+1, j+1, want, k, v)
				}
			}
		}
	}
}

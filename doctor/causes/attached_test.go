package causes_test

import (
	"math"
	"slices"
	"testing"

	"ident/doctor/causes"
)

// What pulls at a joint, turns with two, slips in time or is not centred is told with its joint; a sound log has none of them.
func TestAttached(t *testing.T) {
	tau := func(f func(j, k int, q, v []float64) float64) func(s *causes.Segment) {
		return func(s *causes.Segment) {
			for k := range s.T {
				q, v := make([]float64, 2), make([]float64, 2)
				for j := range q {
					q[j] = s.Q[j][k]
					if k > 0 {
						v[j] = (s.Q[j][k] - s.Q[j][k-1]) / (s.T[k] - s.T[k-1])
					}
				}
				for j := range q {
					s.Effort[j][k] += f(j, k, q, v)
				}
			}
		}
	}
	for _, c := range []struct {
		kind   string
		joints []int
		change func(s *causes.Segment)
	}{
		{"", nil, func(s *causes.Segment) {}},
		{causes.Spring, []int{1}, tau(func(j, _ int, q, _ []float64) float64 { return float64(j) * 6 * max(q[1]-0.2, 0) })},
		{causes.Coupling, []int{0, 1}, tau(func(_, _ int, _, v []float64) float64 { return 2*math.Tanh((v[0]+v[1])/0.01) + 0.3*(v[0]+v[1]) })},
		{causes.Slip, []int{1}, func(s *causes.Segment) {
			for k := range s.T {
				s.Q[1][k] += 0.15 * min(max(float64(k-2260)/80, 0), 1)
			}
		}},
		{causes.Eccentric, []int{1}, func(s *causes.Segment) {
			for k, q := range s.Q[1] {
				s.Q[1][k] += 0.15 * math.Sin(2*q+1)
			}
		}},
	} {
		r, l := swing(t, 0)
		c.change(&l.Segments[0])
		rep := judge(t, r, l)
		if rep.Named != (c.kind != "") || rep.Named && (rep.Causes[0].Kind != c.kind || !slices.Equal(rep.Causes[0].Joints, c.joints)) {
			t.Errorf("%s: %v %+v", c.kind, rep.Named, rep.Causes[:min(len(rep.Causes), 3)])
		}
		if lead := rep.Causes[0]; c.kind == causes.Slip && rep.Named && (math.Abs(lead.Value-0.575) > 0.02 || math.Abs(lead.Length+0.15) > 0.03) {
			t.Errorf("a slip of 0.15 rad at 0.575 of the log: %+v", lead)
		}
	}
}

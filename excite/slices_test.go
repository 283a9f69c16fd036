package excite

import "testing"

// Callers may change the slices that a motion returns.
func TestMotionsKeepTheirNamesAndKnots(t *testing.T) {
	p := &Polynomials{Joints: []string{"a"}, At: []float64{0, 1, 2}}
	for _, m := range []Motion{p, &Trajectory{Joints: []string{"a"}}, &Sum{Base: p, Added: p}, &Sequence{Parts: []Motion{p}}} {
		m.Names()[0] = "other"
		if k := m.Knots(); len(k) > 0 {
			k[0] = 7
		}
		if m.Names()[0] != "a" || p.At[1] != 1 {
			t.Errorf("%T: names %v, knots %v", m, m.Names(), p.At)
		}
	}
}

package loops

import (
	"math"
	"math/rand/v2"
	"testing"

	"ident/internal/long"
)

// motionOf is a smooth motion of the driven joints about a state.
func motionOf(c *Closure, tr *Tracker, at []float64, n int, size, dt float64) Drive {
	var m Drive
	for i, k := range tr.Driven() {
		var q, v, a []float64
		for l := range n {
			w, u := float64(i+1)*0.7, float64(l)*dt
			amp := size * c.unit[k]
			q = append(q, at[k]+amp*math.Sin(w*u))
			v = append(v, amp*w*math.Cos(w*u))
			a = append(a, -amp*w*w*math.Sin(w*u))
		}
		m.Q, m.DQ, m.DDQ = append(m.Q, q), append(m.DQ, v), append(m.DDQ, a)
	}
	return m
}

func pathOf(tr *Tracker, n int, rates bool) *Path {
	p := tr.NewPath(n)
	if rates {
		p.JacobianRate = Rows(make([]float64, n*len(tr.Pairs())), n)
	}
	return p
}

// The formulas agree with Newton's method to rounding: positions with
// their whole turns, rates, accelerations, G and its rates, on either assembly.
func TestFormulasAgainstNewton(t *testing.T) {
	rng := rand.New(rand.NewPCG(31, 32))
	explicit, parallel, crossed := 0, 0, 0
	for _, mech := range closedMechanisms(t) {
		c := closureOf(t, mech.Robot)
		for range long.Of(8, 4) {
			at := startOf(t, c, rng)
			tr := trackerOf(t, c, at)
			if !tr.Explicit() {
				break
			}
			if mech.Robot.Name == sr400(t).Name {
				if len(tr.formulas.angles) == 0 {
					parallel++
				} else {
					crossed++
				}
			}
			const n = 150
			m := motionOf(c, tr, at.Q, n, 0.1, 0.02)
			newton := tr.Newton()
			for _, slow := range []bool{false, true} {
				if slow {
					m.DDQ = nil
				}
				got, want := pathOf(tr, n, slow), pathOf(tr, n, slow)
				if done, err := newton.Continue().Track(want, m, 0, n, true); err != nil {
					t.Logf("%s: %d of %d: %v", mech.Name, done, n, err)
					continue
				}
				k := tr.Continue()
				if _, err := k.Track(got, m, 0, n, true); err != nil {
					t.Fatal(err)
				}
				if k.newton.stale {
					explicit++
				}
				compare := func(name string, got, want [][]float64) {
					for k := range want {
						for l, w := range want[k] {
							if !(math.Abs(got[k][l]-w) <= 1e-12*(1+math.Abs(w))) {
								t.Fatalf("%s: %s %d at sample %d: %.16g, by Newton's method %.16g", mech.Name, name, k+1, l+1, got[k][l], w)
							}
						}
					}
				}
				compare("position", got.Q, want.Q)
				compare("rate", got.DQ, want.DQ)
				compare("Jacobian", got.Jacobian, want.Jacobian)
				if slow {
					compare("Jacobian's rate", got.JacobianRate, want.JacobianRate)
				} else {
					compare("acceleration", got.DDQ, want.DDQ)
				}
			}
		}
	}
	if parallel == 0 || crossed == 0 {
		t.Errorf("SR400: %d parallelograms and %d crossed ones, want some of each", parallel, crossed)
	}
	if explicit < long.Of(20, 10) {
		t.Errorf("formulas closed the loops in %d motions only", explicit)
	}
}

// Where the formulas must not be used, beside flat triangles, in long steps and
// out of reach, the path and its errors are those of Newton's method alone.
func TestFormulasNearFlat(t *testing.T) {
	c := closureOf(t, fourBar(1, 0.35, 0.9, 0.7, 0, 0))
	tr := trackerOf(t, c, startOf(t, c, rand.New(rand.NewPCG(33, 34))))
	if !tr.Explicit() {
		t.Fatal("a four-bar has no formulas")
	}
	long := closureOf(t, fourBar(1, 0.75, 0.9, 0.7, 0, 0)) // its crank cannot turn round
	away := trackerOf(t, long, startOf(t, long, rand.New(rand.NewPCG(35, 36))))
	for _, c := range []struct {
		tr   *Tracker
		step float64
		out  bool
	}{{tr, 0.03, false}, {tr, 0.4, false}, {away, 0.02, true}} {
		const n = 400
		m := Drive{Q: make([][]float64, 1), DQ: make([][]float64, 1), DDQ: make([][]float64, 1)}
		for l := range n {
			m.Q[0] = append(m.Q[0], c.tr.start()[0]+c.step*float64(l))
			m.DQ[0], m.DDQ[0] = append(m.DQ[0], 1), append(m.DDQ[0], 0)
		}
		newton := c.tr.Newton()
		got, want := pathOf(c.tr, n, false), pathOf(c.tr, n, false)
		done, err := c.tr.Continue().Track(got, m, 0, n, true)
		wanted, wantErr := newton.Continue().Track(want, m, 0, n, true)
		if done != wanted || (err != nil) != (wantErr != nil) || (err != nil) != c.out {
			t.Fatalf("steps of %g: %d samples and %v, by Newton's method %d and %v", c.step, done, err, wanted, wantErr)
		}
		for k := range want.Q {
			for l, w := range want.Q[k][:done] {
				if !(math.Abs(got.Q[k][l]-w) <= 1e-10) {
					t.Fatalf("steps of %g: coordinate %d at %.14g at sample %d, by Newton's method %.14g", c.step, k+1, got.Q[k][l], l+1, w)
				}
			}
		}
	}
}

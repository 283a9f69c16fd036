package outputerror

import (
	"math"
	"slices"
	"strings"
	"testing"

	"ident/baseparams"
	"ident/internal/long"
	"ident/regressor"
)

// With the robot file's bodies held, residuals and the sensitivities of the drives are those of the whole model, by limbs too, and a fit of so few parameters ends at
// the truth.
func TestKnownBodies(t *testing.T) {
	x := twoArms(t)
	run := x.run(t, 1, 1.5, 1, 0)
	f, p := x.prepared(t, x.law(1), run, nil)
	known := map[string]float64{}
	full, err := regressor.NewDynamic(x.robot, x.terms)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range full.Columns() {
		if c.Term == regressor.Links {
			known[c.Name], _ = regressor.ValueOf(x.robot, c)
		}
	}
	held := *x
	if held.subject, err = NewSubject(x.robot, x.terms, known, baseparams.Options{}); err != nil {
		t.Fatal(err)
	}
	held.truth = held.subject.file()
	g, q := held.prepared(t, x.law(1), run, nil)
	if len(g.parts) != 2 || g.gainAt() != 20 {
		t.Fatalf("%d limbs, %d parameters of drives", len(g.parts), g.gainAt())
	}
	var outs [2]*output
	for i, of := range []struct {
		f *fit
		p parameters
	}{{f, p}, {g, q}} {
		m, err := of.f.simulate(t.Context(), of.f.runs[0], of.p)
		if err != nil {
			t.Fatal(err)
		}
		if outs[i], err = of.f.sensitivities(t.Context(), of.f.runs[0], m, of.p); err != nil {
			t.Fatal(err)
		}
	}
	names, compared := f.names(), 0
	for k, columns := range g.masks() {
		for at, c := range columns {
			name := g.names()[c]
			i := slices.Index(names, name)
			if i < 0 {
				continue // a rotor that the whole model regroups with its link
			}
			size := 0.0
			for _, v := range outs[1].by[k][at] {
				size = max(size, math.Abs(v))
			}
			for w, v := range outs[1].by[k][at] {
				if whole := outs[0].by[k][slices.Index(f.masks()[k], i)][w]; math.Abs(v-whole) > 1e-8*size {
					t.Fatalf("joint %d, %s, window %d: %g with known bodies, %g with all", k+1, name, w, v, whole)
				}
				compared++
			}
		}
		for w, v := range outs[1].residual[k] {
			if math.Abs(v-outs[0].residual[k][w]) > 1e-9 {
				t.Fatalf("joint %d: residual %g, of the whole model %g", k+1, v, outs[0].residual[k][w])
			}
		}
	}
	if compared == 0 {
		t.Error("nothing was compared")
	}
	if !long.Set() {
		return
	}
	law := x.law(5)
	law.D, law.Gains = x.kd, nil
	run = x.run(t, 1, 10, 1, 0)
	e, err := Fit(t.Context(), held.subject, law, []*Run{run}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range held.truth {
		// The simulation starts at the filtered positions and rates, which is not where the robot was: per cents of a limb's inertia, some 2 kg·m², and a
		// thousandth of kd.
		most := 0.015
		if strings.HasPrefix(e.Names[i], "Ia") {
			most = 0.05
		}
		if math.Abs(e.X[i]-v) > most {
			t.Errorf("%s is %g, in truth %g", e.Names[i], e.X[i], v)
		}
	}
	// Bodies give the scale that a law without a known gain lacks.
	if e, err = Fit(t.Context(), held.subject, x.law(0), []*Run{run}, Options{}); err != nil {
		t.Fatal(err)
	}
	for i, n := range e.Names {
		if strings.HasPrefix(n, "kp") && math.Abs(e.X[i]-300) > 0.05*300 {
			t.Errorf("%s is %g, in truth 300", n, e.X[i])
		}
	}
}

package outputerror

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ident/internal/testrobot"
	"ident/robot"
)

// twoArms has an arm of two joints and one of three on one base that is held.
func twoArms(t testing.TB) *experiment {
	t.Helper()
	r := robot.FromMDH("two arms", []robot.MDHFrame{
		{Antecedent: -1, Alpha: math.Pi / 2}, {Antecedent: 0, D: 0.3},
		{Antecedent: -1, Gamma: 0.4, Alpha: 1.2, D: 0.5}, {Antecedent: 2, D: 0.25, Alpha: -math.Pi / 2}, {Antecedent: 3, D: 0.2},
	})
	rng := rand.New(rand.NewPCG(3, 8))
	for i := range r.Links {
		l := &r.Links[i]
		l.Inertial, l.HasInertial = testrobot.Body(rng), true
		l.Joint.Ia, l.Joint.Fv, l.Joint.Fs = 0.05, 0.1+0.1*rng.Float64(), 0.1+0.1*rng.Float64()
	}
	each := func(v float64) []float64 { return slices.Repeat([]float64{v}, 5) }
	return newExperiment(t, r, each(300), each(15), each(1), 0.003)
}

// A robot of two limbs has the residuals and sensitivities, limb by limb, that it has as one whole, and nothing is lost: the others are zero.
func TestLimbs(t *testing.T) {
	x := twoArms(t)
	run := x.run(t, 1, 1.5, 1, 0)
	for _, offsets := range [][]int{nil, {1, 3}} {
		f, p := x.prepared(t, x.law(1), run, offsets)
		if len(f.parts) != 2 || !slices.Equal(f.parts[0].joints, []int{0, 1}) || !slices.Equal(f.parts[1].joints, []int{2, 3, 4}) {
			t.Fatalf("%d limbs", len(f.parts))
		}
		m, err := f.simulate(t.Context(), f.runs[0], p)
		if err != nil {
			t.Fatal(err)
		}
		f.cone = &cone{} // of all robots
		whole := *f
		one := &limb{}
		for k := range f.joints {
			one.joints = append(one.joints, k)
		}
		for i := range f.size() {
			one.columns, one.at = append(one.columns, i), append(one.at, i)
		}
		whole.parts = []*limb{one}
		var outs [2]*output
		for i, of := range []*fit{f, &whole} {
			if outs[i], err = of.sensitivities(t.Context(), f.runs[0], m, p); err != nil {
				t.Fatal(err)
			}
		}
		compareLimbs(t, f, outs[0], outs[1])
		if offsets != nil {
			continue // so short a log does not show them
		}
		// Rows that the limbs' colours make white give one step, whichever way it is solved.
		noise := colourOf(outs[:1], f.parts)
		a, err := f.step(noise, outs[:1], p)
		if err != nil {
			t.Fatal(err)
		}
		b, err := whole.step(noise, outs[1:], p)
		if err != nil {
			t.Fatal(err)
		}
		for i := range a.X {
			if math.Abs(a.X[i]-b.X[i]) > 1e-6*math.Sqrt(a.Covariance[i][i]) {
				t.Errorf("%s: step %g by limbs, %g as a whole", f.names()[i], a.X[i], b.X[i])
			}
		}
	}
}

func compareLimbs(t *testing.T, f *fit, got, want *output) {
	t.Helper()
	compared := 0
	for k, columns := range f.masks() {
		size := 0.0
		for _, by := range want.by[k] {
			for _, v := range by {
				size = max(size, math.Abs(v))
			}
		}
		for c := range f.size() {
			at := slices.Index(columns, c)
			for w, v := range want.by[k][c] {
				own := 0.0
				if at >= 0 {
					own, compared = got.by[k][at][w], compared+1
				}
				if math.Abs(own-v) > 1e-11*size {
					t.Fatalf("joint %d, %s, window %d: %g by limbs, %g as a whole", k+1, f.names()[c], w, own, v)
				}
				if own := got.residual[k][w]; own != want.residual[k][w] {
					t.Fatalf("joint %d, window %d: residual %g, as a whole %g", k+1, w, own, want.residual[k][w])
				}
			}
		}
	}
	if compared == 0 {
		t.Error("nothing was compared")
	}
}

// Positions that are a share of the commands are named with it; those of a drive, and those that are a little late, are not.
func TestUnmoved(t *testing.T) {
	x := twoArms(t)
	run := x.run(t, 1, 1.5, 1, 0)
	f, _ := x.prepared(t, x.law(1), run, nil)
	if joint, _ := f.unmoved(); joint >= 0 {
		t.Errorf("a drive's positions: joint %d", joint)
	}
	own := run.Position[3]
	for _, c := range []struct{ late, joint int }{{0, 3}, {1, -1}} {
		run.Position[3] = make([]float64, len(own))
		for i := range own {
			run.Position[3][i] = 0.97 * run.Command[3][max(0, i-c.late)]
		}
		if joint, share := f.unmoved(); joint != c.joint || joint >= 0 && math.Abs(share-0.97) > 1e-9 {
			t.Errorf("%d rows late: joint %d, %g of its commands", c.late, joint, share)
		}
	}
}

package poses

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ident/baseparams"
	"ident/excite"
	"ident/internal/long"
	"ident/regressor"
	"ident/robot"
	"ident/robot/format"
)

// puma is the problem of the embedded example, with links kept apart.
func puma(t testing.TB) (Problem, *robot.Robot) {
	t.Helper()
	r, err := format.Open("../../datasets/example/puma560.urdf", robot.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	full, err := regressor.NewDynamic(r, regressor.DefaultTerms())
	if err != nil {
		t.Fatal(err)
	}
	m := full.Select(baseparams.QR(full, baseparams.Options{}).Base)
	capsules, boxes, err := excite.Capsules(r)
	if err != nil {
		t.Fatal(err)
	}
	space, err := excite.NewSpace(excite.Problem{Model: m, Limits: excite.LimitsOf(r), Robot: r, Capsules: capsules, KeepOuts: boxes, SelfCollision: true, Clearance: 0.02})
	if err != nil {
		t.Fatal(err)
	}
	return Problem{Space: space, Model: m, Seed: 1}, r
}

// A design is better than the best of a thousand random sets of as many free poses, its motion keeps every limit by the final
// check of package excite, and each pass is straight, at constant speed and there and back.
func TestDesignBeatsRandomSets(t *testing.T) {
	long.Only(t, "the Example and TestSeedTellsTheDesign design poses")
	p, _ := puma(t)
	d, err := Choose(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Poses) != DefaultCount || d.Left != 0 {
		t.Fatalf("%d poses, %d left out", len(d.Poses), d.Left)
	}
	if c := Condition(p.Model, nil, d.Columns, d.Poses); math.Abs(c-d.Condition) > 1e-9*c {
		t.Errorf("the condition number of the poses is %g, the design says %g", c, d.Condition)
	}
	w, err := newWindows(&p)
	if err != nil {
		t.Fatal(err)
	}
	c := &chooser{p: &p, w: w, rng: rand.New(rand.NewPCG(2, 2)), rows: newStatic(p.Model, nil)}
	sets := long.Of(1000, 30)
	pool := make([][]float64, 2000)
	for i := range pool {
		pool[i] = c.draw()
	}
	values := make([]float64, sets)
	for i := range values {
		var set [][]float64
		for range DefaultCount {
			set = append(set, pool[c.rng.IntN(len(pool))])
		}
		values[i] = Condition(p.Model, nil, d.Columns, set)
	}
	slices.Sort(values)
	t.Logf("%d parameters at rest; condition number %.1f; of %d random sets %.1f at best, %.1f in the median; %.0f s",
		len(d.Columns), d.Condition, sets, values[0], values[sets/2], d.Motion.Duration())
	if !(d.Condition < values[0]) {
		t.Errorf("the condition number %g is not below that of the best of %d random sets, %g", d.Condition, sets, values[0])
	}
	if r := p.Space.Check(d.Motion); r.Violations != 0 {
		t.Errorf("%d limits are not kept: %+v, %+v", r.Violations, r.Margins, r.Distances)
	}
	n := d.Motion.DOF()
	q, dq, ddq := make([]float64, n), make([]float64, n), make([]float64, n)
	for i, pass := range d.Passes {
		for k, at := range []float64{pass.First[0], (pass.First[0] + pass.First[1]) / 2, pass.Back[0], (pass.Back[0] + pass.Back[1]) / 2, pass.Back[1]} {
			d.Motion.Eval(at, q, dq, ddq)
			for j := range q {
				sign := float64(pass.Sign)
				want := d.Poses[i][j] + sign*[]float64{-1, 0, 1, 0, -1}[k]*d.Width[j]/2
				if k >= 2 {
					sign = -sign
				}
				if math.Abs(q[j]-want) > 1e-9 || math.Abs(dq[j]-sign*d.Speed[j]) > 1e-9 || math.Abs(ddq[j]) > 1e-6 {
					t.Fatalf("pass %d, joint %d at %g s: %g rad, %g rad/s, %g rad/s²; want %g and %g", i+1, j+1, at, q[j], dq[j], ddq[j], want, sign*d.Speed[j])
				}
			}
		}
	}
}

// Two designs of one seed are the same to the last bit, those of another are not.
func TestSeedTellsTheDesign(t *testing.T) {
	p, _ := puma(t)
	p.Count = 8
	design := func(seed uint64) *Design {
		p.Seed = seed
		d, err := Choose(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	a, b, c := design(3), design(3), design(4)
	if !slices.EqualFunc(a.Poses, b.Poses, slices.Equal) || slices.EqualFunc(a.Poses, c.Poses, slices.Equal) {
		t.Error("the poses do not follow from the seed alone")
	}
}

// A motion that holds poses stands at each for as long as asked for, in their order, and keeps every limit.
func TestHold(t *testing.T) {
	p, _ := puma(t)
	free, err := Free(p.Space, 60, 3)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Free(p.Space, 60, 3)
	if err != nil || !slices.Equal(free[59], again[59]) {
		t.Errorf("another draw of one seed: %v", err)
	}
	m, held, err := Hold(t.Context(), p.Space, free[:6], free, 2)
	if err != nil || len(held) < 4 {
		t.Fatalf("%d poses held, %v", len(held), err)
	}
	if res := p.Space.Check(m); res.Violations > 0 {
		t.Errorf("%d violations", res.Violations)
	}
	_, q, dq, _ := excite.Sample(m, 100, m.Duration())
	rests := make([]int, len(held))
	at := 0
	for k := range q[0] {
		still := true
		for j := range q {
			still = still && math.Abs(dq[j][k]) < 1e-9
		}
		if !still {
			continue
		}
		for i := at; i < len(held); i++ {
			if math.Abs(q[0][k]-free[held[i]][0]) < 1e-9 && math.Abs(q[5][k]-free[held[i]][5]) < 1e-9 {
				rests[i]++
				at = i
				break
			}
		}
	}
	for i, n := range rests {
		if n < 195 {
			t.Errorf("pose %d is held for %d samples of 200", i, n)
		}
	}
}

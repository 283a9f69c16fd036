package observation

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ident/internal/testrobot"
	"ident/regressor"
	"ident/robot"
)

// swing is a source in memory: a robot on a smooth motion, with the torques of its
// model.
func swing(t *testing.T, r *robot.Robot, m *regressor.Model, s Settings) Source {
	const n, dt = 3000, 1e-3
	joints := m.Joints()
	q, dq, ddq, tau := columns(joints, n), columns(joints, n), columns(joints, n), columns(joints, n)
	for k := range joints {
		w := 2 * math.Pi * (0.7 + 0.3*float64(k))
		for i := range n {
			sin, cos := math.Sincos(w * float64(i) * dt)
			q[k][i], dq[k][i], ddq[k][i] = sin, w*cos, -w*w*sin
		}
	}
	block := m.NewBlock(n)
	m.Eval(block, q, dq, ddq, m.NewWorkspace())
	m.Predict(tau, block, values(r, m))
	f, err := NewFilters(s, dt)
	if err != nil {
		t.Fatal(err)
	}
	return Source{Run: new(Run), Segment: &Segment{DT: dt, N: n, Uniform: true}, Layout: motionLayout(joints), Filters: f,
		Plan: f.Plan(1, 500, 0), Samples: slices.Concat(q, dq, ddq, tau)}
}

func columns(joints, n int) [][]float64 {
	var m matrix
	return m.resize(joints, n)
}

// values are the robot's parameters of a model's columns.
func values(r *robot.Robot, m *regressor.Model) []float64 {
	var x []float64
	for _, c := range m.Columns() {
		v, _ := regressor.ValueOf(r, c)
		x = append(x, v)
	}
	return x
}

// The rows of every model, in chunks, are solved by the parameters of the torques.
func TestEquationsHold(t *testing.T) {
	r := testrobot.Random(rand.New(rand.NewPCG(3, 4)), 3, true)
	m, err := regressor.NewDynamic(r, []regressor.Term{regressor.Links, regressor.Ia, regressor.Fv, regressor.Fo})
	if err != nil {
		t.Fatal(err)
	}
	x := values(r, m)
	for _, kind := range Kinds() {
		for _, decimate := range []int{1, 8} {
			s := Settings{Model: kind, Path: Path{Order: 2, Cutoff: 20, Decimate: decimate, Trim: 0.3, Differentiator: Central}}
			source := swing(t, r, m, s)
			observers := []*Observer{NewObserver(m, Known{}, nil), NewObserver(m, Known{}, nil)}
			type figures struct{ worst, largest, rows float64 }
			var all figures
			err := Pass(context.Background(), []Source{source}, len(observers), func(i int, c *Chunk) (figures, error) {
				v, err := observers[i].Observe(c)
				if err != nil || v.Empty() {
					return figures{}, err
				}
				var f figures
				equations := m.Joints()
				if kind.OfEnergy() {
					equations = 1
				}
				for k := range equations {
					eq := v.Equation(k, v.Extent)
					last := len(eq.Columns) - 1
					for i := eq.Lo; i < eq.Hi; i++ {
						sum := 0.0
						for j, col := range eq.Columns[:last] {
							at := j
							if !kind.OfEnergy() {
								at = m.Mask(k)[j]
							}
							sum += col[i] * x[at]
						}
						f.worst = max(f.worst, math.Abs(sum-eq.Columns[last][i]))
						f.largest = max(f.largest, math.Abs(sum))
						f.rows++
					}
				}
				return f, nil
			}, func(f figures) error {
				all.worst, all.largest, all.rows = max(all.worst, f.worst), max(all.largest, f.largest), all.rows+f.rows
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			// Both sides of the dynamic model go through one filter: rounding. Differences and
			// integrals between samples are exact for cubics: (2π·4/1000)⁴ = 4e-7 for the fastest
			// products of the rates, some 4 Hz.
			limit := 1e-6
			if kind == Dynamic {
				limit = 1e-10
			}
			t.Logf("%-8s decimated by %d: %.0f rows, off by %.1e of %.3g", kind, decimate, all.rows, all.worst, all.largest)
			if all.rows == 0 || !(all.worst <= limit*all.largest) {
				t.Errorf("%s decimated by %d: %.0f rows, off by %g of %g", kind, decimate, all.rows, all.worst, all.largest)
			}
		}
	}
}

// With all parameters known nothing is left of the measurement vector, and rows of
// an unactuated joint are zero.
func TestKnownAndUnactuated(t *testing.T) {
	r := testrobot.Random(rand.New(rand.NewPCG(5, 6)), 3, true)
	m, err := regressor.NewDynamic(r, []regressor.Term{regressor.Links, regressor.Ia})
	if err != nil {
		t.Fatal(err)
	}
	source := swing(t, r, m, Settings{Model: Dynamic, Path: Path{Order: 2, Differentiator: Central}})
	v, err := NewObserver(m, Known{m, values(r, m)}, nil).Observe(source.Whole())
	if err != nil {
		t.Fatal(err)
	}
	for k, torque := range v.Torque {
		for i, y := range torque {
			if !(math.Abs(y) < 1e-9) {
				t.Fatalf("%g of the torque of joint %d is left at sample %d", y, k+1, i)
			}
		}
	}
	link := m.JointLinks()[1]
	v, err = NewObserver(m, Known{}, []int{link}).Observe(source.Whole())
	if err != nil {
		t.Fatal(err)
	}
	for k := range v.Torque {
		eq := v.Equation(k, v.Extent)
		largest := 0.0
		for _, col := range eq.Columns {
			for _, w := range col {
				largest = max(largest, math.Abs(w))
			}
		}
		if (largest == 0) != (k == 1) {
			t.Errorf("joint %d: rows up to %g", k+1, largest)
		}
	}
}

// An equation that was filtered cannot be taken again, nor one of a chunk that has gone.
func TestEquationIsTakenOnce(t *testing.T) {
	r := testrobot.Random(rand.New(rand.NewPCG(7, 8)), 2, true)
	m, err := regressor.NewDynamic(r, []regressor.Term{regressor.Links})
	if err != nil {
		t.Fatal(err)
	}
	source := swing(t, r, m, Settings{Model: Dynamic, Path: Path{Order: 2, Cutoff: 20, Differentiator: Central}})
	o := NewObserver(m, Known{}, nil)
	observe := func() Observation {
		v, err := o.Observe(source.Whole())
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	panics := func(v Observation, k int) (yes bool) {
		defer func() { yes = recover() != nil }()
		v.Equation(k, v.Extent)
		return false
	}
	v := observe()
	if panics(v, 0) || panics(v, 1) {
		t.Error("the first taking panics")
	}
	if !panics(v, 0) {
		t.Error("an equation was filtered twice")
	}
	if next := observe(); !panics(v, 1) || panics(next, 0) {
		t.Error("an observation outlives its chunk")
	}
}

// After its first chunk an observer allocates nothing, whatever the rows.
func TestObserverKeepsItsMemory(t *testing.T) {
	r := testrobot.Random(rand.New(rand.NewPCG(9, 10)), 3, true)
	m, err := regressor.NewDynamic(r, []regressor.Term{regressor.Links})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []Settings{
		{Model: Dynamic, Path: Path{Order: 2, Cutoff: 20, MotionCutoff: 40, Differentiator: Central}},
		{Model: Dynamic, Path: Path{Order: 2, Decimate: 8, Differentiator: Central}},
		{Model: Momentum, Path: Path{Order: 2, Cutoff: 20, Differentiator: Central}},
		{Model: Power, Path: Path{Order: 2, Cutoff: 20, Differentiator: Central}},
	} {
		source := swing(t, r, m, s)
		o, chunk := NewObserver(m, Known{}, nil), source.Whole()
		pass := func() {
			v, err := o.Observe(chunk)
			if err != nil {
				t.Fatal(err)
			}
			equations := len(v.Torque)
			if s.Model.OfEnergy() {
				equations = 1
			}
			for k := range equations {
				v.Equation(k, v.Extent)
			}
		}
		pass()
		if n := testing.AllocsPerRun(5, pass); n > 0 {
			t.Errorf("%s decimated by %d: %g allocations a chunk", s.Model, s.Decimate, n)
		}
	}
}

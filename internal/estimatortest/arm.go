package estimatortest

import (
	"math"
	"math/rand/v2"
	"testing"

	"ident/baseparams"
	"ident/estimate"
	"ident/filter"
	"ident/internal/triangle"
	"ident/regressor"
	"ident/robot"
)

// Arm returns a robot of three revolute joints with gravity across them, friction
// and rotors.
func Arm() *robot.Robot {
	r := robot.FromMDH("arm", []robot.MDHFrame{
		{Antecedent: -1, Kind: robot.Revolute, R: 0.3},
		{Antecedent: 0, Kind: robot.Revolute, Alpha: -math.Pi / 2},
		{Antecedent: 1, Kind: robot.Revolute, D: 0.4, R: 0.1},
	})
	for j := range r.Links {
		com := [3]float64{0.15, 0.02 * float64(j+1), -0.03}
		in := robot.InertialFromCentral(6-1.5*float64(j), com, [3][3]float64{{0.08, 0.002, 0.001}, {0.002, 0.07, -0.003}, {0.001, -0.003, 0.05}})
		l := &r.Links[j]
		l.Inertial, l.Own, l.HasInertial = in, in, true
		l.Joint.Ia, l.Joint.Fv, l.Joint.Fs, l.Joint.Fo = 0.5-0.1*float64(j), 1.5, 2-0.5*float64(j), 0.2
	}
	return r
}

// Experiment is a log with the exact motion of an arm: the regressor's columns
// with their model.
type Experiment struct {
	Set   *baseparams.Set
	Model *regressor.Model
	Truth []float64
	Rate  float64
	Rows  *regressor.Block
}

// NewExperiment evaluates the base regressor of a robot along a Fourier
// trajectory of five harmonics.
func NewExperiment(tb testing.TB, r *robot.Robot, rate, seconds float64) *Experiment {
	tb.Helper()
	full, err := regressor.NewDynamic(r, regressor.DefaultTerms())
	if err != nil {
		tb.Fatal(err)
	}
	set := baseparams.QR(full, baseparams.Options{})
	x := &Experiment{Set: set, Model: full.Select(set.Base), Rate: rate}
	chi := make([]float64, len(set.Columns))
	for i, c := range set.Columns {
		chi[i], _ = regressor.ValueOf(r, c)
	}
	x.Truth = set.FromStandard(chi)
	n := int(seconds * rate)
	rng := rand.New(rand.NewPCG(1, 2))
	var motion [3][][]float64
	for d := range motion {
		motion[d] = make([][]float64, x.Model.Joints())
		for k := range motion[d] {
			motion[d][k] = make([]float64, n)
		}
	}
	for k := range x.Model.Joints() {
		for h := 1; h <= 5; h++ {
			w, a, p := 2*math.Pi*0.1*float64(h), 0.5*rng.NormFloat64()/float64(h), 2*math.Pi*rng.Float64()
			for i := range n {
				s, c := math.Sincos(w*float64(i)/rate + p)
				motion[0][k][i] += a * s
				motion[1][k][i] += a * w * c
				motion[2][k][i] -= a * w * w * s
			}
		}
	}
	x.Rows = x.Model.NewBlock(n)
	x.Model.Eval(x.Rows, motion[0], motion[1], motion[2], x.Model.NewWorkspace())
	return x
}

// LowPass sends every column through a zero-phase low-pass.
func (x *Experiment) LowPass(tb testing.TB, cutoff float64) filter.SOS {
	tb.Helper()
	f, err := filter.Butterworth(4, cutoff, x.Rate)
	if err != nil {
		tb.Fatal(err)
	}
	for k := range x.Rows.Joint {
		f.ZeroPhaseColumns(x.Rows.Joint[k], nil)
	}
	return f
}

// Torque returns the torques of the true parameters.
func (x *Experiment) Torque() [][]float64 {
	tau := make([][]float64, x.Model.Joints())
	for k := range tau {
		tau[k] = make([]float64, x.Rows.Rows)
	}
	x.Model.Predict(tau, x.Rows, x.Truth)
	return tau
}

// Reduce summarises rows [first, last) in time blocks of the given length.
func (x *Experiment) Reduce(tau [][]float64, first, last, block int, work *triangle.Work) *estimate.Reduction {
	masks := make([][]int, x.Model.Joints())
	for k := range masks {
		masks[k] = x.Model.Mask(k)
	}
	r := estimate.NewReduction(len(x.Truth), masks)
	for lo := first; lo < last; lo += block {
		hi := min(lo+block, last)
		b := r.NewBlock(0)
		for k := range masks {
			cols := make([][]float64, len(masks[k]))
			for c, col := range x.Rows.Joint[k] {
				cols[c] = col[lo:hi]
			}
			b.Joints[k].Add(cols, tau[k][lo:hi], work)
		}
		r.Append(b)
	}
	return r
}

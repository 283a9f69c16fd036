package regressor

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// Torques that are polynomials of the time have columns that can be written down; five samples differentiate them exactly.
func TestTorqueColumns(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(5, 40).Draw(t, "samples")
		in := TorqueSamples{Interval: rapid.Float64Range(0.001, 0.1).Draw(t, "interval")}
		var a [4]float64
		for i := range a {
			a[i] = rapid.Float64Range(-3, 3).Draw(t, "coefficient")
		}
		of := func(x float64) (tau, rate, bend float64) {
			return a[0] + x*(a[1]+x*(a[2]+x*a[3])), a[1] + x*(2*a[2]+3*x*a[3]), 2*a[2] + 6*x*a[3]
		}
		other, tau, v := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range n {
			x := float64(i) * in.Interval
			in.Time = append(in.Time, x)
			tau[i], _, _ = of(x)
			v[i] = rapid.SampledFrom([]float64{-1.5, 0, 2}).Draw(t, "velocity")
		}
		in.Torque, in.DQ = [][]float64{other, tau}, [][]float64{v, other}
		dst := make([]float64, n)
		for _, kind := range TorqueKinds() {
			TorqueColumn{Kind: kind, Joint: 0, Of: 1}.Eval(dst, &in)
			for i, x := range in.Time {
				y, rate, bend := of(x)
				want := map[TorqueKind]float64{Scaled: y, LoadedSlip: math.Abs(y) * sign(v[i]), Fading: x * y, Late: rate, LaterStill: x * rate, Smeared: bend,
					Rectified: max(y, 0), Magnitude: math.Abs(y), Cubed: y * y * y}[kind]
				// Rounding of a torque below 10⁴ is divided by the interval twice.
				if tol := 1e-12 * (1 + math.Abs(want)) * (1 + 1e3/in.Interval/in.Interval); math.Abs(dst[i]-want) > tol {
					t.Fatalf("%v at %g s is %g, want %g", kind, x, dst[i], want)
				}
			}
		}
	})
}

func TestTorqueColumnsAllocateNothing(t *testing.T) {
	const n = 500
	in := TorqueSamples{Interval: 0.01, Time: make([]float64, n), Torque: [][]float64{make([]float64, n)}, DQ: [][]float64{make([]float64, n)}}
	dst := make([]float64, n)
	all := func() {
		for _, kind := range []TorqueKind{Scaled, LoadedSlip, Fading, Late, LaterStill, Smeared, Rectified, Magnitude, Cubed} {
			TorqueColumn{Kind: kind}.Eval(dst, &in)
		}
	}
	all()
	if a := testing.AllocsPerRun(10, all); a != 0 {
		t.Errorf("%g allocations", a)
	}
}

func TestTorqueColumnNames(t *testing.T) {
	seen := map[string]bool{}
	for _, kind := range TorqueKinds() {
		for joint := range 3 {
			for of := range 3 {
				seen[TorqueColumn{kind, joint, of}.String()] = true
			}
		}
	}
	if want := 9 * len(TorqueKinds()); len(seen) != want {
		t.Errorf("%d names of %d columns", len(seen), want)
	}
}

func BenchmarkTorqueColumns(b *testing.B) {
	const n = 4096
	in := TorqueSamples{Interval: 0.001, Time: make([]float64, n), Torque: [][]float64{make([]float64, n)}, DQ: [][]float64{make([]float64, n)}}
	for i := range n {
		in.Time[i], in.Torque[0][i], in.DQ[0][i] = float64(i)*0.001, math.Sin(float64(i)*0.01), math.Cos(float64(i)*0.01)
	}
	dst := make([]float64, n)
	b.SetBytes(8 * n)
	b.ReportAllocs()
	for b.Loop() {
		for kind := range torqueKinds {
			TorqueColumn{Kind: kind}.Eval(dst, &in)
		}
	}
}

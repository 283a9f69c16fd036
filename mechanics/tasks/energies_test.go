package tasks

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// The energies that the source's four manipulators take for one task (Vukobratović and Potkonjak 1985, figure 5.16, J): three
// radii of their tubes, each in three times. By time scaling a part of the energy falls with the square of the time, and masses grow with the
// square of the radius:
//
//	E = e0 + e1·R² + (k0 + k1·R²)/T²
//
// which leaves 0.12 J of the nine values of each manipulator, and meets the energies that other examples of the source print for 3 s,
// 76.03 J of the first with R = 0.02 m and 44.23 J of the third with 0.022 m, to 0.1 and 1.5 %.
func TestEnergiesOfTheSource(t *testing.T) {
	radii := [3]float64{0.04, 0.025, 0.014}
	times := [3][3]float64{{10, 6.2, 4.26}, {10, 6.2, 3.4}, {10, 6.2, 3.4}}
	printed := [4][9]float64{
		{95.6, 96.1, 97.1, 77.5, 77.9, 79.6, 69.4, 69.9, 71.4},
		{90.1, 90.6, 92, 73.9, 74.5, 76.6, 66.8, 67.3, 69.2},
		{58, 59, 60.9, 40.9, 41.7, 44.9, 33.3, 34.1, 37},
		{68.3, 69, 70.3, 56.9, 57.6, 60, 51.9, 52.5, 54.8},
	}
	row := func(radius, time float64) []float64 {
		r2, rate := radius*radius, 1/(time*time)
		return []float64{1, r2, rate, r2 * rate}
	}
	a := mat.NewDense(9, 4, nil)
	for i, r := range radii {
		for k, time := range times[i] {
			a.SetRow(3*i+k, row(r, time))
		}
	}
	predict := func(of int, radius, time float64) float64 {
		var x mat.VecDense
		if err := x.SolveVec(a, mat.NewVecDense(9, printed[of][:])); err != nil {
			if _, ill := err.(mat.Condition); !ill { // columns of 1 and of 1e-5: scaled they are well apart
				t.Fatal(err)
			}
		}
		return mat.Dot(&x, mat.NewVecDense(4, row(radius, time)))
	}
	for of := range printed {
		for i, r := range radii {
			for k, time := range times[i] {
				if d := math.Abs(predict(of, r, time) - printed[of][3*i+k]); d > 0.125 {
					t.Errorf("manipulator %d, R %g m, T %g s: %.3g J off", of+1, r, time, d)
				}
			}
		}
	}
	near(t, "first manipulator", predict(0, 0.02, 3), 75.96, 0.005)
	near(t, "third manipulator", predict(2, 0.022, 3), 43.57, 0.005)
}

// BenchmarkEval evaluates the motion of a tip with an orientation.
func BenchmarkEval(b *testing.B) {
	task := Task{Unlimited: true, Start: Start{Joints: map[string]float64{"J2": 0.3, "J3": 0.9, "J4": 0.3, "J5": 0.8}},
		Segments: []Segment{{To: [3]float64{0.1, 0.1, -0.05}, Relative: true, Orientation: Orientation{By: Fixed}, Time: 1}}}
	m := plan(b, rx90(), task)
	q, dq, ddq := make([]float64, 6), make([]float64, 6), make([]float64, 6)
	b.ReportAllocs()
	i := 0
	for b.Loop() {
		m.Eval(float64(i%1000)/1000, q, dq, ddq)
		i++
	}
}

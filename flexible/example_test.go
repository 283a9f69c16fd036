package flexible_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"ident/estimate"
	"ident/flexible"
)

// A boom of aluminium, 2 m, that falls from the horizontal and rings.
func Example() {
	boom := flexible.Beam{
		Length:  2,
		Section: flexible.Uniform(flexible.Section{Mass: 1.9, EIy: 4e3, EIz: 4e3, GJ: 3e3}),
		Modes:   []flexible.Mode{{Y: flexible.ClampedFree(1)}, {Y: flexible.ClampedFree(2)}},
	}
	integrals, err := boom.Integrals()
	if err != nil {
		fmt.Println(err)
		return
	}
	base := flexible.Matrix{{1}, {0, 1}, {0, 0, 1}, {0, 0, 0, 1}}
	arm, err := flexible.New([]flexible.Link{{Name: "boom", Place: base, Axis: [3]float64{0, 0, 1}, Integrals: integrals}}, [3]float64{0, -9.81, 0})
	if err != nil {
		fmt.Println(err)
		return
	}
	w := arm.NewWork()
	clamped, err := w.Frequencies(make([]float64, 3), true)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("with a locked joint %.1f and %.1f Hz\n", clamped[0]/(2*math.Pi), clamped[1]/(2*math.Pi))
	run := flexible.Run{Z: make([]float64, 3), DZ: make([]float64, 3), Rate: 2, Rows: 2}
	err = arm.Simulate(context.Background(), run, func(r flexible.Row) error {
		tip := w.Tip(0, r.Z)
		fmt.Printf("%g s: %6.2f°, tip at (%.3f, %.3f) m\n", r.Time, r.Z[0]*180/math.Pi, tip[0], tip[1])
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// with a locked joint 6.4 and 40.2 Hz
	// 0 s:   0.00°, tip at (2.000, 0.000) m
	// 0.5 s: -51.27°, tip at (1.251, -1.560) m
}

// tube is of aluminium, 50 mm wide with walls of 2 mm.
var tube = flexible.Section{Mass: 0.814, EIy: 6060, EIz: 6060, GJ: 4600}

// turning joins beams by joints that are all vertical: gravity does not bend them.
func turning(beams ...flexible.Beam) (*flexible.Arm, error) {
	var links []flexible.Link
	for i, b := range beams {
		integrals, err := b.Integrals()
		if err != nil {
			return nil, err
		}
		links = append(links, flexible.Link{Name: fmt.Sprintf("link %d", i+1), Place: flexible.Matrix{{1}, {0, 1}, {0, 0, 1}, {0, 0, 0, 1}}, Axis: [3]float64{0, 0, 1}, Integrals: integrals})
	}
	return flexible.New(links, [3]float64{0, 0, -9.81})
}

// bending is a beam that bends in the plane of the motion.
func bending(length float64, modes ...flexible.Shape) flexible.Beam {
	b := flexible.Beam{Length: length, Section: flexible.Uniform(tube)}
	for k, s := range modes {
		b.Modes = append(b.Modes, flexible.Mode{Name: fmt.Sprintf("bending %d", k+1), Y: s})
	}
	return b
}

// A few shapes are stiffer than the beam, which may take any (Rayleigh 1877; Ritz 1909): frequencies come from above. The beam's own
// modes are right at once; the exact ones are b²·√(EI/μl⁴) with 1 + cos b·cosh b = 0 (Euler 1744).
func ExampleWork_Frequencies() {
	unit := math.Sqrt(tube.EIz/(tube.Mass*math.Pow(3, 4))) / (2 * math.Pi)
	fmt.Printf("exact      %.4f and %.4f Hz\n", 3.516015*unit, 22.03449*unit)
	show := func(name string, modes ...flexible.Shape) {
		arm, err := turning(bending(3, modes...))
		if err != nil {
			fmt.Println(err)
			return
		}
		f, err := arm.NewWork().Frequencies(make([]float64, len(modes)+1), true)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s %.4f and %.4f Hz\n", name, f[0]/(2*math.Pi), f[1]/(2*math.Pi))
	}
	var powers []flexible.Shape
	for p := range 5 {
		if powers = append(powers, flexible.Power(p+2)); p > 0 {
			show(fmt.Sprintf("%d powers  ", p+1), powers...)
		}
	}
	show("2 its own ", flexible.ClampedFree(1), flexible.ClampedFree(2))
	// Output:
	// exact      5.3648 and 33.6205 Hz
	// 2 powers   5.3903 and 53.1089 Hz
	// 3 powers   5.3664 and 33.9240 Hz
	// 4 powers   5.3648 and 33.8087 Hz
	// 5 powers   5.3648 and 33.6215 Hz
	// 2 its own  5.3648 and 33.6205 Hz
}

// The stiffness of two slender links from torques and strain, with 1 % of noise: the rows of amplitudes have no torque on the right
// and tell the ratio of stiffness and mass, which is a frequency; the rows of joints give the scale.
func ExampleArm_Base() {
	arm, err := turning(bending(3, flexible.ClampedFree(1), flexible.ClampedFree(2)), bending(2, flexible.ClampedFree(1)))
	if err != nil {
		fmt.Println(err)
		return
	}
	slender := arm.SlenderParameters()
	base := arm.Base(slender)
	truth := base.Values(arm.Values(slender))
	var parameters []flexible.Parameter
	for _, i := range base.Columns {
		parameters = append(parameters, slender[i])
	}
	fmt.Printf("%d parameters of slender links, %d base parameters\n", len(slender), len(parameters))

	// Joints under sines, at 200 Hz.
	n := arm.Size()
	run := flexible.Run{Z: make([]float64, n), DZ: make([]float64, n), Rate: 200, Rows: 150}
	run.Torques = func(t float64, z, dz, torques []float64) {
		for j, w := range []float64{1.1, 2.3} {
			at := arm.Joint(j)
			x, v := 0.5*math.Sin(w*t)+0.2*math.Sin(2.7*w*t), 0.5*w*math.Cos(w*t)+0.54*w*math.Cos(2.7*w*t)
			torques[j] = []float64{4e3, 8e2}[j]*(x-z[at]) + []float64{8e2, 1.5e2}[j]*(v-dz[at])
		}
	}
	var rows []flexible.Row
	size := make([]float64, n) // mean squares of torques and amplitudes
	joint := make([]int, n)    // of a coordinate, from 1; 0 is an amplitude
	joint[arm.Joint(0)], joint[arm.Joint(1)] = 1, 2
	err = arm.Simulate(context.Background(), run, func(r flexible.Row) error {
		rows = append(rows, flexible.Row{Z: slices.Clone(r.Z), DZ: slices.Clone(r.DZ), DDZ: slices.Clone(r.DDZ), Torques: slices.Clone(r.Torques)})
		for i, v := range r.Z {
			if joint[i] > 0 {
				v = r.Torques[joint[i]-1]
			}
			size[i] += v * v / float64(run.Rows)
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	rng := rand.New(rand.NewPCG(1, 2))
	masks, columns, y := make([][]int, n), make([][][]float64, n), make([][]float64, n)
	for s := range n {
		for c := range parameters {
			masks[s], columns[s] = append(masks[s], c), append(columns[s], make([]float64, len(rows)))
		}
		y[s] = make([]float64, len(rows))
	}
	w, block := arm.NewWork(), make([]float64, n*len(parameters))
	for i, r := range rows {
		for s := range n {
			noise := 0.01 * math.Sqrt(size[s]) * rng.NormFloat64()
			if joint[s] > 0 {
				y[s][i] = r.Torques[joint[s]-1] + noise
			} else {
				r.Z[s] += noise
			}
		}
		w.Regressor(block, parameters, r.Z, r.DZ, r.DDZ)
		for s := range n {
			for c := range parameters {
				columns[s][c][i] = block[s*len(parameters)+c]
			}
		}
	}
	source := estimate.NewRows(len(parameters), masks, 100)
	source.AddRun(columns, y)
	found, err := source.Problem().Reduction.Solve(estimate.WLS, false)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, p := range parameters {
		if p.Kind == flexible.Stiffness {
			sigma := math.Sqrt(found.Covariance[i][i])
			fmt.Printf("%s: true %.0f, within three deviations %t\n", p, truth[i]+0, math.Abs(found.X[i]-truth[i]) < 3*sigma)
		}
	}
	// Output:
	// 20 parameters of slender links, 15 base parameters
	// K11_1: true 694, within three deviations true
	// K12_1: true 0, within three deviations true
	// K22_1: true 27243, within three deviations true
	// K11_2: true 2341, within three deviations true
}

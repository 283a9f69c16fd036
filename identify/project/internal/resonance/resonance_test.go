package resonance_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"ident/identify/elastic"
	"ident/identify/project/internal/resonance"
	"ident/internal/long"
	"ident/robot"
	"ident/robot/format"
)

// drawn is a two-axis arm whose joint named is elastic, in a horizontal plane.
func drawn(t testing.TB, joint string) *elastic.Machine {
	t.Helper()
	text := "gravity: [0, -9.81, 0]\nlinks:\n"
	for i, name := range []string{"shoulder", "elbow"} {
		more := ""
		if name == joint {
			more = fmt.Sprintf(", elastic: true, stiffness: %g, damping: 1", []float64{6000, 2500}[i])
		}
		text += fmt.Sprintf("  - name: l%d\n    joint: {name: %s, drive: {ia: %g, fv: 2, fs: 1}%s}\n    mdh: {d: %g}\n", i, name, []float64{0.8, 0.3}[i], more, 0.4*float64(i))
		text += fmt.Sprintf("    inertial: {mass: %d, com: [0.2, 0.01, 0], inertia: {ixx: 0.01, ixy: 0, ixz: 0, iyy: 0.05, iyz: 0, izz: 0.05}}\n", 6-3*i)
	}
	r, err := format.Read([]byte(text), "yaml", "arm", robot.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := elastic.New(r)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

type wave struct{}

func (wave) Duration() float64 { return 8 }

func (wave) Eval(t float64, q, dq, ddq []float64) {
	for j := range q {
		o := 2 + 1.3*float64(j)
		q[j], dq[j], ddq[j] = 0.4*math.Sin(o*t), 0.4*o*math.Cos(o*t), -0.4*o*o*math.Sin(o*t)
	}
}

// The joint that bends is told, at the frequency of its spring along the motion, from positions of the links and torques with noise.
func TestFind(t *testing.T) {
	for joint, name := range []string{"shoulder", "elbow"}[:long.Of(2, 1)] {
		m := drawn(t, name)
		law, err := m.Gains(2)
		if err != nil {
			t.Fatal(err)
		}
		if law.Dither, err = m.Shake(wave{}, 8); err != nil {
			t.Fatal(err)
		}
		rec, err := m.Simulate(t.Context(), wave{}, law, 500, 8)
		if err != nil {
			t.Fatal(err)
		}
		rng := rand.New(rand.NewPCG(1, uint64(joint)))
		noisy := func(x []float64, sigma float64) []float64 {
			out := make([]float64, len(x))
			for k := range x {
				out[k] = x[k] + sigma*rng.NormFloat64()
			}
			return out
		}
		var q, tau [][]float64
		for i := range 2 {
			drive := m.DriveOf(i)
			q, tau = append(q, noisy(rec.X[i], 2e-6)), append(tau, noisy(rec.Tau[drive], 0.05))
		}
		found, ok, _ := resonance.Find(t.Context(), q, tau, 500)
		if !ok || found.Joint != joint {
			t.Fatalf("%s: found %+v, %v", name, found, ok)
		}
		// With the other joint held the link's inertia is the diagonal of the inertia matrix, which changes along the motion.
		low, high := math.Inf(1), 0.0
		drive := m.Robot.Links[joint].Joint
		for k := 0; k < len(rec.T); k += 100 {
			mass, err := m.InertiaMatrix([]float64{rec.X[0][k], rec.X[1][k]})
			if err != nil {
				t.Fatal(err)
			}
			f := math.Sqrt(drive.Elasticity.Stiffness*(1/drive.Ia+1/mass[3*joint])) / (2 * math.Pi)
			low, high = math.Min(low, f), math.Max(high, f)
		}
		// One frequency stands for those along the motion, and the damping is left out: a tenth.
		if found.Frequency < 0.9*low || found.Frequency > 1.1*high {
			t.Errorf("%s: %.4g Hz, along the motion %.4g to %.4g", name, found.Frequency, low, high)
		}
		t.Logf("%s: %.4g Hz of %.4g to %.4g, left %.2f, explained %.2f", name, found.Frequency, low, high, found.Left, found.Explained)
	}
}

// Example finds none in white noise.
func Example() {
	rng := rand.New(rand.NewPCG(1, 1))
	q, tau := make([]float64, 4000), make([]float64, 4000)
	for k := range q {
		q[k], tau[k] = math.Sin(0.01*float64(k)), rng.NormFloat64()
	}
	_, ok, _ := resonance.Find(context.Background(), [][]float64{q}, [][]float64{tau}, 500)
	fmt.Println(ok)
	// Output: false
}

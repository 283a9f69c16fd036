package watch_test

import (
	"fmt"
	"math"
	"math/rand/v2"

	"ident/regressor"
	"ident/robot"
	"ident/watch"
)

// A pendulum of two joints is watched while a hand holds it for half a second.
func Example() {
	r := robot.FromMDH("arm", []robot.MDHFrame{{Antecedent: -1, Alpha: math.Pi / 2}, {Antecedent: 0, D: 0.5}})
	model, err := regressor.NewDynamic(r, []regressor.Term{regressor.Ia, regressor.Fv})
	if err != nil {
		panic(err)
	}
	m := watch.Model{Robot: r, Torques: model, Values: []float64{1, 2, 0.5, 1}} // of the columns Ia1 Fv1 Ia2 Fv2
	quiet := watch.NewCalibrator(m, 0)
	quiet.Add(move(60, 1, nil))
	noise, err := quiet.Noise()
	if err != nil {
		panic(err)
	}
	w, err := watch.New(m, noise, watch.Options{FalseAlarms: 0.1})
	if err != nil {
		panic(err)
	}
	hold := func(t float64) float64 {
		if t >= 2 && t < 2.5 {
			return 3
		}
		return 0
	}
	err = w.Add(move(5, 2, hold), func(row *watch.Row) error {
		for _, e := range row.Events {
			fmt.Printf("%.1f s: %s %s\n", e.T, e.Type, e.Joint)
		}
		return nil
	})
	if err != nil {
		panic(err)
	}
	// Output:
	// 2.0 s: collision J2
	// 2.6 s: end J2
}

// move is a motion at 1 kHz with the torques that the model gives, noise, and a force that takes torque off the second joint.
func move(seconds float64, seed uint64, hold func(t float64) float64) watch.Columns {
	random := rand.New(rand.NewPCG(seed, 0))
	n := int(1000 * seconds)
	c := watch.Columns{T: make([]float64, n)}
	for j := range 2 {
		q, dq, tau := make([]float64, n), make([]float64, n), make([]float64, n)
		f, inertia, damping := 2+float64(j), []float64{1, 0.5}[j], []float64{2, 1}[j]
		for k := range n {
			t := float64(k) / 1000
			c.T[k] = t
			q[k], dq[k] = math.Sin(f*t), f*math.Cos(f*t)
			tau[k] = -inertia*f*f*math.Sin(f*t) + damping*dq[k] + 0.1*random.NormFloat64()
			if j == 1 && hold != nil {
				tau[k] -= hold(t)
			}
		}
		c.Q, c.DQ, c.Tau = append(c.Q, q), append(c.DQ, dq), append(c.Tau, tau)
	}
	return c
}

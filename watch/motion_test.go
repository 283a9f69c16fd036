package watch

import (
	"math"
	"math/rand/v2"
	"testing"

	"ident/regressor"
)

// holding replaces the torques of the rows from one on by those that hold the robot at rest there, with white noise of 0.1.
func holding(tb testing.TB, m Model, c *Columns, from int) {
	tb.Helper()
	random := rand.New(rand.NewPCG(uint64(from), 3))
	n, rows := m.Torques.Joints(), len(c.T)-from
	var in regressor.Batch
	var tau [][]float64
	for j := range n {
		in.Q, in.DQ, in.DDQ = append(in.Q, c.Q[j][from:]), append(in.DQ, make([]float64, rows)), append(in.DDQ, make([]float64, rows))
		tau = append(tau, c.Tau[j][from:])
	}
	if err := regressor.NewTorques(m.Torques.Compiled()).Eval(tau, in, m.Values); err != nil {
		tb.Fatal(err)
	}
	for j := range tau {
		for k := range tau[j] {
			tau[j][k] += 0.1 * random.NormFloat64()
		}
	}
}

// exact is a motion of a model's robot at 1 kHz with the torques of the model and white noise of a size.
func exact(tb testing.TB, m Model, rows int, noise float64) Columns {
	tb.Helper()
	random := rand.New(rand.NewPCG(uint64(rows), 2))
	var c Columns
	c.T = make([]float64, rows)
	n := m.Torques.Joints()
	var in regressor.Batch
	for j := range n {
		q, dq, ddq := make([]float64, rows), make([]float64, rows), make([]float64, rows)
		for k := range rows {
			t := float64(k) / 1000
			c.T[k] = t
			for h := 1; h <= 3; h++ {
				f, p := (0.9+0.13*float64(j))*float64(h), float64(j*h)
				a := 0.5 / float64(h)
				q[k] += a * math.Sin(f*t+p)
				dq[k] += a * f * math.Cos(f*t+p)
				ddq[k] -= a * f * f * math.Sin(f*t+p)
			}
		}
		in.Q, in.DQ, in.DDQ = append(in.Q, q), append(in.DQ, dq), append(in.DDQ, ddq)
		c.Tau = append(c.Tau, make([]float64, rows))
	}
	c.Q, c.DQ = in.Q, in.DQ
	if err := regressor.NewTorques(m.Torques.Compiled()).Eval(c.Tau, in, m.Values); err != nil {
		tb.Fatal(err)
	}
	for j := range c.Tau {
		for k := range c.Tau[j] {
			c.Tau[j][k] += noise * random.NormFloat64()
		}
	}
	return c
}

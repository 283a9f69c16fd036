package watch

import (
	"math"
	"math/rand/v2"
	"testing"

	"ident/internal/long"
	"ident/regressor"
	"ident/robot"
)

// The error of a payload's mass has the deviation that is stated, with noise of torques and of velocities. Differentiated velocity noise is
// fast: sums of single rows would take it for slow noise, and errors were five times their deviation.
func TestPayloadDeviation(t *testing.T) {
	long.Only(t, "script watch has a payload")
	m := seven(t)
	m.Covariance = nil // the values are exact
	full, err := regressor.NewDynamic(m.Robot, []regressor.Term{regressor.Links})
	if err != nil {
		t.Fatal(err)
	}
	tip := len(m.Robot.Links) - 1
	var columns []int
	for c, col := range full.Columns() {
		if col.Link == tip {
			columns = append(columns, c)
		}
	}
	body := robot.InertialFromCentral(1, [3]float64{0.03, -0.02, 0.08}, [3][3]float64{{0.001, 0, 0}, {0, 0.001, 0}, {0, 0, 0.001}})
	load := regressor.NewTorques(full.Select(columns).Compiled())
	noisy := func(rows int, loaded bool) Columns {
		random := rand.New(rand.NewPCG(uint64(rows), 4))
		c := exact(t, m, rows, 0.1)
		if loaded {
			in := regressor.Batch{Q: c.Q, DQ: c.DQ}
			var tau [][]float64
			for j := range c.Q {
				tau = append(tau, make([]float64, rows))
				a := make([]float64, rows)
				for k := 1; k+1 < rows; k++ {
					a[k] = (c.DQ[j][k+1] - c.DQ[j][k-1]) / 0.002
				}
				in.DDQ = append(in.DDQ, a)
			}
			if err := load.Eval(tau, in, body[:]); err != nil {
				t.Fatal(err)
			}
			for j := range tau {
				for k := 1000; k < rows; k++ {
					c.Tau[j][k] += tau[j][k]
				}
			}
		}
		for j := range c.DQ {
			for k := range c.DQ[j] {
				c.DQ[j][k] += 0.0005 * random.NormFloat64()
			}
		}
		return c
	}
	quiet := NewCalibrator(m, 0)
	quiet.Add(noisy(30000, false))
	n, err := quiet.Noise()
	if err != nil {
		t.Fatal(err)
	}
	const draws = 24
	square := 0.0
	for k := range draws {
		w, err := New(m, n, Options{})
		if err != nil {
			t.Fatal(err)
		}
		var found Body
		if err := w.Add(noisy(4000+10*k, true), func(row *Row) error {
			if row.Payload != nil {
				found = *row.Payload
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		if found.Mass == 0 {
			t.Fatalf("draw %d: no payload", k)
		}
		z := (found.Mass - 1) / found.Sigma
		square += z * z
	}
	// χ² of 24 degrees of freedom lies between 9.9 and 45.6 with a probability of 99 %.
	if square < 9.9 || square > 45.6 {
		t.Errorf("errors are %.2g of their deviations, want 1 within 0.64 … 1.38", math.Sqrt(square/draws))
	}
	t.Logf("errors are %.2g of their deviations", math.Sqrt(square/draws))
}

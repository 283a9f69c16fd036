package identify

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"ident/identify/project"
	"ident/internal/testrobot"
	"ident/regressor"
)

// Values of a few states are those that a log of them has, zeros included, for every number of states.
func TestStatesAreTheLogs(t *testing.T) {
	const most = 64
	r, l, motion := evaluationExample(t, most)
	e, err := NewEvaluator(r, regressor.DefaultTerms(), new(project.Settings))
	if err != nil {
		t.Fatal(err)
	}
	joints := len(motion[0])
	for _, q := range []Quantity{EvaluateInverseDynamics, EvaluateRegressor, EvaluateBaseRegressor} {
		doc, cols := evaluateAll(t, e, l, q)
		values, err := e.States(context.Background(), q, most)
		if err != nil {
			t.Fatal(err)
		}
		size := joints * values.Columns
		for _, rows := range []int{1, 2, 7, most} {
			first := rand.IntN(most - rows + 1)
			var states []float64
			for i := range rows {
				for _, group := range motion {
					for _, x := range group {
						states = append(states, x[first+i])
					}
				}
			}
			out := make([]float64, rows*size)
			for _, at := range values.at {
				for i := range rows {
					out[i*size+at] = math.NaN() // what a call before left
				}
			}
			if err := values.Eval(out, states); err != nil {
				t.Fatal(err)
			}
			for c, channel := range doc.Channels {
				at := channel.Joint*values.Columns + max(channel.Parameter, 0)
				for i := range rows {
					if got, want := out[i*size+at], cols[c][first+i]; math.Abs(got-want) > 1e-12*(1+math.Abs(want)) {
						t.Fatalf("%s, state %d of %d: %g, in a log %g", channel.Name, i, rows, got, want)
					}
					out[i*size+at] = 0
				}
			}
			for i, x := range out {
				if x != 0 {
					t.Fatalf("%s: value %d is %g, and no channel", q, i, x)
				}
			}
		}
	}
	if _, err := e.States(context.Background(), EvaluateEnergy, 1); err == nil {
		t.Error("energies at single states are no error")
	}
}

// States allocate nothing.
func BenchmarkStates(b *testing.B) {
	r := testrobot.Random(rand.New(rand.NewPCG(1, 7)), 7, false)
	e, err := NewEvaluator(r, regressor.DefaultTerms(), new(project.Settings))
	if err != nil {
		b.Fatal(err)
	}
	for _, q := range []Quantity{EvaluateInverseDynamics, EvaluateRegressor, EvaluateBaseRegressor} {
		values, err := e.States(b.Context(), q, 64)
		if err != nil {
			b.Fatal(err)
		}
		n := values.Joints()
		out, states := make([]float64, n*values.Columns), make([]float64, 3*n)
		for i := range states {
			states[i] = rand.NormFloat64()
		}
		b.Run(string(q), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := values.Eval(out, states); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

package regression

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"ident/datasets"
	"ident/internal/long"
	"ident/observation"
)

// The invariances of the estimators that simulate, as the conformance suite has
// them for the others: parameters scale with the unit of torque, and the order of
// runs changes nothing. Iterations end within a hundredth of a deviation, the
// tolerance of two of them.
func TestServoInvariances(t *testing.T) {
	long.Only(t, "TestServoExact stands for it")
	l := newServoLog(t, 2, false, 100, 5)
	cfg := Config{Path: observation.Path{Cutoff: 10, Trim: 0.5, MotionCutoff: NoFilter}}
	rng := rand.New(rand.NewPCG(3, 3))
	a, b := l.run(rng, 1e-5, 0.05), l.run(rng, 1e-5, 0.05)
	b.Name = "other"
	for _, method := range []ServoMethod{IV, CLOE, DIDIM, CLIE, ML}[:long.Of(5, 1)] {
		fit := func(servo *Servo, runs ...Run) *Outcome {
			t.Helper()
			c := cfg
			c.Servo, c.Estimator = servo, ByServo(method)
			out, err := Fit(context.Background(), l.robot, l.terms, runs, nil, c)
			if err != nil {
				t.Fatalf("%s: %v", method, err)
			}
			return out
		}
		same := func(what string, got, want *Outcome, factor float64) {
			t.Helper()
			for k, w := range want.Result.BaseParameters {
				g := got.Result.BaseParameters[k]
				if d := math.Abs(g.Value/factor - w.Value); d > 0.03*w.Sigma+1e-6*math.Abs(w.Value) {
					t.Errorf("%s, %s: %s is %v, want %v ± %v", method, what, w.Name, g.Value/factor, w.Value, w.Sigma)
				}
				if r := g.Sigma / factor / w.Sigma; math.Abs(r-1) > 0.02 {
					t.Errorf("%s, %s: deviation of %s is %.3g of what it was", method, what, w.Name, r)
				}
			}
		}
		whole := fit(l.servo, a, b)
		same("runs in another order", fit(l.servo, b, a), whole, 1)
		// N·mm instead of N·m.
		const unit = 1000.0
		servo := *l.servo
		servo.Controller.P, servo.Controller.D = scaledBy(servo.Controller.P, unit), scaledBy(servo.Controller.D, unit)
		inUnit := func(r Run) Run {
			names := r.Log.Names()
			cols, err := r.Log.Columns(names...)
			if err != nil {
				t.Fatal(err)
			}
			var channels []datasets.Channel
			for i, name := range names {
				channels = append(channels, datasets.Channel{Name: name})
				for _, torque := range r.Roles.Tau {
					if name == torque {
						cols[i] = scaledBy(cols[i], unit)
					}
				}
			}
			r.Log = datasets.FromColumns(r.Name, channels, cols, nil)
			return r
		}
		same("another unit of torque", fit(&servo, inUnit(a), inUnit(b)), whole, unit)
	}
}

func scaledBy(x []float64, factor float64) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = factor * v
	}
	return out
}

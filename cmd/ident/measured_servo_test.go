package main

import (
	"math"
	"testing"

	"ident/internal/long"
)

// The axis of EMPS by instruments and by DIDIM beside least squares: the figures
// of docs/controller.md. With a sensor this fine all three agree, and the test
// finds no bias.
func TestMeasuredEMPSServo(t *testing.T) {
	long.Only(t, "TestServoExact of package regression stands for it")
	for _, c := range []struct {
		estimator                 string
		mass, viscous, dry, error float64
	}{{"wls", 94.46, 199.9, 20.66, 3.38}, {"iv", 94.46, 199.9, 20.66, 3.38}, {"didim", 94.25, 199.9, 20.66, 3.38}, {"clie", 94.32, 199.1, 20.75, 3.38}} {
		if c.estimator == "clie" && !long.Set() {
			continue // didim simulates the axis as well
		}
		r := fitMeasured(t, "data:emps/emps_training.csv.gz", "--robot", "data:emps/model/emps.urdf",
			"--map", "tau1=force", "--cutoff", "100", "--decimate", "100", "--trim", "0.1", "--terms", "links,Fv,Fs,Fo", "--estimator", c.estimator,
			"--controller", "cascade kp=160.18 kv=243.45 gain=35.150651882", "--reference", "q_ref")
		want := []float64{c.mass, c.viscous, c.dry}
		for i, v := range want {
			p := r.BaseParameters[i]
			// The last printed digit.
			if math.Abs(p.Value/v-1) > 5e-4 {
				t.Errorf("%s: %s is %.4g, want %.4g", c.estimator, p.Name, p.Value, v)
			}
		}
		atMost(t, c.estimator+", error in %", r.Fit.RelativeError.Stacked, c.error+0.005)
		if b := r.BiasTest; b == nil || b.Biased() {
			t.Errorf("%s: bias test %+v", c.estimator, b)
		}
	}
}

package trialfit_test

import (
	"context"
	"fmt"
	"math"

	"ident/baseparams"
	"ident/doctor/internal/trialfit"
	"ident/regressor"
	"ident/robot"
)

// A pendulum's torque that was logged 1.3 times too large fits its own equation as well as a right one.
func Example() {
	r := robot.FromMDH("pendulum", []robot.MDHFrame{{Antecedent: -1, Alpha: math.Pi / 2}})
	model, err := regressor.NewDynamic(r, regressor.DefaultTerms())
	if err != nil {
		panic(err)
	}
	base := baseparams.QR(model, baseparams.Options{}).Base
	var log trialfit.Segment
	log.Uniform = true
	var q, tau []float64
	for k := range 4000 {
		t := float64(k) / 200
		angle := math.Sin(t) + 0.5*math.Sin(2.3*t)
		acceleration := -math.Sin(t) - 0.5*2.3*2.3*math.Sin(2.3*t)
		log.T, q = append(log.T, t), append(q, angle)
		tau = append(tau, 1.3*(0.8*acceleration+9.81*2*math.Cos(angle)))
	}
	log.Q, log.Effort = [][]float64{q}, [][]float64{tau}
	rows := trialfit.NewRows(context.Background(), trialfit.Signals{Model: model.Select(base), Base: base, Interval: 1.0 / 200, Joints: []trialfit.JointSignals{{Moves: true, Gain: 1}}, Segments: []trialfit.Segment{log}})
	fit := trialfit.NewJoint(rows, 0)
	fmt.Println(fit.Rows, "rows; less than a ten-thousandth of the torque is left:", fit.Sigma < 1e-4*fit.Size())
	// Output: 492 rows; less than a ten-thousandth of the torque is left: true
}

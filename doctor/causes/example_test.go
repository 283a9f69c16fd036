package causes_test

import (
	"context"
	"fmt"
	"math"

	"ident/doctor/causes"
	"ident/mechanics/dynamics"
	"ident/robot"
)

// The torque of the second joint of a pendulum of two links has the wrong sign.
func ExampleJudge() {
	r := robot.FromMDH("pendulum", []robot.MDHFrame{{Antecedent: -1, Alpha: math.Pi / 2}, {Antecedent: 0, D: 0.5}})
	for i := range r.Links {
		r.Links[i].Inertial = robot.Inertial{robot.M: 3, robot.MX: 0.6, robot.ZZ: 0.2, robot.XX: 0.01, robot.YY: 0.2}
		r.Links[i].HasInertial = true
	}
	tree, err := dynamics.New(r)
	if err != nil {
		panic(err)
	}
	const rows, interval = 4000, 0.005
	seg := causes.Segment{Uniform: true, T: make([]float64, rows), Q: [][]float64{make([]float64, rows), make([]float64, rows)}, Effort: [][]float64{make([]float64, rows), make([]float64, rows)}}
	q, dq, ddq, tau := make([]float64, 2), make([]float64, 2), make([]float64, 2), make([]float64, 2)
	for k := range rows {
		t := interval * float64(k)
		for j, w := range []float64{2.1, 3.3} {
			q[j], dq[j], ddq[j] = 0.8*math.Sin(w*t)+0.3*math.Sin(1.7*w*t), 0.8*w*math.Cos(w*t)+0.51*w*math.Cos(1.7*w*t), -0.8*w*w*math.Sin(w*t)-0.867*w*w*math.Sin(1.7*w*t)
		}
		tree.InverseDynamics(tau, q, dq, ddq)
		seg.T[k] = t
		for j := range q {
			seg.Q[j][k] = q[j]
			seg.Effort[j][k] = tau[j] + 0.5*dq[j] + 0.4*math.Tanh(dq[j]/0.01) + 0.02*math.Sin(37*t+float64(j))
		}
		seg.Effort[1][k] *= -1
	}
	rep, err := causes.Judge(context.Background(), r, []causes.Log{{Interval: interval, Segments: []causes.Segment{seg}}}, causes.Options{Gravity: r.Gravity})
	if err != nil {
		panic(err)
	}
	fmt.Println(rep.Named, rep.Causes[0].Kind, rep.Causes[0].Joints)
	// Output: true torque-sign [1]
}

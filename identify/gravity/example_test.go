package gravity_test

import (
	"fmt"
	"math"

	"ident/baseparams"
	"ident/identify/gravity"
	"ident/regressor"
	"ident/robot"
)

// A pendulum that is moved slowly up and down past eight angles: its first moments and its offset, whatever its friction.
func Example() {
	arm := robot.FromMDH("pendulum", []robot.MDHFrame{{Antecedent: -1}})
	arm.Gravity = [3]float64{0, -9.81, 0}
	full, err := regressor.NewDynamic(arm, regressor.DefaultTerms())
	if err != nil {
		fmt.Println(err)
		return
	}
	set := baseparams.QR(full, baseparams.Options{})
	const dt, speed, first, offset = 0.01, 0.1, 0.8, 0.3 // s, rad/s, kg·m, N·m
	log := gravity.Log{DT: dt, Q: make([][]float64, 1), Tau: make([][]float64, 1)}
	add := func(q, v float64) {
		friction := 0.0
		if v != 0 {
			friction = math.Copysign(2-0.5*math.Cos(q), v)
		}
		log.Q[0], log.Tau[0] = append(log.Q[0], q), append(log.Tau[0], 9.81*first*math.Cos(q)+offset+friction)
	}
	for pose := range 8 {
		at := -1.5 + 0.4*float64(pose)
		for range 30 {
			add(at, 0)
		}
		for i := range 100 {
			add(at+speed*dt*float64(i+1), speed)
		}
		for range 30 {
			add(at+100*speed*dt, 0)
		}
		for i := range 100 {
			add(at+speed*dt*float64(100-i-1), -speed)
		}
	}
	e, err := gravity.Fit(full.Select(set.Base), set, []gravity.Log{log})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d pairs\n", e.Pairs)
	for i, name := range e.Names {
		fmt.Printf("%s %.2f\n", name, e.X[i])
	}
	// Output:
	// 8 pairs
	// MX1 0.80
	// MY1 -0.00
	// Fo1 0.30
}

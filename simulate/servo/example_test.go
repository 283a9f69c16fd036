package servo_test

import (
	"fmt"
	"math"

	"ident/regressor"
	"ident/robot"
	"ident/simulate/servo"
)

// sine is the reference q = 0.5·(1 - cos 2πt).
type sine struct{}

func (sine) Eval(t float64, q, dq, ddq []float64) {
	w := 2 * math.Pi
	q[0], dq[0], ddq[0] = 0.5*(1-math.Cos(w*t)), 0.5*w*math.Sin(w*t), 0.5*w*w*math.Cos(w*t)
}

// The motion of a rotor under a PD controller: it lags behind the reference.
func Example() {
	r := robot.FromMDH("rotor", []robot.MDHFrame{{Antecedent: -1}})
	model, err := regressor.NewDynamic(r, []regressor.Term{regressor.Ia, regressor.Fv})
	if err != nil {
		fmt.Println(err)
		return
	}
	loop, err := servo.New(model, servo.PD([]float64{100}, []float64{10}, []float64{1}), servo.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	x := []float64{0.2, 0.5} // Ia in kg·m², Fv in N·m·s/rad
	run, err := loop.Run(x, sine{}, 0, 0.01, 101, []float64{0}, []float64{0}, true)
	if err != nil {
		fmt.Println(err)
		return
	}
	worst := 0.0
	for k, q := range run.Q[0] {
		worst = max(worst, math.Abs(q-0.5*(1-math.Cos(2*math.Pi*0.01*float64(k)))))
	}
	fmt.Printf("%s: largest tracking error %.3f rad, torque at the end %.2f N·m\n", model.Names(), worst, run.Tau[0][100])
	// Output:
	// [Ia1 Fv1]: largest tracking error 0.038 rad, torque at the end 4.01 N·m
}

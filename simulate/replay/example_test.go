package replay_test

import (
	"context"
	"fmt"

	"ident/robot"
	"ident/simulate/replay"
)

// A mass of 1 kg that a log shows under 2 N, run forward by a model of 1.25 kg.
func Example() {
	body := robot.Inertial{}
	body[robot.M] = 1.25
	model := &robot.Robot{Name: "slide", Links: []robot.Link{{Name: "carriage", Antecedent: -1, Placement: robot.Identity(), UserFrame: robot.Identity(),
		Inertial: body, Own: body, HasInertial: true, Joint: robot.Joint{Name: "axis", Kind: robot.Prismatic}}}}
	log := &replay.Record{Name: "log", Interval: 0.001, Q: [][]float64{nil}, DQ: [][]float64{nil}, DDQ: [][]float64{nil}, Tau: [][]float64{nil}}
	for i := range 1001 {
		t := 0.001 * float64(i)
		log.Q[0], log.DQ[0] = append(log.Q[0], t*t), append(log.DQ[0], 2*t)
		log.DDQ[0], log.Tau[0] = append(log.DDQ[0], 2), append(log.Tau[0], 2)
	}
	errors, err := replay.Forward(context.Background(), model, []*replay.Record{log}, replay.Options{Horizons: []float64{0.5}, Starts: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.0f %% of the way after %g s\n", errors[0].Percent, errors[0].Horizon)
	// Output: 20 % of the way after 0.5 s
}

package plant_test

import (
	"context"
	"fmt"

	"ident/robot"
	"ident/simulate/plant"
	"ident/simulate/servo"
)

// A slide of 2 kg with 3 N of Coulomb friction under a PD law that asks it to go to 10 mm:
// it stops where the law's torque no longer exceeds friction.
func Example() {
	slide := robot.FromMDH("slide", []robot.MDHFrame{{Antecedent: -1, Kind: robot.Prismatic}})
	slide.Gravity = [3]float64{0, -9.81, 0} // across the slide
	slide.Links[0].Inertial = robot.InertialFromCentral(2, [3]float64{}, [3][3]float64{{1}, {0, 1}, {0, 0, 1}})
	slide.Links[0].HasInertial = true
	slide.Links[0].Joint.Fs = 3
	p, err := plant.New(slide, plant.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	law := servo.PD([]float64{800}, []float64{60}, []float64{1}) // N/m, N·s/m
	control := plant.Control{Law: law, Period: 1e-3}
	err = p.Follow(context.Background(), goal(0.01), control, plant.Run{Every: 1000, Samples: 3, Q: []float64{0}, DQ: []float64{0}}, func(r plant.Row) error {
		fmt.Printf("%g s: %.3f mm, %.3f mm/s, drive %.2f N, friction %.2f N\n", r.Time, 1000*r.Q[0], 1000*r.DQ[0], r.Tau[0], r.Friction[0])
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// 0 s: 0.000 mm, 0.000 mm/s, drive 8.00 N, friction 3.00 N
	// 1 s: 6.426 mm, 0.000 mm/s, drive 2.86 N, friction 2.86 N
	// 2 s: 6.426 mm, 0.000 mm/s, drive 2.86 N, friction 2.86 N
}

// goal is a reference that stays.
type goal float64

func (g goal) Eval(_ float64, q, dq, ddq []float64) { q[0], dq[0], ddq[0] = float64(g), 0, 0 }

package flexible_test

import (
	"context"
	"fmt"
	"math"

	"ident/mechanics/flexible"
)

// A boom of aluminium, 2 m, that falls from the horizontal and rings.
func Example() {
	boom := flexible.Beam{
		Length:  2,
		Section: flexible.Uniform(flexible.Section{Mass: 1.9, EIy: 4e3, EIz: 4e3, GJ: 3e3}),
		Modes:   []flexible.Mode{{Y: flexible.ClampedFree(1)}, {Y: flexible.ClampedFree(2)}},
	}
	integrals, err := boom.Integrals()
	if err != nil {
		fmt.Println(err)
		return
	}
	base := flexible.Matrix{{1}, {0, 1}, {0, 0, 1}, {0, 0, 0, 1}}
	arm, err := flexible.New([]flexible.Link{{Name: "boom", Place: base, Axis: [3]float64{0, 0, 1}, Integrals: integrals}}, [3]float64{0, -9.81, 0})
	if err != nil {
		fmt.Println(err)
		return
	}
	w := arm.NewWork()
	clamped, err := w.Frequencies(make([]float64, 3), true)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("with a locked joint %.1f and %.1f Hz\n", clamped[0]/(2*math.Pi), clamped[1]/(2*math.Pi))
	run := flexible.Run{Z: make([]float64, 3), DZ: make([]float64, 3), Rate: 2, Rows: 2}
	err = arm.Simulate(context.Background(), run, func(r flexible.Row) error {
		tip := w.Tip(0, r.Z)
		fmt.Printf("%g s: %6.2f°, tip at (%.3f, %.3f) m\n", r.Time, r.Z[0]*180/math.Pi, tip[0], tip[1])
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// with a locked joint 6.4 and 40.2 Hz
	// 0 s:   0.00°, tip at (2.000, 0.000) m
	// 0.5 s: -51.27°, tip at (1.251, -1.560) m
}

package drift_test

import (
	"context"
	"fmt"

	"ident/estimate"
	"ident/estimate/summary"
	"ident/estimate/summary/drift"
)

// Eight daily runs of a drive whose friction is larger by a half from the fifth day on.
func Example() {
	s := &summary.Summary{Robot: summary.Robot{Name: "drive"}, Model: summary.Model{Columns: []string{"Fs1"}, Base: 1, Masks: [][]int{{0}}}}
	shape := estimate.NewReduction(1, s.Model.Masks)
	for day := range 8 {
		friction := 2.0
		if day >= 4 {
			friction = 3
		}
		run := summary.Run{Name: fmt.Sprint("day", day), Start: float64(day) * 86400}
		for block := range 20 {
			sign, torque := make([]float64, 40), make([]float64, 40)
			for i := range sign {
				sign[i] = float64(1 - 2*(i%2))
				torque[i] = sign[i]*friction + 0.1*float64((7*i+3*block+day)%11-5)
			}
			b, work := shape.NewBlock(0), estimate.Work{}
			b.Joints[0].Add([][]float64{sign}, torque, &work)
			run.Blocks = append(run.Blocks, summary.Block{Joints: b.Joints})
		}
		s.Runs = append(s.Runs, run)
	}
	r, err := drift.Of(context.Background(), s, 86400)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range r.Changes {
		fmt.Printf("%s %+.0f %% since day %d\n", c.Parameter, c.Percent, c.Window)
	}
	// Output: Fs1 +50 % since day 5
}

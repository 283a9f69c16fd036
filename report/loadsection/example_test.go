package loadsection_test

import (
	"fmt"

	"ident/mechanics/loads"
	"ident/report/loadsection"
)

// The section of a motion that its motor does not follow.
func Example() {
	line, late := 1.25, 0.4
	r := &loads.Report{Motion: "monday", Energy: loads.Energy{Without: 12, Net: 3}, Motors: []loads.MotorUse{{
		Joint: "elbow", Motor: loads.Motor{Name: "M2", Stall: 2, NoLoad: 100}, Line: &line, Violated: &late,
		Plane: loads.Plane{Speed: []float64{0, 50, 60}, Torque: []float64{1, 0.5, 1}}}}}
	s, _ := loadsection.Section([]*loads.Report{r})
	fmt.Println(s.Title+":", s.Gist)
	for _, p := range s.Parts {
		for _, f := range p.Figures {
			fmt.Println(f.Title)
		}
	}
	// Output:
	// Loads: elbow uses 125 % of its motor's line, the motor of elbow does not follow, 12 J without regeneration, 3 J with
	// elbow M2: beyond its limits
}

package baseparams_test

import (
	"context"
	"fmt"

	"ident/baseparams"
	"ident/regressor"
	"ident/robot"
)

// A planar arm of two links in a vertical plane, the first one's length a
// symbol, and both rotor inertias.
func Example() {
	arm := &robot.Robot{Gravity: [3]float64{0, -9.81, 0}}
	for j, d := range []string{"0", "D2"} {
		arm.Links = append(arm.Links, robot.Link{Name: fmt.Sprintf("L%d", j+1), Antecedent: j - 1, UserFrame: robot.Identity(),
			MDH: &robot.MDH{Text: [6]string{"0", "0", "0", d, "0", "0"}}, Joint: robot.Joint{Name: fmt.Sprintf("J%d", j+1)}})
	}
	arm, err := arm.Bind(map[string]float64{"D2": 0.5})
	if err != nil {
		fmt.Println(err)
		return
	}
	terms := []regressor.Term{regressor.Links, regressor.Ia}
	rules, err := baseparams.Symbolic(arm, terms, baseparams.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	null, err := baseparams.NullSpace(arm, terms, baseparams.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	model, err := regressor.NewDynamic(arm, terms)
	if err != nil {
		fmt.Println(err)
		return
	}
	qr := baseparams.QR(model, baseparams.Options{})

	agreement := baseparams.Compare(rules, null, qr)
	fmt.Println(agreement.Count, "base parameters, disagreement:", agreement.Disagree)
	set := baseparams.Preferred(rules, null, qr)
	for _, relation := range set.Relations() {
		fmt.Println(relation.Base, "=", relation.Expression)
	}
	why, _ := set.Explain("M2")
	fmt.Println(why)
	// Output:
	// 7 base parameters, disagreement: false
	// ZZ1R = ZZ1 + Ia1 + D2²·M2
	// MX1R = MX1 + D2·M2
	// MY1 = MY1
	// ZZ2 = ZZ2
	// MX2 = MX2
	// MY2 = MY2
	// Ia2 = Ia2
	// M2 of L2 is identifiable in combination: mass on the joint's axis moves as if it were part of the link that carries it. It enters ZZ1R = ZZ1 + Ia1 + D2²·M2; MX1R = MX1 + D2·M2.
}

// A sensor under the base of a planar arm, or at its forearm, adds parameters; a
// table instead of a wall takes some away.
func ExampleEffects() {
	arm := robot.FromMDH("planar", []robot.MDHFrame{{Antecedent: -1}, {Antecedent: 0, D: 0.5}})
	arm.Gravity = [3]float64{0, -9.81, 0}
	effects, err := baseparams.Effects(context.Background(), arm, []regressor.Term{regressor.Links}, baseparams.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, e := range effects[:3] {
		fmt.Printf("%d if %s\n", e.Count, e.Setup)
		for _, c := range append(e.More, e.Less...) {
			fmt.Printf("  %s: %s → %s\n", c.Parameter, c.From, c.To)
		}
	}
	// Output:
	// 12 if the wrench under the base is measured too
	//   XZ1: not at all → in combination
	//   YZ1: not at all → alone
	//   MZ1: not at all → in combination
	//   M1: not at all → in combination
	//   XZ2: not at all → alone
	//   YZ2: not at all → alone
	//   MZ2: not at all → in combination
	// 10 if the wrench on L2 is measured too
	//   ZZ1: in combination → alone
	//   MX1: in combination → alone
	//   XZ2: not at all → alone
	//   YZ2: not at all → alone
	//   MZ2: not at all → alone
	//   M2: in combination → alone
	// 4 if there is no gravity
	//   MX1: in combination → not at all
	//   MY1: alone → not at all
}

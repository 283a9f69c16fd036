package codegen_test

import (
	"context"
	"fmt"

	"ident/baseparams"
	"ident/codegen"
	"ident/regressor"
	"ident/robot"
)

// The operations of a planar arm's inverse dynamics with base parameters.
func ExampleBuild() {
	r := robot.FromMDH("arm", []robot.MDHFrame{{Antecedent: -1}, {Antecedent: 0, D: 0.5}})
	r.Gravity = [3]float64{0, -9.81, 0}
	set, err := baseparams.NullSpace(r, []regressor.Term{regressor.Links}, baseparams.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := codegen.Build(context.Background(), codegen.InverseDynamics, r, codegen.Options{Base: set})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, in := range p.Inputs {
		fmt.Print(in.Name, " ")
	}
	c := p.Counts()
	fmt.Println(c.Mul, c.Add, c.Trig)
	// Output:
	// q1 q2 dq1 dq2 ddq1 ddq2 ZZ1R MX1R MY1 ZZ2 MX2 MY2 23 15 4
}

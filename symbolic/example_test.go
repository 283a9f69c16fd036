package symbolic_test

import (
	"fmt"

	"ident/symbolic"
)

// A pendulum's torque as a program, on one state and on a block of samples.
func ExampleGraph() {
	g := symbolic.NewGraph()
	q := g.Input(symbolic.Input{Name: "q1", Group: "q", Unit: "rad"})
	ddq := g.Input(symbolic.Input{Name: "ddq1", Group: "ddq", Unit: "rad/s²"})
	inertia := g.Input(symbolic.Input{Name: "ZZ1", Kind: symbolic.Parameter, Group: "K", Unit: "kg·m²"})
	moment := g.Input(symbolic.Input{Name: "MX1", Kind: symbolic.Parameter, Group: "K", Index: 1, Unit: "kg·m"})
	weight := g.Name(g.Mul(g.Float(9.81), g.Cos(q)), "G11")
	tau := g.Add(g.Mul(inertia, ddq), g.Mul(moment, weight))

	p := g.Program("pendulum", []symbolic.Node{q, ddq, inertia, moment},
		symbolic.Result{Name: "tau", Rows: 1, Cols: 1, Entries: []symbolic.Node{tau}})
	for _, in := range p.Code {
		fmt.Printf("%v %v %v %q\n", in.Op, in.A, in.B, in.Name)
	}
	c := p.Counts()
	fmt.Println(c.Mul, c.Add, c.Trig)
	fmt.Println(p.Eval([]float64{0, 2, 0.5, 0.1})[0][0])

	m := symbolic.Compile(p)
	out := [][]float64{make([]float64, 3)}
	m.Run(out, [][]float64{{0, 0, 0}, {0, 1, 2}, {0.5}, {0.1}}, 3, m.NewScratch())
	fmt.Printf("%.3f\n", out[0])
	// Output:
	// cos {1 0} {0 0} ""
	// mul {0 2} {2 0} "G11"
	// mul {1 1} {1 2} ""
	// mul {1 3} {2 1} ""
	// add {2 2} {2 3} ""
	// 3 1 1
	// 1.981
	// [0.981 1.481 1.981]
}

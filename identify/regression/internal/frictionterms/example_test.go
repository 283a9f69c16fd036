package frictionterms_test

import (
	"fmt"

	"ident/identify/regression/internal/frictionterms"
	"ident/regressor"
)

// Two joints with Fv, Fs and Fo each: six columns of the model, then those of the candidates.
func Example() {
	model := []regressor.Term{regressor.Fv, regressor.Fs, regressor.Fo}
	columns := frictionterms.Columns{Model: 6, Joints: 2, Resolved: []int{0, 0}, Viscous: []int{0, 3}}
	for _, c := range []frictionterms.Choice{{NoViscous: true}, {}, {Asymmetric: true}, {Stribeck: true}} {
		c = c.Titled(model)
		// The second velocity is the best of joint 1; joint 2 determines none.
		fmt.Println(c.Name, columns.Selected(c, []int{1, -1}))
	}
	fmt.Println(columns.Count(), "columns, Stribeck friction at", frictionterms.OfferedSpeed(0), "rad/s and above")
	// Output:
	// Fs,Fo [1 2 4 5]
	// Fv,Fs,Fo [0 1 2 3 4 5]
	// Fv,Fs,Fo,Fa [0 1 2 3 4 5 6 7]
	// Fv,Fs,Fo,Fst [0 1 2 3 4 5 9]
	// 20 columns, Stribeck friction at 0.0038 rad/s and above
}

package codegen

import (
	"fmt"
	"testing"

	"ident/baseparams"
	"ident/internal/testrobot"
	"ident/regressor"
	"ident/robot"
)

// reference returns a robot of the shared folder.
func reference(tb testing.TB, name string) *robot.Robot {
	for _, c := range testrobot.Cases(tb) {
		if c.Name == name {
			return c.Robot(tb)
		}
	}
	tb.Fatalf("no reference robot %s", name)
	return nil
}

// humanoid has thirty joints in a trunk, four limbs and a neck.
func humanoid() *robot.Robot {
	var frames []robot.MDHFrame
	add := func(ant, k int) int {
		j := len(frames)
		frames = append(frames, robot.MDHFrame{Antecedent: ant, Alpha: []float64{1, -1, 0}[k%3] * halfTurn / 2,
			D: 0.1 + 0.01*float64(j), R: 0.3 - 0.007*float64(j)})
		return j
	}
	trunk := add(add(-1, 0), 1)
	for _, n := range []int{7, 7, 6, 6, 2} {
		at := trunk
		for k := range n {
			at = add(at, k)
		}
	}
	return robot.FromMDH("humanoid", frames)
}

const halfTurn = 3.141592653589793

// Base parameters by the null space and a model with them, from a robot.
func BenchmarkGenerate(b *testing.B) {
	for _, r := range []*robot.Robot{reference(b, "panda"), humanoid()} {
		for _, m := range []Model{InverseDynamics, DynamicRegressor, FilteredRegressor, Lagrange} {
			b.Run(fmt.Sprintf("%s/%s", r.Name, m), func(b *testing.B) {
				for b.Loop() {
					set, err := baseparams.NullSpace(r, []regressor.Term{regressor.Links}, baseparams.Options{})
					if err != nil {
						b.Fatal(err)
					}
					if _, err := Build(b.Context(), m, r, Options{Base: set}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

package codegen

import (
	"context"
	"fmt"
	"slices"

	"ident/codegen/source"
	"ident/mechanics/loops"
	"ident/robot"
	"ident/symbolic"
)

// Constraints returns the explicit constraints of a closed robot as a file of SYMORO+, NAME.cons: joints have their links' numbers. The error wraps
// loops.ErrNoFormulas if the loops have none, and ErrLoopless if there are none.
func Constraints(ctx context.Context, r *robot.Robot, u source.Unit, opt Options) (source.File, error) {
	p, err := Build(ctx, LoopSolution, r, opt)
	if err != nil {
		return source.File{}, err
	}
	if p.Outputs[0].Name != "q_tree" {
		return source.File{}, fmt.Errorf("robot %q: %w", r.Name, loops.ErrNoFormulas)
	}
	number := func(names []string) (out []int) {
		for _, name := range names {
			out = append(out, 1+slices.IndexFunc(r.Links, func(l robot.Link) bool { return l.Joint.Name == name }))
		}
		return out
	}
	g := slices.IndexFunc(p.Outputs, func(o symbolic.Output) bool { return o.Name == "G" })
	return source.Constraints(ctx, u, p, number(p.Outputs[0].RowNames), number(p.Outputs[g].ColNames))
}

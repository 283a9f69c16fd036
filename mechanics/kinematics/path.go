package kinematics

import (
	"context"
	"fmt"
	"math"
)

// PathError reports a path of the tip that the joints cannot follow without a jump.
type PathError struct {
	Sample   int     // index of the path's sample, from 0
	Distance float64 // between the goal and the nearest state on the branch, in units of Reach and rad
	Step     float64 // largest move of a coordinate from the sample before, rad or m; 0 where the goal was not reached
	Smallest float64 // smallest singular value of the Jacobian at the sample before, lengths in units of Reach
}

func (e *PathError) Error() string {
	if e.Step == 0 {
		return fmt.Sprintf("kinematics: sample %d of the path is out of reach on this branch, by %.3g; the smallest singular value before it is %.3g", e.Sample+1, e.Distance, e.Smallest)
	}
	return fmt.Sprintf("kinematics: the branch jumps by %.3g rad or m at sample %d of the path; the smallest singular value before it is %.3g: pass the singular state elsewhere, or take more samples", e.Step, e.Sample+1, e.Smallest)
}

// Follow returns the states along a path of goals on one branch: each follows the one before by the least
// motion of the joints. The first follows start. A step of a coordinate larger than largest, rad or m,
// is a jump to another branch, and a *PathError, as is a goal that is not reached; the states before it are
// returned.
func (t *Tree) Follow(ctx context.Context, goals []Goal, start []float64, largest float64) ([][]float64, error) {
	t.check("start", start)
	var out [][]float64
	q := append([]float64(nil), start...)
	held := make([]bool, t.dof)
	for i, g := range goals {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		g, err := g.check(t)
		if err != nil {
			return out, fmt.Errorf("sample %d of the path: %w", i+1, err)
		}
		f := t.newFollower(g, held)
		smallest := func() float64 {
			f.pose.Place(q)
			f.pose.Jacobian(f.jacobian, Point{g.Link, g.Tool.P})
			values := f.jacobian.Along(g.Pose.R).Dexterity(g.Mask, t.reach).Values
			return values[len(values)-1]
		}
		next := append([]float64(nil), q...)
		if far := f.descend(next, 50); f.off(next) > reached {
			return out, &PathError{Sample: i, Distance: far, Smallest: smallest()}
		}
		step := 0.0
		for k := range next {
			step = math.Max(step, math.Abs(next[k]-q[k]))
		}
		if step > largest && i > 0 {
			return out, &PathError{Sample: i, Step: step, Smallest: smallest()}
		}
		q = next
		out = append(out, append([]float64(nil), q...))
	}
	return out, nil
}

package tasks

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"ident/internal/spatial"
	"ident/mechanics/kinematics"
	"ident/robot"
)

func sorted(m map[string]float64) []string { return slices.Sorted(maps.Keys(m)) }

// reach finds the state nearest to the present one in which the tip is where a segment ends, within the limits of the joints.
func (p *planner) reach(ctx context.Context, s *Segment) (state, error) {
	goal := kinematics.Goal{Link: p.arm.link, Tool: p.arm.tool, Pose: robot.Transform{R: spatial.Eye(), P: s.To}, Mask: kinematics.Position}
	if s.Relative {
		goal.Pose.P = spatial.Add(p.tip.P, s.To)
	}
	if s.Coordinates != Cartesian {
		goal.Pose.P, _, _ = s.Coordinates.of(s.To, spatial.Vec{})
	}
	partial := s.Components != [3]bool{} && s.Components != [3]bool{true, true, true}
	for i, on := range s.Components {
		if partial && !on {
			goal.Mask[i], goal.Pose.P[i] = false, p.tip.P[i] // no joint moves the tip along it, or it does not matter
		}
	}
	var on stretch
	if err := p.orient(s.Orientation, &on); err != nil {
		return p.now, err
	}
	if on.attitude != nil {
		r, _, _ := on.attitude.at(1)
		goal.Mask = kinematics.Full
		if goal.Pose.R = r; on.pointing {
			// Axes of which the third is the direction; turns about it are free. The tool's frame is turned alike.
			b, c := beside(on.axis)
			own := spatial.Transpose(spatial.Mat{b, c, on.axis})
			goal.Tool.R, goal.Pose.R = spatial.Mul(goal.Tool.R, own), spatial.Mul(r, own)
			goal.Mask[5] = false
		}
	}
	q, err := p.arm.positions(s.Joints, p.now.q)
	if err != nil {
		return p.now, err
	}
	opt := kinematics.SolveOptions{Near: q}
	for _, name := range sorted(s.Joints) {
		k, _ := p.arm.joint(name)
		opt.Hold = append(opt.Hold, k)
	}
	solve := p.arm.tree.Solve
	if p.arm.closed {
		c, err := kinematics.NewClosed(p.arm.robot)
		if err != nil {
			return p.now, err
		}
		active := p.arm.closure.Active()
		opt.Near = slices.Clone(p.now.closed[:p.arm.tree.DOF()])
		for i, k := range active {
			opt.Near[k] = q[i]
		}
		for i, k := range opt.Hold {
			opt.Hold[i] = active[k]
		}
		solve = c.Solve
	}
	found, err := solve(ctx, goal, opt)
	if err != nil {
		return p.now, err
	}
	return p.choose(found)
}

// choose takes the nearest solution within limits.
func (p *planner) choose(found kinematics.Solutions) (state, error) {
	if len(found.All) == 0 {
		return p.now, fmt.Errorf("out of reach; the nearest state is %.3g m and %.3g rad away", found.Distance, found.Angle)
	}
	var outside []string
	for _, s := range found.All {
		if s.OtherAssembly {
			continue
		}
		out := state{q: make([]float64, p.arm.dof())}
		copy(out.q, s.Q)
		if p.arm.closed {
			active := p.arm.closure.Active()
			for i, k := range active {
				out.q[i] = s.Q[k]
			}
			near := slices.Clone(p.now.closed)
			copy(near, s.Q)
			var err error
			if out.closed, err = p.arm.closure.Close(near, active); err != nil {
				continue
			}
		}
		var beyond []string
		for k, x := range out.q {
			// Within limits to the rounding of a solution.
			if lower, upper := p.arm.limits(k); x < lower-1e-9 || x > upper+1e-9 {
				beyond = append(beyond, p.arm.names[k])
			}
		}
		if len(beyond) == 0 {
			return out, nil
		}
		outside = append(outside, strings.Join(beyond, " and "))
	}
	if len(outside) == 0 {
		return p.now, fmt.Errorf("the robot gets there only in another assembly of its loops")
	}
	slices.Sort(outside)
	return p.now, fmt.Errorf("%d states reach it, each beyond the limits of joints: %s", len(outside), strings.Join(slices.Compact(outside), "; "))
}

// inverse returns the part of the time at which a part of the path has been passed: bisection, for messages.
func (l law) inverse(part float64) float64 {
	if part <= 0 {
		return 0
	}
	low, high := 0.0, 1.0
	for range 50 {
		mid := (low + high) / 2
		if s, _, _ := l.at(mid); s < part {
			low = mid
		} else {
			high = mid
		}
	}
	return math.Min(high, 1)
}

package codegen

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"ident/internal/spelling"
	"ident/robot"
)

// ErrFrame is wrapped by the errors for frames that a robot lacks.
var ErrFrame = errors.New("no such frame")

// FrameOf finds the frame and the axes of the kinematic models by name. A link's name, or that of a
// body fixed to one, is its own frame in the robot's file, a joint's name the frame whose z is the joint's
// axis, and "base" the base's; an extra frame of the file has its number. An empty link is the joint's
// frame of the last link of the longest chain, empty axes are the base's. The point at, m, is in the frame.
func FrameOf(r *robot.Robot, link, axes string, at [3]float64) (*Frame, error) {
	f := LinkFrame(lastLink(r), at, -1)
	var err error
	if link != "" {
		if f.Link, f.Placement, err = frameNamed(r, link); err != nil {
			return nil, err
		}
		f.Placement.P = f.Placement.Apply(at)
	}
	if axes != "" {
		if f.Axes, f.AxesPlacement, err = frameNamed(r, axes); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// frameNamed returns the link that a frame is fixed to, -1 for the base, and its placement there.
func frameNamed(r *robot.Robot, name string) (int, robot.Transform, error) {
	if name == "base" || name == r.BaseName {
		return -1, robot.Identity(), nil
	}
	known := []string{"base"}
	for j := range r.Links {
		switch l := &r.Links[j]; name {
		case l.Name:
			return j, l.UserFrame, nil
		case l.Joint.Name:
			return j, robot.Identity(), nil
		default:
			known = append(known, l.Name, l.Joint.Name)
		}
	}
	for i := range r.Lumped {
		if r.Lumped[i].Name == name {
			return r.Lumped[i].Into, r.Lumped[i].InLink, nil
		}
		known = append(known, r.Lumped[i].Name)
	}
	for k := range r.Extra {
		if r.Extra[k].Name == name {
			return extraFrame(r, k)
		}
		known = append(known, r.Extra[k].Name)
	}
	near := ""
	if n := spelling.Nearest(name, known); n != "" {
		near = fmt.Sprintf("; did you mean %q?", n)
	}
	return 0, robot.Transform{}, fmt.Errorf("robot %q: %w: %q; there are %s%s", r.Name, ErrFrame, name, strings.Join(known, ", "), near)
}

// extraFrame places an extra frame, which may stand on others, on its link.
func extraFrame(r *robot.Robot, k int) (int, robot.Transform, error) {
	place := robot.Identity()
	for {
		e := &r.Extra[k]
		if e.Kind != robot.Fixed {
			return 0, place, fmt.Errorf("robot %q: %w: frame %q is not fixed to a link", r.Name, ErrFrame, e.Name)
		}
		place = e.Placement.Mul(place)
		if e.Antecedent >= -1 {
			return e.Antecedent, place, nil
		}
		k = -2 - e.Antecedent
	}
}

// lastLink returns the last link of the longest chain of moving joints, the first of several.
func lastLink(r *robot.Robot) int {
	last, longest := -1, -1
	for j := range r.Links {
		n := 0
		for k := j; k >= 0; k = r.Links[k].Antecedent {
			if r.Links[k].Joint.Kind != robot.Fixed {
				n++
			}
		}
		if n > longest {
			last, longest = j, n
		}
	}
	return last
}

// ParseRows reads rows of a Jacobian by their names: vx, vy, vz, wx, wy, wz.
func ParseRows(names []string) ([]int, error) {
	var rows []int
	for _, name := range names {
		r := slices.Index(twistRows, name)
		if r < 0 || slices.Contains(rows, r) {
			return nil, fmt.Errorf("%q is no row of a Jacobian, or is given twice; rows are %s", name, strings.Join(twistRows, ", "))
		}
		rows = append(rows, r)
	}
	slices.Sort(rows)
	return rows, nil
}

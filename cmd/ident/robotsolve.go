package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"ident/internal/spelling"
	"ident/kinematics"
	"ident/project"
	"ident/robot"
)

// poseQuery is the inverse geometric problem of `ident robot --solve`.
type poseQuery struct {
	pose string   // "x y z", with "roll pitch yaw", or the twelve entries of a 3×4 matrix
	link string   // the link whose frame gets there; the farthest one where empty
	near []string // joint=position
	hold []string // joints that stay
}

// solutionsDoc is the JSON of `ident robot --solve`.
type solutionsDoc struct {
	Schema    string        `json:"schema"` // ident.solutions/1
	Robot     string        `json:"robot"`
	Link      string        `json:"link"`
	Joints    []string      `json:"joints"` // of each state, in order
	Units     []string      `json:"units"`
	Method    string        `json:"method"`
	Complete  bool          `json:"complete"` // no state is missing, but of continua
	Solutions []solutionDoc `json:"solutions"`
	Nearest   *nearestDoc   `json:"nearest,omitempty"` // where no state reaches the pose
}

type solutionDoc struct {
	Q        []float64   `json:"q"`
	Residual float64     `json:"residual"`          // largest difference of the pose's entries, lengths in units of the arm's
	Outside  []string    `json:"outside,omitempty"` // joints beyond their limits
	Idle     [][]float64 `json:"idle,omitempty"`    // joint motions that leave the pose as it is
}

type nearestDoc struct {
	Q        []float64 `json:"q"`
	Distance float64   `json:"distance"` // m
	Angle    float64   `json:"angle"`    // rad
}

// solve prints the states that bring a link to a pose.
func (s streams) solve(ctx context.Context, r *robot.Robot, query poseQuery, asJSON bool) error {
	doc, err := solvePose(ctx, r, query)
	if err != nil {
		return err
	}
	if asJSON {
		err = project.WriteJSON(s.data, doc)
	} else {
		err = printSolutions(s.out, doc)
	}
	if err == nil && doc.Nearest != nil {
		return errVerdict
	}
	return err
}

// solvePose answers a query for a robot without loops.
func solvePose(ctx context.Context, r *robot.Robot, query poseQuery) (solutionsDoc, error) {
	doc := solutionsDoc{Schema: "ident.solutions/1", Robot: r.Name}
	if len(r.Loops) > 0 {
		return doc, fmt.Errorf("robot %q has closed loops: its inverse geometric models are not solved; lock or cut its loops in the file", r.Name)
	}
	tree, err := kinematics.New(r)
	if err != nil {
		return doc, err
	}
	names := map[string]int{} // coordinates of the joints
	for k, link := range r.Independent() {
		doc.Joints = append(doc.Joints, r.Links[link].Joint.Name)
		doc.Units = append(doc.Units, map[bool]string{true: "rad", false: "m"}[r.Links[link].Joint.Kind == robot.Revolute])
		names[r.Links[link].Joint.Name] = k
	}
	goal := kinematics.Goal{Link: tree.Tip()}
	if query.link != "" {
		if goal.Link, err = tree.Link(query.link); err != nil {
			return doc, err
		}
	}
	if goal.Link < 0 {
		return doc, usagef("--link %s: the base does not move", query.link)
	}
	doc.Link, goal.Tool = r.Links[goal.Link].Name, r.Links[goal.Link].UserFrame
	if goal.Pose, goal.Mask, err = parsePose(query.pose); err != nil {
		return doc, usagef("--solve %q: %v", query.pose, err)
	}
	opt := kinematics.SolveOptions{Near: make([]float64, tree.DOF())}
	joint := func(flag, name string) (int, error) {
		k, ok := names[name]
		if !ok {
			near := slices.MinFunc(doc.Joints, func(a, b string) int { return spelling.Distance(name, a) - spelling.Distance(name, b) })
			return 0, usagef("%s: no joint %q; did you mean %q? The joints are %s", flag, name, near, strings.Join(doc.Joints, ", "))
		}
		return k, nil
	}
	for _, text := range query.near {
		name, value, _ := strings.Cut(text, "=")
		k, err := joint("--near", name)
		if err != nil {
			return doc, err
		}
		if opt.Near[k], err = strconv.ParseFloat(value, 64); err != nil || math.IsNaN(opt.Near[k]) || math.IsInf(opt.Near[k], 0) {
			return doc, usagef("--near %s: write JOINT=POSITION, in rad or m", text)
		}
	}
	for _, name := range query.hold {
		k, err := joint("--hold", name)
		if err != nil {
			return doc, err
		}
		opt.Hold = append(opt.Hold, k)
	}
	found, err := tree.Solve(ctx, goal, opt)
	if err != nil {
		return doc, err
	}
	doc.Method, doc.Complete = found.Method, found.Complete
	doc.Solutions = []solutionDoc{}
	for _, s := range found.All {
		d := solutionDoc{Q: s.Q, Residual: s.Residual, Idle: s.Dexterity.Idle}
		for _, k := range s.Outside {
			d.Outside = append(d.Outside, doc.Joints[k])
		}
		doc.Solutions = append(doc.Solutions, d)
	}
	if len(found.All) == 0 {
		doc.Nearest = &nearestDoc{found.Nearest, found.Distance, found.Angle}
	}
	return doc, nil
}

// parsePose reads three, six or twelve numbers.
func parsePose(text string) (robot.Transform, kinematics.Mask, error) {
	pose := robot.Identity()
	var v []float64
	for _, field := range strings.FieldsFunc(text, func(c rune) bool { return c == ',' || c == ' ' || c == ';' }) {
		x, err := strconv.ParseFloat(field, 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return pose, kinematics.Mask{}, fmt.Errorf("%q is not a number", field)
		}
		v = append(v, x)
	}
	switch len(v) {
	case 3:
		copy(pose.P[:], v)
		return pose, kinematics.Position, nil
	case 6:
		copy(pose.P[:], v)
		pose.R = kinematics.RollPitchYaw(v[3], v[4], v[5])
		return pose, kinematics.Full, nil
	case 12:
		for i := range 3 {
			copy(pose.R[i][:], v[4*i:4*i+3])
			pose.P[i] = v[4*i+3]
		}
		return pose, kinematics.Full, nil
	}
	return pose, kinematics.Mask{}, fmt.Errorf("%d numbers; write x,y,z (m), x,y,z,roll,pitch,yaw (rad), or the twelve entries of a 3×4 matrix, row by row", len(v))
}

// printSolutions writes the states as a table.
func printSolutions(w io.Writer, doc solutionsDoc) error {
	missing := "others may exist (" + doc.Method + ")"
	if doc.Complete {
		missing = "none is missing (" + doc.Method + ")"
	}
	states := "states bring"
	if len(doc.Solutions) == 1 {
		states = "state brings"
	}
	fmt.Fprintf(w, "%s: %d %s %s to the pose; %s\n", doc.Robot, len(doc.Solutions), states, doc.Link, missing)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	row := func(first string, q []float64, last string) {
		fmt.Fprintf(t, "%s\t", first)
		for _, v := range q {
			fmt.Fprintf(t, "%.6f\t", v+0)
		}
		fmt.Fprintf(t, "  %s\n", last)
	}
	fmt.Fprint(t, "\n\t")
	for i, name := range doc.Joints {
		fmt.Fprintf(t, "%s %s\t", name, doc.Units[i])
	}
	fmt.Fprintln(t)
	if n := doc.Nearest; n != nil {
		row("nearest", n.Q, "")
	}
	for i, s := range doc.Solutions {
		note := ""
		if len(s.Outside) > 0 {
			note = "beyond limits: " + strings.Join(s.Outside, ", ")
		}
		if len(s.Idle) > 0 {
			note = strings.TrimPrefix(note+"; singular or redundant: "+idleJoints(doc, s.Idle), "; ")
		}
		row(strconv.Itoa(i+1), s.Q, note)
	}
	if err := t.Flush(); err != nil {
		return fmt.Errorf("printing the states: %w", err)
	}
	if n := doc.Nearest; n != nil {
		fmt.Fprintf(w, "\nno state reaches the pose: the nearest stays %.4g m and %.4g rad away\n", n.Distance, n.Angle)
	}
	return nil
}

// idleJoints names the joints that move together without moving the link.
func idleJoints(doc solutionsDoc, idle [][]float64) string {
	var out []string
	for k, name := range doc.Joints {
		if slices.ContainsFunc(idle, func(v []float64) bool { return math.Abs(v[k]) > 1e-3 }) {
			out = append(out, name)
		}
	}
	return strings.Join(out, ", ") + " can move"
}

package description

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"ident/internal/spelling"
	"ident/mechanics/kinematics"
	"ident/robot"
)

// PoseQuery asks for the joint positions at which a link has a pose: those of package kinematics, with the names and units of a robot.
type PoseQuery struct {
	Pose string      // "x y z", with "roll pitch yaw", or the twelve entries of a 3×4 matrix
	Link string      // link whose frame must reach the pose; "" for the farthest one
	At   *[3]float64 // point of the link that must reach the pose, in the frame of its joint, m; nil for the origin of that frame
	Near []string    // positions to start from, as joint=position
	Hold []string    // joints that stay
}

// Solutions are the states that bring a link to a pose, the document ident.solutions/1.
type Solutions struct {
	Schema    string        `json:"schema"` // ident.solutions/1
	Robot     string        `json:"robot"`
	Link      string        `json:"link"`
	Joints    []string      `json:"joints"` // of each state, in order
	Units     []string      `json:"units"`
	Method    string        `json:"method"`
	Complete  bool          `json:"complete"` // all states were found, except within continuous families
	Solutions []Solution    `json:"solutions"`
	Nearest   *NearestState `json:"nearest,omitempty"` // nearest state, if none reaches the pose
}

// Solution is a state of the robot that reaches the pose, or the nearest one found.
type Solution struct {
	Q        []float64   `json:"q"`
	Residual float64     `json:"residual"`          // largest difference between the entries of the two poses, with lengths in units of the arm's reach
	Outside  []string    `json:"outside,omitempty"` // joints beyond their limits
	Idle     [][]float64 `json:"idle,omitempty"`    // joint velocities that do not change the pose
	// OtherAssembly: the loops of a closed robot were not found to get there from the assembly that is meant by a straight
	// motion of the drives.
	OtherAssembly bool `json:"other_assembly,omitempty"`
}

type NearestState struct {
	Q        []float64 `json:"q"`
	Distance float64   `json:"distance"` // distance to the pose, m
	Angle    float64   `json:"angle"`    // angle to the pose, rad
}

// PoseQueryError is a part of a query that cannot be answered.
type PoseQueryError struct{ Key, Value, Why string }

func (e *PoseQueryError) Error() string { return fmt.Sprintf("%s %q: %s", e.Key, e.Value, e.Why) }

// SolvePose answers a query. The states of a closed robot have all joints of its tree, passive ones too. If the query makes no
// sense for the robot, the error is a *PoseQueryError.
func SolvePose(ctx context.Context, r *robot.Robot, query PoseQuery) (Solutions, error) {
	doc := Solutions{Schema: "ident.solutions/1", Robot: r.Name}
	tree, err := kinematics.New(r)
	if err != nil {
		return doc, err
	}
	names := map[string]int{} // coordinates of the joints
	for k, link := range r.Cut().Independent() {
		doc.Joints = append(doc.Joints, r.Links[link].Joint.Name)
		doc.Units = append(doc.Units, map[bool]string{true: "rad", false: "m"}[r.Links[link].Joint.Kind == robot.Revolute])
		names[r.Links[link].Joint.Name] = k
	}
	goal := kinematics.Goal{Link: tree.Tip()}
	if query.Link != "" {
		if goal.Link, err = tree.Link(query.Link); err != nil {
			return doc, err
		}
	}
	if goal.Link < 0 {
		return doc, &PoseQueryError{"link", query.Link, "the base does not move"}
	}
	doc.Link, goal.Tool = r.Links[goal.Link].Name, r.Links[goal.Link].UserFrame
	if query.At != nil {
		goal.Tool.P = *query.At
	}
	if goal.Pose, goal.Mask, err = parsePose(query.Pose); err != nil {
		return doc, &PoseQueryError{"solve", query.Pose, err.Error()}
	}
	opt := kinematics.SolveOptions{Near: make([]float64, tree.DOF())}
	solve := tree.Solve
	if r.Closed() {
		c, err := kinematics.NewClosed(r)
		if err != nil {
			return doc, err
		}
		solve = c.Solve
		if opt.Near, err = c.Assembled(); err != nil {
			return doc, err
		}
	}
	joint := func(key, name string) (int, error) {
		k, ok := names[name]
		if !ok {
			near := slices.MinFunc(doc.Joints, func(a, b string) int { return spelling.Distance(name, a) - spelling.Distance(name, b) })
			return 0, &PoseQueryError{key, name, fmt.Sprintf("no joint %q; did you mean %q? The joints are %s", name, near, strings.Join(doc.Joints, ", "))}
		}
		return k, nil
	}
	for _, text := range query.Near {
		name, value, _ := strings.Cut(text, "=")
		k, err := joint("near", name)
		if err != nil {
			return doc, err
		}
		if opt.Near[k], err = strconv.ParseFloat(value, 64); err != nil || math.IsNaN(opt.Near[k]) || math.IsInf(opt.Near[k], 0) {
			return doc, &PoseQueryError{"near", text, "write JOINT=POSITION, in rad or m"}
		}
	}
	for _, name := range query.Hold {
		k, err := joint("hold", name)
		if err != nil {
			return doc, err
		}
		opt.Hold = append(opt.Hold, k)
	}
	found, err := solve(ctx, goal, opt)
	if err != nil {
		return doc, err
	}
	doc.Method, doc.Complete = found.Method, found.Complete
	doc.Solutions = []Solution{}
	for _, s := range found.All {
		d := Solution{Q: s.Q, Residual: s.Residual, Idle: s.Dexterity.Idle, OtherAssembly: s.OtherAssembly}
		for _, k := range s.Outside {
			d.Outside = append(d.Outside, doc.Joints[k])
		}
		doc.Solutions = append(doc.Solutions, d)
	}
	if len(found.All) == 0 {
		doc.Nearest = &NearestState{found.Nearest, found.Distance, found.Angle}
	}
	return doc, nil
}

// farthestPose bounds the numbers of a pose, m and rad. Squares of larger ones leave no digits for the robot.
const farthestPose = 1e6

// parsePose reads three, six or twelve numbers.
func parsePose(text string) (robot.Transform, kinematics.Mask, error) {
	pose := robot.Identity()
	var v []float64
	for _, field := range strings.FieldsFunc(text, func(c rune) bool { return c == ',' || c == ' ' || c == ';' }) {
		x, err := strconv.ParseFloat(field, 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return pose, kinematics.Mask{}, fmt.Errorf("%q is not a number", field)
		}
		if math.Abs(x) > farthestPose {
			return pose, kinematics.Mask{}, fmt.Errorf("%s is beyond %.0e m or rad, out of reach of any robot", field, float64(farthestPose))
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

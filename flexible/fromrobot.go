package flexible

import (
	"fmt"
	"math"

	"ident/robot"
)

// FromRobot makes an arm of a chain of rotary joints. Links in beams, by name, bend: each is a beam from its joint's origin to
// that of the next joint, whose mass replaces the file's; a last link has its beam along the first moment, or x where it has
// none. Links without a beam are rigid, with the inertial parameters of the file.
func FromRobot(r *robot.Robot, beams map[string]Beam) (*Arm, error) {
	var links []Link
	used := map[string]bool{}
	tip := robot.Identity() // of the link before on its joint's frame
	for j := range r.Links {
		l := &r.Links[j]
		if l.Antecedent != j-1 || r.Closed() || len(r.Mimics) > 0 {
			return nil, fmt.Errorf("%w: %s does not follow the link before it: the model is one of open chains", ErrJoint, l.Joint.Name)
		}
		if l.Joint.Kind != robot.Revolute {
			return nil, fmt.Errorf("%w: %s is %s: a beam that slides through its bearing has modes that change; lock it", ErrJoint, l.Joint.Name, l.Joint.Kind)
		}
		link := Link{Name: l.Name, Axis: [3]float64{0, 0, 1}}
		onTip := tip.Inv().Mul(l.Placement)
		tip = robot.Identity()
		if b, ok := beams[l.Name]; ok {
			used[l.Name] = true
			g, err := b.Integrals()
			if err != nil {
				return nil, fmt.Errorf("link %s: %w", l.Name, err)
			}
			turn, err := along(r, j, b.Length)
			if err != nil {
				return nil, err
			}
			link.Integrals = g
			onTip = onTip.Mul(turn)
			for i := range 3 {
				link.Axis[i] = turn.R[2][i] // the joint's z in the beam's frame
			}
			tip = turn.Mul(robot.Transform{R: robot.Identity().R, P: [3]float64{b.Length}})
		} else {
			p := l.Inertial.PseudoInertia()
			for i := range 4 {
				for k := range 4 {
					link.Rigid[i][k] = p[(i+3)%4][(k+3)%4] / 2 // one first
				}
			}
		}
		link.Place = FromTransform(onTip)
		links = append(links, link)
	}
	for name := range beams {
		if !used[name] {
			return nil, fmt.Errorf("the robot has no link %s for a beam", name)
		}
	}
	return New(links, r.Gravity)
}

// along turns link j's frame so that x points along its beam.
func along(r *robot.Robot, j int, length float64) (robot.Transform, error) {
	to := r.Links[j].Inertial.FirstMoments()
	if j+1 < len(r.Links) {
		to = r.Links[j+1].Placement.P
		if d := math.Sqrt(to[0]*to[0] + to[1]*to[1] + to[2]*to[2]); math.Abs(d-length) > 1e-6*length {
			return robot.Transform{}, fmt.Errorf("the beam of link %s is %g m long, its joints are %g m apart", r.Links[j].Name, length, d)
		}
	}
	n := math.Sqrt(to[0]*to[0] + to[1]*to[1] + to[2]*to[2])
	if n == 0 {
		return robot.Identity(), nil
	}
	x := [3]float64{to[0] / n, to[1] / n, to[2] / n}
	// y across x and the axis that is farthest from x.
	least := 0
	for i := range 3 {
		if math.Abs(x[i]) < math.Abs(x[least]) {
			least = i
		}
	}
	e := [3]float64{}
	e[least] = 1
	y := cross(e, x)
	n = math.Sqrt(y[0]*y[0] + y[1]*y[1] + y[2]*y[2])
	for i := range y {
		y[i] /= n
	}
	z := cross(x, y)
	t := robot.Identity()
	for i := range 3 {
		t.R[i] = [3]float64{x[i], y[i], z[i]}
	}
	return t, nil
}

func cross(a, b [3]float64) [3]float64 {
	return [3]float64{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}

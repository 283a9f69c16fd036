package regressor

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"ident/robot"
	"ident/symbolic"
)

// maxOrders is the largest number of periodic torques of one joint.
const maxOrders = 4

// rippleTerm declares torques periodic in the angle of a joint: cogging of the motor, the mesh of
// a gear, the lobes of a harmonic drive. Each order n, a number of periods a turn, has a sine and a
// cosine, so that amplitude and phase are linear in two parameters,
//
//	τ = Trs·sin(n·s) + Trc·cos(n·s) = A·sin(n·s + φ),  A = √(Trs² + Trc²),  φ = atan2(Trc, Trs)
//
// and derives from the potential A·(−cos(n·s + φ))/n (Gandhi, Ghorbel and Dabney 2002 model harmonic drives so). The
// orders are the term's argument, "Tr:100", several of one joint "Tr:50+100", one list for each joint
// "Tr:50/100+200/0". With the suffix m an order counts turns of the motor, which are gear_ratio turns of the
// joint: "Tr:1m". Without an argument it is 1m. At a prismatic joint s is in metres, n counts periods a
// metre, and the angle is 2π·n·s.
func rippleTerm() declaration {
	unit := [2]string{"N·m", "N"}
	d := declaration{name: Ripple, about: "torque periodic in the angle of joint or motor", of: ofJoint, part: newRipple, says: answers{friction: no, dry: no, filtered: yes, driven: no, perJoint: no, offered: yes, file: no, form: yes},
		check: func(r *robot.Robot, t Term) error { _, err := RippleOrders(r, t); return err },
		count: func(r *robot.Robot, t Term, link int) int {
			orders, err := RippleOrders(r, t)
			if err != nil {
				return 0 // check has said so
			}
			return 2 * len(orders[link])
		}}
	for i := range maxOrders {
		d.params = append(d.params,
			parameter{kind: fmt.Sprintf("Tr%ds", i+1), formula: fmt.Sprintf("Tr%ds·sin(n%d·s)", i+1, i+1), unit: unit, signed: true,
				form:   func(x *Symbols) symbolic.Node { return x.Graph.Sin(x.turned()) },
				stores: func(x *Symbols) symbolic.Node { return -x.Graph.Div(x.Graph.Cos(x.turned()), x.Graph.Float(x.Order)) }},
			parameter{kind: fmt.Sprintf("Tr%dc", i+1), formula: fmt.Sprintf("Tr%dc·cos(n%d·s)", i+1, i+1), unit: unit, signed: true,
				form:   func(x *Symbols) symbolic.Node { return x.Graph.Cos(x.turned()) },
				stores: func(x *Symbols) symbolic.Node { return x.Graph.Div(x.Graph.Sin(x.turned()), x.Graph.Float(x.Order)) }})
	}
	return d
}

// RippleOrders returns the orders in the argument of a ripple term, by link: periods a turn, or a metre, of the link's
// joint; none for a link without a moving joint. A joint that mimics another has that joint's orders. For closed loops
// they are those of the cut tree's joints, including passive ones.
func RippleOrders(r *robot.Robot, t Term) ([][]float64, error) {
	if r.Closed() {
		r = r.Cut()
	}
	joints := r.Independent()
	arg := t.Argument()
	if arg == "" {
		arg = "1m"
	}
	lists := strings.Split(arg, "/")
	if len(lists) != 1 && len(lists) != len(joints) {
		return nil, fmt.Errorf("term %q: %d lists of orders for %d joints; give one for all, or one for each, separated by /", t, len(lists), len(joints))
	}
	read := func(link int, list string) ([]float64, error) {
		var out []float64
		for text := range strings.SplitSeq(list, "+") {
			text = strings.TrimSpace(text)
			number, ofMotor := strings.CutSuffix(text, "m")
			n, err := strconv.ParseFloat(number, 64)
			if err != nil || !(n >= 0) || math.IsInf(n, 0) {
				return nil, fmt.Errorf("term %q: %q must be a number of periods, 100 for example for a turn of the joint, or 2m for a turn of the motor", t, text)
			}
			if ofMotor {
				ratio := math.Abs(r.Links[link].Joint.GearRatio)
				if ratio == 0 && n > 0 {
					return nil, fmt.Errorf("term %q: joint %q has no gear_ratio in the robot file; give it there, or the periods a turn of the joint, as in %s:100", t, r.Links[link].Joint.Name, Ripple)
				}
				n *= ratio
			}
			if n == 0 {
				continue
			}
			if slices.Contains(out, n) {
				return nil, fmt.Errorf("term %q: the order %s occurs twice at joint %q", t, text, r.Links[link].Joint.Name)
			}
			if out = append(out, n); len(out) > maxOrders {
				return nil, fmt.Errorf("term %q: more than %d orders at joint %q", t, maxOrders, r.Links[link].Joint.Name)
			}
		}
		return out, nil
	}
	of := make([]string, len(r.Links))
	for k, j := range joints {
		of[j] = lists[min(k, len(lists)-1)]
	}
	for _, m := range r.Mimics {
		of[m.Joint] = of[m.Of]
	}
	out := make([][]float64, len(r.Links))
	for j := range r.Links {
		if joint := &r.Links[j].Joint; of[j] == "" || joint.Virtual || lacks(joint, Ripple) {
			continue
		}
		var err error
		if out[j], err = read(j, of[j]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// RippleRate returns the factor from the joint's coordinate to the angle of a column's sine or cosine: the periods a
// turn, or 2π times the periods a metre.
func RippleRate(r *robot.Robot, t Term, col Column) (float64, error) {
	orders, err := RippleOrders(r, t)
	if err != nil {
		return 0, err
	}
	n := orders[col.Link][col.Param/2]
	if r.Links[col.Link].Joint.Kind == robot.Prismatic {
		n *= 2 * math.Pi
	}
	return n, nil
}

// newRipple returns the part for one sine or cosine.
func newRipple(c *chain, r *robot.Robot, col Column, t Term) (part, error) {
	n, err := RippleRate(r, t, col)
	if err != nil {
		return nil, err
	}
	p, err := newDrive(c, r, col, t)
	if err != nil {
		return nil, err
	}
	sin, cos := func(s float64) float64 { return math.Sin(n * s) }, func(s float64) float64 { return math.Cos(n * s) }
	d := p.(*drive)
	if d.law = stored(sin, func(s float64) float64 { return -math.Cos(n*s) / n }); col.Param%2 == 1 {
		d.law = stored(cos, func(s float64) float64 { return math.Sin(n*s) / n })
	}
	return d, nil
}

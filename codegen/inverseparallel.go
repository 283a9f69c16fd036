package codegen

import (
	"math"

	"ident/internal/spatial"
	"ident/robot"
	"ident/symbolic"
)

// Arms without a spherical wrist: three parallel axes behind the first one with up to two joints behind them (UR and most cobots, five
// joints, palletizers), four parallel axes of which one slides (SCARA), and wrists of two axes that meet. Each step is one of Paul's types of equations (Paul 1981; table 2.1
// of the SYMORO+ guide): c·cos + s·sin = k by circular (type 2), two of them in one angle by atan2 (type 3), and those of two angles with X·cos + … by the
// sum of their squares (types 6 to 8).

// parallel reports whether the z axis of a frame is parallel to that of the frame that it is placed in.
func parallel(f robot.Transform) bool { return math.Hypot(f.R[0][2], f.R[1][2]) < 1e-9 }

// solution is one state of all joints.
type solution struct {
	q      []symbolic.Node
	margin []symbolic.Node
	away   symbolic.Node // sine whose zero is a singular state of the wrist; 0 without one
}

// motion is a rotation by columns with a place.
type motion struct {
	r [3]nodes
	p nodes
}

// goal is the target as a motion.
func (v *inverter) goal() (m motion) {
	for j := range 3 {
		m.r[j] = nodes{v.target[0][j], v.target[1][j], v.target[2][j]}
	}
	m.p = nodes{v.target[0][3], v.target[1][3], v.target[2][3]}
	return m
}

// before returns t⁻¹·m for a constant t.
func (v *inverter) before(t robot.Transform, m motion) (out motion) {
	back := t.Inv()
	out.p = v.applied(back, m.p)
	back.P = spatial.Vec{}
	for j := range 3 {
		out.r[j] = v.applied(back, m.r[j])
	}
	return out
}

// unturned returns J⁻¹·m for a joint at q.
func (v *inverter) unturned(q symbolic.Node, slides bool, m motion) (out motion) {
	if slides {
		m.p[2] = v.g.Sub(m.p[2], q)
		return m
	}
	for j := range 3 {
		out.r[j] = v.turn(-q, m.r[j])
	}
	out.p = v.turn(-q, m.p)
	return out
}

// behind returns the motion m·x⁻¹, x the joints and places behind joint n, all of which turn.
func (v *inverter) behind(m motion, n int, q []symbolic.Node) motion {
	g := v.g
	for i := len(v.place) - 1; i > n; i-- {
		// m·J⁻¹: columns by −q.
		s, c := g.Sin(q[i]), g.Cos(q[i])
		x, y := m.r[0], m.r[1]
		for k := range 3 {
			m.r[0][k] = g.Sub(g.Mul(c, x[k]), g.Mul(s, y[k]))
			m.r[1][k] = g.Add(g.Mul(s, x[k]), g.Mul(c, y[k]))
		}
		back := v.place[i].Inv()
		old := m
		for k := range 3 {
			for j := range 3 {
				m.r[j][k] = v.affine(0, back.R[0][j], old.r[0][k], back.R[1][j], old.r[1][k], back.R[2][j], old.r[2][k])
			}
			m.p[k] = g.Add(old.p[k], v.affine(0, back.P[0], old.r[0][k], back.P[1], old.r[1][k], back.P[2], old.r[2][k]))
		}
	}
	return m
}

// threeParallel solves arms whose joints 2, 3 and 4 are parallel, with up to two joints behind them. With n the direction of the three, the
// place of a point on axis 5, or of frame 4, along n is that of joint 1 alone; the angle of n with axis 6 that of joint 5.
func (v *inverter) threeParallel() ([]solution, error) {
	g, last := v.g, len(v.place)-1
	p1 := v.place[1]
	n := spatial.Vec{p1.R[0][2], p1.R[1][2], p1.R[2][2]}
	if math.Hypot(n[0], n[1]) < 1e-9 {
		return nil, v.no("the axes of joints %s and %s are parallel, and two more with them", v.names[0], v.names[1])
	}
	// The point whose place along n only joint 1 changes: in the frame of the last joint, and its way along n from frame 1's origin.
	goal := v.goal()
	point := goal.p
	ahead := v.place[2].Mul(v.place[3]) // frame 4 in frame 2; its z is that of n, or against it
	height := spatial.Dot(n, p1.P) + ahead.P[2]
	along := ahead.R[2][2] // z of frame 4 along n
	switch last {
	case 4:
		height += along * v.place[4].P[2]
	case 5:
		on5, on6, ok := meet(v.place[5])
		if !ok {
			return nil, v.no("the axes of joints %s and %s do not meet", v.names[4], v.names[5])
		}
		for i := range point {
			point[i] = g.Add(point[i], g.Mul(v.number(on6), goal.r[2][i]))
		}
		at := v.place[4].Apply(spatial.Vec{0, 0, on5})
		height += along * at[2]
	}
	v.aim = point
	k := g.Sub(v.number(height), g.Mul(v.number(n[2]), point[2]))
	c, s := v.affine(0, n[0], point[0], n[1], point[1]), v.affine(0, n[0], point[1], -n[1], point[0])
	var out []solution
	for _, shoulder := range []int64{1, -1} {
		v.margin = nil
		q1 := v.circular(c, s, k, shoulder)
		first := v.margin
		arm := v.unturned(q1, false, goal)
		dot := func(x nodes) symbolic.Node { return v.affine(0, n[0], x[0], n[1], x[1], n[2], x[2]) }
		flips := []int64{1}
		if last == 5 {
			flips = []int64{1, -1}
		}
		for _, flip := range flips {
			v.margin = first[:len(first):len(first)]
			q := make([]symbolic.Node, last+1)
			q[0] = q1
			away := symbolic.Node(0)
			if last >= 4 {
				// n in the frame of joint 5, before it turns, and in the last frame, behind its joint.
				u := spatial.Scale(along, spatial.Vec{v.place[4].R[2][0], v.place[4].R[2][1], v.place[4].R[2][2]})
				seen := nodes{dot(arm.r[0]), dot(arm.r[1]), dot(arm.r[2])}
				before := nodes{v.number(u[0]), v.number(u[1]), v.number(u[2])}
				v.flat = v.flat || math.Hypot(u[0], u[1]) < 1e-9 // four parallel axes
				if last == 5 {
					w := spatial.Vec{v.place[5].R[0][2], v.place[5].R[1][2], v.place[5].R[2][2]}
					q[4] = v.turned(u[0]*w[0]+u[1]*w[1], u[1]*w[0]-u[0]*w[1], g.Sub(seen[2], v.number(u[2]*w[2])), flip)
					before = v.turn(-q[4], before)
					before = v.applied(robot.Transform{R: spatial.Transpose(v.place[5].R)}, before)
				}
				q[last] = g.Sub(g.Atan2(before[1], before[0]), g.Atan2(seen[1], seen[0]))
				away = g.Sqrt(g.Add(g.Mul(seen[0], seen[0]), g.Mul(seen[1], seen[1])))
			}
			plane := v.behind(v.before(p1, arm), 3, q)
			own := v.margin
			for _, elbow := range []int64{1, -1} {
				v.margin = own[:len(own):len(own)]
				state := append([]symbolic.Node(nil), q...)
				state[1], state[2] = v.twoLinks(v.place[2], v.place[3].P, plane.p, elbow)
				rest := v.unturned(state[1], false, plane)
				rest = v.unturned(state[2], false, v.before(v.place[2], rest))
				x := v.before(v.place[3], rest).r[0]
				state[3] = g.Atan2(x[1], x[0])
				out = append(out, solution{state, v.margin, away})
			}
		}
	}
	return out, nil
}

// twoLinks solves J·link·J' in a plane: the two angles about parallel axes that bring a point of the second link to a place.
func (v *inverter) twoLinks(link robot.Transform, point spatial.Vec, wanted nodes, elbow int64) (first, second symbolic.Node) {
	g := v.g
	back := spatial.MulTVec(link.R, spatial.Vec{link.P[0], link.P[1]})
	c, s := back[0]*point[0]+back[1]*point[1], back[1]*point[0]-back[0]*point[1]
	lengths := link.P[0]*link.P[0] + link.P[1]*link.P[1] + point[0]*point[0] + point[1]*point[1]
	half := g.Mul(g.Rat(1, 2), g.Sub(g.Add(g.Mul(wanted[0], wanted[0]), g.Mul(wanted[1], wanted[1])), v.number(lengths)))
	second = v.turned(c, s, half, elbow)
	u := v.applied(link, v.turn(second, nodes{v.number(point[0]), v.number(point[1]), v.number(point[2])}))
	return g.Sub(g.Atan2(wanted[1], wanted[0]), g.Atan2(u[1], u[0])), second
}

// scara solves arms of four parallel axes, one of which slides: its place follows from the height, and the others are a plane arm of two links with
// a hand.
func (v *inverter) scara() []solution {
	g := v.g
	slide, turns := -1, []int{}
	for i, s := range v.slides {
		if s {
			slide = i
		} else {
			turns = append(turns, i)
		}
	}
	// Constant parts between the joints that turn, as if the slide were at zero: it moves nothing within the plane.
	between := func(from, to int) robot.Transform {
		t := robot.Identity()
		for i := from + 1; i <= to && i < len(v.place); i++ {
			t = t.Mul(v.place[i])
		}
		return t
	}
	up, sign := robot.Identity(), 0.0
	for i := range v.place {
		if i > 0 { // place[0] is taken from the target
			up = up.Mul(v.place[i])
		}
		if i == slide {
			sign = up.R[2][2]
		}
	}
	goal := v.goal()
	lift := g.Mul(v.number(sign), g.Sub(goal.p[2], v.number(up.P[2])))
	head, upper, fore, hand := between(0, turns[0]), between(turns[0], turns[1]), between(turns[1], turns[2]), between(turns[2], len(v.place)-1)
	// The frame of the last turning joint, behind its turn, in that of the first.
	plane := v.before(head, goal)
	back := hand.Inv()
	var at nodes
	for k := range 3 {
		at[k] = g.Add(plane.p[k], v.affine(0, back.P[0], plane.r[0][k], back.P[1], plane.r[1][k], back.P[2], plane.r[2][k]))
	}
	var x nodes
	for k := range 3 {
		x[k] = v.affine(0, back.R[0][0], plane.r[0][k], back.R[1][0], plane.r[1][k], back.R[2][0], plane.r[2][k])
	}
	var out []solution
	for _, elbow := range []int64{1, -1} {
		v.margin = nil
		q := make([]symbolic.Node, 4)
		q[slide] = lift
		q[turns[0]], q[turns[1]] = v.twoLinks(upper, fore.P, at, elbow)
		y := v.applied(robot.Transform{R: spatial.Transpose(upper.R)}, v.turn(-q[turns[0]], x))
		y = v.applied(robot.Transform{R: spatial.Transpose(fore.R)}, v.turn(-q[turns[1]], y))
		q[turns[2]] = g.Atan2(y[1], y[0])
		out = append(out, solution{q, v.margin, 0})
	}
	return out
}

// twoWrist solves arms of five joints whose last two axes meet.
func (v *inverter) twoWrist() ([]solution, error) {
	g := v.g
	on4, on5, ok := meet(v.place[4])
	if !ok {
		return nil, v.no("the axes of joints %s and %s do not meet, and joints 2 to 4 are not parallel", v.names[3], v.names[4])
	}
	goal := v.goal()
	wanted := goal.p
	for i := range wanted {
		wanted[i] = g.Add(wanted[i], g.Mul(v.number(on5), goal.r[2][i]))
	}
	arms, err := v.arms(v.place[3].Apply(spatial.Vec{0, 0, on4}), wanted)
	if err != nil {
		return nil, err
	}
	axis := spatial.Vec{v.place[4].R[0][2], v.place[4].R[1][2], v.place[4].R[2][2]}
	var out []solution
	for _, arm := range arms {
		m := goal
		for i, q := range arm.q {
			m = v.before(v.place[i+1], v.unturned(q, v.slides[i], m))
		}
		z := m.r[2]
		q4 := g.Sub(g.Atan2(z[1], z[0]), v.number(math.Atan2(axis[1], axis[0])))
		x := v.before(v.place[4], v.unturned(q4, false, m)).r[0]
		out = append(out, solution{[]symbolic.Node{arm.q[0], arm.q[1], arm.q[2], q4, g.Atan2(x[1], x[0])}, arm.margin, g.Sqrt(g.Add(g.Mul(z[0], z[0]), g.Mul(z[1], z[1])))})
	}
	return out, nil
}

// misfit returns the root of the summed squares of the twelve entries by which a state misses the pose, lengths in m: not zero where fewer than six joints cannot reach it.
func (v *inverter) misfit(q []symbolic.Node) symbolic.Node {
	g := v.g
	m := v.goal()
	for i, x := range q {
		if i > 0 {
			m = v.before(v.place[i], m)
		}
		m = v.unturned(x, v.slides[i], m)
	}
	sum := symbolic.Node(0)
	for j := range 3 {
		for k := range 3 {
			d := m.r[j][k]
			if j == k {
				d = g.Sub(d, symbolic.One)
			}
			sum = g.Add(sum, g.Mul(d, d))
		}
		sum = g.Add(sum, g.Mul(m.p[j], m.p[j]))
	}
	return g.Sqrt(sum)
}

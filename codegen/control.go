package codegen

import (
	"fmt"

	"ident/mechanics/kinematics"
	"ident/mechanics/recursion"
	"ident/symbolic"
)

// The control laws: torques of the drives by the motion and its reference.
const (
	ComputedTorque      Model = "computed-torque"      // tau(q, dq, qr, dqr, ddqr, kp, kv, limit, K)
	OperationalControl  Model = "operational-control"  // tau(q, dq, pose, twist and acceleration of the reference, free, kp, kv, limit, K)
	GravityCompensation Model = "gravity-compensation" // tau(q, dqr, limit, K)
)

// ControlModels returns the control laws.
func ControlModels() []Model {
	return []Model{ComputedTorque, OperationalControl, GravityCompensation}
}

// given declares one argument a joint.
func (m *maker) given(group string, kind symbolic.InputKind, turning, sliding, doc string) (out []symbolic.Node) {
	for i, name := range m.joints {
		unit := turning
		if m.prismatic[i] {
			unit = sliding
		}
		out = append(out, m.g.Input(symbolic.Input{Name: label(group, i), Kind: kind, Group: group, Index: i, Unit: unit, Doc: doc + " of joint " + name}))
	}
	return out
}

// limited keeps torques within the drives' limits, which are arguments: zero or less is no limit. It returns the results tau, and excess, what is asked beyond it.
func (m *maker) limited(asked []symbolic.Node) (limits []symbolic.Node, results []symbolic.Result) {
	g := m.g
	limits = m.given("limit", symbolic.Setting, "N·m", "N", "limit of the drive")
	half, one := g.Rat(1, 2), symbolic.One
	tau, excess := make([]symbolic.Node, len(asked)), make([]symbolic.Node, len(asked))
	for i, x := range asked {
		l := limits[i]
		// Beyond the limit on either side: (|x − l| + x − l)/2 − (|x + l| − x − l)/2, and nothing where the limit is none.
		above, below := g.Sub(x, l), g.Add(x, l)
		beyond := g.Mul(half, g.Sub(g.Add(g.Abs(above), above), g.Sub(g.Abs(below), below)))
		any := g.Mul(half, g.Add(one, g.Sign(l))) // 1 of a limit, 0 of a negative one
		any = g.Mul(any, g.Abs(g.Sign(l)))
		excess[i] = g.Mul(any, beyond)
		tau[i] = g.Sub(x, excess[i])
	}
	return limits, []symbolic.Result{m.perJoint("tau", "torques (N·m) and forces (N) of the drives, within their limits", tau),
		m.perJoint("excess", "torques (N·m) and forces (N) that the law asks beyond the limits: not zero where a drive is saturated", excess)}
}

// acceleratedBy returns the torques of accelerations w in the state of the program, with the friction of the reference's rates.
func (m *maker) acceleratedBy(w, dqr []symbolic.Node) []symbolic.Node {
	ddq := m.closed.accelerations(m.g, w)
	tau := m.t.Torques(m.t.Motions(recursion.Rates{DQ: m.t.DQ, DDQ: ddq}, m.t.Gravity), m.parameters())
	m.driveTorques(tau, recursion.Rates{DQ: m.closed.along(m.g, dqr), DDQ: ddq})
	return m.closed.onDriven(m.g, tau)
}

// openTree refuses closed robots, whose tip the law has no Jacobian for.
func (m *maker) openTree() error {
	if m.closed != nil {
		return fmt.Errorf("robot %q: %w: the law of the tip is written for trees; take computed-torque, or inverse-dynamics with the accelerations of the law", m.r.Name, ErrOpenOnly)
	}
	return nil
}

// computedTorque makes the law tau = ID(q, dq, w) + friction(dqr), w = ddqr + kv·(dqr − dq) + kp·(qr − q) (Paul 1972).
func (m *maker) computedTorque() *symbolic.Program {
	g := m.g
	at := m.closed.ofDriven(m.q)
	qr := m.given("qr", symbolic.Motion, "rad", "m", "reference position")
	dqr := m.given("dqr", symbolic.Motion, "rad/s", "m/s", "reference rate")
	ddqr := m.given("ddqr", symbolic.Motion, "rad/s²", "m/s²", "reference acceleration")
	kp := m.given("kp", symbolic.Setting, "1/s²", "1/s²", "gain of the position error")
	kv := m.given("kv", symbolic.Setting, "1/s", "1/s", "gain of the rate error")
	var w []symbolic.Node
	for i := range m.joints {
		w = append(w, g.Add(ddqr[i], g.Add(g.Mul(kv[i], g.Sub(dqr[i], m.dq[i])), g.Mul(kp[i], g.Sub(qr[i], at[i])))))
	}
	limits, results := m.limited(m.acceleratedBy(w, dqr))
	return m.program("computed_torque", [][]symbolic.Node{m.q, m.dq, qr, dqr, ddqr, kp, kv, limits}, results...)
}

// gravityCompensation makes the torques that hold the robot, with the friction of given rates: tau = ID(q, 0, 0) + friction(dqr).
func (m *maker) gravityCompensation() *symbolic.Program {
	dqr := m.given("dqr", symbolic.Motion, "rad/s", "m/s", "rate, whose friction is compensated: the reference's, as the sign of a measured one is noise near rest,")
	tau := m.t.Torques(m.t.Motions(recursion.Rates{}, m.t.Gravity), m.parameters())
	m.driveTorques(tau, recursion.Rates{DQ: m.closed.along(m.g, dqr)})
	limits, results := m.limited(m.closed.onDriven(m.g, tau))
	return m.program("gravity_compensation", [][]symbolic.Node{m.q, dqr, limits}, results...)
}

// operationalControl makes the law of the tip (Khatib 1987; Khalil and Dombre 2002, 3.126 to 3.135)
//
//	tau = ID(q, dq, w) + friction(dqr)
//	w   = free + Jᵀ·(J·Jᵀ + λ²)⁻¹·(ar + kv·(vr − v) + kp·e − J'·dq − J·free)
//
// with the error e of position and the rotation vector of the orientation, lengths in units of the robot's reach. Free are accelerations that the joints have
// where the tip leaves them any.
func (m *maker) operationalControl(opt Options) (*symbolic.Program, error) {
	if err := m.openTree(); err != nil {
		return nil, err
	}
	reach := 1.0
	if len(m.r.Unset) == 0 && !opt.Geometry {
		tree, err := kinematics.New(m.r)
		if err != nil {
			return nil, err
		}
		reach = tree.Reach()
	}
	g := m.g
	k := newKinematics(m, opt)
	if k.frame.Link < 0 || k.frame.Axes >= 0 || k.frame.AxesPlacement.R != (Frame{AxesPlacement: LinkFrame(0, [3]float64{}, -1).AxesPlacement}).AxesPlacement.R {
		return nil, fmt.Errorf("robot %q: %w: the reference is given in the base's frame, of a link that moves; leave the axes out", m.r.Name, ErrDeterminant)
	}
	full := k.turned(k.frame.Link, k.jacobianIn(k.frame.Link, k.frame.Link, k.at))
	keep := kept(opt.Rows)
	rows := make([][]symbolic.Node, len(keep))
	for i, row := range keep {
		rows[i] = full[row]
	}
	if rank := k.rank(rows); rank < len(keep) {
		return nil, fmt.Errorf("robot %q: %w: of the %d rows of the tip's motion only %d are independent in any state; choose fewer rows", m.r.Name, ErrDeterminant, len(keep), rank)
	}
	vector := func(group string, n int, unit func(i int) string, doc string) (out []symbolic.Node) {
		for i := range n {
			out = append(out, g.Input(symbolic.Input{Name: label(group, i), Kind: symbolic.Motion, Group: group, Index: i, Unit: unit(i), Doc: doc}))
		}
		return out
	}
	pose := vector("Tr", 12, func(i int) string { return map[bool]string{true: "m"}[i%4 == 3] }, "reference pose of the tip, three rows of four: rotation and place")
	vr := vector("vr", 6, func(i int) string { return map[bool]string{true: "m/s", false: "rad/s"}[i < 3] }, "reference twist of the tip: velocity, then angular velocity")
	ar := vector("ar", 6, func(i int) string { return map[bool]string{true: "m/s²", false: "rad/s²"}[i < 3] }, "reference acceleration of the tip: linear, then angular")
	dqr := m.given("dqr", symbolic.Motion, "rad/s", "m/s", "rate, whose friction is compensated,")
	free := m.given("free", symbolic.Motion, "rad/s²", "m/s²", "acceleration, where the tip leaves one,")
	doc := fmt.Sprintf("gains kp (1/s²), kv (1/s), and the damping lambda of the Jacobian with lengths over %.6g m, 0 away from singular states", reach)
	setting := func(name, unit string, index int) symbolic.Node {
		return g.Input(symbolic.Input{Name: name, Kind: symbolic.Setting, Group: "gains", Index: index, Unit: unit, Doc: doc})
	}
	gains := []symbolic.Node{setting("kp", "1/s²", 0), setting("kv", "1/s", 1), setting("lambda", "", 2)}
	kp, kv, damping := gains[0], gains[1], gains[2]
	// The error of the pose.
	origin := k.t.Moved(k.frame.Link, -1, k.at)
	axes := k.orientation() // columns of R
	var e [6]symbolic.Node
	var turn [3][3]symbolic.Node // Rr·Rᵀ
	for i := range 3 {
		e[i] = g.Sub(pose[4*i+3], origin[i])
		for j := range 3 {
			for c := range 3 {
				turn[i][j] = g.Add(turn[i][j], g.Mul(pose[4*i+c], axes[c][j]))
			}
		}
	}
	skew := [3]symbolic.Node{g.Sub(turn[2][1], turn[1][2]), g.Sub(turn[0][2], turn[2][0]), g.Sub(turn[1][0], turn[0][1])} // 2·sin·axis
	square := g.Float(1e-300)                                                                                             // of no turn the quotient below is 1
	for _, v := range skew {
		square = g.Add(square, g.Mul(v, v))
	}
	sine := g.Sqrt(square)
	part := g.Div(g.Atan2(sine, g.Sub(g.Add(turn[0][0], g.Add(turn[1][1], turn[2][2])), symbolic.One)), sine)
	for i, v := range skew {
		e[3+i] = g.Mul(part, v)
	}
	// The right-hand side.
	steady := k.motion(m.closed.atSteadyRates(m.t))
	var v, drift [6]symbolic.Node
	for i, pair := range [][2]recursion.Vec{{k.t.PointVelocity(steady, k.at), k.t.PointAcceleration(steady, k.at)}, {steady.W, steady.DW}} {
		rate, acc := k.alongAxes(k.frame.Link, pair[0]), k.alongAxes(k.frame.Link, pair[1])
		for c := range 3 {
			v[3*i+c], drift[3*i+c] = rate[c], acc[c]
		}
	}
	dot := func(a, b []symbolic.Node) (sum symbolic.Node) {
		for c := range a {
			sum = g.Add(sum, g.Mul(a[c], b[c]))
		}
		return sum
	}
	right := make([]symbolic.Node, len(keep))
	for i, row := range keep {
		right[i] = g.Sub(g.Sub(g.Add(ar[row], g.Add(g.Mul(kv, g.Sub(vr[row], v[row])), g.Mul(kp, e[row]))), drift[row]), dot(rows[i], free))
		if row < 3 {
			unit := g.Float(1 / reach)
			right[i] = g.Mul(unit, right[i])
			scaled := make([]symbolic.Node, len(rows[i]))
			for c, x := range rows[i] {
				scaled[c] = g.Mul(unit, x)
			}
			rows[i] = scaled
		}
	}
	gram := make([][]symbolic.Node, len(keep))
	for i := range keep {
		for j := range keep {
			s := dot(rows[i], rows[j])
			if i == j {
				s = g.Add(s, g.Mul(damping, damping))
			}
			gram[i] = append(gram[i], s)
		}
	}
	y := m.t.Solve(gram, right)
	w := make([]symbolic.Node, len(m.joints))
	for c := range w {
		w[c] = free[c]
		for i := range keep {
			w[c] = g.Add(w[c], g.Mul(rows[i][c], y[i]))
		}
	}
	limits, results := m.limited(m.acceleratedBy(w, dqr))
	p := m.program("operational_control", [][]symbolic.Node{m.q, m.dq, pose, vr, ar, dqr, free, gains, limits}, results...)
	p.Doc = append(p.Doc, "the tip is "+k.point()+"; at an error of half a turn the direction of the turn is not determined")
	return p, nil
}

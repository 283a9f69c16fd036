package codegen

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"ident/internal/spatial"
	"ident/robot"
	"ident/symbolic"
)

// ErrNoClosedForm is wrapped by the errors for arms whose inverse geometric model has no form without iterations here.
var ErrNoClosedForm = errors.New("no closed form of the inverse geometric model")

// inverter makes the inverse geometric model of an arm: of six joints whose last three axes meet in a point (Pieper 1968), and of those of
// inverseparallel.go. With J_i the motion of joint i about, or along, its z axis,
//
//	place[0]·J_1·place[1]·J_2 … place[n-1]·J_n·tool = T
type inverter struct {
	*maker
	place  []robot.Transform
	slides []bool
	tool   robot.Transform
	names  []string
	target [3][4]symbolic.Node // of joint 6's frame, in the frame before joint 1
	given  []symbolic.Node     // the entries of T
	margin []symbolic.Node     // of one solution: negative where a root is not real
	aim    nodes               // the point that joint 1 of three parallel axes aims at
	flat   bool                // a joint changes neither the distance nor the direction that has to determine it
}

// no refuses an arm.
func (v *inverter) no(format string, a ...any) error {
	return fmt.Errorf("robot %q: %w: %s; use the numeric inverse model, which solves any arm", v.r.Name, ErrNoClosedForm, fmt.Sprintf(format, a...))
}

// chainTo reads the four to six joints of the path to the frame's link.
func (v *inverter) chainTo(f *Frame) error {
	no := v.no
	if f.Axes >= 0 || f.AxesPlacement.R != robot.Identity().R || f.AxesPlacement.P != (robot.Transform{}).P {
		return fmt.Errorf("robot %q: %w: the pose is given in the base's frame; leave the axes out", v.r.Name, ErrNoClosedForm)
	}
	if len(v.r.Mimics) > 0 || v.r.Closed() || len(v.r.Unset) > 0 {
		return no("it has loops, joints that follow others or lengths without values")
	}
	var path []int
	for j := f.Link; j >= 0; j = v.r.Links[j].Antecedent {
		path = append([]int{j}, path...)
	}
	before := robot.Identity()
	for _, j := range path {
		l := &v.r.Links[j]
		if before = before.Mul(l.Placement); l.Joint.Kind == robot.Fixed {
			continue
		}
		n := len(v.names)
		if n == 6 {
			return no("more than six joints move link %s", v.r.Links[f.Link].Name)
		}
		v.place, v.slides = append(v.place, before), append(v.slides, l.Joint.Kind == robot.Prismatic)
		v.names, before = append(v.names, l.Joint.Name), robot.Identity()
	}
	v.tool = before.Mul(f.Placement)
	switch {
	case len(v.names) < 4:
		return no("%d joints move link %s, and four to six are written", len(v.names), v.r.Links[f.Link].Name)
	case v.isSCARA():
		return nil
	case v.slides[0] || v.slides[1]:
		return no("joint %q slides: written are arms whose first two joints turn", v.names[map[bool]int{true: 0, false: 1}[v.slides[0]]])
	case slices.Contains(v.slides[3:], true):
		return no("a joint of the wrist slides")
	case len(v.names) == 4 && !v.isThreeParallel():
		return no("its joints 2, 3 and 4 are not parallel, and no two axes meet that a wrist has")
	}
	return nil
}

// isSCARA reports whether all axes of an arm of four joints are parallel and one slides.
func (v *inverter) isSCARA() bool {
	sliding := 0
	for i, s := range v.slides {
		if s {
			sliding++
		}
		if i > 0 && !parallel(v.place[i]) {
			return false
		}
	}
	return len(v.place) == 4 && sliding == 1
}

// isThreeParallel reports whether joints 2, 3 and 4 are parallel and all joints turn.
func (v *inverter) isThreeParallel() bool {
	return !slices.Contains(v.slides, true) && parallel(v.place[2]) && parallel(v.place[3])
}

// meet returns where the z axis of a frame meets the z axis of the frame that it is placed in, along that one and along its own.
func meet(f robot.Transform) (along, own float64, ok bool) {
	z, w := spatial.Vec{0, 0, 1}, spatial.Vec{f.R[0][2], f.R[1][2], f.R[2][2]}
	normal := spatial.Cross(z, w)
	s := spatial.Dot(normal, normal)
	if s < 1e-12 || math.Abs(spatial.Dot(f.P, normal)) > 1e-9*math.Sqrt(s) {
		return 0, 0, false
	}
	return spatial.Dot(spatial.Cross(f.P, w), normal) / s, spatial.Dot(spatial.Cross(f.P, z), normal) / s, true
}

// number returns a constant, with the zero of a right angle's cosine.
func (v *inverter) number(x float64) symbolic.Node {
	if math.Abs(x) < 1e-15 {
		x = 0
	}
	return v.g.Float(x)
}

// affine returns a·x + … + c for constants.
func (v *inverter) affine(c float64, terms ...any) symbolic.Node {
	sum := v.number(c)
	for i := 0; i < len(terms); i += 2 {
		sum = v.g.Add(sum, v.g.Mul(v.number(terms[i].(float64)), terms[i+1].(symbolic.Node)))
	}
	return sum
}

type nodes = [3]symbolic.Node

// applied returns R·x + P for constants R and P.
func (v *inverter) applied(t robot.Transform, x nodes) (out nodes) {
	for i := range out {
		out[i] = v.affine(t.P[i], t.R[i][0], x[0], t.R[i][1], x[1], t.R[i][2], x[2])
	}
	return out
}

// turn is x turned by an angle about z.
func (v *inverter) turn(angle symbolic.Node, x nodes) nodes {
	g, s, c := v.g, v.g.Sin(angle), v.g.Cos(angle)
	return nodes{g.Sub(g.Mul(c, x[0]), g.Mul(s, x[1])), g.Add(g.Mul(s, x[0]), g.Mul(c, x[1])), x[2]}
}

// root returns the square root of a quantity that is negative out of reach, where it is zero; the quantity over a scale
// is a margin.
func (v *inverter) root(x, scale symbolic.Node) symbolic.Node {
	g := v.g
	v.margin = append(v.margin, g.Div(x, scale))
	return g.Sqrt(g.Mul(g.Rat(1, 2), g.Add(x, g.Abs(x))))
}

// circular returns the two angles with c·cos + s·sin = k, one for each sign of the root.
func (v *inverter) circular(c, s, k symbolic.Node, sign int64) symbolic.Node {
	g := v.g
	size := g.Add(g.Mul(c, c), g.Mul(s, s))
	return g.Add(g.Atan2(s, c), g.Mul(g.Int(int(sign)), g.Atan2(v.root(g.Sub(size, g.Mul(k, k)), size), k)))
}

// turned is circular for constants c and s; where both vanish, no angle has an effect and the form does not exist.
func (v *inverter) turned(c, s float64, k symbolic.Node, sign int64) symbolic.Node {
	if math.Hypot(c, s) < 1e-12 {
		v.flat = true
		return 0
	}
	return v.circular(v.number(c), v.number(s), k, sign)
}

// build makes the program: all solutions with their margins, and the two distances from singular states.
func (v *inverter) build(f *Frame) (*symbolic.Program, error) {
	g := v.g
	for i := range 3 {
		for j := range 4 {
			unit := ""
			if j == 3 {
				unit = "m"
			}
			v.given = append(v.given, g.Input(symbolic.Input{Name: label("T", 4*i+j), Kind: symbolic.Motion, Group: "T", Index: 4*i + j, Unit: unit, Doc: fmt.Sprintf("row %d, column %d of the pose", i+1, j+1)}))
		}
	}
	// place[0]⁻¹·T·tool⁻¹
	left, right := v.place[0].Inv(), v.tool.Inv()
	for j := range 4 {
		var column nodes
		for i := range 3 {
			if j < 3 {
				column[i] = v.affine(0, right.R[0][j], v.given[4*i], right.R[1][j], v.given[4*i+1], right.R[2][j], v.given[4*i+2])
			} else {
				column[i] = g.Add(v.affine(0, right.P[0], v.given[4*i], right.P[1], v.given[4*i+1], right.P[2], v.given[4*i+2]), v.given[4*i+3])
			}
		}
		turned := left
		if j < 3 {
			turned.P = spatial.Vec{}
		}
		column = v.applied(turned, column)
		for i := range 3 {
			v.target[i][j] = column[i]
		}
	}
	list, shoulder, err := v.solutions()
	if err != nil {
		return nil, err
	}
	if v.flat {
		return nil, v.no("two axes that follow each other are one line, or parallel where one has to turn the other")
	}
	var all, margins, wrist, misfits []symbolic.Node
	for _, s := range list {
		all = append(all, s.q...)
		least := s.margin[0]
		for _, m := range s.margin[1:] { // the smaller of two: (a + b − |a − b|)/2
			least = g.Mul(g.Rat(1, 2), g.Sub(g.Add(least, m), g.Abs(g.Sub(least, m))))
		}
		margins, wrist = append(margins, least), append(wrist, s.away)
		if len(v.place) < 6 {
			misfits = append(misfits, v.misfit(s.q))
		}
	}
	n := len(margins)
	where := fmt.Sprintf("states with T the place of the frame on link %s in the base", v.r.Links[f.Link].Name)
	results := []symbolic.Result{
		{Name: "Q", Rows: n, Cols: len(v.place), Entries: all, Doc: where + ", one a row; angles to a whole number of turns", ColNames: v.names},
		{Name: "margin", Rows: n, Cols: 1, Entries: margins, Doc: "the solution is one where this is not negative by more than rounding, 1e-12: else the pose is out of its reach, and the row is that of a stretched arm"}}
	if wrist[0] != 0 {
		doc := "sine of the angle between the first and the last axis of the wrist: at 0 only the sum or difference of these two joints is determined, and the first has an arbitrary place"
		if v.isThreeParallel() {
			doc = "sine of the angle between the three parallel axes and the last axis: at 0 only the sum or difference of the last joint and the three is determined, the last has an arbitrary place, and the arm may not reach with it where it would with another"
		}
		results = append(results, symbolic.Result{Name: "wrist", Rows: n, Cols: 1, Entries: wrist, Doc: doc})
	}
	if shoulder != 0 {
		results = append(results, symbolic.Result{Name: "shoulder", Rows: 1, Cols: 1, Entries: []symbolic.Node{shoulder},
			Doc: "distance (m) of the point that the first joint aims at from the first axis: at 0 any position of the first joint solves the pose"})
	}
	if misfits != nil {
		results = append(results, symbolic.Result{Name: "misfit", Rows: n, Cols: 1, Entries: misfits,
			Doc: fmt.Sprintf("root of the summed squares by which the state misses the twelve entries of the pose: %d joints reach poses of as many freedoms alone", len(v.place))})
	}
	return v.program("inverse_geometry", [][]symbolic.Node{v.given}, results...), nil
}

// solutions returns all states of the pose, and the distance of the point that joint 1 aims at from its axis, 0 for an arm whose first joint aims at none.
func (v *inverter) solutions() (list []solution, shoulder symbolic.Node, err error) {
	g := v.g
	from := func(p nodes) symbolic.Node { return g.Sqrt(g.Add(g.Mul(p[0], p[0]), g.Mul(p[1], p[1]))) }
	if v.isSCARA() {
		return v.scara(), 0, nil
	}
	z4, z5, z6, spherical := 0.0, 0.0, 0.0, false
	if len(v.place) == 6 {
		var same float64
		var meets, also bool
		z4, z5, meets = meet(v.place[4])
		same, z6, also = meet(v.place[5])
		spherical = meets && also && math.Abs(same-z5) <= 1e-9
	}
	switch {
	case !spherical && v.isThreeParallel():
		if list, err = v.threeParallel(); err != nil {
			return nil, 0, err
		}
		return list, from(v.aim), nil
	case len(v.place) == 5:
		list, err = v.twoWrist()
		return list, 0, err
	case !spherical:
		return nil, 0, fmt.Errorf("robot %q: %w: the axes of joints %s do not meet in a point, and joints 2 to 4 are not parallel; use the numeric inverse model, which solves any arm", v.r.Name, ErrNoClosedForm, strings.Join(v.names[3:], ", "))
	}
	// The wrist's point: on link 3, and where it is to be.
	point := v.place[3].Apply(spatial.Vec{0, 0, z4})
	var wanted nodes
	for i := range 3 {
		wanted[i] = g.Add(v.target[i][3], g.Mul(v.number(z6), v.target[i][2]))
	}
	arms, err := v.arms(point, wanted)
	if err != nil {
		return nil, 0, err
	}
	for _, arm := range arms {
		for _, flip := range []int64{1, -1} {
			v.margin = arm.margin[:len(arm.margin):len(arm.margin)]
			q4, q5, q6, away := v.orientation(arm.q, flip)
			list = append(list, solution{append(arm.q[:], q4, q5, q6), v.margin, away})
		}
	}
	return list, from(wanted), nil
}

// armState is one solution for the first three joints.
type armState struct {
	q      nodes
	margin []symbolic.Node
}

// arms returns the solutions for the first three joints.
func (v *inverter) arms(point spatial.Vec, wanted nodes) (out []armState, err error) {
	if z := v.place[2].R; !v.slides[2] && math.Hypot(z[0][2], z[1][2]) < 1e-9 {
		return v.planarArm(point, wanted), nil
	}
	thirds, second, err := v.arm(point, wanted)
	if err != nil {
		return nil, err
	}
	g := v.g
	for _, third := range thirds {
		v.margin = nil
		q3 := third()
		own := v.margin
		u := v.linkTwo(point, q3)
		for _, sign := range []int64{1, -1} {
			v.margin = own[:len(own):len(own)]
			q2 := second(u, sign)
			at := v.applied(v.place[1], v.turn(q2, u))
			q1 := g.Sub(g.Atan2(wanted[1], wanted[0]), g.Atan2(at[1], at[0]))
			out = append(out, armState{nodes{q1, q2, q3}, v.margin})
		}
	}
	return out, nil
}

// planarArm solves an arm whose axes 2 and 3 are parallel: joint 1 brings the wrist's point into their plane, n·J_1⁻¹·p
// = n·P + height, and joints 2 and 3 are the two of a planar arm.
func (v *inverter) planarArm(point spatial.Vec, wanted nodes) (out []armState) {
	g := v.g
	p1, p2 := v.place[1], v.place[2]
	n := spatial.Vec{p1.R[0][2], p1.R[1][2], p1.R[2][2]}
	if v.flat = math.Hypot(n[0], n[1]) < 1e-9; v.flat { // joint 1 turns about the same direction
		return nil
	}
	height := p2.P[2] + p2.R[2][2]*point[2]
	k := g.Sub(v.number(spatial.Dot(n, p1.P)+height), g.Mul(v.number(n[2]), wanted[2]))
	back := spatial.MulTVec(p2.R, spatial.Vec{p2.P[0], p2.P[1]}) // in the frame of joint 3
	c, s := back[0]*point[0]+back[1]*point[1], back[1]*point[0]-back[0]*point[1]
	lengths := p2.P[0]*p2.P[0] + p2.P[1]*p2.P[1] + point[0]*point[0] + point[1]*point[1]
	for _, shoulder := range []int64{1, -1} {
		v.margin = nil
		q1 := v.circular(v.affine(0, n[0], wanted[0], n[1], wanted[1]), v.affine(0, n[0], wanted[1], -n[1], wanted[0]), k, shoulder)
		own := v.margin
		t := v.turn(-q1, wanted)
		for i := range t {
			t[i] = g.Sub(t[i], v.number(p1.P[i]))
		}
		t = v.applied(robot.Transform{R: spatial.Transpose(p1.R)}, t)
		half := g.Mul(g.Rat(1, 2), g.Sub(g.Add(g.Mul(t[0], t[0]), g.Mul(t[1], t[1])), v.number(lengths)))
		for _, elbow := range []int64{1, -1} {
			v.margin = own[:len(own):len(own)]
			q3 := v.turned(c, s, half, elbow)
			u := v.linkTwo(point, q3)
			q2 := g.Sub(g.Atan2(t[1], t[0]), g.Atan2(u[1], u[0]))
			out = append(out, armState{nodes{q1, q2, q3}, v.margin})
		}
	}
	return out
}

// linkTwo returns the wrist's point in the frame behind joint 2, before its turn.
func (v *inverter) linkTwo(point spatial.Vec, q3 symbolic.Node) nodes {
	p := nodes{v.number(point[0]), v.number(point[1]), v.number(point[2])}
	if v.slides[2] {
		p[2] = v.g.Add(p[2], q3)
	} else {
		p = v.turn(q3, p)
	}
	return v.applied(v.place[2], p)
}

// arm returns the solutions for joint 3, and joint 2 by it. Joint 1 changes neither the height nor the distance of the
// wrist's point from its own origin. With w the point turned by joint 2, r the third row of place[1]'s rotation and d =
// Rᵀ·P,
//
//	r·w = height − P_z,   2·d·w = distance² − |w|² − |P|²
//
// Where r and d are parallel across axis 2, a combination has no joint 2 in it, and is an equation of joint 3 alone.
func (v *inverter) arm(point spatial.Vec, wanted nodes) (thirds []func() symbolic.Node, second func(u nodes, sign int64) symbolic.Node, err error) {
	g := v.g
	r := v.place[1].R[2]
	d := spatial.MulTVec(v.place[1].R, v.place[1].P)
	size := math.Hypot(d[0], d[1])
	if math.Abs(r[0]*d[1]-r[1]*d[0]) > 1e-9 {
		return nil, nil, fmt.Errorf("robot %q: %w: the place of %s is a root of degree four, as axes 1 and 2 neither meet nor are parallel, and 2 and 3 are not parallel; the numeric inverse model has all its states", v.r.Name, ErrNoClosedForm, v.names[2])
	}
	height := g.Sub(wanted[2], v.number(v.place[1].P[2]))
	// Half of distance² − |P|² − |P2|² − |point|², and the rest of |w|² by joint 3.
	p2 := v.place[2]
	back := spatial.MulTVec(p2.R, p2.P) // P2 in the frame of joint 3
	square := func(x spatial.Vec) float64 { return spatial.Dot(x, x) }
	distance := g.Sub(g.Mul(g.Rat(1, 2), g.Add(g.Mul(wanted[0], wanted[0]), g.Add(g.Mul(wanted[1], wanted[1]), g.Mul(wanted[2], wanted[2])))),
		v.number((square(v.place[1].P)+square(p2.P)+square(point))/2))
	// Coefficients of the two equations in joint 3: constant, cos, sin of a turning joint; constant, q, q² of a sliding
	// one. z is the row of w's z.
	row := func(scale [3]float64) (c [3]float64) { // scale·(R2·x + P2), x by joint 3
		in3 := spatial.MulTVec(p2.R, scale)
		c[0] = spatial.Dot(scale, p2.P)
		if v.slides[2] {
			c[0] += spatial.Dot(in3, point)
			c[1] = in3[2]
			return c
		}
		c[0] += in3[2] * point[2]
		c[1] = in3[0]*point[0] + in3[1]*point[1]
		c[2] = in3[1]*point[0] - in3[0]*point[1]
		return c
	}
	up := row(spatial.Vec{0, 0, r[2]})   // part of the height that joint 2 leaves
	side := row(spatial.Vec{0, 0, d[2]}) // and of the distance
	own := [3]float64{0, back[0]*point[0] + back[1]*point[1], back[1]*point[0] - back[0]*point[1]}
	constant := back[2] * point[2]
	if v.slides[2] {
		constant = spatial.Dot(back, point)
		own = [3]float64{0, back[2] + point[2], 0.5}
	}
	// m = height − up, n = distance − side − own: with λ, n − λ·m has no joint 2.
	lambda, byHeight := 0.0, math.Hypot(r[0], r[1]) > 1e-9
	if byHeight {
		lambda = (d[0]*r[0] + d[1]*r[1]) / (r[0]*r[0] + r[1]*r[1])
	}
	var free symbolic.Node // the equation: free = Σ k_i·(cos, sin)
	var k [3]float64
	switch {
	case byHeight:
		for i := range k {
			k[i] = side[i] + own[i] - lambda*up[i]
		}
		k[0] += constant
		free = g.Sub(distance, g.Mul(v.number(lambda), height))
	case size > 1e-9: // axes 1 and 2 are parallel: the height is joint 3's
		k, free = up, height
	default:
		return nil, nil, fmt.Errorf("robot %q: %w: the axes of its first two joints are one line", v.r.Name, ErrNoClosedForm)
	}
	if math.Abs(k[1])+math.Abs(k[2]) < 1e-12 {
		return nil, nil, fmt.Errorf("robot %q: %w: joint %s changes neither reach nor height of the wrist", v.r.Name, ErrNoClosedForm, v.names[2])
	}
	free = g.Sub(free, v.number(k[0]))
	switch {
	case !v.slides[2]:
		for _, sign := range []int64{1, -1} {
			thirds = append(thirds, func() symbolic.Node { return v.turned(k[1], k[2], free, sign) })
		}
	case k[2] == 0:
		thirds = append(thirds, func() symbolic.Node { return g.Div(free, v.number(k[1])) })
	default: // k2·q² + k1·q − free = 0
		for _, sign := range []int64{1, -1} {
			thirds = append(thirds, func() symbolic.Node {
				half := k[1] / (2 * k[2])
				return g.Sub(g.Mul(g.Int(int(sign)), v.root(g.Add(v.number(half*half), g.Div(free, v.number(k[2]))), symbolic.One)), v.number(half))
			})
		}
	}
	second = func(u nodes, sign int64) symbolic.Node {
		at := r
		value := g.Sub(height, g.Mul(v.number(r[2]), u[2]))
		if !byHeight {
			at = d
			half := g.Mul(g.Rat(1, 2), g.Add(g.Mul(u[0], u[0]), g.Add(g.Mul(u[1], u[1]), g.Mul(u[2], u[2]))))
			whole := g.Mul(g.Rat(1, 2), g.Add(g.Mul(wanted[0], wanted[0]), g.Add(g.Mul(wanted[1], wanted[1]), g.Mul(wanted[2], wanted[2]))))
			value = g.Sub(g.Sub(g.Sub(whole, v.number(square(v.place[1].P)/2)), half), g.Mul(v.number(d[2]), u[2]))
		}
		return v.circular(v.affine(0, at[0], u[0], at[1], u[1]), v.affine(0, at[1], u[0], -at[0], u[1]), value, sign)
	}
	return thirds, second, nil
}

// orientation returns joints 4 to 6 for the first three, with the sine of the angle between axes 4 and 6.
func (v *inverter) orientation(arm nodes, sign int64) (q4, q5, q6, away symbolic.Node) {
	g := v.g
	// R = (J_1·place[1]·J_2·place[2]·J_3·place[3])ᵀ·target, by columns.
	back := func(x nodes) nodes {
		for i, q := range arm {
			if !v.slides[i] {
				x = v.turn(-q, x)
			}
			x = v.applied(robot.Transform{R: spatial.Transpose(v.place[i+1].R)}, x)
		}
		return x
	}
	column := func(j int) nodes { return back(nodes{v.target[0][j], v.target[1][j], v.target[2][j]}) }
	first, last := column(0), column(2)
	axis := spatial.Vec{v.place[5].R[0][2], v.place[5].R[1][2], v.place[5].R[2][2]}
	a := v.place[4].R
	q5 = v.turned(a[2][0]*axis[0]+a[2][1]*axis[1], a[2][1]*axis[0]-a[2][0]*axis[1], g.Sub(last[2], v.number(a[2][2]*axis[2])), sign)
	lifted := v.applied(robot.Transform{R: a}, v.turn(q5, nodes{v.number(axis[0]), v.number(axis[1]), v.number(axis[2])}))
	q4 = g.Sub(g.Atan2(last[1], last[0]), g.Atan2(lifted[1], lifted[0]))
	x := v.turn(-q4, first)
	x = v.turn(-q5, v.applied(robot.Transform{R: spatial.Transpose(a)}, x))
	x = v.applied(robot.Transform{R: spatial.Transpose(v.place[5].R)}, x)
	return q4, q5, g.Atan2(x[1], x[0]), g.Sqrt(g.Add(g.Mul(last[0], last[0]), g.Mul(last[1], last[1])))
}

// inverseGeometry makes the inverse geometric model.
func (m *maker) inverseGeometry(opt Options) (*symbolic.Program, error) {
	m.t.GravityInputs = nil
	k := newKinematics(m, opt)
	v := &inverter{maker: m}
	if k.frame.Link < 0 {
		return nil, fmt.Errorf("robot %q: %w: the frame is fixed to the base, and no joint moves it; choose a frame of a moving link", m.r.Name, ErrNoClosedForm)
	}
	if err := v.chainTo(&k.frame); err != nil {
		return nil, err
	}
	return v.build(&k.frame)
}

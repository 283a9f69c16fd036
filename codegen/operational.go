package codegen

import (
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"ident/mechanics/kinematics"
	"ident/mechanics/recursion"
	"ident/symbolic"
)

// orientation returns the frame's axes as columns, along the axes of the results.
func (k *kinematicMaker) orientation() (axes [3]recursion.Vec) {
	for c := range 3 {
		r := &k.frame.Placement.R
		axes[c] = k.alongAxes(k.frame.Link, k.numbers([3]float64{r[0][c], r[1][c], r[2][c]}))
	}
	return axes
}

// angleRates returns the description of an orientation with columns e, and Ω: the description's rates are Ω·ω (package kinematics).
func (k *kinematicMaker) angleRates(a kinematics.Angles, e [3]recursion.Vec) (omega [][3]symbolic.Node, names []string, where string) {
	g := k.g
	r := func(i, j int) symbolic.Node { return e[j][i] }
	length := func(a, b symbolic.Node) symbolic.Node { return g.Sqrt(g.Add(g.Mul(a, a), g.Mul(b, b))) }
	switch a {
	case kinematics.ByQuaternion:
		q0 := g.Mul(g.Rat(1, 2), g.Sqrt(g.Add(g.Add(symbolic.One, r(0, 0)), g.Add(r(1, 1), r(2, 2)))))
		part := func(a, b symbolic.Node) symbolic.Node { return g.Div(g.Sub(a, b), g.Mul(g.Rat(8, 1), q0)) } // half of an entry
		h0, h1, h2, h3 := g.Mul(g.Rat(1, 2), q0), part(r(2, 1), r(1, 2)), part(r(0, 2), r(2, 0)), part(r(1, 0), r(0, 1))
		return [][3]symbolic.Node{{-h1, -h2, -h3}, {h0, h3, -h2}, {-h3, h0, h1}, {h2, -h1, h0}}, []string{"q0", "q1", "q2", "q3"}, "half a turn"
	case kinematics.RPYAngles:
		c := length(r(0, 0), r(1, 0))
		s, cf, sf := -r(2, 0), g.Div(r(0, 0), c), g.Div(r(1, 0), c)
		return [][3]symbolic.Node{{g.Div(g.Mul(cf, s), c), g.Div(g.Mul(sf, s), c), symbolic.One}, {-sf, cf, 0}, {g.Div(cf, c), g.Div(sf, c), 0}},
			[]string{"phi", "theta", "psi"}, "a pitch of 90 degrees either way"
	}
	s := length(r(0, 2), r(1, 2))
	c, sf, cf := r(2, 2), g.Div(r(0, 2), s), -g.Div(r(1, 2), s)
	return [][3]symbolic.Node{{-g.Div(g.Mul(sf, c), s), g.Div(g.Mul(cf, c), s), symbolic.One}, {cf, sf, 0}, {g.Div(sf, s), -g.Div(cf, s), 0}},
		[]string{"phi", "theta", "psi"}, "a second angle of 0 or 180 degrees"
}

// operationalJacobian makes the Jacobian of position and orientation coordinates (Khalil and Dombre 2002, 2.4.6).
func (k *kinematicMaker) operationalJacobian(a kinematics.Angles) (*symbolic.Program, error) {
	e := k.orientation()
	if a == kinematics.EulerAngles && e[2][0] == 0 && e[2][1] == 0 || a == kinematics.RPYAngles && e[0][0] == 0 && e[0][1] == 0 {
		return nil, fmt.Errorf("robot %q: %w: the orientation coordinates %s are singular in every state; take others", k.r.Name, ErrDeterminant, a)
	}
	omega, names, where := k.angleRates(a, e)
	var best *symbolic.Program
	for _, f := range k.t.On(k.frame.Link) {
		rows := k.turned(f, k.jacobianIn(f, k.frame.Link, k.at))
		out := rows[:3:3]
		for _, o := range omega {
			row := make([]symbolic.Node, len(rows[0]))
			for c := range row {
				for i := range 3 {
					row[c] = k.g.Add(row[c], k.g.Mul(o[i], rows[3+i][c]))
				}
			}
			out = append(out, row)
		}
		r := k.matrix("J", "rates of position and orientation ("+a.String()+") of "+k.point()+", for a unit rate of each joint; singular at "+where, out, k.joints)
		r.RowNames = append([]string{"x", "y", "z"}, names...)
		best = fewer(best, k.program("operational_jacobian", [][]symbolic.Node{k.q}, r))
	}
	return best, nil
}

// rank returns the rank of a Jacobian in general position: at a state, and lengths, drawn at random.
func (k *kinematicMaker) rank(rows [][]symbolic.Node) int {
	p := k.program("jacobian", [][]symbolic.Node{k.q}, k.matrix("J", "", rows, k.joints))
	rng := rand.New(rand.NewPCG(1, 7))
	in := make([]float64, len(p.Inputs))
	for i := range in {
		in[i] = 0.3 + rng.Float64()
	}
	var svd mat.SVD
	if !svd.Factorize(mat.NewDense(len(rows), len(rows[0]), p.Eval(in)[0]), mat.SVDNone) {
		return 0
	}
	values := svd.Values(nil)
	rank := 0
	for rank < len(values) && values[rank] > 1e-9*values[0] {
		rank++
	}
	return rank
}

// redundantRates makes the rates of redundant joints, dq = z + Jᵀ·(J·Jᵀ)⁻¹·(v − J·z), with the twist v in the rows and the part of
// the secondary motion z that does not move the point (Khalil and Dombre 2002, 2.9.3).
func (k *kinematicMaker) redundantRates(rows []int) (*symbolic.Program, error) {
	g, keep := k.g, kept(rows)
	full := k.turned(k.frame.Link, k.jacobianIn(k.frame.Link, k.frame.Link, k.at))
	j := make([][]symbolic.Node, len(keep))
	for i, row := range keep {
		j[i] = full[row]
		zero := true
		for _, v := range j[i] {
			zero = zero && v == 0
		}
		if zero {
			return nil, fmt.Errorf("robot %q: %w: no joint moves %s at all; choose rows without it", k.r.Name, ErrDeterminant, twistRows[row])
		}
	}
	if n := len(j[0]); n <= len(keep) {
		return nil, fmt.Errorf("robot %q: %w: %d joints are not redundant for %d rows; choose fewer rows, or the model jacobian-inverse", k.r.Name, ErrDeterminant, n, len(keep))
	}
	if rank := k.rank(j); rank < len(keep) {
		return nil, fmt.Errorf("robot %q: %w: of the %d rows only %d are independent in any state; choose fewer rows", k.r.Name, ErrDeterminant, len(keep), rank)
	}
	dot := func(a, b []symbolic.Node) (sum symbolic.Node) {
		for c := range a {
			sum = g.Add(sum, g.Mul(a[c], b[c]))
		}
		return sum
	}
	var z, v []symbolic.Node
	for c, name := range k.joints {
		z = append(z, g.Input(symbolic.Input{Name: label("z", c), Kind: symbolic.Motion, Group: "z", Index: c, Unit: map[bool]string{true: "m/s", false: "rad/s"}[k.prismatic[c]], Doc: "secondary rate of joint " + name}))
	}
	square, right := make([][]symbolic.Node, len(keep)), make([]symbolic.Node, len(keep))
	for i, row := range keep {
		unit := "m/s"
		if row >= 3 {
			unit = "rad/s"
		}
		v = append(v, g.Input(symbolic.Input{Name: label("v", i), Kind: symbolic.Motion, Group: "v", Index: i, Unit: unit, Doc: twistRows[row] + " of the point"}))
		for l := range keep {
			square[i] = append(square[i], dot(j[i], j[l]))
		}
		right[i] = g.Sub(v[i], dot(j[i], z))
	}
	y := k.t.Solve(square, right)
	out := make([]symbolic.Node, len(z))
	for c := range out {
		out[c] = z[c]
		for i := range keep {
			out[c] = g.Add(out[c], g.Mul(j[i][c], y[i]))
		}
	}
	return k.program("redundant_rates", [][]symbolic.Node{k.q, v, z}, k.perJoint("dq", "rates of the joints that give "+k.point()+" the rates v, with the part of z that does not move it", out)), nil
}

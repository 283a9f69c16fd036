package codegen

import (
	"ident/mechanics/recursion"
	"ident/regressor"
	"ident/symbolic"
)

// drive is a column of a term of joints, which acts along a coordinate of its
// own, s = Σ w·q + offset.
type drive struct {
	term    regressor.Term
	param   int
	column  int
	order   float64 // of a torque periodic in the coordinate: radians of its angle by a unit of it
	offset  symbolic.Node
	weights []weight

	signals   int // group of the signal that multiplies the law, from 1; 0 for none
	signal    int // of the group
	reference float64
}

type weight struct {
	coord int
	w     symbolic.Node
}

// driveCoordinate is a drive's coordinate with its derivatives, zero where a
// motion has none.
type driveCoordinate struct{ s, ds, dds symbolic.Node }

func (m *maker) coordinate(d *drive, motion recursion.Rates) driveCoordinate {
	sum := func(of []symbolic.Node) symbolic.Node {
		var s symbolic.Node
		for _, w := range d.weights {
			if of != nil {
				s = m.g.Add(s, m.g.Mul(w.w, of[w.coord]))
			}
		}
		return s
	}
	return driveCoordinate{m.g.Add(sum(m.t.Q), d.offset), sum(motion.DQ), sum(motion.DDQ)}
}

// hasLaw tells which terms have a symbolic form, links apart.
func hasLaw(t regressor.Term) bool {
	switch t {
	case regressor.Ia, regressor.Fv, regressor.Fs, regressor.Fo, regressor.Asymmetric, regressor.Quadratic, regressor.Spring, regressor.Balance, regressor.Ripple,
		regressor.Warming, regressor.ByHeat, regressor.ByDegrees, regressor.Presliding, regressor.Elastic, regressor.Cubic:
		return true
	}
	return false
}

// torque returns the torque of a unit of the parameter along the drive's
// coordinate: the formulas of package regressor's terms.
func (m *maker) torque(d *drive, x driveCoordinate) symbolic.Node {
	g, half := m.g, m.g.Rat(1, 2)
	// positive and negative part of a number
	part := func(v symbolic.Node, negative bool) symbolic.Node {
		a := g.Abs(v)
		if negative {
			a = -a
		}
		return g.Mul(half, g.Add(v, a))
	}
	switch d.term {
	case regressor.Ia:
		return x.dds
	case regressor.Fv:
		return x.ds
	case regressor.Fs:
		return m.direction(x.ds)
	case regressor.Asymmetric: // Fvp, Fvn, Fsp, Fsn
		v := x.ds
		if d.param >= 2 {
			v = m.direction(v)
		}
		return part(v, d.param%2 == 1)
	case regressor.Quadratic:
		return g.Mul(x.ds, g.Abs(x.ds))
	case regressor.Spring:
		return x.s
	case regressor.Ripple: // a sine and a cosine of each order
		angle := g.Mul(g.Float(d.order), x.s)
		if d.param%2 == 0 {
			return g.Sin(angle)
		}
		return g.Cos(angle)
	case regressor.Balance: // Kgs, Kgc
		if d.param == 0 {
			return g.Sin(x.s)
		}
		return g.Cos(x.s)
	case regressor.Elastic: // stiffness and damping, along the deflection
		if d.param == 0 {
			return x.s
		}
		return x.ds
	case regressor.Cubic:
		return g.Mul(x.s, g.Mul(x.s, x.s))
	case regressor.Warming, regressor.ByHeat, regressor.ByDegrees: // viscous, dry, offset
		return m.bySignal(d, [...]symbolic.Node{x.ds, m.direction(x.ds), symbolic.One}[d.param])
	case regressor.Presliding:
		return m.bySignal(d, symbolic.One)
	}
	return symbolic.One // Fo
}

// direction returns the sign of a rate, or v/√(v²+w²) where reversals are to be smooth.
func (m *maker) direction(v symbolic.Node) symbolic.Node {
	if m.smooth == 0 || v == 0 {
		return m.g.Sign(v)
	}
	w := m.g.Float(m.smooth)
	return m.g.Div(v, m.g.Sqrt(m.g.Add(m.g.Mul(v, v), m.g.Mul(w, w))))
}

// stored returns the energy of a unit of the parameter, if it stores any;
// otherwise the power is lost.
func (m *maker) stored(d *drive, x driveCoordinate) (symbolic.Node, bool) {
	g := m.g
	switch d.term {
	case regressor.Ia:
		return g.Mul(g.Rat(1, 2), g.Mul(x.ds, x.ds)), true
	case regressor.Fo:
		return x.s, true
	case regressor.Spring:
		return g.Mul(g.Rat(1, 2), g.Mul(x.s, x.s)), true
	case regressor.Balance:
		if d.param == 0 {
			return -g.Cos(x.s), true
		}
		return g.Sin(x.s), true
	case regressor.Elastic:
		if d.param == 0 {
			return g.Mul(g.Rat(1, 2), g.Mul(x.s, x.s)), true
		}
	case regressor.Cubic:
		square := g.Mul(x.s, x.s)
		return g.Mul(g.Rat(1, 4), g.Mul(square, square)), true
	case regressor.Ripple:
		angle := g.Mul(g.Float(d.order), x.s)
		if d.param%2 == 0 {
			return -g.Div(g.Cos(angle), g.Float(d.order)), true
		}
		return g.Div(g.Sin(angle), g.Float(d.order)), true
	}
	return 0, false
}

// driveTorques adds the torques of the drives' parameters to tau. Terms of
// accelerations and rates vanish where the motion has none.
func (m *maker) driveTorques(tau []symbolic.Node, motion recursion.Rates) {
	for i := range m.drives {
		d := &m.drives[i]
		v := m.torque(d, m.coordinate(d, motion))
		for _, w := range d.weights {
			tau[w.coord] = m.g.Add(tau[w.coord], m.g.Mul(m.chi[d.column], m.g.Mul(w.w, v)))
		}
	}
}

// driveRows fills in the columns of drives.
func (m *maker) driveRows(rows [][]symbolic.Node, motion recursion.Rates) {
	for i := range m.drives {
		d := &m.drives[i]
		m.spread(rows, d, m.torque(d, m.coordinate(d, motion)))
	}
}

// spread adds a drive's part to the rows of the joints that it acts on.
func (m *maker) spread(rows [][]symbolic.Node, d *drive, v symbolic.Node) {
	for _, w := range d.weights {
		rows[w.coord][d.column] = m.g.Add(rows[w.coord][d.column], m.g.Mul(w.w, v))
	}
}

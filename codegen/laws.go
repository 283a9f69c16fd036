package codegen

import (
	"ident/mechanics/recursion"
	"ident/regressor"
	"ident/symbolic"
)

// drive is a column of a term of joints, which acts along a coordinate of its
// own, s = Σ w·q + offset.
type drive struct {
	of      regressor.Column
	column  int     // of the model
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

// coordinate returns a drive's coordinate with its derivatives, zero where a motion has none.
func (m *maker) coordinate(d *drive, motion recursion.Rates) *regressor.Symbols {
	sum := func(of []symbolic.Node) symbolic.Node {
		var s symbolic.Node
		for _, w := range d.weights {
			if of != nil {
				s = m.g.Add(s, m.g.Mul(w.w, of[w.coord]))
			}
		}
		return s
	}
	rate := sum(motion.DQ)
	return &regressor.Symbols{Graph: m.g, S: m.g.Add(sum(m.t.Q), d.offset), DS: rate, DDS: sum(motion.DDQ), Order: d.order,
		Direction: func() symbolic.Node { return m.direction(rate) }}
}

// torque returns the torque of a unit of the parameter along the drive's coordinate: the form of the term's law, times its
// signal.
func (m *maker) torque(d *drive, x *regressor.Symbols) symbolic.Node {
	torque, _ := d.of.Torque(x) // plan has refused terms without one
	if d.signals > 0 {
		return m.bySignal(d, torque)
	}
	return torque
}

// direction returns the sign of a rate, or v/√(v²+w²) where reversals are to be smooth.
func (m *maker) direction(v symbolic.Node) symbolic.Node {
	if m.smooth == 0 || v == 0 {
		return m.g.Sign(v)
	}
	w := m.g.Float(m.smooth)
	return m.g.Div(v, m.g.Sqrt(m.g.Add(m.g.Mul(v, v), m.g.Mul(w, w))))
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

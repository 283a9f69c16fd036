package regressor

import "ident/symbolic"

// Symbols are the coordinate of a drive and its derivatives on a symbolic graph, from which the laws of terms make their torques.
type Symbols struct {
	Graph      *symbolic.Graph
	S, DS, DDS symbolic.Node // zero if the motion has none
	// Direction returns the sign of DS, or what stands for it if reversals are to be smooth.
	Direction func() symbolic.Node
	// Order is the factor from the coordinate to the angle of a periodic torque (RippleRate).
	Order float64
}

// form is a torque or an energy of a unit of a parameter.
type form func(x *Symbols) symbolic.Node

// Torque returns the symbolic torque of a unit of the column's parameter along the drive's coordinate, and false if the term has none. Terms
// with a state (Fw, Fp, Ft, Fh) have to be multiplied by it.
func (c Column) Torque(x *Symbols) (symbolic.Node, bool) { return c.parameter().form.of(x) }

// Energy returns the symbolic energy of a unit of the column's parameter, and false if its power is lost.
func (c Column) Energy(x *Symbols) (symbolic.Node, bool) { return c.parameter().stores.of(x) }

func (f form) of(x *Symbols) (symbolic.Node, bool) {
	if f == nil {
		return 0, false
	}
	return f(x), true
}

func (x *Symbols) half(n symbolic.Node) symbolic.Node { return x.Graph.Mul(x.Graph.Rat(1, 2), n) }

// positive and negative return a number where it is above or below zero, and zero otherwise.
func (x *Symbols) positive(n symbolic.Node) symbolic.Node {
	return x.half(x.Graph.Add(n, x.Graph.Abs(n)))
}
func (x *Symbols) negative(n symbolic.Node) symbolic.Node {
	return x.half(x.Graph.Add(n, -x.Graph.Abs(n)))
}

// turned returns the angle of a periodic torque.
func (x *Symbols) turned() symbolic.Node { return x.Graph.Mul(x.Graph.Float(x.Order), x.S) }

func oneForm(*Symbols) symbolic.Node        { return symbolic.One }
func placeForm(x *Symbols) symbolic.Node    { return x.S }
func rateForm(x *Symbols) symbolic.Node     { return x.DS }
func signForm(x *Symbols) symbolic.Node     { return x.Direction() }
func sinForm(x *Symbols) symbolic.Node      { return x.Graph.Sin(x.S) }
func springEnergy(x *Symbols) symbolic.Node { return x.half(x.Graph.Mul(x.S, x.S)) }

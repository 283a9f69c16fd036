package excite

import (
	"math"

	"ident/internal/spatial"
	"ident/mechanics/kinematics"
	"ident/regressor"
	"ident/robot"
)

// boundLinks bounds the motion of an arm's links, and of the entries of its regressor, over all times at once, from bounds
// of the joints' derivatives.
//
// Every vector of the recursion, and its first two derivatives, has a bound of its norm in its own link's frame: sums and
// products for a + b and a×b, and for components in a frame that turns at ω about z
//
//	y = Rᵀ·a,   y' = Rᵀ·a' - ω·z×y,   …
//
// A function whose second derivative is at most B is within h²/8·B of a straight line between two samples a time h apart: so a
// grid proves what it does not show (package excite).

// boundedMotion is the largest absolute derivative of a joint's position, of the given order.
type boundedMotion interface {
	Bound(joint, order int) float64
}

// norms bounds the norms of a time-varying vector and of its first and second
// derivatives. The bounds of a sum of vectors are the sums, those of a product
// follow by the product rule.
type norms [3]float64

// Add bounds a + b.
func (a norms) Add(b norms) norms {
	return norms{a[0] + b[0], a[1] + b[1], a[2] + b[2]}
}

// Mul bounds a×b.
func (a norms) Mul(b norms) norms {
	return norms{a[0] * b[0], a[1]*b[0] + a[0]*b[1], a[2]*b[0] + 2*a[1]*b[1] + a[0]*b[2]}
}

// Scale bounds s·a of a constant s that is not negative.
func (a norms) Scale(s float64) norms { return norms{s * a[0], s * a[1], s * a[2]} }

// inTurningFrame bounds the components y = Rᵀx in a frame that turns about its axis
// z at rate ω: y' = Rᵀx' - ω·z×y and y" = Rᵀx" - ω·z×Rᵀx' - ω'·z×y - ω·z×y'.
func (a norms) inTurningFrame(rate norms) norms {
	y := norms{a[0]}
	y[1] = a[1] + rate[0]*y[0]
	y[2] = a[2] + rate[0]*a[1] + rate[1]*y[0] + rate[0]*y[1]
	return y
}

// linkBounds bounds the motion of one link, in its own frame.
type linkBounds struct {
	W, DW  norms            // angular velocity and acceleration
	DV, V  norms            // of the origin: acceleration less gravity, velocity
	p      norms            // the origin in the antecedent's frame
	screws map[int][2]norms // by coordinate: angular velocity and velocity of the origin at its unit rate
}

// boundLinks bounds the motion of all links under a motion of the joints; reach is
// the largest absolute position of a coordinate.
func boundLinks(f *kinematics.Tree, gravity [3]float64, m boundedMotion, reach func(coord int) float64) []linkBounds {
	links := f.Links()
	out := make([]linkBounds, len(links))
	for j := range links {
		l := &links[j]
		x := &out[j]
		x.p = norms{spatial.Norm(l.Placement.P)}
		var i linkBounds
		i.DV = norms{spatial.Norm(gravity)}
		if l.Antecedent >= 0 {
			i = out[l.Antecedent]
		}
		var rate, acc, turn norms
		if l.Coord >= 0 {
			s := math.Abs(l.Ratio)
			rate = norms{m.Bound(l.Coord, 1), m.Bound(l.Coord, 2), m.Bound(l.Coord, 3)}.Scale(s)
			acc = norms{m.Bound(l.Coord, 2), m.Bound(l.Coord, 3), m.Bound(l.Coord, 4)}.Scale(s)
			if l.Kind == robot.Revolute {
				turn = rate
			} else {
				x.p = x.p.Add(norms{s*reach(l.Coord) + math.Abs(l.Offset), rate[0], rate[1]})
			}
		}
		x.W = i.W.inTurningFrame(turn)
		x.DW = i.DW.inTurningFrame(turn)
		x.DV = i.DV.Add(i.DW.Add(i.W.Mul(i.W)).Mul(x.p)).inTurningFrame(turn)
		x.V = i.V.Add(i.W.Mul(x.p)).inTurningFrame(turn)
		x.screws = map[int][2]norms{}
		for c, s := range i.screws {
			x.screws[c] = [2]norms{s[0].inTurningFrame(turn), s[1].Add(s[0].Mul(x.p)).inTurningFrame(turn)}
		}
		if l.Coord < 0 {
			continue
		}
		own := x.screws[l.Coord]
		if l.Kind == robot.Revolute {
			x.DW = x.DW.Add(x.W.Mul(rate)).Add(acc)
			x.W = x.W.Add(rate)
			own[0][0] += math.Abs(l.Ratio)
		} else {
			x.DV = x.DV.Add(x.W.Mul(rate).Scale(2)).Add(acc)
			x.V = x.V.Add(rate)
			own[1][0] += math.Abs(l.Ratio)
		}
		x.screws[l.Coord] = own
	}
	return out
}

// boundEntries bounds the second derivative of every entry of the regressor except
// Coulomb friction: [joint][index in the joint's mask].
func boundEntries(r *robot.Robot, f *kinematics.Tree, m *regressor.Model, all []linkBounds, motion boundedMotion) [][]float64 {
	out := make([][]float64, m.Joints())
	row := map[int]int{}
	for k, j := range m.JointLinks() {
		row[j] = k
	}
	links := f.Links()
	drive := func(k int, col regressor.Column, order int) float64 {
		weights := map[int]float64{col.Link: 1}
		if col.Drive > 0 {
			weights = r.Drives[col.Drive-1].Weights
		}
		own, sum := 0.0, 0.0
		for j, w := range weights {
			l := &links[j]
			w *= math.Abs(l.Ratio)
			sum += math.Abs(w) * motion.Bound(l.Coord, order)
			if l.Coord == k {
				own += math.Abs(w)
			}
		}
		return own * sum
	}
	for k := range out {
		for _, c := range m.Mask(k) {
			col := m.Columns()[c]
			b := 0.0
			switch col.Term {
			case regressor.Links:
				x := &all[col.Link]
				s := x.screws[k]
				turn := x.DW.Add(x.W.Mul(x.W))
				switch {
				case col.Param <= robot.ZZ:
					b = s[0].Mul(turn)[2]
				case col.Param == robot.M:
					b = s[1].Mul(x.DV)[2]
				default:
					b = s[0].Mul(x.DV).Add(s[1].Mul(turn))[2]
				}
			case regressor.Ia:
				b = drive(k, col, 4)
			case regressor.Fv:
				b = drive(k, col, 3)
			}
			out[k] = append(out[k], b)
		}
	}
	return out
}

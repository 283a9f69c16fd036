package excite

import (
	"math"

	"ident/internal/spatial"
	"ident/kinematics"
	"ident/regressor"
	"ident/robot"
)

// normBounds bounds the norms of a time-varying vector and of its first and second
// derivatives. The bounds of a sum of vectors are the sums, those of a product
// follow by the product rule.
type normBounds [3]float64

func (a normBounds) add(b normBounds) normBounds {
	return normBounds{a[0] + b[0], a[1] + b[1], a[2] + b[2]}
}

func (a normBounds) mul(b normBounds) normBounds {
	return normBounds{a[0] * b[0], a[1]*b[0] + a[0]*b[1], a[2]*b[0] + 2*a[1]*b[1] + a[0]*b[2]}
}

func (a normBounds) scale(s float64) normBounds { return normBounds{s * a[0], s * a[1], s * a[2]} }

// inTurningFrame bounds the components y = Rᵀx in a frame that turns about its axis
// z at rate ω: y' = Rᵀx' - ω·z×y and y" = Rᵀx" - ω·z×Rᵀx' - ω'·z×y - ω·z×y'.
func (a normBounds) inTurningFrame(rate normBounds) normBounds {
	y := normBounds{a[0]}
	y[1] = a[1] + rate[0]*y[0]
	y[2] = a[2] + rate[0]*a[1] + rate[1]*y[0] + rate[0]*y[1]
	return y
}

// linkBounds bounds the motion of one link, in its own frame.
type linkBounds struct {
	w, dw  normBounds            // angular velocity and acceleration
	dv, v  normBounds            // of the origin: acceleration less gravity, velocity
	p      normBounds            // the origin in the antecedent's frame
	screws map[int][2]normBounds // by coordinate: angular velocity and velocity of the origin at its unit rate
}

// boundLinks bounds the motion of all links under a motion of the joints; reach is
// the largest absolute position of a coordinate.
func boundLinks(f *kinematics.Tree, gravity [3]float64, m Motion, reach func(coord int) float64) []linkBounds {
	links := f.Links()
	out := make([]linkBounds, len(links))
	for j := range links {
		l := &links[j]
		x := &out[j]
		x.p = normBounds{spatial.Norm(l.Placement.P)}
		var i linkBounds
		i.dv = normBounds{spatial.Norm(gravity)}
		if l.Antecedent >= 0 {
			i = out[l.Antecedent]
		}
		var rate, acc, turn normBounds
		if l.Coord >= 0 {
			s := math.Abs(l.Ratio)
			rate = normBounds{m.Bound(l.Coord, 1), m.Bound(l.Coord, 2), m.Bound(l.Coord, 3)}.scale(s)
			acc = normBounds{m.Bound(l.Coord, 2), m.Bound(l.Coord, 3), m.Bound(l.Coord, 4)}.scale(s)
			if l.Kind == robot.Revolute {
				turn = rate
			} else {
				x.p = x.p.add(normBounds{s*reach(l.Coord) + math.Abs(l.Offset), rate[0], rate[1]})
			}
		}
		x.w = i.w.inTurningFrame(turn)
		x.dw = i.dw.inTurningFrame(turn)
		x.dv = i.dv.add(i.dw.add(i.w.mul(i.w)).mul(x.p)).inTurningFrame(turn)
		x.v = i.v.add(i.w.mul(x.p)).inTurningFrame(turn)
		x.screws = map[int][2]normBounds{}
		for c, s := range i.screws {
			x.screws[c] = [2]normBounds{s[0].inTurningFrame(turn), s[1].add(s[0].mul(x.p)).inTurningFrame(turn)}
		}
		if l.Coord < 0 {
			continue
		}
		own := x.screws[l.Coord]
		if l.Kind == robot.Revolute {
			x.dw = x.dw.add(x.w.mul(rate)).add(acc)
			x.w = x.w.add(rate)
			own[0][0] += math.Abs(l.Ratio)
		} else {
			x.dv = x.dv.add(x.w.mul(rate).scale(2)).add(acc)
			x.v = x.v.add(rate)
			own[1][0] += math.Abs(l.Ratio)
		}
		x.screws[l.Coord] = own
	}
	return out
}

// boundEntries bounds the second derivative of every entry of the regressor except
// Coulomb friction: [joint][index in the joint's mask].
func boundEntries(r *robot.Robot, m *regressor.Model, all []linkBounds, motion Motion) [][]float64 {
	out := make([][]float64, m.Joints())
	row := map[int]int{}
	for k, j := range m.JointLinks() {
		row[j] = k
	}
	links := treeOf(r).Links()
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
				turn := x.dw.add(x.w.mul(x.w))
				switch {
				case col.Param <= robot.ZZ:
					b = s[0].mul(turn)[2]
				case col.Param == robot.M:
					b = s[1].mul(x.dv)[2]
				default:
					b = s[0].mul(x.dv).add(s[1].mul(turn))[2]
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

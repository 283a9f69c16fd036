package doctor

import (
	"fmt"
	"math"

	"ident/regressor"
)

// derivative is the stacked derivative of the prediction with a change of the motion or the model.
func (t *together) derivative(h float64, at func(h float64) (m *regressor.Model, q, dq, ddq [][]float64)) []float64 {
	n := len(t.tr.t)
	col := make([]float64, t.basis.rows)
	for _, side := range []float64{h, -h} {
		m, q, dq, ddq := at(side)
		pred := predict(m, t.x, q, dq, ddq)
		for k, o := range t.joints {
			w := t.weights[k] / (2 * side)
			for i, v := range pred[o.joint] {
				if !o.lost[i] {
					col[k*n+i] += w * v
				}
			}
		}
	}
	return col
}

// predict is the model's torque for base parameters x, joint by joint.
func predict(m *regressor.Model, x []float64, q, dq, ddq [][]float64) [][]float64 {
	n := len(q[0])
	b := m.NewBlock(n)
	m.Eval(b, q, dq, ddq, m.NewWorkspace())
	out := make([][]float64, m.Joints())
	for j := range out {
		out[j] = make([]float64, n)
		for i, c := range m.Mask(j) {
			if x[c] == 0 {
				continue
			}
			for k, v := range b.Joint[j][i] {
				out[j][k] += x[c] * v
			}
		}
	}
	return out
}

// travels: a position that is offset or scaled. The base parameters absorb an offset of the last joint
// and, where gravity is along its axis, of the first.
func (p *patient) travels(t *together) []stackedHypothesis {
	var out []stackedHypothesis
	tr := t.tr
	for j, jt := range p.joints {
		if jt.q == nil || p.isStill(jt) {
			continue
		}
		with := func(x [][]float64, f func(v float64) float64) [][]float64 {
			y := append([][]float64(nil), x...)
			y[j] = make([]float64, len(x[j]))
			for k, v := range x[j] {
				y[j][k] = f(v)
			}
			return y
		}
		offset := t.derivative(1e-4, func(h float64) (*regressor.Model, [][]float64, [][]float64, [][]float64) {
			return tr.model, with(tr.q, func(v float64) float64 { return v + h }), tr.fdq, tr.fddq
		})
		travel := t.derivative(1e-4, func(h float64) (*regressor.Model, [][]float64, [][]float64, [][]float64) {
			s := func(v float64) float64 { return v * (1 + h) }
			// Filtered friction does not scale like the unfiltered columns do; its part is the viscous one's,
			// which the fit has anyway.
			return tr.model, with(tr.q, s), with(tr.fdq, s), with(tr.fddq, s)
		})
		unit := p.unitOf(jt.q)
		out = append(out, stackedHypothesis{
			cols:    [][]float64{offset},
			matters: func(g gain) bool { return math.Abs(g.coef[0]) > offsetLeast && math.Abs(g.coef[0]) > 5*g.sd },
			accept: func(g gain) (Finding, bool) {
				f := p.about(Offset, Warning, jt.q)
				f.Value, f.Limit, f.Where = -g.coef[0], offsetLeast, "the whole log"
				f.Why = fmt.Sprintf("the torques fit positions of joint %s that are %.4g ± %.2g %s from those logged: its zero is not that of the robot file",
					jt.name, g.coef[0], 2*g.sd, unit)
				f.Fix = fmt.Sprintf("ident check --fix FILE writes a log with %.4g added to %s; or correct the joint's zero in the robot file", g.coef[0], jt.q.name)
				f.Repair = Repair{Edits: []Edit{{Channel: jt.q.name, Offset: g.coef[0]}}}
				t.basis.offer(offset)
				p.overrule(false)
				return f, true
			},
		}, stackedHypothesis{
			cols:    [][]float64{travel},
			matters: func(g gain) bool { return math.Abs(g.coef[0]) > travelLeast && math.Abs(g.coef[0]) > 5*g.sd },
			accept: func(g gain) (Finding, bool) {
				f := p.about(GearRatio, Warning, jt.q)
				f.Value, f.Limit, f.Where = 1/(1+g.coef[0]), 1+travelLeast, "the whole log"
				f.Why = fmt.Sprintf("the torques fit a motion of joint %s that is %.4g ± %.2g times the one logged: its gear ratio or encoder resolution is off by %.2g %%",
					jt.name, 1+g.coef[0], 2*g.sd, 100*math.Abs(g.coef[0]))
				f.Fix = fmt.Sprintf("ident check --fix FILE writes a log with %s times %.4g; or correct the gear ratio with which it was converted", jt.q.name, 1+g.coef[0])
				f.Repair = Repair{Edits: []Edit{{Channel: jt.q.name, Scale: 1 + g.coef[0]}}}
				if jt.dq != nil {
					f.Repair.Edits = append(f.Repair.Edits, Edit{Channel: jt.dq.name, Scale: 1 + g.coef[0]})
				}
				t.basis.offer(travel)
				p.overrule(false)
				return f, true
			},
		})
	}
	return out
}

// tilts: gravity in another direction than the robot's, by two small rotations.
func (p *patient) tilts(t *together) []stackedHypothesis {
	g := p.robot.Gravity
	size := math.Sqrt(g[0]*g[0] + g[1]*g[1] + g[2]*g[2])
	if size == 0 || t.tilted {
		return nil
	}
	a, b := across(g)
	tilt := func(dir [3]float64) []float64 {
		return t.derivative(1e-3, func(h float64) (*regressor.Model, [][]float64, [][]float64, [][]float64) {
			var v [3]float64
			for i := range v {
				v[i] = g[i] + h*size*dir[i]
			}
			return p.withGravity(v).Select(t.tr.set.Base), t.tr.q, t.tr.fdq, t.tr.fddq
		})
	}
	cols := [][]float64{tilt(a), tilt(b)}
	angle := func(g gain) float64 { return math.Hypot(g.coef[0], g.coef[1]) }
	return []stackedHypothesis{{
		cols:    cols,
		matters: func(g gain) bool { return angle(g) > tiltLeast },
		accept: func(found gain) (Finding, bool) {
			f := Finding{ID: Gravity, Severity: Warning, Value: angle(found), Limit: tiltLeast, Where: "the whole log"}
			var v [3]float64
			s := 0.0
			for i := range v {
				v[i] = g[i] + size*(found.coef[0]*a[i]+found.coef[1]*b[i])
				s += v[i] * v[i]
			}
			for i := range v {
				v[i] *= size / math.Sqrt(s)
			}
			f.Why = fmt.Sprintf("the torques fit gravity along (%.3g, %.3g, %.3g), %.2g° from the robot's (%.3g, %.3g, %.3g): the base does not stand as the robot file says",
				v[0], v[1], v[2], angle(found)*180/math.Pi, g[0], g[1], g[2])
			f.Fix = fmt.Sprintf("--gravity %.4g,%.4g,%.4g", v[0], v[1], v[2])
			f.Repair = Repair{Settings: []Setting{{Key: "gravity", Value: fmt.Sprintf("[%.5g, %.5g, %.5g]", v[0], v[1], v[2])}}}
			for _, c := range cols {
				t.basis.offer(c)
			}
			p.overrule(false)
			t.tilted = true
			return f, true
		},
	}}
}

// across gives two unit vectors that are orthogonal to v and to each other.
func across(v [3]float64) (a, b [3]float64) {
	least := 0
	for i := range v {
		if math.Abs(v[i]) < math.Abs(v[least]) {
			least = i
		}
	}
	var e [3]float64
	e[least] = 1
	cross := func(x, y [3]float64) (z [3]float64) {
		for i := range z {
			z[i] = x[(i+1)%3]*y[(i+2)%3] - x[(i+2)%3]*y[(i+1)%3]
		}
		s := math.Sqrt(z[0]*z[0] + z[1]*z[1] + z[2]*z[2])
		for i := range z {
			z[i] /= s
		}
		return z
	}
	a = cross(v, e)
	return a, cross(v, a)
}

// withGravity is the model of all terms under another gravity.
func (p *patient) withGravity(g [3]float64) *regressor.Model {
	r := p.robot.Clone()
	r.Gravity = g
	terms := p.opt.Terms
	if terms == nil {
		terms = regressor.DefaultTerms()
	}
	m, err := regressor.NewDynamic(r, terms)
	if err != nil {
		panic(err) // the same robot has been computed with already
	}
	return m
}

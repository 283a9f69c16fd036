package doctor

import (
	"fmt"
	"math"
	"slices"
)

// torqueScales: the torque of one joint is s times what it should be beside those of the others. With h
// the own fit's prediction, y - θ·h satisfies the common equation where 1 - θ = 1/s. The scale that all
// torques share cannot be seen without a body whose mass is known.
func (p *patient) torqueScales(t *together, scaled map[int]bool) []stackedHypothesis {
	var out []stackedHypothesis
	if len(t.joints) < 2 {
		return nil
	}
	for k, o := range t.joints {
		j := p.joints[o.joint]
		if scaled[k] || j.effort.role == current && j.gain == 0 {
			continue
		}
		scale := func(g gain) float64 { return 1 / math.Max(1-g.coef[0], 1e-3) }
		out = append(out, stackedHypothesis{
			cols:    [][]float64{t.predicted(k)},
			matters: func(g gain) bool { return math.Abs(scale(g)-1) > scaleLeast && math.Abs(g.coef[0]) > 5*g.sd },
			accept: func(g gain) (Finding, bool) {
				// The prediction was scaled as the torque is: a few rounds bring large scales home.
				s, sd := 1.0, 0.0
				y, rest := slices.Clone(o.y), slices.Clone(o.rest)
				for range 8 {
					step := scale(g)
					s *= step
					sd = g.sd * s * step
					for i := range o.y {
						o.y[i] /= step
						o.rest[i] /= step
					}
					t.settle()
					var ok bool
					if g, ok = t.added(t.predicted(k)); !ok || math.Abs(scale(g)-1) < 1e-4 {
						break
					}
				}
				scaled[k] = true
				if !(sd < scaleDoubt*s && s > 1e-3 && s < 1e3) {
					copy(o.y, y)
					copy(o.rest, rest)
					return Finding{}, false
				}
				f := p.about(GearRatio, Warning, j.effort)
				f.Value, f.Limit, f.Where = s, 1+scaleLeast, "the whole log"
				f.Why = fmt.Sprintf("%s is %.4g ± %.2g times what the equations of the other joints ask for: its gear ratio, drive gain or sensor scale is off by %.2g %%",
					j.effort.name, s, 2*sd, 100*math.Abs(s-1))
				f.Fix = fmt.Sprintf("ident check --fix FILE writes a log with %s divided by %.4g; or correct the gear ratio or --gains of joint %s", j.effort.name, s, j.name)
				f.Repair = Repair{Edits: []Edit{{Channel: j.effort.name, Scale: 1 / s}}}
				return f, true
			},
		})
	}
	return out
}

// allScales: the torques of all joints have scales of their own, as motor currents have that are taken
// for torques. One joint has to be held, since the common scale is free; the one whose scale is known best
// together with the others'.
func (p *patient) allScales(t *together) []stackedHypothesis {
	var cols [][]float64
	var which []int
	for k, o := range t.joints {
		j := p.joints[o.joint]
		if j.effort.role == torque || j.gain != 0 {
			cols, which = append(cols, t.predicted(k)), append(which, k)
		}
	}
	if len(cols) < 4 {
		return nil
	}
	held := 0
	for i, k := range which {
		if t.joints[k].size() > t.joints[which[held]].size() {
			held = i
		}
	}
	reference := p.joints[t.joints[which[held]].joint].effort.name
	cols, which = slices.Delete(cols, held, held+1), slices.Delete(which, held, held+1)
	off := func(g gain) (n int) {
		for _, c := range g.coef {
			if math.Abs(c) > scaleLeast {
				n++
			}
		}
		return n
	}
	return []stackedHypothesis{{
		cols:    cols,
		matters: func(g gain) bool { return 2*off(g) > len(cols) },
		accept: func(g gain) (Finding, bool) {
			scales := make([]float64, len(which))
			for i := range scales {
				scales[i] = 1
			}
			var before [][]float64
			for _, k := range which {
				before = append(before, slices.Clone(t.joints[k].y), slices.Clone(t.joints[k].rest))
			}
			most := 0.0
			for range 20 {
				most = 0
				for i, k := range which {
					// Of a joint that says little of its scale, rounds would make anything.
					step := math.Min(math.Max(1/math.Max(1-g.coef[i], 0.1), 0.5), 2)
					if scales[i]*step > 1000 || scales[i]*step < 1e-3 {
						step = 1
					}
					scales[i] *= step
					most = math.Max(most, math.Abs(step-1))
					o := t.joints[k]
					for r := range o.y {
						o.y[r] /= step
						o.rest[r] /= step
					}
				}
				t.settle()
				for i, k := range which {
					cols[i] = t.predicted(k)
				}
				var ok bool
				if g, ok = t.added(cols...); !ok || most < 1e-3 {
					break
				}
			}
			if most > scaleLeast || slices.Max(scales) > 100 || slices.Min(scales) < 0.01 {
				for i, k := range which {
					copy(t.joints[k].y, before[2*i])
					copy(t.joints[k].rest, before[2*i+1])
				}
				p.gainless = true // nothing more can be said of scales
				return Finding{}, false
			}
			text := ""
			worst := 1.0
			for i, k := range which {
				text += pick(i > 0, ", ", "") + fmt.Sprintf("%s %.3g", p.joints[t.joints[k].joint].effort.name, scales[i])
				if math.Abs(math.Log(scales[i])) > math.Abs(math.Log(worst)) {
					worst = scales[i]
				}
			}
			f := Finding{ID: CurrentAsTorque, Severity: Warning, Value: worst, Limit: 1 + scaleLeast, Where: "the whole log"}
			f.Why = fmt.Sprintf("the torques fit each other's equations only with factors that differ from joint to joint (beside %s: %s): they are motor currents, or motor-side torques, without the drives' gains", reference, text)
			f.Fix = "--map i of these joints to the channels, with --gains"
			p.gainless = true
			return f, true
		},
	}}
}

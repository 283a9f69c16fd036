package excite

import (
	"math"
	"slices"

	"ident/internal/lanes"
	"ident/regressor"
)

// torqueLimits bounds each joint's torque and power for all parameters in a box.
// With χ the values of the model's columns and u their uncertainty, the torque of
// a sample is at most
//
//	|Y·χ| + |Y|·u
//
// with Coulomb friction always adverse, as its sign changes between samples.
type torqueLimits struct {
	model         *regressor.Model
	names         []string // [joint]
	prismatic     []bool   // [joint]
	values        []float64
	spread        []float64 // u, half widths of the box, [column]
	coulomb       []bool    // [column]
	effort, power []float64 // [joint], 0 for no limit
	margin        float64
	tight         []float64   // two a joint: effort, power
	nominal, wide []float64   // of one joint, [sample]
	bend          []float64   // of the torque between samples of the final check, [joint]
	reached       [][]float64 // at its samples, as parts of the limit, [joint][sample]
}

// newTorqueLimits returns the limits of torque and power, nil without values of
// the parameters, and the names of the joints that have such limits.
func newTorqueLimits(p *Problem, axes []axis) (c *torqueLimits, limited []string) {
	n := len(axes)
	c = &torqueLimits{model: p.Model, values: p.Values, spread: p.Uncertainty, margin: p.Margin, tight: make([]float64, 2*n),
		names: make([]string, n), prismatic: make([]bool, n), effort: make([]float64, n), power: make([]float64, n)}
	for i := range axes {
		c.names[i], c.prismatic[i] = axes[i].name, axes[i].prismatic
		l := &p.Limits[i]
		if given(l.Effort) {
			c.effort[i] = l.Effort
		}
		if given(l.Power) {
			c.power[i] = l.Power
		}
		if c.effort[i] > 0 || c.power[i] > 0 {
			limited = append(limited, axes[i].name)
		}
	}
	if p.Values == nil || p.Robot == nil {
		return nil, limited
	}
	if c.spread == nil {
		c.spread = make([]float64, len(c.values))
	}
	for _, col := range p.Model.Columns() {
		c.coulomb = append(c.coulomb, col.Term == regressor.Fs)
	}
	return c, limited
}

func (c *torqueLimits) clone() coupled {
	own := *c
	own.nominal, own.wide, own.bend, own.reached = nil, nil, nil, nil
	return &own
}

func (c *torqueLimits) tightening() []float64 { return c.tight }

func (c *torqueLimits) unit(k int) string {
	if c.prismatic[k] {
		return "N"
	}
	return "N·m"
}

// torques stores the nominal torques of joint k at the samples of a block, without
// Coulomb friction, and the half widths of their intervals for uncertain parameters
// and Coulomb friction of either sign. |y| is replaced by √(y² + softEntry²),
// which is an upper bound, convex and differentiable; in a quick bound by |y| + softEntry.
func (c *torqueLimits) torques(nominal, wide []float64, b *regressor.Block, k int, quick bool) {
	clear(nominal)
	clear(wide)
	for a, col := range c.model.Mask(k) {
		rows := b.Joint[k][a][:len(nominal)]
		value, u := c.values[col], c.spread[col]
		switch wide := wide[:len(rows)]; {
		case c.coulomb[col]:
			for t, y := range rows {
				wide[t] += math.Abs(y) * (math.Abs(value) + u)
			}
			continue
		case u > 0 && quick:
			for t, y := range rows {
				wide[t] += u * (math.Abs(y) + softEntry)
			}
		case u > 0:
			for t, y := range rows {
				wide[t] += u * math.Sqrt(y*y+softEntry*softEntry)
			}
		}
		lanes.Axpy(nominal, value, rows)
	}
}

// free returns true if a quick bound shows joint k within its limits at all samples, so unpenalised.
func (c *torqueLimits) free(e *evaluator, k int) bool {
	c.torques(c.nominal, c.wide, e.block, k, true)
	torque := c.effort[k] * (1 - c.margin - c.tight[2*k] - onset)
	power := c.power[k] * (1 - c.margin - c.tight[2*k+1] - onset)
	for t, nominal := range c.nominal {
		tau := math.Abs(nominal) + c.wide[t]
		if c.effort[k] > 0 && !(tau < torque) || c.power[k] > 0 && !(tau*math.Abs(e.motion[1][k][t]) < power) {
			return false
		}
	}
	return true
}

// softEntry is small beside the regressor's entries of a moving arm, of order one
// in SI units.
const softEntry = 0.01

func (c *torqueLimits) penalty(e *evaluator, weight float64) (sum float64, worst Excess) {
	worst.Relative = math.Inf(-1)
	if len(c.nominal) != e.samples {
		c.nominal, c.wide = make([]float64, e.samples), make([]float64, e.samples)
	}
	for k := range c.names {
		if c.effort[k] == 0 && c.power[k] == 0 || c.free(e, k) {
			continue
		}
		c.torques(c.nominal, c.wide, e.block, k, false)
		for t, wide := range c.wide {
			nominal := c.nominal[t]
			for _, sign := range [2]float64{1, -1} {
				tau, rate := sign*nominal+wide, math.Abs(e.motion[1][k][t])
				by := 0.0 // derivative of the penalty by tau
				if limit := c.effort[k]; limit > 0 {
					x := tau/limit - (1 - c.margin - c.tight[2*k])
					if x > worst.Relative {
						worst = Excess{"torque", c.names[k], tau, limit * (1 - c.margin), c.unit(k), x, e.s.times[t], 2 * k}
					}
					if r := x + onset; r > 0 {
						sum += r * r
						by += 2 * r / limit
					}
				}
				if limit := c.power[k]; limit > 0 {
					x := tau*rate/limit - (1 - c.margin - c.tight[2*k+1])
					if x > worst.Relative {
						worst = Excess{"power", c.names[k], tau * rate, limit * (1 - c.margin), "W", x, e.s.times[t], 2*k + 1}
					}
					if r := x + onset; r > 0 {
						sum += r * r
						by += 2 * r / limit * rate
						if weight > 0 {
							e.byMotion[1][k][t] += weight / float64(e.samples) * 2 * r / limit * tau * math.Copysign(1, e.motion[1][k][t])
						}
					}
				}
				if by == 0 || weight == 0 {
					continue
				}
				by *= weight / float64(e.samples)
				for a, col := range e.m.Mask(k) {
					if !c.coulomb[col] {
						y := e.block.Joint[k][a][t]
						e.gamma.Joint[k][a][t] += by * (sign*c.values[col] + c.spread[col]*y/math.Sqrt(y*y+softEntry*softEntry))
					}
				}
			}
		}
	}
	return sum / float64(e.samples), worst
}

// proof bounds each joint's torque between samples by the second derivatives of
// the regressor's entries. Through closed loops those have no bound: there the
// change of the torque since the last sample is added instead.
func (c *torqueLimits) proof(b *motionBounds, worst excesses) func(t []float64, motion *[3][][]float64) {
	h := b.step
	var entries [][]float64
	if b.links != nil {
		entries = boundEntries(b.robot, treeOf(b.robot), c.model, b.links, b.motion)
	}
	type bound struct{ torque, rate, atSample float64 }
	last := make([]bound, len(c.names)) // at the sample before
	for k := range last {
		last[k].atSample = math.NaN()
	}
	c.bend = make([]float64, len(c.names))
	for k := range c.names {
		for a, col := range c.model.Mask(k) {
			if entries != nil {
				c.bend[k] += h * h / 8 * entries[k][a] * (math.Abs(c.values[col]) + c.spread[col])
			}
		}
	}
	ws := c.model.NewWorkspace()
	var block *regressor.Block
	var nominals, wides []float64
	return func(times []float64, motion *[3][][]float64) {
		if len(nominals) < len(times) {
			block, c.reached = c.model.NewBlock(len(times)), grid(len(c.names), len(times))
			nominals, wides = make([]float64, len(times)), make([]float64, len(times))
		}
		block.Resize(len(times))
		c.model.Eval(block, motion[0], motion[1], motion[2], ws)
		for k := range c.names {
			if c.effort[k] == 0 && c.power[k] == 0 {
				continue
			}
			bend := h * h / 8 * b.motion.Bound(k, 3)
			nominal, wide := nominals[:len(times)], wides[:len(times)]
			c.torques(nominal, wide, block, k, false)
			for t := range times {
				now := bound{rate: math.Abs(motion[1][k][t]) + bend}
				now.atSample = math.Abs(nominal[t]) + wide[t] + c.bend[k]
				now.torque = now.atSample
				if entries == nil {
					now.torque += math.Abs(now.atSample - last[k].atSample)
				}
				if limit := c.effort[k]; limit > 0 {
					c.reached[k][t] = now.torque / limit
					worst.raise(Excess{"torque", c.names[k], now.torque, limit, c.unit(k), now.torque/limit - 1, times[t], 2 * k})
				}
				if limit := c.power[k]; limit > 0 {
					// Between two samples each factor is at most the larger of its ends.
					p := max(now.torque, last[k].torque) * max(now.rate, last[k].rate)
					worst.raise(Excess{"power", c.names[k], p, limit, "W", p/limit - 1, times[t], 2*k + 1})
				}
				last[k] = now
			}
		}
	}
}

// sweepPeaks returns the final check at those samples at which torques may be largest. It returns false where there are
// limits of power, or no bounds between the samples.
func (c *torqueLimits) sweepPeaks(b *motionBounds, times []float64, worst excesses) bool {
	if b.links == nil || slices.ContainsFunc(c.power, func(x float64) bool { return x > 0 }) {
		return false
	}
	measure := c.proof(b, worst)
	bend, reached := make([]float64, len(c.names)), make([][]float64, len(c.names))
	for k, limit := range c.effort {
		if limit > 0 {
			bend[k] = coarseSteps * coarseSteps * c.bend[k] / limit
		}
	}
	visitPeaks(len(times), coarseSteps, bend, func(at []int) [][]float64 {
		now := pick(times, at)
		var motion [3][][]float64
		for o := range motion {
			motion[o] = grid(len(c.names), len(at))
		}
		sampleAt(b.motion, now, motion[0], motion[1], motion[2])
		measure(now, &motion)
		for k := range reached {
			reached[k] = c.reached[k][:len(at)]
		}
		return reached
	})
	return true
}

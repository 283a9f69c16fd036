package simulate

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"ident/robot"
	"ident/robot/drives"
)

// Signals of drives that a log may hold.
const (
	torqueSignal   = "torque"
	currentSignal  = "current"
	voltageSignal  = "voltage"
	pressureSignal = "pressure"
)

// measures reports whether the log holds a signal of the drives.
func (o *Options) measures(signal string) bool {
	if len(o.Measure) == 0 {
		return signal == torqueSignal
	}
	return slices.Contains(o.Measure, signal)
}

// drivesOf returns the drives of a robot's joints, and an error if one lacks a signal that is to be measured.
func drivesOf(r *robot.Robot, links []int, o *Options) ([]drives.Drive, error) {
	list, err := drives.Of(r, links)
	if err != nil {
		return nil, fmt.Errorf("simulate: %w", err)
	}
	known := []string{torqueSignal, currentSignal, voltageSignal, pressureSignal}
	for _, s := range o.Measure {
		if !slices.Contains(known, s) {
			return nil, fmt.Errorf("simulate: %q is no signal of a drive; they are %s", s, strings.Join(known, ", "))
		}
		for k, d := range list {
			_, motor := d.(*drives.Motor)
			_, cylinder := d.(*drives.Cylinder)
			name := r.Links[links[k]].Joint.Name
			switch {
			case s == currentSignal && !motor && !cylinder, s == voltageSignal && !motor:
				return nil, fmt.Errorf("simulate: the %s of joint %q is not known: describe its motor in the robot file, drive: {gear_ratio: 100, dc: {resistance: 1.2, constant: 0.05}}", s, name)
			case s == pressureSignal && !cylinder:
				return nil, fmt.Errorf("simulate: joint %q has no pressure: describe its cylinder in the robot file, drive: {cylinder: {…}}", name)
			}
		}
	}
	return list, nil
}

// throughGears converts the torques at the joints to those of the drives before gear losses (package drives), without
// losses at rest.
func (s *states) throughGears() {
	for i, d := range s.drives {
		if d == nil || d.Loss() == 0 {
			continue
		}
		for k, v := range s.tau[i] {
			s.tau[i][k] = drives.ThroughGear(v, s.dq[i][k], d.Loss())
		}
	}
}

// torqueRates computes how the drives' torques change, which inductances need voltage for and cylinders flow: their derivatives by
// time, and the jerk of the joints, by differences of exact torques.
//
// A derivative at a sample is that of the polynomial through points evenly about it. Where a joint reverses, dry friction jumps, so
// the points lie on one side of the reversal, as near to the sample as they can; the torque's jump itself, which no drive follows,
// is left out. So it is where the motion begins and ends.
type torqueRates struct {
	orders  int             // derivatives, 1 to 3
	points  int             // of a polynomial
	step    float64         // between points, s
	reach   int             // points that are computed on either side of a sample
	end     float64         // of a motion that does not repeat; +Inf otherwise
	weights [][]([]float64) // by the first point of a polynomial and by the derivative
	at      *states
	times   []float64
	rate    [3][][]float64 // by derivative: one slice a joint
	jerk    [][]float64
	tau     [][][]float64 // by offset: one slice a joint
	dq, ddq [][][]float64
}

// Points of the differences: torques of motions up to 10 Hz have first derivatives to 1e-8 by the short ones, and third ones, for
// which short steps lose the digits that the torques have, to 1e-6 by the long ones.
const (
	shortStep, shortPoints = 2e-5, 5
	longStep, longPoints   = 1e-3, 9
)

// newTorqueRates returns nil if no drive has a measured signal that depends on the torque's derivatives.
func (x *Simulation) newTorqueRates() *torqueRates {
	o := &x.outline.Options
	orders := 0
	for _, d := range x.drives {
		switch d := d.(type) {
		case *drives.Motor:
			if d.States() > 0 && o.measures(voltageSignal) {
				orders = max(orders, 1)
			}
		case *drives.Cylinder:
			if o.measures(currentSignal) {
				orders = max(orders, d.Order-2)
			}
		}
	}
	if orders == 0 {
		return nil
	}
	r := &torqueRates{orders: orders, points: shortPoints, step: shortStep, end: math.Inf(1), at: x.newStates(), times: make([]float64, blockRows)}
	if orders > 1 {
		r.points, r.step = longPoints, longStep
	}
	r.reach = r.points
	if !x.motion.Periodic() {
		r.end = x.motion.Duration() * (1 + 1e-12)
	}
	n := len(x.drives)
	for k := range r.rate {
		r.rate[k] = grid(n, blockRows)
	}
	r.jerk = grid(n, blockRows)
	for range 2*r.reach + 1 {
		r.tau, r.dq, r.ddq = append(r.tau, grid(n, blockRows)), append(r.dq, grid(n, blockRows)), append(r.ddq, grid(n, blockRows))
	}
	for first := 0; first+r.points <= len(r.tau); first++ {
		r.weights = append(r.weights, differences(float64(first-r.reach), r.points, orders, r.step))
	}
	return r
}

// differences returns, for each derivative from the first on, the weights of values at n points a step apart in the derivative at zero of
// the polynomial through them, whose first point lies first steps behind zero (Fornberg 1988, Mathematics of Computation 51).
func differences(first float64, n, orders int, step float64) [][]float64 {
	c := make([][]float64, orders+1)
	for k := range c {
		c[k] = make([]float64, n)
	}
	c[0][0] = 1
	before := 1.0
	for i := 1; i < n; i++ {
		x, product := first+float64(i), 1.0
		for j := range i {
			product *= float64(i - j)
			if j == i-1 {
				for k := orders; k > 0; k-- {
					c[k][i] = before / product * (float64(k)*c[k-1][j] - (x-1)*c[k][j])
				}
				c[0][i] = -before / product * (x - 1) * c[0][j]
			}
			for k := orders; k > 0; k-- {
				c[k][j] = (x*c[k][j] - float64(k)*c[k-1][j]) / float64(i-j)
			}
			c[0][j] *= x / float64(i-j)
		}
		before = product
	}
	scale := 1.0
	for k := 1; k <= orders; k++ {
		scale /= step
		for i := range c[k] {
			c[k][i] *= scale
		}
	}
	return c[1:]
}

// fill computes the derivatives at times.
func (r *torqueRates) fill(m BatchSampler, times []float64) error {
	for o := range r.tau {
		for k, t := range times {
			r.times[k] = t + float64(o-r.reach)*r.step
		}
		if err := r.at.at(m, r.times[:len(times)], 0, true); err != nil {
			return err
		}
		copyRows(r.tau[o], r.at.tau)
		copyRows(r.dq[o], r.at.dq)
		copyRows(r.ddq[o], r.at.ddq)
	}
	for k, t := range times {
		first := r.window(t, k)
		for i := range r.jerk {
			for d, w := range r.weights[first] {
				sum, jerk := 0.0, 0.0
				for p, v := range w {
					sum += v * r.tau[first+p][i][k]
					jerk += v * r.ddq[first+p][i][k]
				}
				r.rate[d][i][k] = sum
				if d == 0 {
					r.jerk[i][k] = jerk
				}
			}
		}
	}
	return nil
}

// window returns the first point of the polynomial for sample k: its points are within the motion and between two reversals, and their
// middle is as near to the sample as can be. If there are none such, they lie evenly about the sample.
func (r *torqueRates) window(t float64, k int) int {
	middle := r.reach - r.points/2
	for away := 0; away <= middle; away++ {
		for _, first := range [2]int{middle - away, middle + away} {
			if first < len(r.weights) && r.smooth(t, k, first) {
				return first
			}
		}
	}
	return middle
}

func (r *torqueRates) smooth(t float64, k, first int) bool {
	if t+float64(first-r.reach)*r.step < 0 || t+float64(first+r.points-1-r.reach)*r.step > r.end {
		return false
	}
	for i := range r.jerk {
		for p := 1; p < r.points; p++ {
			a, b := r.dq[first][i][k], r.dq[first+p][i][k]
			if (a > 0) != (b > 0) || (a < 0) != (b < 0) {
				return false
			}
		}
	}
	return true
}

// drivenSignals computes the signals of drives that follow a motion exactly; rates is nil where none are needed.
func (x *Simulation) drivenSignals(e *Record, rates *torqueRates) {
	for i, d := range x.drives {
		switch d := d.(type) {
		case *drives.Motor:
			for k, tau := range e.Exact.Tau[i] {
				if len(e.Current) > 0 {
					e.Current[i][k] = tau / d.Gain()
				}
				if len(e.Voltage) > 0 {
					rate := 0.0
					if rates != nil {
						rate = rates.rate[0][i][k]
					}
					e.Voltage[i][k] = d.Voltage(tau, rate, e.Exact.DQ[i][k])
				}
			}
		case *drives.Cylinder:
			for k, tau := range e.Exact.Tau[i] {
				force, speed := [4]float64{tau}, [3]float64{e.Exact.DQ[i][k], e.Exact.DDQ[i][k]}
				if rates != nil {
					force[1], force[2], force[3], speed[2] = rates.rate[0][i][k], rates.rate[1][i][k], rates.rate[2][i][k], rates.jerk[i][k]
				}
				current, pressure := d.Nominal(force, speed)
				if len(e.Current) > 0 {
					e.Current[i][k] = current
				}
				if len(e.Pressure) > 0 {
					e.Pressure[i][k] = pressure
				}
			}
		}
	}
	x.currentNoise(e)
}

// currentNoise adds the torques' errors to the motors' currents, because a drive that reports torques measures currents.
func (x *Simulation) currentNoise(e *Record) {
	if len(e.Current) == 0 {
		return
	}
	for i, d := range x.drives {
		if m, ok := d.(*drives.Motor); ok {
			for k, tau := range e.Exact.Tau[i] {
				e.Current[i][k] += (e.Measured.Tau[i][k] - tau) / m.Gain()
			}
		}
	}
}

// signals stores the drives' signals at an instant under a controller.
func (e *Record) signals(at int, from []drives.Signals) {
	for i, s := range from {
		if len(e.Current) > 0 {
			e.Current[i][at] = s.Current
		}
		if len(e.Voltage) > 0 {
			e.Voltage[i][at] = s.Voltage
		}
		if len(e.Pressure) > 0 {
			e.Pressure[i][at] = s.Pressure
		}
	}
}

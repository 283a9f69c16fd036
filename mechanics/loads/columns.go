package loads

import "ident/mechanics/dynamics"

// Column is a series of the report, one value per sample.
type Column struct {
	Name, Unit string
	Values     []float64
}

// record stores the quantities of a sample, always in the same order.
func (c *computation) record(k int) {
	c.place = 0
	for i := range c.report.Drives {
		d := &c.report.Drives[i]
		c.keep(k, "tau_", d.Joint, d.Unit, c.torque[i])
		c.keep(k, "power_", d.Joint, "W", c.torque[i]*c.s.DQ[i][k])
	}
	for i := range c.report.Motors {
		u := &c.report.Motors[i]
		c.keep(k, "motor_torque_", u.Joint, "N·m", u.lastTorque)
		c.keep(k, "motor_speed_", u.Joint, "rad/s", u.lastSpeed)
	}
	for i, j := range c.bearings {
		c.keepWrench(k, c.report.Bearings[i].Joint, c.wrenches[j])
	}
	c.keepWrench(k, "base", c.re.Base())
	if p := c.opt.Payload; p != nil {
		c.keepWrench(k, "payload", c.re.On(p.Link, p.Body).Moved(p.Point))
	}
	for _, b := range c.beams {
		c.keep(k, "stress_", b.report.Link, "Pa", b.stress)
	}
	if c.report.Tip != nil {
		c.keep(k, "deflection_", "tip", "m", c.tip)
	}
}

func (c *computation) keepWrench(k int, of string, f dynamics.Wrench) {
	for a, name := range [3]string{"fx_", "fy_", "fz_"} {
		c.keep(k, name, of, "N", f.Force[a])
	}
	for a, name := range [3]string{"mx_", "my_", "mz_"} {
		c.keep(k, name, of, "N·m", f.Moment[a])
	}
}

// keep stores the value of the next column.
func (c *computation) keep(k int, name, of, unit string, v float64) {
	if k == 0 {
		c.report.Columns = append(c.report.Columns, Column{name + of, unit, make([]float64, len(c.s.T))})
	}
	c.report.Columns[c.place].Values[k] = v
	c.place++
}

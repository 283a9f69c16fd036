package doctor

import "fmt"

// copiedChannels finds channels of two joints with the same values in every row, which different sensors never have: one
// was written or mapped twice. Moments and extremes of the whole log that agree to the last bit show it without a second
// pass. An ideal controller, as in a simulation, may move positions alike; then the torques differ.
func copiedChannels(rec *recording) (found findings) {
	for i, c := range rec.channels {
		s := rec.stats(c)
		if c.role == velocity || c.role == acceleration || s.rows < fewest || s.span() == 0 {
			// Velocities are compared with their own position instead.
			continue
		}
		for _, o := range rec.channels[:i] {
			same := rec.stats(o)
			if o.role != c.role || o.joint == c.joint || s.rows != same.rows || s.mean != same.mean || s.m2 != same.m2 || s.min != same.min || s.step != same.step {
				continue
			}
			f := rec.about(Copied, Error, c)
			if c.role == position {
				f.Severity = Warning
			}
			f.Value, f.Limit = float64(s.rows), float64(fewest)
			f.Where = "the whole log"
			f.Why = fmt.Sprintf("%s and %s hold the same values in every row: one channel was written or mapped twice", o.name, c.name)
			f.Fix = fmt.Sprintf("name the channel of joint %s with {map}", rec.joints[c.joint].name)
			found.add(f)
		}
	}
	return found
}

package project

import (
	"math"
	"strings"

	"ident/internal/rowlist"
	"ident/robot"
)

// applyLimits replaces the robot file's limits by the project's, joint by joint in order, and records their origin.
func applyLimits(r *robot.Robot, s *Settings) error {
	l := s.Limits
	joints := r.Independent()
	check := func(what string, n int) error {
		if n != 0 && n != len(joints) {
			return wrong("limits", "", "%s for %s (%s)", rowlist.Plural(n, what+" limit"), rowlist.Plural(len(joints), "joint"), strings.Join(JointNames(r), ", "))
		}
		return nil
	}
	for what, n := range map[string]int{"position": len(l.Position), "velocity": len(l.Velocity), "acceleration": len(l.Acceleration), "jerk": len(l.Jerk), "torque": len(l.Torque)} {
		if err := check(what, n); err != nil {
			return err
		}
	}
	for k, i := range joints {
		j := &r.Links[i].Joint
		if len(l.Position) > 0 {
			if len(l.Position[k]) != 2 || !(l.Position[k][0] <= l.Position[k][1]) {
				return wrong("limits", "", "position limits of joint %q: %v is not [lower, upper]", j.Name, l.Position[k])
			}
			j.Lower, j.Upper = l.Position[k][0], l.Position[k][1]
			j.Placeholder, j.LimitsFrom.Position = "", s.NameOf("limits.position")
		}
		for _, v := range []struct {
			from   []float64
			to     *float64
			what   string
			origin *string
		}{{l.Velocity, &j.Velocity, "velocity", &j.LimitsFrom.Velocity}, {l.Acceleration, &j.Accel, "acceleration", &j.LimitsFrom.Accel},
			{l.Jerk, &j.Jerk, "jerk", &j.LimitsFrom.Jerk}, {l.Torque, &j.Effort, "torque", &j.LimitsFrom.Effort}} {
			if len(v.from) == 0 {
				continue
			}
			if !(v.from[k] > 0) || math.IsInf(v.from[k], 0) {
				return wrong("limits", "", "%s limit of joint %q is %g; it must be positive", v.what, j.Name, v.from[k])
			}
			*v.to, *v.origin = v.from[k], s.NameOf("limits."+v.what)
		}
	}
	return nil
}

// NameOf returns the place that gave a setting: its option, the project file, or else the key. Use it in texts that say
// where a value comes from.
func (p *Settings) NameOf(key string) string {
	if p.OriginOf(key) == FromOption && p.Naming != nil {
		return p.Naming(key)
	}
	if p.OriginOf(key) == FromFile {
		return File
	}
	return key
}

// Called returns the name of a setting for whoever reads texts of these settings: its option, or else the key.
func (p *Settings) Called(key string) string { return p.naming(key) }

package excite

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"ident/robot"
)

// Limits are the limits of one joint. NaN means not given; for jerk, effort and power zero does too. Units are rad,
// rad/s, rad/s² and rad/s³, or m, m/s, m/s² and m/s³ for a prismatic joint.
type Limits struct {
	Joint      string
	Lower      float64
	Upper      float64
	Velocity   float64
	Accel      float64
	Jerk       float64
	Effort     float64 // N·m or N
	Power      float64 // mechanical power, W
	Continuous bool    // unlimited rotation: without position limits it stays within ±π
	Prismatic  bool
	// Placeholder says why the robot file's position limits do not count; "" if they do, or if the file has none.
	Placeholder string
	From        LimitOrigins
}

// LimitOrigins says where each limit of a joint comes from: "" means the robot file.
type LimitOrigins struct {
	robot.LimitOrigins
	Power string
}

// LimitsOf returns the limits of a robot's independent moving joints, in the order of a model's rows. Placeholder
// position limits (robot.Joint.Placeholder) count as missing. Limits of mimicking joints tighten those of the joint that
// they follow.
func LimitsOf(r *robot.Robot) []Limits {
	var out []Limits
	at := map[int]int{}
	for _, j := range r.Independent() {
		n := &r.Links[j].Joint
		at[j] = len(out)
		lower, upper := n.Lower, n.Upper
		if n.Placeholder != "" {
			lower, upper = math.NaN(), math.NaN()
		}
		out = append(out, Limits{Joint: n.Name, Lower: lower, Upper: upper, Placeholder: n.Placeholder, From: LimitOrigins{LimitOrigins: n.LimitsFrom}, Velocity: n.Velocity, Accel: n.Accel,
			Jerk: n.Jerk, Effort: n.Effort, Power: math.NaN(), Continuous: n.Continuous, Prismatic: n.Kind == robot.Prismatic})
	}
	for _, m := range r.Mimics {
		i, ok := at[m.Of]
		if !ok || m.Multiplier == 0 {
			continue
		}
		l, n := &out[i], &r.Links[m.Joint].Joint
		lo, hi := (n.Lower-m.Offset)/m.Multiplier, (n.Upper-m.Offset)/m.Multiplier
		if n.Placeholder != "" {
			lo, hi = math.NaN(), math.NaN()
		}
		if m.Multiplier < 0 {
			lo, hi = hi, lo
		}
		l.Lower, l.Upper = tighter(l.Lower, lo, math.Max), tighter(l.Upper, hi, math.Min)
		l.Velocity = tighter(l.Velocity, n.Velocity/math.Abs(m.Multiplier), math.Min)
		l.Accel = tighter(l.Accel, n.Accel/math.Abs(m.Multiplier), math.Min)
		l.Jerk = tighter(l.Jerk, n.Jerk/math.Abs(m.Multiplier), math.Min)
	}
	return out
}

// tighter chooses between two limits, either of which may be absent.
func tighter(a, b float64, choose func(x, y float64) float64) float64 {
	switch {
	case math.IsNaN(a):
		return b
	case math.IsNaN(b):
		return a
	}
	return choose(a, b)
}

// MissingLimit names the missing limits of a joint.
type MissingLimit struct {
	Joint    string
	Position bool
	Velocity bool
	// Placeholder describes what the robot file has instead of position limits, "" if nothing.
	Placeholder string
}

// MissingLimitsError lists joints without a position or velocity limit, for which no
// default is safe.
type MissingLimitsError struct{ Missing []MissingLimit }

func (e *MissingLimitsError) Error() string {
	return e.Naming(func(key string) string { return key }).Error()
}

// Naming returns the error as text with name(key) for each setting that gives limits.
func (e *MissingLimitsError) Naming(name func(key string) string) error {
	var parts []string
	for _, m := range e.Missing {
		limit := "position limits"
		switch {
		case m.Position && m.Velocity:
			limit = "position and velocity limits"
		case m.Velocity:
			limit = "velocity limit"
		}
		text := fmt.Sprintf("joint %q has no %s", m.Joint, limit)
		if m.Placeholder != "" {
			text += " (the file's are a placeholder: " + m.Placeholder + ")"
		}
		parts = append(parts, text)
	}
	return fmt.Errorf("%s: give them in the robot file, in ident.yaml or with %s and %s", strings.Join(parts, "; "), name("limits.position"), name("limits.velocity"))
}

// LimitError reports limits of a joint that cannot be met together.
type LimitError struct{ Joint, Text string }

func (e *LimitError) Error() string { return fmt.Sprintf("joint %q: %s", e.Joint, e.Text) }

// rampTime is the time, in seconds, to the top speed of a joint without acceleration limit.
const rampTime = 0.25

// axis holds one joint's limits minus the margin.
type axis struct {
	name      string
	held      bool    // the position range is empty
	centre    float64 // of the position range
	half      float64 // half the range, less the margin
	vel       float64
	acc       float64
	jerk      float64 // 0 for none
	full      Limits  // without margin, defaults filled in
	at        int     // index of the joint's first variable, -1 for a held one
	prismatic bool
}

// top returns the limit of the position's derivative of order 0 to 3, 0 for none.
func (a *axis) top(order int) float64 {
	return [4]float64{a.half, a.vel, a.acc, a.jerk}[order]
}

// assumed is the origin of limits that neither the robot file nor a setting gives.
const assumed = "assumed"

// LimitSources says for every kind of limit where it comes from, one line a kind, with the joints if they differ:
// "position: robot file". Kinds without a limit are skipped.
func LimitSources(limits []Limits) []string {
	var out []string
	for _, kind := range []struct {
		name string
		of   func(*Limits) (string, bool)
	}{
		{"position", func(l *Limits) (string, bool) { return l.From.Position, !math.IsNaN(l.Lower) }},
		{"velocity", func(l *Limits) (string, bool) { return l.From.Velocity, given(l.Velocity) }},
		{"acceleration", func(l *Limits) (string, bool) { return l.From.Accel, given(l.Accel) }},
		{"jerk", func(l *Limits) (string, bool) { return l.From.Jerk, given(l.Jerk) }},
		{"torque", func(l *Limits) (string, bool) { return l.From.Effort, given(l.Effort) }},
		{"power", func(l *Limits) (string, bool) { return l.From.Power, given(l.Power) }},
	} {
		var origins []string
		joints := map[string][]string{}
		for i := range limits {
			from, ok := kind.of(&limits[i])
			if !ok {
				continue
			}
			from = cmp.Or(from, "robot file")
			if joints[from] == nil {
				origins = append(origins, from)
			}
			joints[from] = append(joints[from], limits[i].Joint)
		}
		for i, from := range origins {
			if len(joints[from]) < len(limits) {
				origins[i] += " (" + strings.Join(joints[from], ", ") + ")"
			}
		}
		if len(origins) > 0 {
			out = append(out, kind.name+": "+strings.Join(origins, "; "))
		}
	}
	return out
}

// given reports whether an optional limit is set.
func given(x float64) bool { return x != 0 && !math.IsNaN(x) }

// resolve checks the limits and fills in defaults; it also describes these.
func resolve(limits []Limits, margin float64) (axes []axis, defaults []string, err error) {
	var missing []MissingLimit
	for _, l := range limits {
		unit := "rad"
		if l.Prismatic {
			unit = "m"
		}
		if l.Continuous && math.IsNaN(l.Lower) && math.IsNaN(l.Upper) {
			l.Lower, l.Upper, l.From.Position = -math.Pi, math.Pi, assumed
			defaults = append(defaults, fmt.Sprintf("joint %q: position within ±π, as it turns without end", l.Joint))
		}
		for _, v := range []float64{l.Lower, l.Upper, l.Velocity, l.Accel, l.Jerk, l.Effort, l.Power} {
			if math.IsInf(v, 0) {
				return nil, nil, &LimitError{l.Joint, fmt.Sprintf("limits [%g, %g] %s, %g %s/s, %g %s/s², %g %s/s³, effort %g, power %g are not all finite; leave out what does not bind", l.Lower, l.Upper, unit, l.Velocity, unit, l.Accel, unit, l.Jerk, unit, l.Effort, l.Power)}
			}
		}
		noPosition := math.IsNaN(l.Lower) || math.IsNaN(l.Upper)
		if l.Lower > l.Upper {
			return nil, nil, &LimitError{l.Joint, fmt.Sprintf("lower position limit %g %s is above the upper %g", l.Lower, unit, l.Upper)}
		}
		a := axis{name: l.Joint, at: -1, prismatic: l.Prismatic}
		if l.Lower == l.Upper {
			a.held, a.centre, a.full = true, l.Lower, l
			axes = append(axes, a)
			defaults = append(defaults, fmt.Sprintf("joint %q: held still at %g %s, its position range is empty", l.Joint, l.Lower, unit))
			continue
		}
		if noPosition || math.IsNaN(l.Velocity) {
			m := MissingLimit{Joint: l.Joint, Position: noPosition, Velocity: math.IsNaN(l.Velocity)}
			if noPosition {
				m.Placeholder = l.Placeholder
			}
			missing = append(missing, m)
			continue
		}
		if l.Velocity <= 0 {
			return nil, nil, &LimitError{l.Joint, fmt.Sprintf("velocity limit %g %s/s leaves no motion; to hold the joint still give it equal position limits", l.Velocity, unit)}
		}
		if math.IsNaN(l.Accel) {
			l.Accel, l.From.Accel = l.Velocity/rampTime, assumed
			defaults = append(defaults, fmt.Sprintf("joint %q: acceleration limit %g %s/s², which reaches the top speed in %g s", l.Joint, l.Accel, unit, rampTime))
		}
		if l.Accel <= 0 {
			return nil, nil, &LimitError{l.Joint, fmt.Sprintf("acceleration limit %g %s/s² leaves no motion; to hold the joint still give it equal position limits", l.Accel, unit)}
		}
		for _, o := range []struct {
			name string
			v    float64
		}{{"jerk", l.Jerk}, {"effort", l.Effort}, {"power", l.Power}} {
			if o.v < 0 {
				return nil, nil, &LimitError{l.Joint, fmt.Sprintf("%s limit %g is negative", o.name, o.v)}
			}
		}
		if given(l.Jerk) {
			a.jerk = (1 - margin) * l.Jerk
		}
		a.centre, a.half = l.Lower+(l.Upper-l.Lower)/2, (1-margin)*(l.Upper-l.Lower)/2
		a.vel, a.acc, a.full = (1-margin)*l.Velocity, (1-margin)*l.Accel, l
		axes = append(axes, a)
	}
	if len(missing) > 0 {
		return nil, nil, &MissingLimitsError{missing}
	}
	return axes, defaults, nil
}

package doctor

import (
	"fmt"
	"math"

	"ident/internal/findingkind"
	"ident/robot"
)

// Distance beyond a joint's limits from which a position contradicts the robot file, as a part of their range and at
// least limitLeast rad. Encoder zeros and limits set inside the stops are off by less.
const (
	limitPart  = 0.05
	limitLeast = 0.1
)

// checkLimits compares the range of every position with the robot file's limits, and looks for exchanged channels of two
// joints. It skips positions that the findings in before explain.
func checkLimits(rec *recording, before findings) (found findings) {
	for _, f := range before {
		if f.Severity != Info && findingkind.Of(f.ID).Moves {
			return nil // one cause at a time
		}
	}
	var beyond []int
	for j := range rec.joints {
		if rec.beyondStops(j, j) > 0 && !before.has(Spike, rec.joints[j].q) {
			beyond = append(beyond, j)
		}
	}
	if len(beyond) == 0 {
		return nil
	}
	if a, b, only := rec.exchangeWithin(beyond); only {
		why, fix, repair := rec.exchanged([]int{a, b}, []int{b, a}, "")
		f := rec.about(JointOrder, Warning, rec.joints[a].q)
		f.Value, f.Limit, f.Where, f.Fix, f.Repair = rec.beyondStops(a, a), limitLeast, "the whole log", fix, repair
		if rec.beyondStops(b, b) > 0 {
			f.Value = math.Max(f.Value, rec.beyondStops(b, b))
		}
		f.Why = fmt.Sprintf("%s: positions go beyond a joint's limits by %.3g %s; if they were exchanged, all would be within them", why, f.Value, rec.unitOf(rec.joints[a].q))
		found.add(f)
		return found
	}
	for _, j := range beyond {
		jt := rec.joints[j]
		stop := rec.robot.Links[jt.link].Joint
		s := rec.stats(jt.q)
		f := rec.about(RobotMismatch, Warning, jt.q)
		f.Value, f.Limit, f.Where = rec.beyondStops(j, j), limitLeast, "the whole log"
		f.Why = fmt.Sprintf("%s goes from %.4g to %.4g %s, beyond the limits of joint %s in the robot file, %.4g and %.4g: another robot's file, or another zero, direction, unit or limit",
			jt.q.name, s.min, s.max, rec.unitOf(jt.q), jt.name, stop.Lower, stop.Upper)
		f.Fix = "give {robot} the file of this robot; or correct the limits or the zero of the joint in it"
		if stop.Lower <= -s.max && -s.min <= stop.Upper {
			f.Group = []string{RobotMismatch, Sign, Offset}
			f.Why += "; with the other sign it would be within them: this log cannot tell a wrong sign from a wrong zero (move the joint to a known stop)"
		}
		found.add(f)
	}
	return found
}

// beyondStops returns the distance, rad or m, by which the position of joint from exceeds the limits of joint j, or 0 if
// it is negligible.
func (rec *recording) beyondStops(j, from int) float64 {
	stop, q := rec.robot.Links[rec.joints[j].link].Joint, rec.joints[from].q
	if q == nil || stop.Continuous || !(stop.Lower < stop.Upper) || math.IsInf(stop.Upper-stop.Lower, 0) || stop.Kind != robot.Prismatic && stop.Upper-stop.Lower > 4*math.Pi-1e-3 {
		return 0
	}
	s := rec.stats(q)
	if s.rows < fewest || s.absurd.Count > 0 {
		return 0
	}
	least := limitPart * (stop.Upper - stop.Lower)
	if stop.Kind != robot.Prismatic {
		least = math.Max(least, limitLeast)
	}
	if by := math.Max(stop.Lower-s.min, s.max-stop.Upper); by > least {
		return by
	}
	return 0
}

// exchangeWithin finds an exchange of two joints' channels, one of them in beyond, that brings all positions within the
// limits. only reports whether it is the only one.
func (rec *recording) exchangeWithin(beyond []int) (a, b int, only bool) {
	n := 0
	for _, j := range beyond {
		for i := range rec.joints {
			within := i != j && rec.isRevolute(i) == rec.isRevolute(j) && rec.joints[i].q != nil
			for k := range rec.joints {
				from := k
				switch k {
				case i:
					from = j
				case j:
					from = i
				}
				within = within && rec.beyondStops(k, from) == 0
			}
			if within && !(n > 0 && a == min(i, j) && b == max(i, j)) {
				a, b = min(i, j), max(i, j)
				n++
			}
		}
	}
	return a, b, n == 1
}

package doctor

import (
	"fmt"
	"math"
	"slices"

	"ident/doctor/internal/scratch"
)

// Elastic says that a gear gives under its torque, and that position and velocity stand on its two sides.
const Elastic = "elastic"

// Limits on an elastic gear.
const (
	// elasticLeast is the part of the velocity, in root mean square, that the gear must turn: smaller disagreements are noise and delays.
	elasticLeast = 0.01
	// elasticLeaves is the largest part of what positions and velocities disagree by, after the best delay and scale, that the torque's rate
	// may leave. A velocity that is late by itself leaves all of it: the torque's rate is another signal.
	elasticLeaves = 0.5
)

// elasticGear tests whether the velocity and the derivative of the position differ by the rate of the torque over a stiffness: the
// encoder is then on the motor's side of a gear that gives, and the velocity is that of the link. a is what a delay and a scale explain.
func elasticGear(rec *recording, j joint, parts []comparison, a agreement, memory *scratch.Columns) (f Finding, ok bool) {
	if j.effort == nil || rec.stats(j.effort).span() == 0 || rec.stats(j.effort).bad.Count > 0 {
		return f, false
	}
	var vv, ee, er, rr float64
	next := 0
	for _, w := range rec.windows {
		for _, s := range rec.believable(w, j.q, j.dq) {
			c, ok := compare(rec, w, s[0], s[1], j.effort, j.dq, memory)
			if !ok {
				continue
			}
			if next == len(parts) || parts[next].core != c.core {
				return f, false
			}
			p := parts[next]
			next++
			for k := c.core[0]; k < c.core[1]; k++ {
				e, rate := p.v[k]-p.dq[k], c.v[k]
				vv, ee, er, rr = vv+p.dq[k]*p.dq[k], ee+e*e, er+e*rate, rr+rate*rate
			}
		}
	}
	if !(vv > 0 && ee > 0 && rr > 0) {
		return f, false
	}
	compliance := er / rr
	explained := er * er / rr
	// What a delay and a scale leave is relative to the product of both; a.rest is a part of the whole velocity.
	left, best := math.Sqrt(max(ee-explained, 0)/vv), math.Sqrt(max(0, 2*(1-math.Sqrt(max(0, 1-a.rest*a.rest)))))
	if !(compliance > 0) || math.Sqrt(explained/vv) < elasticLeast || left > elasticLeaves*best {
		return f, false
	}
	f = rec.about(Elastic, Warning, j.q)
	f.Value, f.Limit, f.Where = 1/compliance, elasticLeast, "the whole log"
	f.Why = fmt.Sprintf("%s differs from the integral of %s by the torque over a stiffness of %.3g %s/%s: the gear is elastic, and its encoder is at the motor",
		j.q.name, j.dq.name, 1/compliance, rec.unitOf(j.effort), rec.unitOf(j.q))
	f.Fix = "describe the joint as elastic in the robot file, joint: {elastic: true}; or log the positions of the links"
	return f, true
}

// besideElastic returns findings about torques without those that an elastic gear of the joint, or one of any joint where they are about
// all, makes: torques that seem late, behind a low-pass or with a play.
func (f findings) besideElastic(before findings) findings {
	return slices.DeleteFunc(f, func(x Finding) bool {
		if x.ID != LagTorque && x.ID != Smoothed && x.ID != Backlash && x.ID != Elastic {
			return false
		}
		return slices.ContainsFunc(before, func(e Finding) bool { return e.ID == Elastic && (x.Joint == "" || x.Joint == e.Joint) })
	})
}

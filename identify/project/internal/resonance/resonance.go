package resonance

import (
	"context"
	"fmt"
	"math"
	"slices"

	"ident/datasets"
	"ident/doctor"
	"ident/filter"
	"ident/internal/findingkind"
)

// ID is the id of the finding.
const ID = "resonance"

// Limits of the check.
const (
	lowest     = 3.0   // Hz: above the motion of most robots
	highest    = 100.0 // Hz
	ofRate     = 0.125 // highest frequency over the rate: fourth differences are right to a percent below
	leastRate  = 80.0  // Hz
	maxRows    = 40_000
	leastShare = 0.02 // of the torque's root mean square in the band
	leftByRest = 0.2  // least part of the band's power that a rigid joint leaves
	explained  = 0.6  // least part of that which the elastic columns explain
	beyond     = 0.3  // least part that they explain of noise in the band; noise has a twentieth, two simulated arms 0.58 and 0.63
)

// Mode is a resonance of a joint.
type Mode struct {
	Joint     int
	Frequency float64 // Hz, with the other joints held
	Left      float64 // part of the torque's power in the band that a rigid joint leaves
	Explained float64 // part of that by the elasticity
	Band      [2]float64
}

// explainedOtherwise reports whether a log has faults that leave a residual of their own.
func explainedOtherwise(found []doctor.Finding) bool {
	return slices.ContainsFunc(found, func(f doctor.Finding) bool { return f.Severity != doctor.Info && findingkind.Of(f.ID).Residual })
}

// Check looks for the resonance that stands out most in a log without other faults. Resonances of the joints that the
// robot file describes as elastic are no finding: a fit takes them as they are.
func Check(ctx context.Context, l *datasets.Log, roles datasets.Roles, joints []string, elastic []bool, found []doctor.Finding) ([]doctor.Finding, error) {
	if explainedOtherwise(found) || roles.T == "" || len(roles.Q) != len(joints) || len(roles.Tau) != len(joints) {
		return nil, nil
	}
	part := l.Slice(0, min(l.Rows(), maxRows))
	t, err := part.Column(roles.T)
	if err != nil {
		return nil, err
	}
	clock := filter.AnalyseClock(t)
	if !clock.Uniform || len(t) < 1000 || 1/clock.Period < leastRate {
		return nil, nil
	}
	read := func(names []string) ([][]float64, error) {
		out := make([][]float64, len(names))
		for i, name := range names {
			if name == "" {
				continue
			}
			if out[i], err = part.Column(name); err != nil {
				return nil, err
			}
			for _, v := range out[i] {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					out[i] = nil
					break
				}
			}
		}
		return out, nil
	}
	q, err := read(roles.Q)
	if err != nil {
		return nil, err
	}
	tau, err := read(roles.Tau)
	if err != nil {
		return nil, err
	}
	m, ok, err := Find(ctx, q, tau, 1/clock.Period)
	if err != nil || !ok || elastic != nil && elastic[m.Joint] {
		return nil, err
	}
	return []doctor.Finding{{ID: ID, Severity: doctor.Warning, Joint: joints[m.Joint], Channel: roles.Tau[m.Joint], Value: m.Frequency, Limit: m.Band[1], Where: "the whole log",
		Why: fmt.Sprintf("a resonance at %.3g Hz, with the other joints held: of the torque's power from %.3g to %.3g Hz a rigid joint leaves %.0f %%, of which an elastic one explains %.0f %%", m.Frequency, m.Band[0], m.Band[1], 100*m.Left, 100*m.Explained),
		Fix: "joint: {elastic: true} in the robot file, and a fit from the positions of motor and link, or of the motor and a joint torque sensor; a rigid model holds far below this frequency only"}}, nil
}

// Find returns the mode with the largest explained part, of positions and torques of joints on a uniform clock, nil for
// those without a channel. The error is that of the context.
func Find(ctx context.Context, q, tau [][]float64, rate float64) (Mode, bool, error) {
	top := math.Min(highest, ofRate*rate)
	low, err := filter.Butterworth(4, lowest, rate)
	if err != nil || top < 2*lowest {
		return Mode{}, false, nil
	}
	high, err := filter.Butterworth(4, top, rate)
	if err != nil {
		return Mode{}, false, nil
	}
	b := &bands{low: low, high: high, dt: 1 / rate, keep: max(1, int(rate/(2.5*top))), tail: low.Tail(1e-3)}
	var best Mode
	var of []*channel // of all joints, once one of them has torque in the band
	for j := range q {
		if err := ctx.Err(); err != nil {
			return Mode{}, false, err
		}
		if q[j] == nil || tau[j] == nil {
			continue
		}
		t, ok := b.torque(tau[j])
		if !ok {
			continue
		}
		if of == nil {
			of = b.channels(q)
		}
		if m, ok := b.fit(of, j, t, top); ok && m.Left*m.Explained > best.Left*best.Explained {
			best = m
		}
	}
	return best, best.Frequency > 0, nil
}

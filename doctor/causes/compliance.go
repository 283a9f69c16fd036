package causes

import (
	"math"
	"slices"

	"ident/filter"
	"ident/internal/lanes"
)

// Deviations of positions at the largest torque, rad or m, that are tried of all joints together, and the factor between those that are
// tried next of each joint. Half of the true deviation already explains most of it.
var deviations = []float64{0.004, 0.016, 0.064}

const moreDeviation = 2.0

// compliances returns the hypothesis that the joints stay behind the logged positions in proportion to their torques, as they do behind
// commanded positions, and behind motors whose gears give. The deviation of each joint at its largest torque is sought at some of the rows.
func (t *trial) compliances() []*hypothesis {
	if slices.Max(t.share) < exactShare {
		return nil
	}
	c := t.thinned(reversalRows)
	peaks := make([]float64, t.bodies.joints)
	for _, j := range t.joints {
		for i := range t.tracks {
			peaks[j] = max(peaks[j], lanes.MaxAbs(t.tracks[i].y[j]))
		}
	}
	cost := float64(len(t.joints))/2 + math.Log(float64(len(deviations)))
	tried := func(by []float64) float64 {
		return c.tried(&refit{Cause: Cause{Kind: Compliance}, cost: cost}, c.behind(by, peaks)).nats
	}
	best, by := 0.0, []float64(nil)
	for _, all := range deviations {
		next := slices.Repeat([]float64{all}, t.bodies.joints)
		if nats := tried(next); nats > best {
			best, by = nats, next
		}
	}
	if best < promising {
		return nil
	}
	for range len(t.joints) {
		before := best
		for _, j := range t.joints {
			for _, factor := range []float64{moreDeviation, 1 / moreDeviation, 0} {
				next := slices.Clone(by)
				next[j] *= factor
				if nats := tried(next); nats > best {
					best, by = nats, next
				}
			}
		}
		if best-before < promising {
			break
		}
	}
	h := t.refitted(Cause{Kind: Compliance}, t.behind(by, peaks), t.y, nil, cost)
	h.need = needLinear
	for _, j := range t.joints {
		if by[j] > 0 {
			h.Joints, h.Value = append(h.Joints, j), max(h.Value, by[j])
		}
	}
	if len(h.Joints) == len(t.joints) {
		h.Joints = nil
	}
	return []*hypothesis{h}
}

// behind returns the design of the motion in which joints stay behind their positions by so much at their largest torques.
func (t *trial) behind(by, peaks []float64) *design {
	return t.along(func(tr *track, j int, low *filter.SOS) []float64 {
		if by[j] == 0 || peaks[j] == 0 || tr.y[j] == nil || !t.moves[j] {
			return nil
		}
		q := slices.Clone(tr.raw[j])
		low.ZeroPhaseColumns([][]float64{q}, new(filter.Work))
		lanes.Axpy(q, -by[j]/peaks[j], tr.y[j])
		return q
	})
}

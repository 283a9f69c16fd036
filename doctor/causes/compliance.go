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
// Measured torques step with dry friction exactly where such positions do, but their noise stands on both sides of the equations then: a joint
// takes part only if its noise is less than half of what the fit leaves, and the cause must explain more than half.
func (t *trial) compliances() []*hypothesis {
	if slices.Max(t.share) < exactShare {
		return nil
	}
	c := t.thinned(reversalRows)
	torques, peaks := make([][][]float64, len(t.tracks)), make([]float64, t.bodies.joints)
	for i := range t.tracks {
		torques[i] = t.tracks[i].y
		for e, j := range t.joints {
			if r := rms(t.left[e]); r*r > 2*t.tracks[i].noise[j] {
				peaks[j] = max(peaks[j], lanes.MaxAbs(torques[i][j]))
			}
		}
	}
	cost := float64(len(t.joints))/2 + math.Log(float64(len(deviations)))
	best, by := 0.0, make([]float64, t.bodies.joints) // rad or m for a unit of torque
	tried := func(next []float64) {
		if nats := c.tried(&refit{Cause: Cause{Kind: Compliance}, cost: cost}, c.behind(next, torques)).nats; nats > best {
			best, by = nats, next
		}
	}
	for _, all := range deviations {
		next := slices.Clone(by)
		for j, peak := range peaks {
			if peak > 0 {
				next[j] = all / peak
			}
		}
		tried(next)
	}
	for before := 0.0; best >= promising && best-before >= promising; {
		before = best
		for _, j := range t.joints {
			for _, factor := range []float64{moreDeviation, 1 / moreDeviation, 0} {
				next := slices.Clone(by)
				next[j] *= factor
				tried(next)
			}
		}
	}
	if best < promising {
		return nil
	}
	h := t.refitted(Cause{Kind: Compliance}, t.behind(by, torques), t.y, nil, cost)
	h.need = needLinear
	for _, j := range t.joints {
		if by[j] > 0 {
			h.Joints, h.Value = append(h.Joints, j), max(h.Value, by[j]*peaks[j])
		}
	}
	if len(h.Joints) == len(t.joints) {
		h.Joints = nil
	}
	return []*hypothesis{h}
}

// behind returns the design of the motion in which joints stay behind their positions by torques, by track and joint, times a compliance.
func (t *trial) behind(by []float64, torques [][][]float64) *design {
	return t.along(func(i, j int, low *filter.SOS) []float64 {
		if by[j] == 0 || !t.moves[j] || torques[i][j] == nil {
			return nil
		}
		q := slices.Clone(t.tracks[i].raw[j])
		low.ZeroPhaseColumns([][]float64{q}, new(filter.Work))
		lanes.Axpy(q, -by[j], torques[i][j])
		return q
	})
}

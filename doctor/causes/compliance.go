package causes

import (
	"math"
	"slices"

	"ident/internal/lanes"
	"ident/observation"
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
	smooth := t.smoothPositions()
	paths := map[bent]*jointPath{}                    // at some of the rows: all joints but one move as they did in the trial before
	best, by := 0.0, make([]float64, t.bodies.joints) // rad or m for a unit of torque
	asked := [][]float64{by}
	tried := func(next []float64) {
		if slices.ContainsFunc(asked, func(x []float64) bool { return slices.Equal(x, next) }) {
			return
		}
		asked = append(asked, next)
		d := c.behind(next, torques, smooth, paths)
		defer d.done()
		if nats := c.tried(&refit{Cause: Cause{Kind: Compliance}, cost: cost}, d).nats; nats > best {
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
	d := t.behind(by, torques, smooth, map[bent]*jointPath{})
	defer d.done()
	h := t.refitted(Cause{Kind: Compliance}, d, t.y, nil, cost)
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

// bent is a joint that stays behind its positions by a compliance times its torque.
type bent struct {
	joint int
	by    float64
}

// smoothPositions returns the positions of joints with an equation, by track and joint, behind the low-pass.
func (t *trial) smoothPositions() [][][]float64 {
	out := make([][][]float64, len(t.tracks))
	var work observation.MotionWork
	for i := range t.tracks {
		tr := &t.tracks[i]
		out[i] = make([][]float64, len(tr.raw))
		var cols [][]float64
		for _, j := range t.joints {
			out[i][j] = slices.Clone(tr.raw[j])
			cols = append(cols, out[i][j])
		}
		tr.motion.Smooth(cols, &work)
	}
	return out
}

// behind returns the design of the motion in which joints with an equation stay behind their smooth positions by torques, by track and
// joint, times a compliance. It keeps the paths of joints in known, and takes them from there.
func (t *trial) behind(by []float64, torques, smooth [][][]float64, known map[bent]*jointPath) *design {
	paths := make([]*jointPath, len(by))
	for j, compliance := range by {
		if compliance == 0 {
			continue
		}
		at := bent{j, compliance}
		if known[at] == nil {
			known[at] = t.jointPath(false, func(i int, q []float64) {
				copy(q, smooth[i][j])
				lanes.Axpy(q, -compliance, torques[i][j])
			})
		}
		paths[j] = known[at]
	}
	return t.along(paths)
}

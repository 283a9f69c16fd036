package doctor

import (
	"math"
)

// Limits of what the joints' equations say about each other.
const (
	// What a hypothesis about one joint must remove of the sum of squares of all joints' weighted
	// residuals: this part of what it exceeds that of the own fits by, this part of all, and this many
	// standard deviations. A drive that is poorly modelled leaves an excess too, but no single reason for it.
	excessShare   = 0.5
	togetherShare = 0.03
	togetherSure  = 8.0
	// Torque scales, position scales, offsets (rad or m) and tilts (rad) below these matter less than what
	// a rigid model leaves out.
	scaleLeast  = 0.02
	scaleDoubt  = 0.05 // relative deviation of a scale that is believed
	travelLeast = 0.01
	offsetLeast = 0.01
	tiltLeast   = 0.025
	// Deviations are not believed below this part of a torque's RMS: positions are differentiated and
	// clocks resampled with about that accuracy.
	floorNoise = 1e-3
	// Part by which turning a torque's sign may worsen the fit and still be called neutral.
	neutral = 0.05
	// A hypothesis may not be accepted more often than this in one log.
	mostAccepted = 4
)

// together is the fit of all joints at once: rows of joint k stand at [k·n, (k+1)·n), weighted by the
// noise of the joint's own fit.
type together struct {
	tr     *trial
	rows   int    // that count
	tilted bool   // gravity has been found to be tilted
	joints []*own // those that have one
	// Weights of their rows, one over the deviation of the own fit. They stay what they were when a
	// torque is scaled: the columns have them too.
	weights []float64
	basis   basis
	y       []float64
	rest    []float64
	x       []float64 // base parameters
	chi2    float64   // of a row
}

func newTogether(tr *trial, owns []*own) *together {
	t := &together{tr: tr}
	for _, o := range owns {
		if o != nil {
			t.joints = append(t.joints, o)
			t.weights = append(t.weights, 1/math.Max(o.sigma, floorNoise*o.size()))
			t.rows += o.rows
		}
	}
	n := len(tr.t)
	t.basis.rows = n * len(t.joints)
	for c := range tr.model.Columns() {
		col := make([]float64, t.basis.rows)
		for k, o := range t.joints {
			for i, m := range o.cols {
				if m == c {
					t.put(col, k, tr.w[o.joint][i])
				}
			}
		}
		t.basis.offer(col)
	}
	for k, o := range t.joints {
		for _, e := range o.extra {
			col := make([]float64, t.basis.rows)
			t.put(col, k, e)
			t.basis.offer(col)
		}
	}
	t.settle()
	return t
}

// put writes one joint's weighted rows into a stacked column.
func (t *together) put(dst []float64, k int, rows []float64) {
	w, n := t.weights[k], len(t.tr.t)
	for i, v := range rows {
		if !t.joints[k].lost[i] {
			dst[k*n+i] = w * v
		}
	}
}

// settle stacks the torques anew and fits.
func (t *together) settle() {
	t.y = make([]float64, t.basis.rows)
	for k, o := range t.joints {
		t.put(t.y, k, o.y)
	}
	t.x = t.basis.solve(t.y)[:len(t.tr.model.Columns())]
	t.rest = t.basis.residual(t.y)
	t.chi2 = dot(t.rest, t.rest) / float64(max(t.rows-len(t.basis.q), 1))
}

// own fit's prediction of a joint, stacked.
func (t *together) predicted(k int) []float64 {
	col := make([]float64, t.basis.rows)
	o := t.joints[k]
	hat := make([]float64, len(o.y))
	for i := range hat {
		hat[i] = o.y[i] - o.rest[i]
	}
	t.put(col, k, hat)
	return col
}

// misfit is how much worse a joint fits together with the others than alone, and in relation to its torque.
func (t *together) misfit(k int) (against, relative float64) {
	n := len(t.tr.t)
	r := norm(t.rest[k*n : (k+1)*n])
	return r / math.Sqrt(float64(t.joints[k].rows)), r / norm(t.y[k*n:(k+1)*n])
}

// inflation of the stacked residual: the largest of the joints'.
func (t *together) inflation() float64 {
	n, most := len(t.tr.t), 1.0
	for k := range t.joints {
		most = math.Max(most, inflation(t.rest[k*n:(k+1)*n]))
	}
	return most
}

// added fits extra columns to what the joints together leave.
func (t *together) added(cols ...[]float64) (gain, bool) {
	return added(&t.basis, t.rest, t.rows, t.inflation(), cols...)
}

// checkTogether asks what the equations of all joints together say against each other.
func (p *patient) checkTogether(tr *trial, owns []*own) {
	any := false
	for _, o := range owns {
		any = any || o != nil
	}
	if !any {
		return
	}
	t := newTogether(tr, owns)
	if t.rows < 3*len(t.basis.q) {
		return
	}
	p.checkSigns(t)
	if p.rearranged(t) {
		return
	}
	scaled := map[int]bool{}
	for range mostAccepted {
		best, score := stackedHypothesis{}, 0.0
		for _, h := range p.stackedHypotheses(t, scaled) {
			g, ok := t.added(h.cols...)
			if !ok || g.sure < togetherSure || g.share < max(togetherShare, excessShare*(1-1/t.chi2)) || !h.matters(g) {
				continue
			}
			if g.score > score {
				best, score = h, g.score
				best.gain = g
			}
		}
		if score == 0 {
			break
		}
		if f, ok := best.accept(best.gain); ok {
			p.add(f)
		}
		t.settle()
		if p.gainless {
			return
		}
	}
	p.checkBodies(t)
}

// stackedHypothesis is a reason for which the joints' equations may contradict each other.
type stackedHypothesis struct {
	cols    [][]float64
	matters func(g gain) bool
	accept  func(g gain) (Finding, bool)
	gain    gain
}

func (p *patient) stackedHypotheses(t *together, scaled map[int]bool) []stackedHypothesis {
	out := p.torqueScales(t, scaled)
	if len(scaled) == 0 {
		out = append(out, p.allScales(t)...)
	}
	out = append(out, p.travels(t)...)
	return append(out, p.tilts(t)...)
}

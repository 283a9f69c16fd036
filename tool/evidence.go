package tool

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"

	"ident/internal/spatial"
)

// misfit returns minus twice the likelihood of all channels at a fit's solution and noise. Fits of the same rows compare by it, also if one
// has the wrench along other axes: a rotation keeps volumes.
func (f *fit) misfit() float64 {
	sum := 0.0
	n := len(f.blocks)
	p := f.parameters()
	for c := range 6 {
		r := f.residual(c)
		for k := range r {
			for j := range f.angles {
				r[k] -= f.derivative(j, k)[c] * f.x[len(f.columns)+j]
			}
			r[k] -= f.x[p+6*f.blocks[k].tare+c]
		}
		w := make([]float64, n)
		errors := f.noise[c]
		// Of rows without noise the rounding counts.
		least := 0.0
		for k := range f.blocks {
			least = max(least, rounding*math.Abs(f.blocks[k].y[c]))
		}
		errors.rest, errors.motion = max(errors.rest, least*least, tiny), max(errors.motion, least*least, tiny)
		sum += errors.whiten(f.blocks, r, w) + floats.Dot(w, w)
	}
	return sum
}

// Least errors in the comparison of fits.
const (
	rounding = 1e-7 // of a channel's largest value
	tiny     = 1e-20
)

// price is what a further parameter must gain in twice the log-likelihood (Schwarz 1978).
func (f *fit) price() float64 { return math.Log(6 * float64(len(f.blocks))) }

// reading is a way to read the logged wrench and orientation.
type reading struct {
	name string
	// track returns the track as it would be logged along the sensor's axes; nil if the reading does not apply.
	track func(t *Track, moving bool) *Track
	// weightless is set if the bias has the axes of the base. There the weight is the same in all poses, and only the first moments are known.
	weightless bool
}

// Names of readings other than the stated one.
const (
	alongBase   = "base"
	taredInBase = "tared in base"
	inverse     = "inverse"
)

// readings returns the readings that are tried: as stated, the wrench along the axes of the base, with a bias along the sensor's axes or
// the base's, and the orientation of the base in the sensor's frame.
func readings() []reading {
	return []reading{
		{name: "", track: func(t *Track, _ bool) *Track { return t }},
		{name: alongBase, track: func(t *Track, _ bool) *Track { return t.alongSensor() }},
		{name: taredInBase, track: func(t *Track, moving bool) *Track {
			if moving {
				return nil
			}
			return t
		}, weightless: true},
		{name: inverse, track: func(t *Track, moving bool) *Track {
			if moving {
				return nil
			}
			out := *t
			out.Turn = make([][3][3]float64, len(t.Turn))
			for k := range out.Turn {
				out.Turn[k] = spatial.Transpose(t.Turn[k])
			}
			return &out
		}},
	}
}

// alongSensor returns a track whose wrench is along the axes of the base as one along those of the sensor.
func (t *Track) alongSensor() *Track {
	out := *t
	for c := range out.Wrench {
		out.Wrench[c] = make([]float64, len(t.Turn))
	}
	for k := range t.Turn {
		for part := range 2 {
			v := spatial.MulTVec(t.Turn[k], spatial.Vec{t.Wrench[3*part][k], t.Wrench[3*part+1][k], t.Wrench[3*part+2][k]})
			for i := range 3 {
				out.Wrench[3*part+i][k] = v[i]
			}
		}
	}
	return &out
}

// inBase writes the columns of the first moments for a wrench along the axes of the base. Those of the mass are a bias there.
func (f *fit) inBase(gravity spatial.Vec) {
	f.columns = []int{iMC, iMC + 1, iMC + 2}
	for k := range f.blocks {
		b := &f.blocks[k]
		b.a = [6][nBody]float64{}
		// (R·mc)×g = −S(g)·R·mc.
		torque := spatial.Mul(spatial.Skew(gravity), b.turn)
		for i := range 3 {
			for j := range 3 {
				b.a[3+i][iMC+j] = -torque[i][j]
			}
		}
	}
}

// quiet reports whether a fit leaves so little between poses, in all channels, that no other reading and no step can matter: a step in
// half of the poses that just matters leaves half of it.
func (f *fit) quiet(weight float64) bool { return f.leaves(weight, 0.25) }

// leaves reports whether a fit leaves at most a part of what matters between poses, in all channels.
func (f *fit) leaves(weight, part float64) bool {
	for c := range 6 {
		if rms(f.means(c)) > part*leastOf(c, weight) {
			return false
		}
	}
	return true
}

// rigid reports whether the forces of a reading ask for no other frame: a mass explains them nearly as well as any matrix does, in this
// reading and in the stated one.
func (a *trial) rigid(stated *trial) bool {
	f := a.fit
	weight := math.Abs(f.x[0]) * spatial.Norm(f.gravity)
	_, _, _, least, ok := stated.fit.matrix()
	if !ok {
		return f.leaves(weight, 1) // gravity does not spread enough for a matrix
	}
	if a.reading.weightless {
		g := *f
		g.x = make([]float64, len(f.x)) // no mass
		_, total, _, _, _ := g.matrix()
		return total < mostWorse*least
	}
	_, _, own, left, ok := f.matrix()
	return ok && (own < mostWorse*min(left, least) || math.Sqrt(own/float64(len(f.blocks))) < leastExcess*weight)
}

// mostWorse bounds the squares of forces that a mass leaves over those that a matrix does. The least number of blocks, six, has
// 18 forces less four or twelve unknowns: 14/6 on average.
const mostWorse = 4.0

// Limits of steps.
const (
	mostSteps = 3
	// leastStep is the gain in twice the log-likelihood that a step of six channels must have beyond the price of its parameters. Six
	// channels without a step exceed 40 by chance once in two million times, and a log has up to some hundred places for a step.
	leastStep = 40.0
	// mostPlaces bounds the number of blocks of which each may begin a step; of more the first blocks of rests may.
	mostPlaces = 2000
)

// step is a change of the biases that no tare tells of.
type step struct {
	at   int // first block after it
	size [6]float64
	gain float64
}

// places returns the first blocks of parts that a step may divide from what is before.
func (f *fit) places() (at []int) {
	for k := 1; k < len(f.blocks); k++ {
		a, b := &f.blocks[k-1], &f.blocks[k]
		if a.tare == b.tare && (len(f.blocks) <= mostPlaces || b.rest >= 0 && a.rest != b.rest) {
			at = append(at, k)
		}
	}
	return at
}

// likeliest returns the places of steps that gain most, by the noise of the fit and without a walk, which a step swells.
func (f *fit) likeliest() (best []int) {
	places := f.places()
	column, white := make([]float64, len(f.blocks)), make([]float64, len(f.blocks))
	for _, walks := range []float64{1, 0} {
		gains := make([]float64, len(places))
		for c := range 6 {
			s := f.series(c)
			n := f.noise[c]
			n.walk *= walks
			u := make([]float64, len(s.y))
			n.whiten(s.blocks, s.y, u)
			var basis [][]float64
			for _, col := range s.columns {
				w := make([]float64, len(col))
				n.whiten(s.blocks, col, w)
				if orthogonal(basis, w) > 0 {
					basis = append(basis, w)
				}
			}
			for _, q := range basis {
				floats.AddScaled(u, -floats.Dot(q, u), q)
			}
			whole := floats.Dot(u, u)
			for i, at := range places {
				for k := range column {
					column[k] = 0
					if k >= at && f.blocks[k].tare == f.blocks[at].tare {
						column[k] = 1
					}
				}
				n.whiten(s.blocks, column, white)
				if orthogonal(basis, white) > 0 && whole > 0 {
					along := floats.Dot(white, u)
					gains[i] -= s.free() * math.Log(max(1-along*along/whole, 1e-12))
				}
			}
		}
		for range min(2, len(places)) {
			i := floats.MaxIdx(gains)
			if gains[i] = math.Inf(-1); !slices.Contains(best, places[i]) {
				best = append(best, places[i])
			}
		}
	}
	return best
}

// split returns a fit whose bias changes at a block.
func (f *fit) split(at int) (*fit, error) {
	g := *f
	g.blocks = slices.Clone(f.blocks)
	for k := at; k < len(g.blocks); k++ {
		g.blocks[k].tare++
	}
	g.tares++
	g.x = nil
	if len(f.angles) > 0 {
		g.x = append([]float64(nil), f.x...)
	}
	return &g, g.refine()
}

// steps divides the biases where they change at once, as after a press of "zero" that was not logged, as long as that explains the log
// better than a tilt of gravity or a turn of the sensor in its mount does.
func (f *fit) steps(weight float64, open, rests int) (*fit, []step) {
	if f.quiet(weight) {
		return f, nil
	}
	var found []step
	stated := f
	for range mostSteps {
		if len(f.blocks) < leastBlocks+2 {
			break
		}
		before := f.misfit()
		var best *fit
		var s step
		for _, at := range f.likeliest() {
			g, err := f.split(at)
			if err != nil {
				continue
			}
			if gain := before - g.misfit() - 6*f.price(); best == nil || gain > s.gain {
				best, s = g, step{at: at, gain: gain}
			}
		}
		if best == nil || s.gain < leastStep {
			break
		}
		p, tare := f.parameters(), best.blocks[s.at].tare
		large := false
		for c := range 6 {
			s.size[c] = best.x[p+6*tare+c] - best.x[p+6*(tare-1)+c]
			sigma := math.Sqrt(best.cov.At(p+6*tare+c, p+6*tare+c) + best.cov.At(p+6*(tare-1)+c, p+6*(tare-1)+c) - 2*best.cov.At(p+6*tare+c, p+6*(tare-1)+c))
			if math.Abs(s.size[c]) < driftDeviation*sigma {
				s.size[c] = 0
			}
			large = large || math.Abs(s.size[c]) > leastOf(c, weight)
		}
		if !large || open == 0 && f.otherwise() > s.gain {
			break
		}
		f = best
		found = append(found, s)
	}
	if found != nil && !f.settles(stated, weight, rests) {
		return stated, nil
	}
	slices.SortFunc(found, func(a, b step) int { return a.at - b.at })
	return f, found
}

// settles reports whether a fit with steps explains what a fit without them leaves between poses: neither a frame that is turned far does it
// better, nor does much of it remain, as of a cable, whose pull changes from pose to pose.
func (f *fit) settles(stated *fit, weight float64, rests int) bool {
	if _, _, _, left, turned := stated.turn(); turned {
		if _, _, own, _, ok := f.matrix(); !ok || own > left {
			return false
		}
	}
	if f.beyond(rests, weight) == nil {
		return true
	}
	size := func(f *fit) (sum float64) {
		for c := range 6 {
			r := rms(f.means(c)) / leastOf(c, weight)
			sum += r * r
		}
		return sum
	}
	return size(f) < mostRemains*size(stated)
}

// mostRemains bounds the squares between poses that steps leave over those that are there without. Three steps divide a cable's pulls in twelve
// poses into four groups and leave some 0.3 of them.
const mostRemains = 0.05

// otherwise returns the most that a tilt of gravity or a turn in the mount gains beyond the price of its parameters.
func (f *fit) otherwise() float64 {
	before := f.misfit()
	most := 0.0
	one, two := f.horizontal()
	for _, angles := range [][]func(b *block) spatial.Vec{{f.aboutBase(one), f.aboutBase(two)}, {aboutAxis(0), aboutAxis(1), aboutAxis(2)}} {
		g := *f
		g.angles = angles
		g.x = append([]float64(nil), f.x...)
		if err := g.refine(); err == nil {
			most = max(most, before-g.misfit()-float64(len(angles))*f.price())
		}
	}
	return most
}

// leastOf returns the least change of a channel that matters beside a weight, N or N·m.
func leastOf(c int, weight float64) float64 {
	if c > 2 {
		return 0.1 * leastExcess * math.Abs(weight)
	}
	return leastExcess * math.Abs(weight)
}

// tell says which channels step, by how much and when.
func (e *Estimate) tell(t *Track, clock bool, f *fit, steps []step) {
	for _, s := range steps {
		var names, sizes []string
		for c, name := range Names() {
			if s.size[c] == 0 {
				continue
			}
			names, sizes = append(names, name), append(sizes, fmt.Sprintf("%+.2g %s", s.size[c], unitOf(c)))
		}
		a, b := &f.blocks[s.at-1], &f.blocks[s.at]
		when := fmt.Sprintf("between rows %d and %d", a.last+1, b.first+1)
		if clock {
			when = fmt.Sprintf("between %.4g s and %.4g s", t.T[a.last]-t.T[0], t.T[b.first]-t.T[0])
		}
		e.find(ToolStep, Warning, fmt.Sprintf("%s step %s by %s", strings.Join(names, ", "), when, strings.Join(sizes, ", ")),
			fmt.Sprintf("a second bias from there explains the log better by %.0f in twice the log-likelihood; the values here have both", s.gain),
			"if somebody pressed \"zero\", log a channel tare that changes with it; otherwise see what touched the sensor, and weigh again")
	}
}

package causes

import (
	"math"
	"slices"

	"ident/filter"
	"ident/observation"
)

// Log is one run of a robot, in SI units: a column for each joint of the model.
type Log struct {
	// Segments are the gap-free pieces of the log, in order.
	Segments []Segment
	// Interval is the sampling interval, in seconds, of the uniform clock that replaces the log's.
	Interval float64
}

// Segment is a gap-free piece of a log. T must increase. Columns of Q and Effort are nil where the log has no channel.
type Segment struct {
	T         []float64
	Uniform   bool // T has the interval of the log's clock; other segments are resampled
	Q, Effort [][]float64
}

// Limits of the signal path.
const (
	// filterOrder is the order of the low-pass before forward and backward filtering doubles it.
	filterOrder = 2
	// rowsPerHertz is the largest number of rows per second for each hertz of the cut-off.
	rowsPerHertz = 5.0
	// mostRows is the largest number of rows from one log. Residuals are correlated in time, so more rows add nothing:
	// 154, 300, 600 and 1643 rows of one log gave the same evidence.
	mostRows = 320
	// fewestSamples is the least length of a segment that is used.
	fewestSamples = 60
	// still is the spread of positions, rad or m, below which a joint counts as standing.
	still = 2e-3
	// slowShare: at velocities below this part of their RMS the sign of friction is smoothed.
	slowShare = 0.02
)

// track is a segment after the low-pass, on its uniform clock.
type track struct {
	log         int
	t0, dt      float64
	n           int
	q, v, a     [][]float64               // by joint
	raw         [][]float64               // positions before the low-pass; read only
	y           [][]float64               // torque by joint, nil without
	noise       []float64                 // variance of white noise of the torques behind the low-pass, by joint; at most that if they are not white
	friction    [][]float64               // velocity, sign, … of each motor, see frictionKinds
	margin      int                       // samples at each end that the low-pass bends
	low         *observation.RowFilter    // low-pass of the torques
	motion      *observation.MotionFilter // the same of the positions, and their derivatives
	differences *observation.MotionFilter // the derivatives alone
}

// frictionKinds are the columns of each motor that are computed at the full rate and then filtered: the sign of the
// velocity, then those of hypotheses that are not faults.
const (
	signOf = iota
	sizeOf
	squareOf
	stribeckOf
	rightOf // sign of positive velocities alone
	frictionKinds
)

// motor is a drive: its rate is the sum of the joints' rates times weights.
type motor struct {
	weights []float64 // by joint
	own     int       // the joint whose drive it is
}

// newTracks filters the segments of a log; segments that are too short give no track.
func newTracks(log int, l *Log, motors []motor, moves []bool, cutoff float64) []track {
	rate := 1 / l.Interval
	cutoff = min(cutoff, rate/5)
	motion, err := observation.NewMotionFilter(cutoff, filterOrder, observation.Central, l.Interval)
	if err != nil {
		return nil
	}
	differences, err := observation.NewMotionFilter(0, filterOrder, observation.Central, l.Interval)
	if err != nil {
		return nil
	}
	both, err := lowPass(cutoff, l.Interval)
	if err != nil {
		return nil
	}
	var work observation.RowWork
	var out []track
	for _, s := range l.Segments {
		n := len(s.T)
		if n < fewestSamples {
			continue
		}
		if !s.Uniform {
			if n = filter.Grid(s.T[0], s.T[len(s.T)-1], l.Interval); n < fewestSamples || n > 4*len(s.T) {
				continue
			}
		}
		tr := track{log: log, t0: s.T[0], dt: l.Interval, n: n, margin: min(both.Tail(1e-2), n/4), low: both, motion: motion, differences: differences}
		var knots filter.Knots
		if !s.Uniform {
			knots.Set(s.T)
		}
		column := func(x []float64) []float64 {
			if s.Uniform {
				return slices.Clone(x)
			}
			y := make([]float64, n)
			knots.Resample(y, x, s.T[0], l.Interval)
			return y
		}
		for j, x := range s.Q {
			var q []float64
			switch {
			case x == nil:
				q = make([]float64, n)
			default:
				q = column(x)
				if !moves[j] {
					m := mean(q)
					for k := range q {
						q[k] = m
					}
				}
			}
			raw := x
			if !s.Uniform || x == nil {
				raw = slices.Clone(q)
			}
			tr.q, tr.raw = append(tr.q, q), append(tr.raw, raw)
		}
		moved := motion.Apply(observation.Measurement{Q: tr.q}, new(observation.MotionWork))
		tr.v, tr.a = moved.DQ, moved.DDQ
		var cols [][]float64
		for _, x := range s.Effort {
			if x == nil {
				tr.y, tr.noise = append(tr.y, nil), append(tr.noise, 0)
				continue
			}
			y := column(x)
			tr.noise = append(tr.noise, whiteNoise(y)*2*cutoff*l.Interval)
			tr.y, cols = append(tr.y, y), append(cols, y)
		}
		for _, m := range motors {
			own := m.friction(tr.v, n)
			tr.friction, cols = append(tr.friction, own...), append(cols, own...)
		}
		both.Apply(cols, observation.Extent{Hi: n}, &work)
		out = append(out, tr)
	}
	return out
}

// lowPass returns the low-pass of torques, Hz, for samples so many seconds apart.
func lowPass(cutoff, dt float64) (*observation.RowFilter, error) {
	return observation.NewRowFilter(observation.Settings{Model: observation.Dynamic, Path: observation.Path{Order: filterOrder, Cutoff: cutoff}}, dt)
}

// whiteNoise returns the variance of the white noise of a signal, by its third differences: those of a smooth signal are small.
func whiteNoise(x []float64) float64 {
	s := 0.0
	for k := 3; k < len(x); k++ {
		d := x[k] - 3*x[k-1] + 3*x[k-2] - x[k-3]
		s += d * d / 20
	}
	return s / float64(max(len(x)-3, 1))
}

// rates returns the motor's own velocity or acceleration, computed from the joints'.
func (m motor) rates(v [][]float64, n int) []float64 {
	out := make([]float64, n)
	m.ratesInto(out, v)
	return out
}

// ratesInto does the same as rates in given memory.
func (m motor) ratesInto(out []float64, v [][]float64) {
	clear(out)
	for j, w := range m.weights {
		if w == 0 {
			continue
		}
		for k, x := range v[j] {
			out[k] += w * x
		}
	}
}

// friction returns the columns of frictionKinds at the full sampling rate.
func (m motor) friction(v [][]float64, n int) [][]float64 {
	u := m.rates(v, n)
	size := rms(u)
	slow := slowShare * size
	out := make([][]float64, frictionKinds)
	for i := range out {
		out[i] = make([]float64, n)
	}
	if size == 0 {
		return out
	}
	for k, x := range u {
		s := x / max(math.Abs(x), slow)
		out[signOf][k] = s
		out[sizeOf][k] = math.Abs(x)
		out[squareOf][k] = x * math.Abs(x)
		out[stribeckOf][k] = s * math.Exp(-math.Abs(x)/(0.2*size))
		out[rightOf][k] = max(s, 0)
	}
	return out
}

// row is a sample for which there are equations.
type row struct {
	track, at int
	t         float64 // s, of the log
	block     int     // of one second
	fold      int
}

// folds is the number of folds of the cross-validation.
const folds = 8

// blockSeconds is the length of a block; in a short log, blocks are shorter, so that there are fewestBlocks of them.
const (
	blockSeconds = 1.0
	fewestBlocks = 24
)

// newRows picks the rows of the tracks and deals their blocks round robin into folds.
func newRows(tracks []track, cutoff float64) []row {
	var rows []row
	blocks := 0
	for from := 0; from < len(tracks); {
		to := from
		samples, seconds := 0, 0.0
		for to < len(tracks) && tracks[to].log == tracks[from].log {
			tr := &tracks[to]
			samples += tr.n - 2*tr.margin
			seconds += float64(tr.n-2*tr.margin) * tr.dt
			to++
		}
		dt := tracks[from].dt
		stride := max(1, int(math.Round(1/(rowsPerHertz*cutoff*dt))), (samples+mostRows-1)/mostRows)
		length := min(blockSeconds, seconds/fewestBlocks)
		for i := from; i < to; i++ {
			tr := &tracks[i]
			first, last := tr.margin, tr.n-tr.margin
			n := max(1, int(math.Round(float64(last-first)*dt/length)))
			for k := first; k < last; k += stride {
				b := (k - first) * n / (last - first)
				rows = append(rows, row{track: i, at: k, t: tr.t0 + float64(k)*dt, block: blocks + b, fold: (blocks + b) % folds})
			}
			blocks += n
		}
		from = to
	}
	return rows
}

func mean(x []float64) float64 {
	s := 0.0
	for _, v := range x {
		s += v
	}
	return s / float64(max(len(x), 1))
}

func rms(x []float64) float64 {
	s := 0.0
	for _, v := range x {
		s += v * v
	}
	return math.Sqrt(s / float64(max(len(x), 1)))
}

package gravity

import (
	"fmt"
	"math"
)

// Log is a slow motion with its torques, [joint][sample], at a constant period of DT seconds.
type Log struct {
	DT     float64
	Q, Tau [][]float64
}

// check panics where the channels do not fit each other.
func (l *Log) check(joints int) {
	if len(l.Q) != joints || len(l.Tau) != joints || !(l.DT > 0) {
		panic(fmt.Sprintf("gravity: a log of %d positions and %d torques, period %g s, for %d joints", len(l.Q), len(l.Tau), l.DT, joints))
	}
	for k := range l.Q {
		if len(l.Q[k]) != len(l.Q[0]) || len(l.Tau[k]) != len(l.Q[0]) {
			panic(fmt.Sprintf("gravity: joint %d has %d positions and %d torques, joint 1 has %d", k+1, len(l.Q[k]), len(l.Tau[k]), len(l.Q[0])))
		}
	}
}

// Pair is two passes over the same stretch in opposite directions, each given as samples from the first index up to the second.
type Pair struct{ Forward, Back [2]int }

// Figures of passes.
const (
	speedSpan  = 0.1  // seconds of positions from which a speed is estimated
	steady     = 0.05 // change of speed within a pass, as a part of the speed
	leastTime  = 0.15 // s of a pass
	opposite   = 0.1  // difference of the speeds of a pair, as a part of them
	leastWay   = 0.5  // of a pass's way that its pair must share
	restSpeeds = 1e-3 // of a joint's largest speed: below it stands
)

// speeds are differences of positions over speedSpan, centred; none within half of it at the ends.
func (l *Log) speeds() (v [][]float64, half int) {
	half = max(1, int(math.Round(speedSpan/l.DT/2)))
	v = make([][]float64, len(l.Q))
	for k, q := range l.Q {
		v[k] = make([]float64, len(q))
		for i := half; i+half < len(q); i++ {
			v[k][i] = (q[i+half] - q[i-half]) / (2 * float64(half) * l.DT)
		}
	}
	return v, half
}

// Pairs finds the pairs of passes of a log.
func (l *Log) Pairs() []Pair {
	v, half := l.speeds()
	rest := make([]float64, len(v))
	for k := range v {
		for _, x := range v[k] {
			rest[k] = max(rest[k], restSpeeds*math.Abs(x))
		}
	}
	type pass struct {
		from, to int
		speed    []float64
	}
	var passes []pass
	joints, n := len(v), len(l.Q[0])
	for i := half; i+half < n; {
		// The stretch from i on in which every speed stays near its mean so far.
		sum, moves := make([]float64, joints), false
		end := i
	grow:
		for ; end+half < n; end++ {
			for k := range v {
				mean := v[k][i]
				if end > i {
					mean = sum[k] / float64(end-i)
				}
				if math.Abs(v[k][end]-mean) > max(steady*math.Abs(mean), rest[k]) {
					break grow
				}
			}
			for k := range v {
				sum[k] += v[k][end]
			}
		}
		for k := range sum {
			sum[k] /= float64(max(end-i, 1))
			moves = moves || math.Abs(sum[k]) > rest[k]
		}
		if float64(end-i)*l.DT >= leastTime && moves {
			passes = append(passes, pass{i, end, sum})
			i = end
			continue
		}
		i++
	}
	var out []Pair
	for a := 0; a+1 < len(passes); a++ {
		p, r := &passes[a], &passes[a+1]
		lead, reversed := 0, true
		for k := range p.speed {
			if math.Abs(p.speed[k]) > math.Abs(p.speed[lead]) {
				lead = k
			}
			reversed = reversed && math.Abs(p.speed[k]+r.speed[k]) <= max(opposite*math.Abs(p.speed[k]), 2*rest[k])
		}
		if !reversed {
			continue
		}
		q := l.Q[lead]
		low, high := max(min(q[p.from], q[p.to-1]), min(q[r.from], q[r.to-1])), min(max(q[p.from], q[p.to-1]), max(q[r.from], q[r.to-1]))
		if high-low < leastWay*math.Abs(q[p.to-1]-q[p.from]) {
			continue
		}
		within := func(from, to int) [2]int {
			for from < to && (q[from] < low || q[from] > high) {
				from++
			}
			for to > from && (q[to-1] < low || q[to-1] > high) {
				to--
			}
			return [2]int{from, to}
		}
		pair := Pair{within(p.from, p.to), within(r.from, r.to)}
		if pair.Forward[0] < pair.Forward[1] && pair.Back[0] < pair.Back[1] {
			out = append(out, pair)
			a++ // a pass belongs to one pair
		}
	}
	return out
}

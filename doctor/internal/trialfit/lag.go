package trialfit

import (
	"math"

	"ident/doctor/internal/projection"
)

const (
	// Uncertainty of a lag from one reversal, in samples. The step of friction lies anywhere between two samples
	// (1/√12), and a coarse encoder moves it by as much again.
	lagDoubt = 0.3
	// Range and step of the search for lags, s.
	lagSearch = 0.15
	lagStep   = 0.01
)

// Lag is the delay of a joint's torque behind the motion, s.
type Lag struct {
	Seconds, SD float64
	Seen        bool // the data can show a shift of the torque in time
	Coarse      bool // the lag comes from the steps of the search alone; Newton steps with the torque's derivative did not refine it
	// Share of the residual's sum of squares that it explains, or the best step of the search where that is more.
	Share float64
}

// Lag finds by how much the joint's torque comes late: y(t) = W(t - lag)·χ. To first order a lag adds
// -lag·dy/dt, a column like any other; larger ones are searched in steps first, well inside the quarter
// period of the low-pass within which first order leads to the right place.
func (f *Joint) Lag(tr *Rows, interval float64) Lag {
	defer tr.memory.Return(tr.memory.Mark())
	j := f.Index
	lag, least := 0.0, projection.Dot(f.Rest, f.Rest)
	sums := map[int]float64{0: least} // by the step of the search
	var at []int
	var shifted [][]float64
	for k := 1; float64(k)*lagStep <= lagSearch; k++ {
		for _, i := range []int{k, -k} {
			at, shifted = append(at, i), append(shifted, f.count(tr.torque(tr.column(), j, float64(i)*lagStep)))
		}
	}
	lowest := least
	for n, left := range f.Basis.Left(shifted...) {
		lowest = min(lowest, left)
		if sums[at[n]] = left; left < 0.8*least {
			lag, least = float64(at[n])*lagStep, sums[at[n]]
		}
	}
	var found Lag
	settled, first := false, sums[0]
	round := tr.memory.Mark()
	for range 10 {
		tr.memory.Return(round)
		slope := f.count(tr.slope(j, lag))
		rest, beside := f.count(tr.torque(tr.column(), j, lag)), tr.memory.Copy(slope)
		f.Basis.Take(rest, beside)
		found.Share = 1 - min(lowest, projection.Dot(rest, rest))/first
		g, ok := added(&f.Basis, rest, f.Rows, projection.Inflation(rest), [][]float64{slope}, [][]float64{beside})
		if !ok {
			return found
		}
		found.Seen, found.SD = true, math.Hypot(g.SD, lagDoubt*interval/math.Sqrt(float64(max(tr.Reversals(j), 1))))
		step := -g.Coef[0]
		// The step is limited to half a search step, so that a column with little information cannot make the lag
		// diverge.
		lag += math.Max(math.Min(step, lagStep/2), -lagStep/2)
		if settled = math.Abs(step) < 1e-2*tr.Interval(); settled {
			break
		}
	}
	// If the motion excites little, the iteration does not settle within a quarter period, and the lag cannot be
	// determined.
	if math.Abs(lag) > lagSearch || !settled {
		if l := f.coarseLag(sums); l.Seen {
			return l
		}
		return Lag{SD: found.SD}
	}
	found.Seconds = lag
	return found
}

// coarseLag returns the vertex of the parabola through the smallest sum of squares of the search and its neighbours, if
// it lies within the search. Its standard deviation follows from the parabola's curvature.
func (f *Joint) coarseLag(sums map[int]float64) Lag {
	at := 0
	for i := -len(sums) / 2; i <= len(sums)/2; i++ {
		if sums[i] < sums[at] {
			at = i
		}
	}
	before, ok := sums[at-1]
	after, ok2 := sums[at+1]
	curve := before - 2*sums[at] + after
	if at == 0 || !ok || !ok2 || !(curve > 0) {
		return Lag{}
	}
	variance := sums[at] / float64(max(f.Rows-f.Basis.Rank(), 1)) * f.Inflate
	return Lag{Seconds: lagStep * (float64(at) + (before-after)/(2*curve)), SD: lagStep * math.Sqrt(2*variance/curve), Seen: true, Coarse: true}
}

// CommonLag returns the weighted mean of the joints' lags, if they agree: a bus or a filter delays all torques
// alike, and all joints together determine by how much.
func CommonLag(lags []Lag) (lag, sd float64, ok bool) {
	var sum, weight float64
	n := 0
	for _, l := range lags {
		if l.Seen && !l.Coarse && l.SD > 0 {
			sum += l.Seconds / (l.SD * l.SD)
			weight += 1 / (l.SD * l.SD)
			n++
		}
	}
	if n < 3 {
		return 0, 0, false
	}
	lag, sd = sum/weight, 1/math.Sqrt(weight)
	chi2 := 0.0
	for _, l := range lags {
		if l.Seen && !l.Coarse && l.SD > 0 {
			chi2 += (l.Seconds - lag) * (l.Seconds - lag) / (l.SD * l.SD)
		}
	}
	return lag, sd, chi2 < 3*float64(n-1)
}

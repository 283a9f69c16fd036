package doctor

import (
	"fmt"
	"math"
	"slices"

	"ident/internal/rowlist"
)

// Limits on stretches of an effort that no sensor measured.
const (
	// byChance is the number of sequences, in a log of the same length, that chance may make as long as one that is told.
	byChance = 1e-6
	// fewestMade is the least number of rows of a sequence that is told: the increments of a drive are not independent from row to row.
	fewestMade = 8
	// lineQuanta is how many quanta three values on a line may bend by rounding: half a quantum each, and the middle one counts twice.
	lineQuanta = 2
	// unbentLine is the longest line that does no harm, in periods of the fastest torque that passes the low-pass: a line over the part u of a
	// period misses a sine by at most 1 - cos(πu) of its amplitude, 5 %.
	unbentLine = 0.1
)

// madeUp finds stretches of efforts that were made by a program and not by a sensor while the joint moves: values of an earlier stretch, to
// the last digit, as a buffer that is read twice has, and values on a straight line, with which exporters fill what they lost. It also
// returns their rows.
func madeUp(rec *recording) (found findings, rows []int) {
	for _, c := range rec.channels {
		if c.role < torque || c.assumed || rec.stats(c).rows < fewest || rec.isStill(rec.joints[c.joint]) {
			continue
		}
		for _, kind := range []struct {
			of  func(x, q []float64) []int
			why string
		}{
			{repeatedRows, "%s has the values of an earlier stretch again, to the last digit, on %s, while the joint is elsewhere: a buffer was read twice"},
			{lineRows(rec.quantum(c), int(unbentLine/(causeCutoff*rec.interval()))), "%s lies on straight lines on %s, without the noise that it has elsewhere: a program has filled lost samples"},
		} {
			var made []int
			for _, w := range rec.windows {
				for _, k := range kind.of(w.cols[c.index], rec.positionOf(w, c)) {
					made = append(made, w.first+k)
				}
			}
			if len(made) == 0 {
				continue
			}
			f := rec.about(Dropout, Warning, c)
			f.Value, f.Limit = float64(len(made))/float64(rec.t.Len()), fewestMade/float64(rec.t.Len())
			f.at(rowlist.Of(made), rec.t)
			f.Why = fmt.Sprintf(kind.why, c.name, rowlist.Plural(len(made), "row"))
			f.Fix = "{mend} leaves these rows out"
			f.Repair.Edits = rec.withoutValues(c, made)
			found.add(f)
			rows = append(rows, made...)
		}
	}
	slices.Sort(rows)
	return found, slices.Compact(rows)
}

// positionOf returns the position of a channel's joint in a window; nil if the log has none.
func (rec *recording) positionOf(w *window, c *channel) []float64 {
	if q := rec.joints[c.joint].q; q != nil {
		return w.cols[q.index]
	}
	return nil
}

// longest returns the length of the sequences that chance makes byChance times in a log, if each row of them has the probability p and they may
// begin at count places.
func longest(p, count float64) int {
	if !(p < 1) {
		return math.MaxInt
	}
	return max(fewestMade, int(math.Ceil(math.Log(count/byChance)/-math.Log(p))))
}

// chance returns the part of all pairs of increments of x whose two increments are equal.
func chance(x []float64) (p float64) {
	steps := make([]float64, 0, len(x))
	for i := 1; i < len(x); i++ {
		steps = append(steps, x[i]-x[i-1])
	}
	slices.Sort(steps)
	for from, i := 0, 0; i < len(steps); from = i {
		for i++; i < len(steps) && steps[i] == steps[from]; i++ {
		}
		p += math.Pow(float64(i-from)/float64(len(steps)), 2)
	}
	return p
}

// repeatedRows returns the rows of sequences of x that an earlier sequence equals to the last digit and that are longer than chance makes. The
// position q must differ between the two, so that a motion that is repeated without noise is not told; q may be nil.
func repeatedRows(x, q []float64) (rows []int) {
	p := chance(x)
	n := float64(len(x))
	least := longest(p, n*n/2)
	if least > len(x)/4 {
		return nil
	}
	// Blocks of half that length are looked up at each row, so that a sequence holds a whole one.
	block := least / 2
	const base = 0x9e3779b97f4a7c15
	power := uint64(1)
	for range block {
		power *= base
	}
	hash, at := uint64(0), map[uint64]int{}
	for i := 0; i < len(x); i++ {
		hash = hash*base + math.Float64bits(x[i])
		if i >= block {
			hash -= power * math.Float64bits(x[i-block])
		}
		first := i - block + 1
		if first < 0 {
			continue
		}
		if from, ok := at[hash]; ok && from+block <= first && (len(rows) == 0 || first > rows[len(rows)-1]) {
			a, b := from, first // grow to both sides
			for a > 0 && x[a-1] == x[b-1] && (len(rows) == 0 || b-1 > rows[len(rows)-1]) {
				a, b = a-1, b-1
			}
			long, apart := 0, q == nil
			for b+long < len(x) && x[a+long] == x[b+long] {
				apart = apart || q[a+long] != q[b+long]
				long++
			}
			if apart && long >= least && long >= longest(chance(x[b:b+long]), n*n/2) { // at rest increments are more alike
				for k := range long {
					rows = append(rows, b+k)
				}
			}
		}
		if first%block == 0 {
			if _, ok := at[hash]; !ok {
				at[hash] = first
			}
		}
	}
	return rows
}

// lineRows returns a function that returns the rows of x on straight lines longer than chance makes and than shortest rows, if x changes along
// the line by more than rounding bends it. The part of all neighbours in x that are in line, three at a time, stands for the probability of one.
func lineRows(quantum float64, shortest int) func(x, q []float64) []int {
	return func(x, _ []float64) (rows []int) {
		straight, in, largest := make([]bool, len(x)), 0, 0.0
		for _, v := range x {
			largest = max(largest, math.Abs(v))
		}
		bend := lineQuanta*quantum*(1+1e-9) + 4*(math.Nextafter(largest, math.Inf(1))-largest) // and of rounding
		for i := 1; i+1 < len(x); i++ {
			if straight[i] = math.Abs(x[i+1]-2*x[i]+x[i-1]) <= bend; straight[i] {
				in++
			}
		}
		least := max(shortest, longest(float64(in)/float64(len(x)), float64(len(x))))
		for i := 1; i+1 < len(x); i++ {
			from := i
			for i+1 < len(x) && straight[i] {
				i++
			}
			if i-from >= least && math.Abs(x[i]-x[from-1]) > lineQuanta*quantum*float64(i-from) {
				for k := from - 1; k <= i; k++ {
					if len(rows) == 0 || k > rows[len(rows)-1] {
						rows = append(rows, k)
					}
				}
			}
		}
		return rows
	}
}

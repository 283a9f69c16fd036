package estimate

import (
	"math/bits"
	"slices"
	"sort"
	"sync"

	"ident/internal/triangle"
)

// merged caches sums of a reduction's blocks, which estimates, comparisons of runs and cross-validations need
// repeatedly.
type merged struct {
	mutex  sync.Mutex
	joints []*triangle.Factor     // of all rows of a joint, nil before they are asked for
	minima map[Weighting]*minimum // of smallest norm in scaled columns
	parts  map[[2]int]*Reduction  // see cut
}

// maxParts bounds the cache: with more runs, parts are cut again each time.
const maxParts = 16

// forget drops the sums of a reduction whose blocks have changed.
func (r *Reduction) forget() { r.sums = &merged{joints: make([]*triangle.Factor, len(r.masks))} }

// joint returns the cached factor of Joint; the caller must not change it.
func (r *Reduction) joint(k int, w *triangle.Work) *triangle.Factor {
	r.sums.mutex.Lock()
	f := r.sums.joints[k]
	r.sums.mutex.Unlock()
	if f == nil {
		f = r.mergeBlocks(k, 0, len(r.blocks), w)
		r.sums.mutex.Lock()
		r.sums.joints[k] = f
		r.sums.mutex.Unlock()
	}
	return f
}

// mergeBlocks merges blocks first … last-1 of joint k as a tree: runs by halves of their numbers, the blocks of a run by
// pairs, 2i with 2i+1, and these by pairs again. Blocks that were merged this way before are nodes of the tree, so the
// factor has the same bits. The caller must not change the factor: it belongs to a block if there is only one, and to
// the cache if it is a run's.
func (r *Reduction) mergeBlocks(k, first, last int, w *triangle.Work) *triangle.Factor {
	switch last - first {
	case 0:
		return triangle.New(len(r.masks[k]))
	case 1:
		return r.blocks[first].Joints[k]
	}
	run, behind := r.blocks[first].Run, r.blocks[last-1].Run
	if run == behind && last-first < len(r.blocks) && (first == 0 || r.blocks[first-1].Run != run) && (last == len(r.blocks) || r.blocks[last].Run != run) {
		return r.cut(first, last).joint(k, w)
	}
	mid, half := first+1<<(bits.Len(uint(last-first-1))-1), (run+behind)/2
	if behind > half {
		mid = first + sort.Search(last-first, func(i int) bool { return r.blocks[first+i].Run > half })
	}
	f := r.mergeBlocks(k, first, mid, w)
	if mid-first == 1 || r.blocks[mid-1].Run != r.blocks[mid].Run {
		f = f.Clone() // of the block or of a run
	}
	f.Merge(r.mergeBlocks(k, mid, last, w), w)
	return f
}

// cut returns the reduction of blocks first … last-1 or, for first > last, of all except last … first-1. The caller must
// not append to it.
func (r *Reduction) cut(first, last int) *Reduction {
	switch n := len(r.blocks); {
	case first > last && last == 0:
		last = n
	case first > last && first == n:
		first = 0
	}
	r.sums.mutex.Lock()
	defer r.sums.mutex.Unlock()
	part, ok := r.sums.parts[[2]int{first, last}]
	if ok {
		return part
	}
	part = NewReduction(r.columns, r.masks)
	if first <= last {
		part.Append(r.blocks[first:last]...)
	} else {
		part.Append(r.blocks[:last]...)
		part.Append(r.blocks[first:]...)
	}
	if r.sums.parts == nil {
		r.sums.parts = map[[2]int]*Reduction{}
	}
	if len(r.sums.parts) < maxParts {
		r.sums.parts[[2]int{first, last}] = part
	}
	return part
}

// least returns the minimum for a weighting and caches it. The solution is a copy.
func (r *Reduction) least(weighting Weighting, minimumNorm bool) (minimum, error) {
	r.sums.mutex.Lock()
	m := r.sums.minima[weighting]
	r.sums.mutex.Unlock()
	if m == nil {
		found, err := r.minimise(r.weigher(weighting), nil, true)
		if err != nil {
			return minimum{}, err
		}
		m = &found
		r.sums.mutex.Lock()
		if r.sums.minima == nil {
			r.sums.minima = map[Weighting]*minimum{}
		}
		r.sums.minima[weighting] = m
		r.sums.mutex.Unlock()
	}
	if m.Rank < r.columns && !minimumNorm {
		return minimum{}, deficient(m.solver, r.columns)
	}
	own := *m.Solution
	own.X, own.Weights, own.Rows, own.Stack = slices.Clone(own.X), slices.Clone(own.Weights), slices.Clone(own.Rows), own.Stack.Clone()
	return minimum{&own, m.joints, m.solver}, nil
}

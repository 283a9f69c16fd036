package frictionterms

import (
	"fmt"
	"slices"

	"ident/estimate"
	"ident/regressor"
)

// Of returns, in the order of model m, the indices of its columns among those of own and the further terms. speeds must
// come from BestSpeeds. It is an error if a column of m is not found.
func (f Columns) Of(own, m *regressor.Model, speeds []int) ([]int, error) {
	joint := map[int]int{} // by link
	for k, l := range own.JointLinks() {
		joint[l] = k
	}
	var out []int
	for _, c := range m.Columns() {
		same := func(o regressor.Column) bool { return o.Name == c.Name && o.Term == c.Term }
		at := slices.IndexFunc(own.Columns(), same)
		switch {
		case at >= 0:
		case c.Term == regressor.Asymmetric && c.Param == 0:
			at = f.asymmetric(joint[c.Link])
		case c.Term == regressor.Stribeck && speeds != nil && speeds[joint[c.Link]] >= 0:
			at = f.stribeck(joint[c.Link], speeds[joint[c.Link]])
		case f.More != nil && slices.ContainsFunc(f.More.Columns(), same):
			at = f.named() + slices.IndexFunc(f.More.Columns(), same)
		default:
			return nil, fmt.Errorf("column %s is not one of those that were reduced", c.Name)
		}
		out = append(out, at)
	}
	return out, nil
}

// Pick returns the reduction of the same rows with the given columns, in the given order; ascending columns give the
// result of Select. The rows of blocks, which may be nil, are treated in the same way.
func Pick(r *estimate.Reduction, columns []int, beside []estimate.TimeBlock) (*estimate.Reduction, []estimate.TimeBlock) {
	masks, kept := make([][]int, len(r.Masks())), make([][]int, len(r.Masks()))
	for k, mask := range r.Masks() {
		for to, from := range columns {
			if at, ok := slices.BinarySearch(mask, from); ok {
				masks[k], kept[k] = append(masks[k], to), append(kept[k], at)
			}
		}
	}
	var work estimate.Work
	pick := func(b estimate.TimeBlock) estimate.TimeBlock {
		out := estimate.TimeBlock{Run: b.Run, State: b.State}
		for k, f := range b.Joints {
			out.Joints = append(out.Joints, pickFactor(f, kept[k], &work))
		}
		return out
	}
	var still []estimate.TimeBlock
	for _, b := range beside {
		still = append(still, pick(b))
	}
	if slices.IsSorted(columns) {
		return r.Select(columns), still
	}
	out := estimate.NewReduction(len(columns), masks)
	for _, b := range r.Blocks() {
		out.Append(pick(b))
	}
	return out, still
}

// PickJoints does what Pick does for one factor for each joint. The given number of further columns at the end stay there.
func PickJoints(factors []*estimate.Factor, masks [][]int, columns []int, further int) []*estimate.Factor {
	var work estimate.Work
	var out []*estimate.Factor
	for k, f := range factors {
		var kept []int
		for _, from := range columns {
			if at, ok := slices.BinarySearch(masks[k], from); ok {
				kept = append(kept, at)
			}
		}
		for i := range further {
			kept = append(kept, f.N-further+i)
		}
		out = append(out, pickFactor(f, kept, &work))
	}
	return out
}

// pickFactor returns the factor of some of a factor's columns, in the order given.
func pickFactor(f *estimate.Factor, at []int, work *estimate.Work) *estimate.Factor {
	columns := make([][]float64, len(at))
	for to, from := range at {
		columns[to] = make([]float64, f.N)
		for i := range from + 1 {
			columns[to][i] = f.R[i*f.N+from]
		}
	}
	out := &estimate.Factor{N: len(at), R: make([]float64, len(at)*len(at)), Z: make([]float64, len(at))}
	out.Add(columns, f.Z, work)
	out.RSS += f.RSS
	out.YY, out.Rows = f.YY, f.Rows
	return out
}

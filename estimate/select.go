package estimate

import "ident/internal/triangle"

// Parts returns the reduction with the time blocks of every part that cross-validation leaves out merged into one. Use
// it to compare many candidates on the same parts at the cost of a few blocks.
func (r *Reduction) Parts() *Reduction {
	parts, _ := r.leaveOutParts()
	return r.inParts(parts)
}

// PartsAlike does what Parts does, for two reductions over the same time blocks, with the parts of the first.
func PartsAlike(r, other *Reduction) (*Reduction, *Reduction) {
	parts, _ := r.leaveOutParts()
	return r.inParts(parts), other.inParts(parts)
}

func (r *Reduction) inParts(parts [][2]int) *Reduction {
	out := NewReduction(r.columns, r.masks)
	var work triangle.Work
	for _, part := range parts {
		b := TimeBlock{Run: r.blocks[part[0]].Run}
		for k := range r.masks {
			b.Joints = append(b.Joints, r.mergeBlocks(k, part[0], part[1], &work))
		}
		out.Append(b)
	}
	return out
}

// Select returns the reduction of the same rows with only the given columns, which must be ascending. If these are a
// joint's first columns, the factor equals that of a reduction without the others, to the last bit.
func (r *Reduction) Select(columns []int) *Reduction {
	place := make([]int, r.columns)
	for i := range place {
		place[i] = -1
	}
	for to, from := range columns {
		place[from] = to
	}
	masks, kept := make([][]int, len(r.masks)), make([][]int, len(r.masks))
	for k, mask := range r.masks {
		for at, c := range mask {
			if place[c] >= 0 {
				masks[k], kept[k] = append(masks[k], place[c]), append(kept[k], at)
			}
		}
	}
	out := NewReduction(len(columns), masks)
	var work triangle.Work
	for _, b := range r.blocks {
		s := TimeBlock{Run: b.Run, State: b.State}
		for k, f := range b.Joints {
			s.Joints = append(s.Joints, selectColumns(f, kept[k], &work))
		}
		out.Append(s)
	}
	return out
}

// selectColumns returns the factor of some of a factor's columns.
func selectColumns(f *triangle.Factor, at []int, w *triangle.Work) *triangle.Factor {
	m := len(at)
	out := triangle.New(m)
	if m == 0 || at[m-1] == m-1 { // the first columns
		for i := range m {
			copy(out.R[i*m:(i+1)*m], f.R[i*f.N:i*f.N+m])
		}
		copy(out.Z, f.Z)
		out.RSS = f.RSS
		for _, z := range f.Z[m:] {
			out.RSS += z * z
		}
	} else {
		columns := make([][]float64, m)
		for to, from := range at {
			columns[to] = make([]float64, f.N)
			for i := range from + 1 {
				columns[to][i] = f.R[i*f.N+from]
			}
		}
		out.Add(columns, f.Z, w)
		out.RSS += f.RSS
	}
	out.YY, out.Rows = f.YY, f.Rows
	return out
}

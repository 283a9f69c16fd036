package outputerror

import (
	"slices"

	"ident/regressor"
)

// limb is a set of joints whose torques depend on no other joint's motion, with the parameters that move them. A serial arm is one limb; the legs of
// a robot whose base is held are one each, and so their equations, sensitivities and rows are small.
type limb struct {
	joints  []int // ascending
	columns []int // of θ, ascending
	at      []int // local index of the limb's column by column of θ, −1 for the others
}

// before returns how many of the limb's columns are before column end of θ.
func (l *limb) before(end int) int {
	at, _ := slices.BinarySearch(l.columns, end)
	return at
}

// limbs returns the limbs of a fit's robot: joints that share a base parameter, or a known one, move each other.
func (f *fit) limbs() []*limb {
	model := f.subject.Model
	of := make([]int, f.joints)
	for k := range of {
		of[k] = k
	}
	owner := make([]int, f.gainAt()) // a joint that each base parameter moves
	for i := range owner {
		owner[i] = -1
	}
	join := func(m *regressor.Model, owner []int) {
		for k := range f.joints {
			for _, c := range m.Mask(k) {
				o := owner[c]
				if owner[c] = k; o < 0 || of[o] == of[k] {
					continue
				}
				from, to := of[k], of[o]
				for j := range of {
					if of[j] == from {
						of[j] = to
					}
				}
			}
		}
	}
	join(model, owner)
	if known := f.subject.Known; known != nil {
		join(known, slices.Repeat([]int{-1}, len(known.Columns())))
	}
	var out []*limb
	for k := range f.joints {
		if slices.ContainsFunc(out, func(l *limb) bool { return of[l.joints[0]] == of[k] }) {
			continue
		}
		l := &limb{at: make([]int, f.size())}
		for j := range f.joints {
			if of[j] == of[k] {
				l.joints = append(l.joints, j)
			}
		}
		for i, o := range owner {
			if o >= 0 && of[o] == of[k] {
				l.columns = append(l.columns, i)
			}
		}
		for i, g := range f.law.Gains {
			if of[g.Joint] == of[k] {
				l.columns = append(l.columns, f.gainAt()+i)
			}
		}
		if f.law.Late {
			l.columns = append(l.columns, f.delayAt())
		}
		for i, j := range f.offsets {
			if of[j] == of[k] {
				l.columns = append(l.columns, f.offsetAt()+i)
			}
		}
		for i := range l.at {
			l.at[i] = slices.Index(l.columns, i)
		}
		out = append(out, l)
	}
	return out
}

// masks returns, by joint, the columns of θ that move it.
func (f *fit) masks() [][]int {
	out := make([][]int, f.joints)
	for _, l := range f.parts {
		for _, j := range l.joints {
			out[j] = l.columns
		}
	}
	return out
}

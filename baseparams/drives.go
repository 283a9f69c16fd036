package baseparams

import (
	"maps"
	"math"
	"slices"

	"ident/regressor"
	"ident/robot"
)

// spread adds the tags of a condition at joint j, times a factor, to a row over all columns. Gravity's tag is the
// coefficient of the offset, because both are constant torques; the tags of rates are the coefficients of the rotor
// inertias that turn with them.
func (c *chain) spread(row []float64, j int, tags []float64, factor float64) {
	l := &c.links[j]
	if l.fo >= 0 {
		row[l.fo] += factor * tags[gravityTag]
	}
	for _, d := range l.own {
		if ia := c.drives[d].ia; ia >= 0 {
			row[ia] += factor * tags[driveTag+d]
		}
	}
	if l.ia >= 0 {
		row[l.ia] += factor * tags[c.tags-1]
	}
}

// frictionRows adds the conditions on friction, which no inertia can imitate. The torque of joint k contains Fv times a
// rate and Fs times its sign; these are as independent as the drives' rates, as linear forms of the joints' rates. A
// shared rotor also couples joints on different branches, which no link does.
func (c *chain) frictionRows(r *robot.Robot) {
	forms := map[regressor.Term][]form{}
	for i, col := range c.cols {
		if col.Term == regressor.Links || col.Term == regressor.Fo {
			continue
		}
		w := map[int]float64{col.Link: 1}
		if col.Drive > 0 {
			w = r.Drives[col.Drive-1].Weights
		}
		forms[col.Term] = append(forms[col.Term], form{i, w})
	}
	products := func(fs []form, keep func(k, l int) bool) {
		pairs := map[[2]int][]float64{}
		for _, f := range fs {
			for k, a := range f.weights {
				for l, b := range f.weights {
					if k <= l && a != 0 && b != 0 && keep(k, l) {
						if pairs[[2]int{k, l}] == nil {
							pairs[[2]int{k, l}] = make([]float64, len(c.cols))
						}
						pairs[[2]int{k, l}][f.column] += a * b
					}
				}
			}
		}
		keys := slices.SortedFunc(maps.Keys(pairs), func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
		for _, k := range keys {
			c.loose = append(c.loose, pairs[k])
		}
	}
	products(forms[regressor.Fv], func(k, l int) bool { return true })
	products(forms[regressor.Ia], func(k, l int) bool { return !c.carries(k, l) })
	done := make([]bool, len(forms[regressor.Fs]))
	for i, f := range forms[regressor.Fs] {
		if done[i] {
			continue
		}
		rows := map[int][]float64{}
		for k, a := range f.weights {
			if a != 0 {
				rows[k] = make([]float64, len(c.cols))
			}
		}
		for m, g := range forms[regressor.Fs] {
			if s := parallel(f.weights, g.weights); s != 0 {
				done[m] = true
				for k, row := range rows {
					row[g.column] += s * g.weights[k]
				}
			}
		}
		for _, k := range slices.Sorted(maps.Keys(rows)) {
			c.loose = append(c.loose, rows[k])
		}
	}
}

// form is a drive's rate as a linear form of the joints' rates.
type form struct {
	column  int
	weights map[int]float64
}

// parallel returns the sign if two forms are multiples of each other, otherwise 0.
func parallel(a, b map[int]float64) float64 {
	var ab, aa, bb float64
	for k, v := range a {
		ab += v * b[k]
		aa += v * v
	}
	for _, v := range b {
		bb += v * v
	}
	// Rounding makes parallel vectors miss this bound by 1e-15; others miss it by half the square of their angle, so
	// 1e-6 rad is still resolved.
	if math.Abs(ab) < (1-1e-12)*math.Sqrt(aa*bb) || ab == 0 {
		return 0
	}
	return math.Copysign(1, ab)
}

// carries reports whether link k is link l or carries it.
func (c *chain) carries(k, l int) bool {
	for l > k {
		l = c.links[l].ant
	}
	return l == k
}

// leadingColumns brings rows to reduced echelon form from the left and returns
// the pivots; rows without a pivot are cleared.
func leadingColumns(rows [][]float64, n int, g *margin) (pivots []int) {
	r := 0
	for col := 0; col < n && r < len(rows); col++ {
		at := r
		for i := r + 1; i < len(rows); i++ {
			if math.Abs(rows[i][col]) > math.Abs(rows[at][col]) {
				at = i
			}
		}
		if v := math.Abs(rows[at][col]); v <= resolved {
			g.dropped = max(g.dropped, v)
			continue
		} else {
			g.kept = min(g.kept, v)
		}
		rows[r], rows[at] = rows[at], rows[r]
		scale(rows[r], 1/rows[r][col])
		for i := range rows {
			if f := rows[i][col]; i != r && f != 0 {
				axpy(rows[i], -f, rows[r])
				rows[i][col] = 0
			}
		}
		pivots = append(pivots, col)
		r++
	}
	for _, row := range rows[r:] {
		clear(row)
	}
	return pivots
}

package triangle

// AddPower adds the sum of squares of every column of W to power, N long.
func (f *Factor) AddPower(power []float64) {
	for i := range f.N {
		row := f.R[i*f.N+i : (i+1)*f.N]
		sums := power[i:][:len(row)]
		for j, v := range row {
			sums[j] += v * v
		}
	}
}

// onlyOne is the power of a column in the rows of all other groups, over that in a group and row by row, below which the
// others do not determine its parameter: the velocity of a joint that is held has the power of its noise.
const onlyOne = 1e-3

// OfOne returns which columns have parameters that one of several groups of rows determines alone. power has the sums of
// squares of the columns by group, and behind them the number of the group's rows.
func OfOne(power [][]float64) []bool {
	n := len(power[0]) - 1
	sum := make([]float64, n+1)
	for _, p := range power {
		for c := range p {
			sum[c] += p[c]
		}
	}
	out := make([]bool, n)
	for _, p := range power {
		for c := range n {
			out[c] = out[c] || (sum[c]-p[c])*p[n] < onlyOne*p[c]*(sum[n]-p[n])
		}
	}
	return out
}

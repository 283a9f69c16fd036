package excite

// batch is the largest number of points that are measured at once.
const batch = 256

// visitPeaks calls measure with numbers of points of a grid, ascending, among them all at which a channel has its largest value on the
// whole grid. measure returns the values of all channels at these points, [channel][point], in memory of its own; bend is
// the largest distance of each channel from its chord over so many steps as every.
//
// A function whose second derivative is at most B stays within h²/8·B of its chord between two points a time h apart. So of all
// intervals between every 32nd point of a grid only those can hold a value above the largest at these points whose ends come so
// near it: some two or three of thousands for each peak. All others are left out without any difference to the result.
func visitPeaks(points, every int, bend []float64, measure func(at []int) [][]float64) {
	var coarse []int
	for k := 0; k < points-1; k += every {
		coarse = append(coarse, k)
	}
	if points > 0 {
		coarse = append(coarse, points-1)
	}
	values, top := make([][]float64, len(bend)), make([]float64, len(bend))
	for from := 0; from < len(coarse); from += batch {
		for c, x := range measure(coarse[from:min(from+batch, len(coarse))]) {
			values[c] = append(values[c], x...)
			for i, v := range x {
				if from+i == 0 || v > top[c] {
					top[c] = v
				}
			}
		}
	}
	var fine []int
	for j := range max(len(coarse)-1, 0) {
		for c, v := range values {
			// A value that is no number compares as one that may be exceeded.
			if !(max(v[j], v[j+1])+bend[c] <= top[c]) {
				for k := coarse[j] + 1; k < coarse[j+1]; k++ {
					fine = append(fine, k)
				}
				break
			}
		}
	}
	for ; len(fine) > 0; fine = fine[min(batch, len(fine)):] {
		measure(fine[:min(batch, len(fine))])
	}
}

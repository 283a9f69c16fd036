package opening

import "strings"

// difference returns the lines of two texts with the fewest marks, lines that stay only near others.
func difference(before, after string) []Line {
	a, b := strings.Split(strings.TrimRight(before, "\n"), "\n"), strings.Split(strings.TrimRight(after, "\n"), "\n")
	// common[i][j] is the length of the longest common subsequence of a[i:] and b[j:].
	common := make([][]int, len(a)+1)
	for i := range common {
		common[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	var all []Line
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			all = append(all, Line{" ", a[i]})
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			all = append(all, Line{"-", a[i]})
			i++
		default:
			all = append(all, Line{"+", b[j]})
			j++
		}
	}
	near := make([]bool, len(all))
	for k, l := range all {
		if l.Mark != " " {
			for n := max(0, k-1); n <= min(len(all)-1, k+1); n++ {
				near[n] = true
			}
		}
	}
	var out []Line
	for k, l := range all {
		if near[k] {
			out = append(out, l)
		}
	}
	return out
}

// keys returns the lines of a project file that are neither comments nor empty.
func keys(text string) (out []Line) {
	for l := range strings.Lines(text) {
		if l = strings.TrimRight(l, "\n"); l != "" && !strings.HasPrefix(l, "#") {
			out = append(out, Line{"+", l})
		}
	}
	return out
}

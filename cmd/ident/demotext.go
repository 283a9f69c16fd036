package main

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"ident/result"
)

// linesWith keeps the lines that begin with one of some words.
func linesWith(text string, words ...string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if slices.ContainsFunc(words, func(w string) bool { return strings.HasPrefix(line, w) }) {
			b.WriteString(line)
		}
	}
	return b.String()
}

// printTruth compares base parameters with those of the robot file, from which the virtual robot was made.
func printTruth(w io.Writer, res *result.Result) {
	var worst result.BaseParameter
	count, most := [3]int{}, 0.0
	for _, p := range res.BaseParameters {
		z := math.Abs(p.Value-p.Prior) / p.Sigma
		for k := range count {
			if z <= float64(k+1) {
				count[k]++
			}
		}
		if z > most {
			most, worst = z, p
		}
	}
	n := len(res.BaseParameters)
	fmt.Fprintf(w, "  %d base parameters, identified from %d samples\n", n, res.Samples.Used)
	fmt.Fprintf(w, "  within 1, 2 and 3 standard deviations of the truth: %d, %d and %d of them (normal: %.0f, %.0f and %.0f)\n",
		count[0], count[1], count[2], 0.683*float64(n), 0.954*float64(n), 0.997*float64(n))
	fmt.Fprintf(w, "  the farthest is %s, %.1f deviations off: identified %.4g ± %.2g, true %.4g %s\n",
		worst.Name, most, worst.Value, worst.Sigma, worst.Prior, worst.Unit)
	fmt.Fprintf(w, "  relative error of the torques: %.2f %% in training", res.Fit.RelativeError.Stacked)
	if res.Validation != nil {
		fmt.Fprintf(w, ", %.2f %% on unseen motion", res.Validation.RelativeError.Stacked)
	}
	fmt.Fprintf(w, "\n  filter: %s\n", res.Processing.FilterText())
}

// printNext returns the closing text: where the files are, and which command comes next.
func printNext(w io.Writer, dir, report, result string) {
	fmt.Fprintf(w, `
All of it is in %s:
  report          %s
  result          %s

Next, with your own robot: ident check LOG --robot ROBOT, then ident fit LOG --robot ROBOT.
`, dir, report, result)
}

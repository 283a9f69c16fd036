package robot

import "strconv"

// formatNumber writes a number in its shortest form that reads back the same.
func formatNumber(v float64) string { return strconv.FormatFloat(v+0, 'g', -1, 64) }

// Package spelling measures how far two names are apart, for messages that
// propose a name for a mistyped one.
package spelling

// Distance returns the number of insertions, deletions and substitutions of bytes
// that turn a into b (Levenshtein 1966).
func Distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			up, cost := row[j+1], diagonal
			if a[i] != b[j] {
				cost++
			}
			row[j+1] = min(cost, up+1, row[j]+1)
			diagonal = up
		}
	}
	return row[len(b)]
}

package trialfit

// Pair is the sum (+1) or difference (-1) of two joints, or with a sign of 0 the two alone.
type Pair struct {
	A, B int
	Sign float64
}

// PairOf returns a pair in the order of the joints.
func PairOf(a, b int, sign float64) Pair { return Pair{min(a, b), max(a, b), sign} }

// pairs lists the joints that may share a drive: neighbours, and the next but one, as in wrists whose
// motors sit in the forearm.
func pairs(joints int) []Pair {
	var out []Pair
	for a := range joints {
		for b := a + 1; b < min(a+3, joints); b++ {
			out = append(out, Pair{a, b, 1}, Pair{a, b, -1})
		}
	}
	return out
}

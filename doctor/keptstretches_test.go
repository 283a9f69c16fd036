package doctor

import "testing"

// A source that is slower than the log keeps its first value no longer than its others, and that is no missing start.
func TestKeptStretches(t *testing.T) {
	held, started := make([]float64, 400), make([]float64, 400)
	for k := range held {
		held[k], started[k] = float64(k/10), float64(k)
	}
	for k := range 15 { // at rest for a moment
		started[k] = 15
	}
	if n := keptStretches(held, 10); n <= mostKept {
		t.Errorf("%d stretches of a held channel", n)
	}
	if n := keptStretches(started, 10); n != 1 {
		t.Errorf("%d stretches of a robot that starts from rest", n)
	}
}

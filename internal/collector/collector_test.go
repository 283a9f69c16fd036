package collector

import "testing"

// The collector never stops, which a negative percentage means, whatever is in use; the garbage that it waits for is the
// least of the constants, or the share of what is in use. A percentage is a whole number: a hundredth of that is left.
func TestPercent(t *testing.T) {
	for inUse := uint64(1 << 16); inUse < 1<<40; inUse += 1 + inUse/7 {
		p, base := percent(inUse), max(inUse, 4<<20)
		garbage := float64(p) / 100 * float64(base)
		low := max(leastGarbage, garbageShare*float64(base)/100, leastHeap-float64(base))
		if p < 0 || garbage > low || garbage < low-0.01*float64(base)-1 {
			t.Fatalf("%d bytes in use: %d %%, %.0f bytes of garbage, want %.0f", inUse, p, garbage, low)
		}
	}
}

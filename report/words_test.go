package report

import (
	"strings"
	"testing"
)

// isPrintable says yes where printable changes nothing, wherever a character stands among words of eight bytes.
func TestIsPrintable(t *testing.T) {
	for _, s := range []string{"", "a", "a page\n\tof text\r\n", "Δτ N·m �", "\x00", "\x1f", "\x7f", "\u0085", "￾", "\xff", "a\xc3", "\x1b[31m"} {
		for n := range 20 {
			text := strings.Repeat("~ ", n) + s + strings.Repeat(" z", n)
			if got, want := isPrintable([]byte(text)), printable(text) == text; got != want {
				t.Errorf("%q: %v, want %v", text, got, want)
			}
		}
	}
}

//go:build amd64 && !purego

package symbolic_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ident/internal/vectorunit"
)

// The level agrees with the kernel's description of the processor.
func TestBestVectorUnit(t *testing.T) {
	text, err := os.ReadFile("/proc/cpuinfo")
	line := regexp.MustCompile(`(?m)^flags\s*:(.*)$`).FindSubmatch(text)
	if err != nil || line == nil {
		t.Skip("no /proc/cpuinfo that says what the processor has")
	}
	flags := strings.Fields(string(line[1]))
	has := func(names ...string) bool {
		for _, n := range names {
			if !slices.Contains(flags, n) {
				return false
			}
		}
		return true
	}
	want := vectorunit.Portable
	switch {
	case has("avx2", "fma", "avx512f", "avx512dq", "avx512vl"):
		want = vectorunit.AVX512
	case has("avx2", "fma"):
		want = vectorunit.AVX2
	}
	if got := vectorunit.Best(); got != want {
		t.Errorf("level %d, the flags say %d", got, want)
	}
}

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

// What is found agrees with the kernel's description of the processor.
func TestVectorUnit(t *testing.T) {
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
	if want := has("avx2", "fma"); vectorunit.AVX2() != want {
		t.Errorf("AVX2 is %t, the flags say %t", vectorunit.AVX2(), want)
	}
}

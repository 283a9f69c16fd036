package house

import (
	"slices"
	"testing"
)

// The formulations of internal/oracle check the others in tests, and serve nothing else.
func TestOracleIsForTests(t *testing.T) {
	packages, err := list()
	if err != nil {
		t.Fatal(err)
	}
	for name, p := range packages {
		if slices.Contains(p.Imports, "internal/oracle") {
			t.Errorf("%s imports internal/oracle", name)
		}
	}
}

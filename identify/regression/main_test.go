package regression_test

import (
	"testing"

	"ident/internal/long"
)

func TestMain(m *testing.M) {
	long.Pace()
	long.Properties()
	m.Run()
}

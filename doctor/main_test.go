package doctor_test

import (
	"testing"

	draws "ident/internal/long"
)

func TestMain(m *testing.M) {
	draws.Pace()
	m.Run()
}

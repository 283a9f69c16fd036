package gravity_test

import (
	"testing"

	"ident/internal/collector"
)

func TestMain(m *testing.M) {
	collector.Patient(func() { m.Run() })
}

package physical_test

import (
	"testing"

	"ident/internal/collector"
	"ident/internal/long"
)

func TestMain(m *testing.M) {
	collector.Patient(func() {
		long.Properties()
		m.Run()
	})
}

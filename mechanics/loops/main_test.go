package loops_test

import (
	"testing"

	"ident/internal/long"
)

func TestMain(m *testing.M) {
	long.Properties()
	m.Run()
}

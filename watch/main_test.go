package watch

import (
	"os"
	"testing"

	"ident/internal/long"
)

func TestMain(m *testing.M) {
	long.Properties()
	os.Exit(m.Run())
}

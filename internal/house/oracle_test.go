package house

import (
	"os/exec"
	"strings"
	"testing"
)

// The formulations of internal/oracle check the others in tests, and serve nothing else.
func TestOracleIsForTests(t *testing.T) {
	cmd := exec.Command("go", "list", "-f", `{{.ImportPath}}:{{range .Imports}} {{.}}{{end}}`, "./...")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	rooms := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(rooms) < 20 {
		t.Fatalf("only %d packages listed", len(rooms))
	}
	for _, line := range rooms {
		if name, imports, _ := strings.Cut(line, ":"); strings.Contains(imports+" ", " ident/internal/oracle ") {
			t.Errorf("%s imports internal/oracle", name)
		}
	}
}

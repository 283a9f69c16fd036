package house

import (
	"slices"
	"testing"
)

// No package of the folder internal imports a room, but helpers of tests, which no package outside tests imports: what imports a room is a room.
func TestInternalImportsNoRoom(t *testing.T) {
	packages, err := list()
	if err != nil {
		t.Fatal(err)
	}
	helpers := map[string]string{} // packages below internal that import a room, and that room
	for name, p := range packages {
		if !topInternal(name) {
			continue
		}
		for _, path := range p.Imports {
			if _, ours := packages[path]; ours && !internal(path) {
				helpers[name] = path
			}
		}
	}
	if len(helpers) == 0 {
		t.Error("no helper of tests found: the search is broken")
	}
	for name, p := range packages {
		for helper, room := range helpers {
			if slices.Contains(p.Imports, helper) && helpers[name] == "" {
				t.Errorf("%s imports %s, which imports %s and must be for tests alone", name, helper, room)
			}
		}
	}
}

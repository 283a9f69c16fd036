// Package house holds no code. Its tests hold the rules of the whole module: the direction of imports, the page
// that names the packages, who owns a slice, no words of the command line in libraries, no internal types in
// exported signatures, an Example for every public package.
package house

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
)

// rooms are the packages outside internal folders, by idea. A package imports only packages that stand above it:
// put a new one below all that it imports.
var rooms = []string{
	// Robots.
	"robot",
	"robot/lint", "robot/order",
	"robot/format/urdf", "robot/format/par", "robot/format/yaml", "robot/format/mjcf", "robot/format/sdf", "robot/format",
	"robot/drives", "robot/shapes",

	// Exact expressions.
	"symbolic", "codegen/source",

	// Mechanics.
	"mechanics/dynamics", "mechanics/loops", "mechanics/kinematics", "mechanics/loads", "mechanics/tasks",
	"mechanics/recursion",

	// Logs.
	"datasets", "filter",

	// Models that are linear in their parameters.
	"regressor", "baseparams", "codegen",
	"watch", "tool",

	// Experiments that are simulated.
	"simulate/servo", "simulate/plant", "simulate/replay", "simulate", "simulate/sensors",

	// Experiments that are designed.
	"excite", "excite/poses", "excite/sway",

	// From samples to rows, and what is wrong with them.
	"observation", "observation/feet",
	"judge", "doctor/causes", "doctor",

	// From rows to parameters.
	"estimate",
	"estimate/summary", "estimate/summary/drift",
	"physical", "physical/draws",
	"identify/outputerror",

	// Results and their pages.
	"result",
	"report/scene", "report", "report/loadsection",

	// Fits.
	"identify/gravity",
	"identify/regression", "identify/standing",
	"identify/folder",
	"identify/project",
	"identify/elastic",
	"identify/description", "identify/design", "identify/experiment", "identify/code",
	"identify",

	// The manual's answers, and the program.
	"docs/questions",
	"cmd/ident",
}

// alone are the packages that import nothing of the module but internal packages.
var alone = []string{"robot", "symbolic", "filter", "datasets", "estimate"}

// listed is a package of the module with the names that it imports, those of the module without its path.
type listed struct {
	ImportPath string
	Module     struct{ Path string }
	GoFiles    []string
	Imports    []string
}

// list returns the module's packages by name; go list runs once.
var list = sync.OnceValues(func() (map[string]listed, error) {
	cmd := exec.Command("go", "list", "-json=ImportPath,Module,GoFiles,Imports", "./...")
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	packages := map[string]listed{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		name := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, p.Module.Path), "/")
		for i, path := range p.Imports {
			if rest, ok := strings.CutPrefix(path, p.Module.Path+"/"); ok {
				p.Imports[i] = rest
			}
		}
		packages[name] = p
	}
	if len(packages) < 20 {
		return nil, fmt.Errorf("go list found %d packages", len(packages))
	}
	return packages, nil
})

// arrows returns, for each package outside internal folders, the packages outside internal folders that it
// imports, directly or by way of internal ones, sorted.
func arrows(t *testing.T) map[string][]string {
	t.Helper()
	packages, err := list()
	if err != nil {
		t.Fatal(err)
	}
	var reach func(of string, seen map[string]bool)
	reach = func(of string, seen map[string]bool) {
		for _, path := range packages[of].Imports {
			if _, ours := packages[path]; !ours || seen[path] {
				continue
			}
			seen[path] = true
			if internal(path) {
				reach(path, seen)
			}
		}
	}
	out := map[string][]string{}
	for name, p := range packages {
		if internal(name) || len(p.GoFiles) == 0 {
			continue
		}
		seen := map[string]bool{}
		reach(name, seen)
		imports := []string{}
		for path := range seen {
			if !internal(path) {
				imports = append(imports, path)
			}
		}
		slices.Sort(imports)
		out[name] = imports
	}
	return out
}

// topInternal reports whether a package stands in the module's folder internal.
func topInternal(path string) bool { return strings.HasPrefix(path, "internal/") }

func internal(path string) bool {
	return topInternal(path) || strings.Contains(path, "/internal/")
}

func TestImports(t *testing.T) {
	imports := arrows(t)
	for i, name := range rooms {
		if slices.Contains(rooms[:i], name) {
			t.Errorf("rooms lists %s twice", name)
		}
		if _, ok := imports[name]; !ok {
			t.Errorf("rooms lists %s, which the module does not have", name)
		}
		for _, path := range imports[name] {
			if !slices.Contains(rooms[:i], path) {
				t.Errorf("%s imports %s, which does not stand above it in rooms", name, path)
			}
		}
	}
	for name := range imports {
		if !slices.Contains(rooms, name) {
			t.Errorf("rooms does not list %s", name)
		}
	}
	for _, name := range alone {
		if len(imports[name]) > 0 {
			t.Errorf("%s imports %s; it must import internal packages alone", name, strings.Join(imports[name], ", "))
		}
	}
	if !slices.Equal(imports["report"], []string{"report/scene", "result"}) {
		t.Errorf("report imports %s; it must know results and scenes alone", strings.Join(imports["report"], ", "))
	}
}

// The page for newcomers names every package outside internal folders.
func TestPage(t *testing.T) {
	text, err := os.ReadFile("../../ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range rooms {
		if !bytes.Contains(text, []byte("`"+name+"`")) {
			t.Errorf("ARCHITECTURE.md does not name %s", name)
		}
	}
}

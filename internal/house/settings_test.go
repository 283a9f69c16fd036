package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

var (
	flagInText    = regexp.MustCompile(`(^|[^-\w])--[a-z][a-z-]*`)
	settingInText = regexp.MustCompile(`\{[a-z][a-z.-]*\}`)
)

// otherPrograms are the packages whose strings hold options of programs that are not ident's.
var otherPrograms = []string{"internal/browser", "internal/foreign"}

// customProperty begins the names of the report's CSS variables.
const customProperty = "--ident-"

// nameRooms are the packages whose texts name settings.
var nameRooms = []string{"datasets", "observation", "doctor", "doctor/internal/trialfit", "estimate", "identify", "identify/code", "identify/description", "identify/design", "identify/experiment", "identify/folder", "identify/project", "identify/regression", "result"}

// namedBeside are options of commands that texts name and the project file lacks: mend writes the repaired log.
var namedBeside = []string{"fix", "mend", "sensitivity", "force", "overwrite", "follow", "loads", "candidates", "elastic", "elastic-cubic", "elastic-hysteresis",
	"after", "base-motion", "clearance", "criterion", "design", "end", "floor-friction", "harmonics", "judge", "lift", "log-rate", "margin", "noise", "payload-poses", "pieces",
	"repeat", "segments", "shape", "start", "starts", "static", "static-speed", "tip", "tip-speed", "uncertainty",
	"controller-model", "duration", "encoder", "estimators", "faults", "friction", "ideal", "output", "payload", "payload-on", "position-noise", "sensors", "task", "torque-noise",
	"torque-quantum", "torques", "trajectory", "trials", "velocity-noise",
	"base-wrench", "density", "effects", "floating", "inertia-from",
	"axes", "bake", "external", "lang", "link", "name", "orientation", "outputs", "quiet-log", "symbols", "tree"}

// No library knows the command line: no string of one names an option, and settings in texts stand as
// {key} of the table of settings, for whoever prints them to name.
func TestNoOptionInLibraries(t *testing.T) {
	keys := slices.Clone(namedBeside)
	eachFile(t, func(pkg string, _ *token.FileSet, file *ast.File) {
		if pkg == "identify/project" {
			ast.Inspect(file, func(n ast.Node) bool {
				if field, ok := n.(*ast.KeyValueExpr); ok {
					if key, ok := keyOf(field); ok {
						keys = append(keys, key)
					}
				}
				return true
			})
		}
	})
	options, settings := 0, 0
	eachString(t, func(pkg string, at token.Position, text string) {
		if slices.Contains(otherPrograms, pkg) || strings.Contains(text, customProperty) {
			return
		}
		for _, option := range flagInText.FindAllString(text, -1) {
			options++
			t.Errorf("%s: a library names the option %q: write {key} for the setting", at, strings.TrimSpace(option))
		}
		if !slices.Contains(nameRooms, pkg) {
			return
		}
		for _, s := range settingInText.FindAllString(text, -1) {
			if settings++; !slices.Contains(keys, strings.Trim(s, "{}")) {
				t.Errorf("%s: %s is no setting", at, s)
			}
		}
	})
	t.Logf("%d options, %d settings by key", options, settings)
	if settings < 50 {
		t.Errorf("only %d settings found in texts: the search is broken", settings)
	}
}

// keyOf returns the key of a setting, and whether the field Key of a line of the table of settings is given.
func keyOf(field *ast.KeyValueExpr) (key string, ok bool) {
	name, named := field.Key.(*ast.Ident)
	lit, literal := field.Value.(*ast.BasicLit)
	if !named || !literal || name.Name != "Key" {
		return "", false
	}
	key, err := strconv.Unquote(lit.Value)
	return key, err == nil
}

// eachString calls f for the string literals of all library packages, tests excepted.
func eachString(t *testing.T, f func(pkg string, at token.Position, text string)) {
	t.Helper()
	eachFile(t, func(pkg string, fset *token.FileSet, file *ast.File) {
		ast.Inspect(file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				text, err := strconv.Unquote(lit.Value)
				if err != nil {
					t.Fatalf("%s: %v", fset.Position(lit.Pos()), err)
				}
				f(pkg, fset.Position(lit.Pos()), text)
			}
			return true
		})
	})
}

// eachFile calls f for the files of all library packages, tests excepted.
func eachFile(t *testing.T, f func(pkg string, fset *token.FileSet, file *ast.File)) {
	t.Helper()
	files, err := libraries()
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range files {
		f(x.pkg, libraryPositions, x.file)
	}
}

// libraryFile is a file of a library package.
type libraryFile struct {
	pkg  string
	file *ast.File
}

// libraryPositions has the positions of what libraries returns.
var libraryPositions = token.NewFileSet()

// libraries reads the files of all library packages once for all tests.
var libraries = sync.OnceValues(func() (files []libraryFile, err error) {
	root := filepath.Join("..", "..")
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			switch rel = filepath.ToSlash(rel); {
			case rel == "cmd", rel == "fleet", rel == "studies", d.Name() == "testdata", rel != "." && strings.HasPrefix(d.Name(), "."):
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(libraryPositions, path, nil, parser.SkipObjectResolution|parser.ParseComments)
		if err != nil {
			return err
		}
		files = append(files, libraryFile{filepath.ToSlash(filepath.Dir(rel)), file})
		return nil
	})
	return files, err
})

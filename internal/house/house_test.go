// Package house holds no code: its tests measure the rooms of the module and compare
// them with the table of ARCHITECTURE.md.
package house

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

var update = flag.Bool("update", false, "write the table of rooms in ARCHITECTURE.md again")

const (
	page       = "../../ARCHITECTURE.md"
	tableBegin = "<!-- rooms: go test ./internal/house -update -->"
	tableEnd   = "<!-- end of rooms -->"

	maxLines   = 6000 // of a room, without tests
	maxMethods = 30   // of a type
)

// room is a package as measured.
type room struct {
	name    string
	lines   int
	largest string   // type with the most methods
	methods int      // of that type
	imports []string // not internal, directly or by way of internal packages; sorted
}

// row is the room's row of the page.
func (r room) row() string {
	imports := strings.Join(r.imports, ", ")
	if imports == "" {
		imports = "—"
	}
	return fmt.Sprintf("| `%s` | %d | `%s` %d | %s |", r.name, r.lines, r.largest, r.methods, imports)
}

// listed is a package of the module with the names that it imports, those of the module without its path.
type listed struct {
	ImportPath, Dir string
	Module          struct{ Path string }
	Imports         []string
}

// list returns the module's packages by name; go list runs once.
var list = sync.OnceValues(func() (map[string]listed, error) {
	cmd := exec.Command("go", "list", "-json=ImportPath,Dir,Module,Imports", "./...")
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

// measure returns the module's packages by name.
func measure(t *testing.T) map[string]room {
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
	rooms := map[string]room{}
	for name, p := range packages {
		r := room{name: name}
		seen := map[string]bool{}
		reach(name, seen)
		for path := range seen {
			if !internal(path) {
				r.imports = append(r.imports, path)
			}
		}
		slices.Sort(r.imports)
		r.read(t, p.Dir)
		rooms[name] = r
	}
	return rooms
}

func internal(path string) bool {
	return strings.HasPrefix(path, "internal/") || strings.Contains(path, "/internal/")
}

// read counts the lines and methods of the files in a folder.
func (r *room) read(t *testing.T, dir string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	methods, fset := map[string]int{}, token.NewFileSet()
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		r.lines += strings.Count(string(text), "\n")
		syntax, err := parser.ParseFile(fset, file, text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range syntax.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil {
				methods[receiver(f.Recv.List[0].Type)]++
			}
		}
	}
	for name, n := range methods {
		if n > r.methods || n == r.methods && name < r.largest {
			r.largest, r.methods = name, n
		}
	}
}

// receiver returns the name of a receiver's type.
func receiver(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.StarExpr:
		return receiver(x.X)
	case *ast.IndexExpr:
		return receiver(x.X)
	case *ast.IndexListExpr:
		return receiver(x.X)
	case *ast.Ident:
		return x.Name
	}
	return ""
}

func TestRooms(t *testing.T) {
	rooms := measure(t)
	for _, r := range rooms {
		if r.methods > maxMethods {
			t.Errorf("%s: type %s has %d methods, more than %d: part it by idea", r.name, r.largest, r.methods, maxMethods)
		}
		if r.lines > maxLines && r.name != "datasets" { // one reader and writer a format
			t.Errorf("%s has %d lines without tests, more than %d: a second room is in it", r.name, r.lines, maxLines)
		}
		if slices.Contains(r.imports, "cmd/ident") {
			t.Errorf("%s imports cmd/ident", r.name)
		}
	}
	for _, name := range []string{"robot", "symbolic", "filter", "datasets"} {
		if r := rooms[name]; len(r.imports) > 0 {
			t.Errorf("%s imports %s; it stands on internal packages alone", name, strings.Join(r.imports, ", "))
		}
	}
	if r := rooms["report"]; !slices.Equal(r.imports, []string{"result", "scene"}) {
		t.Errorf("report imports %s; it knows results and scenes alone", strings.Join(r.imports, ", "))
	}
}

func TestPage(t *testing.T) {
	rooms := measure(t)
	maps.DeleteFunc(rooms, func(name string, _ room) bool { return internal(name) || rooms[name].lines == 0 })
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, ok := strings.Cut(string(text), tableBegin+"\n")
	table, tail, ok2 := strings.Cut(rest, tableEnd)
	if !ok || !ok2 {
		t.Fatalf("%s: no table between %q and %q", page, tableBegin, tableEnd)
	}
	var lines, order []string // lines[i] is the row of order[i]
	for line := range strings.Lines(table) {
		if cells := strings.Split(line, "|"); len(cells) == 6 && strings.Contains(cells[1], "`") {
			name := strings.Trim(cells[1], " `")
			if slices.Contains(order, name) { // of a merge
				t.Errorf("room %s stands twice in the page: run with -update", name)
				continue
			}
			order = append(order, name)
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	if *update {
		order = slices.DeleteFunc(order, func(name string) bool { return rooms[name].name == "" })
		order = place(rooms, order)
		var b strings.Builder
		b.WriteString("| room | lines | largest type, its methods | imports |\n|---|---|---|---|\n")
		for _, name := range order {
			b.WriteString(rooms[name].row() + "\n")
		}
		if err := os.WriteFile(page, []byte(head+tableBegin+"\n"+b.String()+tableEnd+tail), 0o644); err != nil {
			t.Fatal(err)
		}
		lines = nil
	}

	for i, line := range lines {
		r, ok := rooms[order[i]]
		if !ok {
			t.Errorf("the page has a room %s, the module none", order[i])
			continue
		}
		var stated int
		cells := strings.Split(line, "|")
		if _, err := fmt.Sscan(cells[2], &stated); err != nil {
			t.Errorf("room %s: lines: %v", r.name, err)
		}
		// Lines may change by a fifth before the page is written again; imports are exact.
		if d := r.lines - stated; 5*max(d, -d) > r.lines {
			t.Errorf("room %s has %d lines; the page says %d: run with -update", r.name, r.lines, stated)
		}
		if imports := strings.Join(r.imports, ", "); strings.Trim(cells[4], " —") != imports {
			t.Errorf("room %s imports %q; the page says %q: run with -update if this arrow is meant", r.name, imports, strings.TrimSpace(cells[4]))
		}
	}
	for i, name := range order {
		for _, path := range rooms[name].imports {
			if !slices.Contains(order[:i], path) {
				t.Errorf("%s imports %s, which stands below it in the page: nothing imports upward", name, path)
			}
		}
	}
	for name := range rooms {
		if !slices.Contains(order, name) {
			t.Errorf("room %s is not in the page: run with -update", name)
		}
	}
}

// place adds the rooms that the order lacks, each after the rooms that it imports.
func place(rooms map[string]room, order []string) []string {
	var missing []string
	for name := range rooms {
		if !slices.Contains(order, name) {
			missing = append(missing, name)
		}
	}
	slices.Sort(missing)
	for len(missing) > 0 {
		left := len(missing)
		missing = slices.DeleteFunc(missing, func(name string) bool {
			at := 0
			for _, path := range rooms[name].imports {
				i := slices.Index(order, path)
				if i < 0 {
					return false
				}
				at = max(at, i+1)
			}
			order = slices.Insert(order, at, name)
			return true
		})
		if len(missing) == left {
			break // a ring, which the compiler refuses
		}
	}
	return order
}

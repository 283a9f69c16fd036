package house

import (
	"go/ast"
	"go/token"
	"path"
	"strconv"
	"strings"
	"testing"
)

// Exported functions, methods, fields and types name no type of an internal package: another module could not
// write its name.
func TestNoInternalTypeExported(t *testing.T) {
	signatures := 0
	eachFile(t, func(pkg string, fset *token.FileSet, file *ast.File) {
		if internal(pkg) {
			return
		}
		inside := map[string]bool{} // names of imported internal packages
		for _, i := range file.Imports {
			where, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if !internal(strings.TrimPrefix(where, "ident/")) {
				continue
			}
			name := path.Base(where)
			if i.Name != nil {
				name = i.Name.Name
			}
			inside[name] = true
		}
		look := func(what string, n ast.Node) {
			signatures++
			ast.Inspect(n, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok {
					if x, ok := s.X.(*ast.Ident); ok && inside[x.Name] {
						t.Errorf("%s: %s names %s.%s, which is internal", fset.Position(s.Pos()), what, x.Name, s.Sel.Name)
					}
				}
				return true
			})
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Name.IsExported() && (d.Recv == nil || ast.IsExported(receiver(d.Recv.List[0].Type))) {
					look(d.Name.Name, d.Type)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					spec, ok := s.(*ast.TypeSpec)
					if !ok || !spec.Name.IsExported() {
						continue
					}
					if spec.Assign.IsValid() {
						continue // an alias gives the internal type a name that another module can write
					}
					fields, ok := spec.Type.(*ast.StructType)
					if !ok {
						look(spec.Name.Name, spec.Type)
						continue
					}
					for _, f := range fields.Fields.List {
						for _, name := range f.Names {
							if name.IsExported() {
								look(spec.Name.Name+"."+name.Name, f.Type)
							}
						}
						if len(f.Names) == 0 {
							look(spec.Name.Name, f.Type) // embedded
						}
					}
				}
			}
		}
	})
	t.Logf("%d signatures and fields", signatures)
	if signatures < 2000 {
		t.Errorf("only %d signatures and fields found: the search is broken", signatures)
	}
}

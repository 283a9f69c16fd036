package house

import (
	"go/ast"
	"go/token"
	"strings"
	"testing"
)

// A method that hands out a slice or a map of its receiver says whether the caller may write to it: "must not change"
// or "may change" stands in its comment. Others return copies. Seen are results that are, or contain, a field of the receiver, an
// element of one or a part of one.
func TestSlicesOfReceivers(t *testing.T) {
	methods, handed := 0, 0
	eachFile(t, func(pkg string, fset *token.FileSet, file *ast.File) {
		if internal(pkg) {
			return
		}
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || f.Recv == nil || f.Body == nil || !f.Name.IsExported() || f.Type.Results == nil || !ast.IsExported(receiver(f.Recv.List[0].Type)) || len(f.Recv.List[0].Names) == 0 {
				continue
			}
			methods++
			self := f.Recv.List[0].Names[0].Name
			results := sequences(f.Type.Results)
			given := false
			ast.Inspect(f.Body, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.FuncLit:
					return false
				case *ast.ReturnStmt:
					for i, e := range n.Results {
						given = given || i < len(results) && results[i] && fieldOf(e, self)
					}
				}
				return true
			})
			if !given {
				continue
			}
			handed++
			if doc := strings.Join(strings.Fields(f.Doc.Text()), " "); !strings.Contains(doc, "must not change") && !strings.Contains(doc, "may change") {
				t.Errorf("%s: %s.%s hands out a slice or a map of its receiver: return a copy, or say that the caller must not change it", fset.Position(f.Pos()), receiver(f.Recv.List[0].Type), f.Name.Name)
			}
		}
	})
	t.Logf("%d methods, of which %d hand out a slice or a map", methods, handed)
	if methods < 500 || handed < 10 {
		t.Errorf("only %d methods found, %d that hand out a slice or a map: the search is broken", methods, handed)
	}
}

// sequences tells which results are slices or maps, as written.
func sequences(results *ast.FieldList) []bool {
	var out []bool
	for _, r := range results.List {
		is := false
		switch x := r.Type.(type) {
		case *ast.ArrayType:
			is = x.Len == nil
		case *ast.MapType:
			is = true
		}
		for range max(1, len(r.Names)) {
			out = append(out, is)
		}
	}
	return out
}

// fieldOf reports whether an expression is a field of a variable, an element of one or a part of one.
func fieldOf(e ast.Expr, name string) bool {
	field := false
	for {
		switch x := e.(type) {
		case *ast.SelectorExpr:
			e, field = x.X, true
		case *ast.IndexExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.Ident:
			return field && x.Name == name
		default:
			return false
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

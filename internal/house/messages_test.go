package house

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// Findings, notes, warnings and errors have at most 200 characters: no text in the packages that make them is longer. Descriptions of settings, which the
// help wraps, and prose of pages are no messages.
func TestMessagesAreShort(t *testing.T) {
	const longest = 200
	prose := []string{"identify/project/table.go", "identify/description/page.go"}
	root := filepath.Join("..", "..")
	texts := 0
	for _, room := range []string{"datasets", "doctor", "estimate", "identify", "judge", "observation", "physical", "result", "tool", "watch"} {
		err := filepath.WalkDir(filepath.Join(root, room), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			for _, p := range prose {
				if strings.HasSuffix(filepath.ToSlash(path), p) {
					return nil
				}
			}
			files := token.NewFileSet()
			file, err := parser.ParseFile(files, path, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(file, func(n ast.Node) bool {
				e, ok := n.(ast.Expr)
				if !ok {
					return true
				}
				text, ok := literal(e)
				if !ok {
					return true
				}
				texts++
				if c := utf8.RuneCountInString(text); c > longest && !strings.Contains(text, "\n") {
					t.Errorf("%s: %d characters, of %d: %s", files.Position(n.Pos()), c, longest, text)
				}
				return false
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if texts < 1000 {
		t.Errorf("%d texts found", texts)
	}
}

// literal returns the parts of a sum of texts that stand in the source.
func literal(e ast.Expr) (string, bool) {
	switch x := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(x.Value)
		return text, x.Kind == token.STRING && err == nil
	case *ast.BinaryExpr:
		a, left := literal(x.X)
		b, right := literal(x.Y)
		return a + b, x.Op == token.ADD && (left || right)
	case *ast.ParenExpr:
		return literal(x.X)
	}
	return "", false
}

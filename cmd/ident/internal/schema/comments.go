package schema

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
)

// Comments are those of types and fields: "PACKAGE.Type" and "PACKAGE.Type.Field", with the package's path in its
// module.
type Comments map[string]string

// program is the folder of package main.
const program = "cmd/ident"

// key returns the place of a comment.
func key(t reflect.Type, field string) string {
	_, path, _ := strings.Cut(t.PkgPath(), "/")
	if path == "" {
		path = program
	}
	k := path + "." + t.Name()
	if field != "" {
		k += "." + field
	}
	return k
}

// of returns the comment of a type, without its name in front, or of its field.
func (c Comments) of(t reflect.Type, field string) string {
	text := c[key(t, field)]
	if rest, ok := strings.CutPrefix(text, t.Name()+" is "); ok && field == "" {
		return strings.ToUpper(rest[:1]) + rest[1:]
	}
	return text
}

// Reachable keeps the comments of the types that documents are made of.
func (c Comments) Reachable(documents ...reflect.Type) Comments {
	out, seen := Comments{}, map[reflect.Type]bool{}
	var walk func(t reflect.Type)
	walk = func(t reflect.Type) {
		switch t.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
			walk(t.Elem())
		case reflect.Struct:
			if seen[t] {
				return
			}
			seen[t] = true
			keep := func(field string) {
				if text := c[key(t, field)]; text != "" {
					out[key(t, field)] = text
				}
			}
			keep("")
			for i := range t.NumField() {
				f := t.Field(i)
				if f.Tag.Get("json") != "-" {
					keep(f.Name)
					walk(f.Type)
				}
			}
		}
	}
	for _, t := range documents {
		walk(t)
	}
	return out
}

// ReadComments reads the comments of all packages below the root of a module.
func ReadComments(root string) (Comments, error) {
	out := Comments{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); path != root && (strings.HasPrefix(name, ".") || name == "testdata" || fileExists(filepath.Join(path, "go.mod"))) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		dir, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		return out.file(path, filepath.ToSlash(dir))
	})
	if err != nil {
		return nil, fmt.Errorf("schema: reading comments: %w", err)
	}
	return out, nil
}

func fileExists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// file adds the comments of the structs of a source file.
func (c Comments) file(path, pkg string) error {
	f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range g.Specs {
			ts, ok := spec.(*ast.TypeSpec)
			if !ok {
				continue
			}
			st, ok := ts.Type.(*ast.StructType)
			if !ok {
				continue
			}
			doc := ts.Doc
			if doc == nil {
				doc = g.Doc
			}
			c.put(pkg+"."+ts.Name.Name, doc, nil)
			for _, field := range st.Fields.List {
				for _, name := range field.Names {
					c.put(pkg+"."+ts.Name.Name+"."+name.Name, field.Doc, field.Comment)
				}
			}
		}
	}
	return nil
}

// put keeps the comment above a name and the one behind it.
func (c Comments) put(key string, groups ...*ast.CommentGroup) {
	var parts []string
	for _, g := range groups {
		if text := strings.Join(strings.Fields(g.Text()), " "); text != "" {
			parts = append(parts, text)
		}
	}
	if len(parts) > 0 {
		c[key] = strings.Join(parts, " ")
	}
}

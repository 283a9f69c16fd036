package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ident/internal/long"
)

// Every document in the packages that the program is made of is one of ident schema: each literal that names a
// document, and each type with a field "schema", apart from those that read the name alone.
func TestEveryDocumentHasASchema(t *testing.T) {
	long.Only(t, "TestSchemaPage has the documents that are listed")
	var versions, types []string
	for _, d := range documents() {
		versions = append(versions, d.version)
		types = append(types, d.of.String())
	}
	name := regexp.MustCompile(`^ident\.[a-z-]+/[0-9]+$`)
	found, typed := map[string]bool{}, 0
	files := token.NewFileSet()
	parsed, imports := map[string][]*ast.File{}, map[string][]string{} // by the folder below the root
	err := filepath.WalkDir("../..", func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && (e.Name() == "testdata" || strings.HasPrefix(e.Name(), ".") && len(e.Name()) > 2):
			return filepath.SkipDir
		case e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		file, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			return err
		}
		room := strings.TrimPrefix(filepath.ToSlash(filepath.Dir(path)), "../../")
		parsed[room] = append(parsed[room], file)
		for _, i := range file.Imports {
			if of, ok := strings.CutPrefix(strings.Trim(i.Path.Value, `"`), "ident/"); ok {
				imports[room] = append(imports[room], of)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	rooms := []string{"cmd/ident"}
	for i := 0; i < len(rooms); i++ {
		for _, of := range imports[rooms[i]] {
			if !slices.Contains(rooms, of) {
				rooms = append(rooms, of)
			}
		}
	}
	inspect := func(file *ast.File) {
		list := strings.HasSuffix(filepath.ToSlash(files.Position(file.Pos()).Filename), "cmd/ident/schema.go") // its literals are the register
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BasicLit:
				if text, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING && name.MatchString(text) && !list {
					found[text] = true
					if !slices.Contains(versions, text) {
						t.Errorf("%s: %s is not in ident schema", files.Position(n.Pos()), text)
					}
				}
			case *ast.TypeSpec:
				if s, ok := n.Type.(*ast.StructType); ok && hasSchema(s) {
					typed++
					if of := file.Name.Name + "." + n.Name.Name; !slices.Contains(types, of) {
						t.Errorf("%s: documents of type %s are not in ident schema", files.Position(n.Pos()), of)
					}
				}
			}
			return true
		})
	}
	for _, room := range rooms {
		for _, file := range parsed[room] {
			inspect(file)
		}
	}
	for _, v := range versions {
		if !found[v] {
			t.Errorf("ident schema has %s, which nothing writes", v)
		}
	}
	if typed != len(documents()) {
		t.Errorf("%d types of documents in the source, %d in ident schema", typed, len(documents()))
	}
}

// hasSchema reports whether a struct has a field of a document's name.
func hasSchema(s *ast.StructType) bool {
	return slices.ContainsFunc(s.Fields.List, func(f *ast.Field) bool {
		if f.Tag == nil {
			return false
		}
		tag, err := strconv.Unquote(f.Tag.Value)
		name, _, _ := strings.Cut(reflect.StructTag(tag).Get("json"), ",")
		return err == nil && name == "schema"
	})
}

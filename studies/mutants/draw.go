package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// site is a place of a file that can be changed, with the text that takes its place.
type site struct {
	pkg, file string
	from, to  int
	line      int
	new, what string
}

// swaps are the operators that change places.
func swaps() map[token.Token]token.Token {
	return map[token.Token]token.Token{
		token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL, token.LSS: token.GTR, token.GTR: token.LSS,
		token.ADD_ASSIGN: token.SUB_ASSIGN, token.SUB_ASSIGN: token.ADD_ASSIGN, token.MUL_ASSIGN: token.QUO_ASSIGN, token.QUO_ASSIGN: token.MUL_ASSIGN,
	}
}

// drawn returns all changes of the packages in an order of chance. Whoever asks takes as many as compile.
func drawn(root string, packages []string, rng *rand.Rand) ([]mutant, error) {
	var sites []site
	texts := map[string][]byte{}
	for _, pkg := range packages {
		names, err := filepath.Glob(filepath.Join(root, pkg, "*.go"))
		if err != nil {
			return nil, err
		}
		slices.Sort(names)
		for _, path := range names {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			texts[pkg+"/"+filepath.Base(path)] = text
			found, err := sitesOf(pkg, filepath.Base(path), text)
			if err != nil {
				return nil, err
			}
			sites = append(sites, found...)
		}
	}
	rng.Shuffle(len(sites), func(i, j int) { sites[i], sites[j] = sites[j], sites[i] })
	const most = 2000 // texts of changed files are kept
	var out []mutant
	for _, s := range sites[:min(len(sites), most)] {
		text := texts[s.pkg+"/"+s.file]
		out = append(out, mutant{Package: s.pkg, File: s.file, Line: s.line, What: s.what, text: slices.Concat(text[:s.from], []byte(s.new), text[s.to:])})
	}
	return out, nil
}

// sitesOf returns the places of a file: operators between expressions and in assignments, and numbers with a decimal point.
func sitesOf(pkg, name string, text []byte) (out []site, err error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	add := func(at token.Pos, old, with string) {
		p := fset.Position(at)
		out = append(out, site{pkg, name, p.Offset, p.Offset + len(old), p.Line, with, with + " for " + old})
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.BinaryExpr:
			if to, ok := swaps()[n.Op]; ok {
				add(n.OpPos, n.Op.String(), to.String())
			}
		case *ast.AssignStmt:
			if to, ok := swaps()[n.Tok]; ok {
				add(n.TokPos, n.Tok.String(), to.String())
			}
		case *ast.BasicLit:
			if n.Kind == token.FLOAT {
				add(n.Pos(), n.Value, "(2*"+n.Value+")")
			}
		}
		return true
	})
	return out, nil
}

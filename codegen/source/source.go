package source

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sort"
	"strings"

	"ident/symbolic"
)

// ErrLanguage is wrapped by the error for an unknown language.
var ErrLanguage = errors.New("no such language")

// Unit is the content of one module of source text.
type Unit struct {
	Name     string              // an identifier: of the module and, as a prefix, of functions
	Programs []*symbolic.Program // each becomes a function of its own name
	Maker    string              // who generated it, for the header: "ident 0.4"
}

// File is a file of source text.
type File struct {
	Name string
	Text []byte
}

// NameError is the error for a user's name that the language does not allow.
type NameError struct {
	Language, Name, What, Why string
}

// Error names the text, and why it can be no name.
func (e *NameError) Error() string {
	return fmt.Sprintf("%s %q cannot be a name in %s: %s", e.What, e.Name, e.Language, e.Why)
}

// Languages returns the names of the languages, sorted.
func Languages() []string {
	var names []string
	for _, d := range dialects() {
		names = append(names, d.name)
	}
	sort.Strings(names)
	return names
}

// NumberError is the error for a program with a number that is not finite, which no language writes as a literal.
type NumberError struct {
	Program string
	Value   float64
}

// Error names the program and the number.
func (e *NumberError) Error() string {
	return fmt.Sprintf("%s has a number that is %g: parameters that are written as numbers must be finite, and so small that their products are", e.Program, e.Value)
}

// Write returns the files of a unit in a language: the errors are ErrLanguage, *NameError and *NumberError, and that of
// ctx once it is done. It panics if two programs have the same name.
func Write(ctx context.Context, language string, u Unit) ([]File, error) {
	for _, d := range dialects() {
		if d.name != strings.ToLower(language) {
			continue
		}
		if err := d.check(u); err != nil {
			return nil, err
		}
		d.ctx = ctx
		files := d.write(d, u)
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("%s text of %s: %w", d.label, u.Name, err)
		}
		return files, nil
	}
	return nil, fmt.Errorf("%w: %q (there are %s)", ErrLanguage, language, strings.Join(Languages(), ", "))
}

// dialect describes a language to the printer.
type dialect struct {
	name     string
	label    string // as in a sentence
	foldCase bool   // names that differ in case only are the same
	keywords []string
	taken    []string // names that text of this package uses
	number   func(float64) string
	element  func(vector string, i int) string // of an argument, i from 0
	function map[symbolic.Op]string            // "sin(%s)"
	write    func(d *dialect, u Unit) []File
	// ctx of Write: once it is done, write may return any part of the text.
	ctx context.Context
}

func dialects() []*dialect {
	return []*dialect{cDialect(), cppDialect(), goDialect(), pythonDialect(), matlabDialect(), fortranDialect(), juliaDialect(), listingDialect(), batchDialect()}
}

// check refuses names of the user that the language does not allow, and numbers that are not finite.
func (d *dialect) check(u Unit) error {
	if err := d.checkName("the name of the module", u.Name); err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, p := range u.Programs {
		if seen[p.Name] {
			panic("source: two programs of the name " + p.Name)
		}
		seen[p.Name] = true
		for _, c := range p.Consts {
			if math.IsNaN(c.Value) || math.IsInf(c.Value, 0) {
				return &NumberError{p.Name, c.Value}
			}
		}
		arguments := map[string]string{}
		for _, a := range argumentsOf(p) {
			if !a.scalar {
				continue
			}
			if err := d.checkName("the symbol", a.name); err != nil {
				return err
			}
			if other, ok := arguments[d.fold(a.name)]; ok {
				return &NameError{d.label, a.name, "the symbol", "it is the same name as " + other + " there"}
			}
			arguments[d.fold(a.name)] = a.name
		}
	}
	return nil
}

// longest is the length that Fortran allows a name, applied to every language.
const longest = 63

func (d *dialect) checkName(what, name string) error {
	refuse := func(why string) error { return &NameError{d.label, name, what, why} }
	if !identifier(name) {
		return refuse("it must be letters, digits and _, beginning with a letter")
	}
	if len(name) > longest {
		return refuse(fmt.Sprintf("it has more than %d characters", longest))
	}
	for _, k := range d.keywords {
		if d.fold(k) == d.fold(name) {
			return refuse("it is a keyword")
		}
	}
	for _, k := range d.taken {
		if d.fold(k) == d.fold(name) {
			return refuse("the generated text uses it itself")
		}
	}
	return nil
}

func (d *dialect) fold(name string) string {
	if d.foldCase {
		return strings.ToLower(name)
	}
	return name
}

func identifier(s string) bool {
	for i, c := range s {
		letter := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
		if !letter && (i == 0 || c != '_' && (c < '0' || c > '9')) {
			return false
		}
	}
	return s != ""
}

// Identifier turns a text into a name that is an identifier in every language, or "" if no character can be kept.
func Identifier(text string) string {
	var b strings.Builder
	gap := false
	for _, c := range strings.ToLower(text) {
		switch {
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9' && b.Len() > 0:
			if gap && b.Len() > 0 {
				b.WriteByte('_')
			}
			b.WriteRune(c)
			gap = false
		default:
			gap = true
		}
	}
	name := b.String()
	if len(name) > 40 { // room for "_inverse_dynamics" within the longest name
		name = strings.TrimRight(name[:40], "_")
	}
	return name
}

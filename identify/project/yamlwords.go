package project

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"

	"ident/internal/spelling"
)

// yamlWords rewrites errors of the YAML reader in terms of the project file: keys and kinds of values instead of Go
// types.
func yamlWords(err error) error {
	var kinds *yaml.TypeError
	if !errors.As(err, &kinds) {
		return fmt.Errorf("%s", strings.TrimPrefix(err.Error(), "yaml: "))
	}
	unknownKey := regexp.MustCompile(`^(line \d+): field (.+) not found in type (.+)$`)
	wrongKind := regexp.MustCompile("^(line \\d+): cannot unmarshal !!(\\w+)(?: `(.*)`)? into (.+)$")
	var lines []string
	for _, line := range kinds.Errors {
		if m := unknownKey.FindStringSubmatch(line); m != nil {
			line = fmt.Sprintf("%s: unknown key %q%s", m[1], m[2], nearestKey(m[2], m[3]))
		} else if m := wrongKind.FindStringSubmatch(line); m != nil {
			line = fmt.Sprintf("%s: %s is not %s", m[1], foundKind(m[2], m[3]), wantedKind(m[4]))
		}
		lines = append(lines, line)
	}
	return errors.New(strings.Join(lines, "; "))
}

// foundKind returns a value's text or, if empty, a word for its YAML tag.
func foundKind(tag, text string) string {
	switch {
	case text != "":
		return fmt.Sprintf("%q", text)
	case tag == "seq":
		return "a list"
	case tag == "map":
		return "a section of keys"
	}
	return "the value"
}

// wantedKind returns a Go type in words.
func wantedKind(name string) string {
	switch {
	case name == "float64":
		return "a number"
	case strings.HasPrefix(name, "int"), strings.HasPrefix(name, "uint"):
		return "a whole number that fits"
	case name == "bool":
		return "true or false"
	case name == "string":
		return "a text"
	case name == "[]float64":
		return "a list of numbers"
	case strings.HasPrefix(name, "["):
		return "a list"
	}
	return "a section of keys"
}

// nearestKey returns the nearest key of a section, given by its type's name.
func nearestKey(key, section string) string {
	best, least := "", 1+len(key)/3
	for _, known := range sectionKeys(reflect.TypeFor[Settings](), section) {
		if d := spelling.Distance(key, known); d <= least {
			best, least = known, d-1
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", best)
}

// sectionKeys returns the keys of the section whose type has the given name, within t and its fields.
func sectionKeys(t reflect.Type, name string) []string {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	var keys, below []string
	for i := range t.NumField() {
		f := t.Field(i)
		key, _, _ := strings.Cut(f.Tag.Get("yaml"), ",")
		if !f.IsExported() || key == "-" || key == "" {
			continue
		}
		keys = append(keys, key)
		if f.Type != t && below == nil {
			below = sectionKeys(f.Type, name)
		}
	}
	if t.String() == name {
		return keys
	}
	return below
}

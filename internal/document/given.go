package document

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// Given returns an error for the first number that a document must have and has not: one that is null, a member that is absent though its
// tag has no omitempty, or a list of another length than the array that takes it. encoding/json makes a zero of each of them. The types
// of doc, a struct or a pointer to one, say which numbers these are; those behind a pointer may be null, and types with a JSON of their
// own are taken as sound. The text must be JSON that reads into doc.
func Given(text []byte, doc any) error { return given(text, reflect.TypeOf(doc), "") }

// given checks the text of a value of a type at a place of the document.
func given(text json.RawMessage, t reflect.Type, at string) error {
	null := len(text) == 0 || string(text) == "null"
	if t.Kind() == reflect.Pointer {
		if null {
			return nil
		}
		t = t.Elem()
	}
	if reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) {
		return nil
	}
	switch t.Kind() {
	case reflect.Float32, reflect.Float64:
		if null {
			return fmt.Errorf("%s is missing: give a number", strings.TrimPrefix(at, "."))
		}
	case reflect.Slice, reflect.Array:
		var items []json.RawMessage
		if err := json.Unmarshal(text, &items); err != nil && !null {
			return nil // text and other forms that lists may have
		}
		if t.Kind() == reflect.Array && len(items) != t.Len() {
			return fmt.Errorf("%s has %d values, wanted %d", strings.TrimPrefix(at, "."), len(items), t.Len())
		}
		for i, item := range items {
			if err := given(item, t.Elem(), fmt.Sprintf("%s[%d]", at, i)); err != nil {
				return err
			}
		}
	case reflect.Struct:
		if null {
			return nil // an object that is left out as a whole
		}
		var members map[string]json.RawMessage
		if err := json.Unmarshal(text, &members); err != nil {
			return err
		}
		for _, f := range reflect.VisibleFields(t) {
			name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
			if !f.IsExported() || f.Anonymous || name == "-" {
				continue
			}
			if name == "" {
				name = f.Name
			}
			member, ok := members[name]
			if !ok && strings.Contains(options, "omit") {
				continue
			}
			if err := given(member, f.Type, at+"."+name); err != nil {
				return err
			}
		}
	}
	return nil
}

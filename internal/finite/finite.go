// Package finite finds numbers that a document cannot hold: NaN and infinities, which JSON has no words for, and which a
// reader of a result must never meet.
package finite

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
)

// An Error is a field of a document whose number is not finite.
type Error struct {
	Field string // as the document's JSON names it: base_parameters[3].sigma
	Value float64
}

func (e *Error) Error() string { return fmt.Sprintf("%s is %g", e.Field, e.Value) }

// Check returns an *Error for the first number that is not finite among the fields of a document that JSON would write,
// nil where there is none. Types with a JSON of their own are taken as sound.
func Check(doc any) error {
	if doc == nil {
		return nil
	}
	if e := find(reflect.ValueOf(doc), ""); e != nil {
		return e
	}
	return nil
}

func find(v reflect.Value, at string) *Error {
	if v.IsValid() && v.Kind() != reflect.Pointer && v.Kind() != reflect.Interface && v.Type().Implements(reflect.TypeFor[json.Marshaler]()) {
		return nil
	}
	switch v.Kind() {
	case reflect.Float32, reflect.Float64:
		if f := v.Float(); math.IsNaN(f) || math.IsInf(f, 0) {
			return &Error{at, f}
		}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			return find(v.Elem(), at)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if e := find(v.Index(i), fmt.Sprintf("%s[%d]", at, i)); e != nil {
				return e
			}
		}
	case reflect.Map:
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		for _, k := range keys {
			if e := find(v.MapIndex(k), join(at, fmt.Sprint(k))); e != nil {
				return e
			}
		}
	case reflect.Struct:
		return findField(v, at)
	}
	return nil
}

func findField(v reflect.Value, at string) *Error {
	t := v.Type()
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" || !f.IsExported() && !f.Anonymous {
			continue
		}
		if strings.Contains(options, "omitzero") && v.Field(i).IsZero() {
			continue
		}
		where := join(at, f.Name)
		switch {
		case name != "":
			where = join(at, name)
		case f.Anonymous:
			where = at
		}
		if e := find(v.Field(i), where); e != nil {
			return e
		}
	}
	return nil
}

func join(at, name string) string {
	if at == "" {
		return name
	}
	return at + "." + name
}

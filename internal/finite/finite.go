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

// OrNil returns x for a document, nil if it is not finite.
func OrNil(x float64) *float64 {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return nil
	}
	return &x
}

// Check returns an *Error for the first number that is not finite among the fields of a document that JSON would write,
// nil where there is none. Types with a JSON of their own are taken as sound.
func Check(doc any) error {
	if doc == nil {
		return nil
	}
	if e := find(reflect.ValueOf(doc)); e != nil {
		return e
	}
	return nil
}

// find returns the first number of v that is not finite, named from v on. Names are only made of what is found.
func find(v reflect.Value) *Error {
	if v.IsValid() && v.Kind() != reflect.Pointer && v.Kind() != reflect.Interface && v.Type().Implements(reflect.TypeFor[json.Marshaler]()) {
		return nil
	}
	switch v.Kind() {
	case reflect.Float32, reflect.Float64:
		if f := v.Float(); math.IsNaN(f) || math.IsInf(f, 0) {
			return &Error{"", f}
		}
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			return find(v.Elem())
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if e := find(v.Index(i)); e != nil {
				return e.within(fmt.Sprintf("[%d]", i))
			}
		}
	case reflect.Map:
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		for _, k := range keys {
			if e := find(v.MapIndex(k)); e != nil {
				return e.within(fmt.Sprint(k))
			}
		}
	case reflect.Struct:
		return findField(v)
	}
	return nil
}

func findField(v reflect.Value) *Error {
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
		e := find(v.Field(i))
		switch {
		case e == nil:
		case name != "":
			return e.within(name)
		case f.Anonymous:
			return e
		default:
			return e.within(f.Name)
		}
	}
	return nil
}

// within returns the error of a part, named from the whole on.
func (e *Error) within(name string) *Error {
	if e.Field != "" && !strings.HasPrefix(e.Field, "[") {
		name += "."
	}
	return &Error{name + e.Field, e.Value}
}

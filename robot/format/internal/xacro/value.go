package xacro

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Values are those of Python: nil, bool, int64, float64, string, list, tuple, *dictionary, *view and bound, a function; a *scope is the
// properties of an include.
type (
	list  []any
	tuple []any
)

// dictionary keeps the order of its keys, which are texts, numbers or truth values.
type dictionary struct {
	keys   []any
	values map[any]any
}

func newDictionary() *dictionary { return &dictionary{values: map[any]any{}} }

func (d *dictionary) set(key, v any) error {
	switch k := key.(type) {
	case string, nil:
	case bool, int64, float64:
		f, _ := number(k)
		if i := int64(f); float64(i) == f {
			key = i // 1, 1.0 and True are one key
		}
	default:
		return fmt.Errorf("%s cannot be a key", typeName(key))
	}
	if _, ok := d.values[key]; !ok {
		d.keys = append(d.keys, key)
	}
	d.values[key] = v
	return nil
}

func typeName(v any) string {
	switch v.(type) {
	case nil:
		return "None"
	case bool:
		return "a truth value"
	case int64:
		return "an integer"
	case float64:
		return "a number"
	case string:
		return "a text"
	case list:
		return "a list"
	case tuple:
		return "a tuple"
	case *dictionary:
		return "a dictionary"
	case *view:
		return "a sequence"
	case bound:
		return "a function"
	}
	return "a name space"
}

var errNumber = errors.New("not a number")

// parseInt and parseFloat read numbers as Python does, but for underscores.
func parseInt(s string) (int64, error) {
	if s == "" || strings.Trim(s[1:], "0123456789") != "" || !strings.ContainsAny(s, "0123456789") {
		return 0, errNumber
	}
	return strconv.ParseInt(s, 10, 64)
}

func parseFloat(s string) (float64, error) {
	if strings.ContainsAny(s, "xX_pP") || s == "" {
		return 0, errNumber
	}
	v, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(v, 0) {
		return 0, errNumber
	}
	return v, nil
}

// printed returns a value as Python prints it.
func (e *expander) printed(v any) (string, error) {
	if s, ok := v.(string); ok {
		return s, nil
	}
	var b strings.Builder
	if err := e.print(&b, v, 0); err != nil {
		return "", err
	}
	return b.String(), nil
}

func (e *expander) print(b *strings.Builder, v any, depth int) error {
	if e.steps++; e.steps > maxSteps || b.Len() > maxWord || depth > 50 {
		return errors.New("the value is too long to print")
	}
	each := func(open, closing string, items []any) error {
		b.WriteString(open)
		for i, x := range items {
			if i > 0 {
				b.WriteString(", ")
			}
			if err := e.print(b, x, depth+1); err != nil {
				return err
			}
		}
		b.WriteString(closing)
		return nil
	}
	switch x := v.(type) {
	case nil:
		b.WriteString("None")
	case bool:
		b.WriteString(map[bool]string{true: "True", false: "False"}[x])
	case int64:
		b.WriteString(strconv.FormatInt(x, 10))
	case float64:
		b.WriteString(formatFloat(x))
	case string:
		quote := "'"
		if strings.Contains(x, "'") && !strings.Contains(x, `"`) {
			quote = `"`
		}
		b.WriteString(quote + strings.NewReplacer(`\`, `\\`, "\n", `\n`, "\t", `\t`).Replace(x) + quote)
	case list:
		return each("[", "]", x)
	case tuple:
		if len(x) == 1 {
			return each("(", ",)", x)
		}
		return each("(", ")", x)
	case *dictionary:
		b.WriteString("{")
		for i, k := range x.keys {
			if i > 0 {
				b.WriteString(", ")
			}
			if err := e.print(b, k, depth+1); err != nil {
				return err
			}
			b.WriteString(": ")
			if err := e.print(b, x.values[k], depth+1); err != nil {
				return err
			}
		}
		b.WriteString("}")
	case *view:
		if x.once {
			return errors.New("a sequence that is read once is no text: list(…) makes a list of it")
		}
		b.WriteString(x.kind)
		if !strings.HasPrefix(x.kind, "range") {
			return each("([", "])", x.items)
		}
	case bound:
		return fmt.Errorf("%q is a function: give its arguments", x.name)
	default:
		return fmt.Errorf("%s is no text", typeName(v))
	}
	return nil
}

// formatFloat prints the shortest digits that read back, with a point, and powers of ten below 1e-4 and from 1e16 on.
func formatFloat(x float64) string {
	switch {
	case math.IsNaN(x):
		return "nan"
	case math.IsInf(x, 0):
		return strings.TrimPrefix(strconv.FormatFloat(x, 'g', -1, 64), "+")[:map[bool]int{true: 3, false: 4}[x > 0]]
	}
	if a := math.Abs(x); a != 0 && (a < 1e-4 || a >= 1e16) {
		return strconv.FormatFloat(x, 'e', -1, 64)
	}
	s := strconv.FormatFloat(x, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// number returns the value of a number or truth value.
func number(v any) (float64, bool) {
	switch x := v.(type) {
	case bool:
		if x {
			return 1, true
		}
		return 0, true
	case int64:
		return float64(x), true
	case float64:
		return x, true
	}
	return 0, false
}

// integer returns the value of an integer or truth value.
func integer(v any) (int64, bool) {
	switch x := v.(type) {
	case bool:
		if x {
			return 1, true
		}
		return 0, true
	case int64:
		return x, true
	}
	return 0, false
}

// truth is whether a value counts as true in a condition of Python.
func truth(v any) bool {
	switch x := v.(type) {
	case nil:
		return false
	case string:
		return x != ""
	case list:
		return len(x) > 0
	case tuple:
		return len(x) > 0
	case *dictionary:
		return len(x.keys) > 0
	case *view:
		return x.once || len(x.items) > 0
	case *scope, bound:
		return true
	}
	f, _ := number(v)
	return f != 0
}

// condition returns the truth of an element's condition: a text is true, false, 1 or 0.
func condition(v any) (bool, error) {
	s, text := v.(string)
	if !text {
		return truth(v), nil
	}
	v = literal(strings.TrimSpace(s))
	if _, text = v.(string); text {
		return false, fmt.Errorf("%q is neither true nor false", clip(s))
	}
	return truth(v), nil
}

// same compares two values.
func (e *expander) same(a, b any, depth int) (bool, error) {
	if e.steps++; e.steps > maxSteps || depth > 50 {
		return false, errors.New("comparing the values takes too many steps: write shorter lists")
	}
	if x, ok := number(a); ok {
		y, ok := number(b)
		return ok && x == y, nil
	}
	items := func(x, y []any) (bool, error) {
		if len(x) != len(y) {
			return false, nil
		}
		for i := range x {
			if ok, err := e.same(x[i], y[i], depth+1); !ok || err != nil {
				return false, err
			}
		}
		return true, nil
	}
	switch x := a.(type) {
	case list:
		y, ok := b.(list)
		if !ok {
			return false, nil
		}
		return items(x, y)
	case tuple:
		y, ok := b.(tuple)
		if !ok {
			return false, nil
		}
		return items(x, y)
	case *dictionary:
		y, ok := b.(*dictionary)
		if !ok || len(x.keys) != len(y.keys) {
			return false, nil
		}
		for _, k := range x.keys {
			v, there := y.values[k]
			if !there {
				return false, nil
			}
			if ok, err := e.same(x.values[k], v, depth+1); !ok || err != nil {
				return false, err
			}
		}
		return true, nil
	case string:
		y, ok := b.(string)
		return ok && x == y, nil
	case *view:
		y, ok := b.(*view)
		if !ok || x.once || y.once {
			return a == b, nil
		}
		return items(x.items, y.items)
	case bound:
		y, ok := b.(bound)
		return ok && x.of == nil && y.of == nil && x.name == y.name, nil
	case nil:
		return b == nil, nil
	}
	return a == b, nil
}

// less orders numbers, texts, and lists or tuples by their first items that differ.
func less(a, b any) (bool, error) {
	x, ok1 := number(a)
	y, ok2 := number(b)
	if ok1 && ok2 {
		return x < y, nil
	}
	s, ok1 := a.(string)
	t, ok2 := b.(string)
	if ok1 && ok2 {
		return s < t, nil
	}
	if name := typeName(a); name == typeName(b) && (name == "a list" || name == "a tuple") {
		u, _ := sequence(a)
		v, _ := sequence(b)
		for i := range min(len(u), len(v)) {
			for k, pair := range [2][2]any{{u[i], v[i]}, {v[i], u[i]}} {
				if below, err := less(pair[0], pair[1]); below || err != nil {
					return k == 0, err
				}
			}
		}
		return len(u) < len(v), nil
	}
	return false, fmt.Errorf("%s and %s have no order", typeName(a), typeName(b))
}

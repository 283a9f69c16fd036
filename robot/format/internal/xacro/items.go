package xacro

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// view is a sequence that is no list: a range, the keys, values or items of a dictionary, and what map, filter, zip,
// enumerate and reversed give. Those five are read once, as in Python.
type view struct {
	kind  string
	items []any
	once  bool
}

// read returns the items, and none the next time where they are read once.
func (v *view) read() []any {
	items := v.items
	if v.once {
		v.items = nil
	}
	return items
}

// namedArguments are those that a function takes by name; dict takes any.
var namedArguments = map[string][]string{"sorted": {"key", "reverse"}, "min": {"key", "default"}, "max": {"key", "default"}, "enumerate": {"start"}, "sum": {"start"}, "round": {"ndigits"}, "int": {"base"}}

// iterated is what a loop over a value sees: letters of a text, keys of a dictionary, items of the others.
func (e *expander) iterated(v any) ([]any, bool) {
	items, ok := sequence(v)
	switch x := v.(type) {
	case string:
		ok = true
		for _, r := range x {
			items = append(items, string(r))
		}
	case *dictionary:
		items, ok = slices.Clone(x.keys), true
	}
	e.steps += len(items)
	return items, ok && e.steps <= maxSteps
}

// isInstance reports whether a value has a type, or one of a tuple of types.
func isInstance(v, types any) (any, error) {
	if list, ok := types.(tuple); ok {
		for _, t := range list {
			if yes, err := isInstance(v, t); err != nil || yes == true {
				return yes, err
			}
		}
		return false, nil
	}
	t, _ := types.(bound)
	kinds, ok := map[string]string{"str": "a text", "float": "a number", "list": "a list", "tuple": "a tuple", "dict": "a dictionary", "bool": "a truth value", "int": "an integer"}[t.name]
	if !ok || t.of != nil {
		return nil, errors.New("its second argument is no type: str, int, float, bool, list, tuple or dict")
	}
	name := typeName(v)
	return name == kinds || t.name == "int" && name == "a truth value", nil
}

// span is range(…).
func (e *expander) span(args []any) (any, error) {
	ends := [3]int64{0, 0, 1}
	for i, a := range args {
		n, ok := integer(a)
		if !ok || len(args) > 3 {
			return nil, errArguments
		}
		ends[i] = n
	}
	switch {
	case len(args) == 0:
		return nil, errArguments
	case len(args) == 1:
		ends[0], ends[1] = 0, ends[0]
	}
	from, to, step := ends[0], ends[1], ends[2]
	if step == 0 {
		return nil, errors.New("its step is zero")
	}
	v := &view{kind: fmt.Sprintf("range(%d, %d)", from, to)}
	if step != 1 {
		v.kind = fmt.Sprintf("range(%d, %d, %d)", from, to, step)
	}
	for i := from; step > 0 && i < to || step < 0 && i > to; {
		if len(v.items) >= maxItems {
			return nil, fmt.Errorf("a range of more than %d items", maxItems)
		}
		v.items = append(v.items, i)
		next := i + step
		if (next > i) != (step > 0) {
			break // beyond 64 bits
		}
		i = next
	}
	e.steps += len(v.items)
	return v, nil
}

// ofItems returns the functions of sequences, or of several arguments.
func (e *expander) ofItems(name string, args []any, named *dictionary, at *node) (any, error) {
	switch name {
	case "range":
		return e.span(args)
	case "map", "filter":
		return e.mapped(name, args, at)
	case "zip":
		return e.zipped(args)
	case "dict":
		return e.dictionaryOf(args, named)
	}
	if len(args) == 0 {
		switch name {
		case "list":
			return list{}, nil
		case "tuple":
			return tuple{}, nil
		}
		return nil, errArguments
	}
	own := args
	if name == "min" || name == "max" {
		if len(args) == 1 {
			var ok bool
			if own, ok = e.iterated(args[0]); !ok {
				return nil, errArguments
			}
		}
		return e.extreme(name, own, named, at)
	}
	items, ok := e.iterated(args[0])
	if second := name == "sum" || name == "enumerate"; !ok || len(args) > 2 || len(args) == 2 && !second {
		return nil, errArguments
	}
	start := any(int64(0))
	if v, given := named.values["start"]; given {
		start = v
	} else if len(args) == 2 {
		start = args[1]
	}
	switch name {
	case "list":
		return list(slices.Clone(items)), nil
	case "tuple":
		return tuple(slices.Clone(items)), nil
	case "any":
		return slices.ContainsFunc(items, truth), nil
	case "all":
		return !slices.ContainsFunc(items, func(v any) bool { return !truth(v) }), nil
	case "sum":
		for _, x := range items {
			var err error
			if start, err = combine("+", start, x); err != nil {
				return nil, err
			}
		}
		return start, nil
	case "enumerate":
		n, ok := integer(start)
		if !ok {
			return nil, errArguments
		}
		v := &view{once: true}
		for i, x := range items {
			v.items = append(v.items, tuple{n + int64(i), x})
		}
		return v, nil
	case "reversed":
		items = slices.Clone(items)
		slices.Reverse(items)
		return &view{items: items, once: true}, nil
	case "sorted":
		return e.sorted(items, named, at)
	}
	return nil, errArguments
}

// keys returns the values by which a function orders items: themselves, or those of its argument key.
func (e *expander) keys(items []any, named *dictionary, at *node) ([]any, error) {
	key := named.values["key"]
	if key == nil {
		return items, nil
	}
	f, ok := key.(bound)
	if !ok {
		return nil, fmt.Errorf("key: %s is no function", typeName(key))
	}
	out := make([]any, len(items))
	for i, x := range items {
		var err error
		if out[i], err = e.apply(f, []any{x}, newDictionary(), at); err != nil {
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
	}
	return out, nil
}

// extreme returns the first least or largest item.
func (e *expander) extreme(name string, items []any, named *dictionary, at *node) (any, error) {
	if len(items) == 0 {
		if v, ok := named.values["default"]; ok {
			return v, nil
		}
		return nil, errors.New("nothing to choose from")
	}
	by, err := e.keys(items, named, at)
	if err != nil {
		return nil, err
	}
	best := 0
	for i := range items {
		a, b := by[i], by[best]
		if name == "max" {
			a, b = b, a
		}
		better, err := less(a, b)
		if err != nil {
			return nil, err
		}
		if better {
			best = i
		}
	}
	return items[best], nil
}

func (e *expander) sorted(items []any, named *dictionary, at *node) (any, error) {
	by, err := e.keys(items, named, at)
	if err != nil {
		return nil, err
	}
	order := make([]int, len(items))
	for i := range order {
		order[i] = i
	}
	down := truth(named.values["reverse"])
	var failed error
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := by[i], by[j]
		if down {
			a, b = b, a
		}
		below, err := less(a, b)
		above, _ := less(b, a)
		switch {
		case err != nil:
			failed = err
		case below:
			return -1
		case above:
			return 1
		}
		return 0
	})
	out := list{}
	for _, i := range order {
		out = append(out, items[i])
	}
	return out, failed
}

// mapped is map or filter.
func (e *expander) mapped(name string, args []any, at *node) (any, error) {
	if len(args) < 2 || name == "filter" && len(args) != 2 {
		return nil, errArguments
	}
	f, ok := args[0].(bound)
	if !ok && !(name == "filter" && args[0] == nil) {
		return nil, fmt.Errorf("%s is no function", typeName(args[0]))
	}
	rows, err := e.zipped(args[1:])
	if err != nil {
		return nil, err
	}
	v := &view{once: true}
	for _, row := range rows.items {
		row := row.(tuple)
		y := row[0]
		if ok {
			if y, err = e.apply(f, row, newDictionary(), at); err != nil {
				return nil, fmt.Errorf("%s: %w", f.name, err)
			}
		}
		switch {
		case name == "map":
			v.items = append(v.items, y)
		case truth(y):
			v.items = append(v.items, row[0])
		}
	}
	return v, nil
}

// zipped is zip: the first items of all, the second ones, until one has no more.
func (e *expander) zipped(args []any) (*view, error) {
	v := &view{once: true}
	var columns [][]any
	shortest := maxItems
	for _, a := range args {
		items, ok := e.iterated(a)
		if !ok {
			return nil, fmt.Errorf("%s has no items", typeName(a))
		}
		columns = append(columns, items)
		shortest = min(shortest, len(items))
	}
	if len(args) == 0 {
		return v, nil
	}
	for i := range shortest {
		row := tuple{}
		for _, c := range columns {
			row = append(row, c[i])
		}
		v.items = append(v.items, row)
	}
	return v, nil
}

// dictionaryOf is dict: of pairs or another dictionary, and of named arguments.
func (e *expander) dictionaryOf(args []any, named *dictionary) (any, error) {
	d := newDictionary()
	if len(args) > 1 {
		return nil, errArguments
	}
	for _, a := range args {
		items, ok := e.iterated(a)
		if !ok {
			return nil, errArguments
		}
		of, mapping := a.(*dictionary)
		for _, x := range items {
			pair := []any{x, nil}
			if mapping {
				pair[1] = of.values[x]
			} else if pair, ok = e.iterated(x); !ok || len(pair) != 2 {
				return nil, errors.New("an item is no pair of key and value")
			}
			if err := d.set(pair[0], pair[1]); err != nil {
				return nil, err
			}
		}
	}
	for _, k := range named.keys {
		if err := d.set(k, named.values[k]); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// digitsOf removes the underscores that Python allows between digits.
func digitsOf(s string) string {
	if strings.Contains(s, "__") || strings.HasPrefix(s, "_") || strings.HasSuffix(s, "_") {
		return s
	}
	return strings.ReplaceAll(s, "_", "")
}

// inBase is int(text, base).
func inBase(v, base any) (any, error) {
	s, ok := v.(string)
	b, ok2 := integer(base)
	if !ok || !ok2 || b < 0 || b == 1 || b > 36 {
		return nil, errArguments
	}
	t := strings.ToLower(strings.TrimSpace(s))
	sign := ""
	if t != "" && (t[0] == '-' || t[0] == '+') {
		sign, t = t[:1], t[1:]
	}
	for prefix, of := range map[string]int64{"0x": 16, "0o": 8, "0b": 2} {
		if rest, has := strings.CutPrefix(t, prefix); has && (b == 0 || b == of) {
			t, b = strings.TrimPrefix(rest, "_"), of
		}
	}
	if b == 0 {
		if b = 10; len(t) > 1 && t[0] == '0' && strings.Trim(t, "0_") != "" {
			return nil, fmt.Errorf("%q is no integer", clip(s))
		}
	}
	if t = digitsOf(t); t == "" || strings.ContainsAny(t, "+-_") {
		return nil, fmt.Errorf("%q is no integer", clip(s))
	}
	n, err := strconv.ParseInt(sign+t, int(b), 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return nil, errOverflow
	case err != nil:
		return nil, fmt.Errorf("%q is no integer", clip(s))
	}
	return n, nil
}

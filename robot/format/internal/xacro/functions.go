package xacro

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// constants of Python's module math. Quotients of pi are taken in double precision, as there.
var constants = map[string]float64{"pi": math.Pi, "e": math.E, "tau": 2 * math.Pi, "inf": math.Inf(1), "nan": math.NaN()}

// ofOne are the functions of one number whose value is a number.
var ofOne = map[string]func(float64) float64{
	"sin": math.Sin, "cos": math.Cos, "tan": math.Tan, "asin": math.Asin, "acos": math.Acos, "atan": math.Atan,
	"sinh": math.Sinh, "cosh": math.Cosh, "tanh": math.Tanh, "asinh": math.Asinh, "acosh": math.Acosh, "atanh": math.Atanh,
	"sqrt": math.Sqrt, "exp": math.Exp, "expm1": math.Expm1, "log1p": math.Log1p, "log2": math.Log2, "log10": math.Log10, "fabs": math.Abs,
	"radians": func(x float64) float64 { return x * (constants["pi"] / 180) }, "degrees": func(x float64) float64 { return x * (180 / constants["pi"]) },
}

var ofTwo = map[string]func(x, y float64) float64{"atan2": math.Atan2, "pow": math.Pow, "fmod": math.Mod, "hypot": math.Hypot, "copysign": math.Copysign}

var others = []string{"abs", "min", "max", "round", "len", "int", "float", "str", "bool", "list", "tuple", "sum", "any", "all", "sorted", "floor", "ceil", "trunc", "log",
	"isnan", "isinf", "load_yaml", "arg", "math", "xacro", "python", "warning", "error", "message", "fatal"}

// function is a constant or a function by its name.
func function(name string) (any, error) {
	if v, ok := constants[name]; ok {
		return v, nil
	}
	_, one := ofOne[name]
	_, two := ofTwo[name]
	if one || two || slices.Contains(others, name) {
		return bound{name: name}, nil
	}
	return nil, fmt.Errorf("%q is not known", name)
}

var errArguments = errors.New("it has the wrong number or kind of arguments")

// apply calls a function or a method.
func (e *expander) apply(f bound, args []any, at *node) (any, error) {
	if f.of != nil {
		return e.method(f, args)
	}
	xs := make([]float64, len(args))
	numeric := true
	for i, a := range args {
		var ok bool
		xs[i], ok = number(a)
		numeric = numeric && ok
	}
	finite := func(v float64) (any, error) {
		if math.IsNaN(v) && !slices.ContainsFunc(xs, math.IsNaN) {
			return nil, errors.New("it is not defined there")
		}
		if math.IsInf(v, 0) && !slices.ContainsFunc(xs, func(x float64) bool { return math.IsInf(x, 0) }) {
			return nil, errors.New("it is infinite there")
		}
		return v, nil
	}
	if g, ok := ofOne[f.name]; ok && numeric && len(args) == 1 {
		return finite(g(xs[0]))
	}
	if g, ok := ofTwo[f.name]; ok && numeric && len(args) == 2 {
		return finite(g(xs[0], xs[1]))
	}
	switch f.name {
	case "load_yaml", "arg":
		if name, ok := only(args).(string); ok {
			if f.name == "load_yaml" {
				return e.yaml(name, at)
			}
			return e.substitution("arg "+name, newScope(nil), at)
		}
	case "warning", "error", "message":
		return "", nil
	case "fatal":
		s, err := e.printed(only(args))
		if err != nil {
			return nil, err
		}
		return nil, errors.New(clip(s))
	case "abs":
		if n, ok := integer(only(args)); ok && n < 0 {
			return combineIntegers("-", 0, n)
		} else if ok {
			return n, nil
		}
		if numeric && len(xs) == 1 {
			return math.Abs(xs[0]), nil
		}
	case "log":
		if numeric && len(xs) == 1 {
			return finite(math.Log(xs[0]))
		}
		if numeric && len(xs) == 2 {
			return finite(math.Log(xs[0]) / math.Log(xs[1]))
		}
	case "isnan", "isinf":
		if numeric && len(xs) == 1 {
			return f.name == "isnan" && math.IsNaN(xs[0]) || f.name == "isinf" && math.IsInf(xs[0], 0), nil
		}
	case "floor", "ceil", "trunc", "int":
		return toInteger(f.name, only(args))
	case "round":
		return rounded(args)
	case "float":
		if s, ok := only(args).(string); ok {
			v, err := parseFloat(strings.TrimSpace(s))
			if err != nil {
				return nil, fmt.Errorf("%q is no number", clip(s))
			}
			return v, nil
		}
		if numeric && len(xs) == 1 {
			return xs[0], nil
		}
	case "str":
		if len(args) == 1 {
			return e.printed(args[0])
		}
	case "bool":
		if len(args) == 1 {
			return truth(args[0]), nil
		}
	case "len":
		switch x := only(args).(type) {
		case string:
			return int64(len([]rune(x))), nil
		case *dictionary:
			return int64(len(x.keys)), nil
		}
		if items, ok := sequence(only(args)); ok {
			return int64(len(items)), nil
		}
	default:
		return ofItems(f.name, args)
	}
	return nil, errArguments
}

func only(args []any) any {
	if len(args) == 1 {
		return args[0]
	}
	return *new(any)
}

// ofItems are the functions of lists, or of several arguments.
func ofItems(name string, args []any) (any, error) {
	items, ok := sequence(only(args))
	if d, isDictionary := only(args).(*dictionary); isDictionary {
		items, ok = d.keys, true
	}
	if name == "min" || name == "max" {
		if len(args) > 1 {
			items, ok = args, true
		}
		if !ok || len(items) == 0 {
			return nil, errArguments
		}
		best := items[0]
		for _, x := range items[1:] {
			a, b := x, best
			if name == "max" {
				a, b = best, x
			}
			better, err := less(a, b)
			if err != nil {
				return nil, err
			}
			if better {
				best = x
			}
		}
		return best, nil
	}
	if !ok {
		return nil, errArguments
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
		total := any(int64(0))
		for _, x := range items {
			var err error
			if total, err = combine("+", total, x); err != nil {
				return nil, err
			}
		}
		return total, nil
	case "sorted":
		out, failed := list(slices.Clone(items)), error(nil)
		slices.SortStableFunc(out, func(a, b any) int {
			below, err := less(a, b)
			above, _ := less(b, a)
			if err != nil {
				failed = err
			}
			switch {
			case below:
				return -1
			case above:
				return 1
			}
			return 0
		})
		return out, failed
	}
	return nil, errArguments
}

func toInteger(name string, v any) (any, error) {
	if n, ok := integer(v); ok {
		return n, nil
	}
	if s, ok := v.(string); ok && name == "int" {
		n, err := parseInt(strings.TrimSpace(s))
		if err != nil {
			return nil, fmt.Errorf("%q is no integer", clip(s))
		}
		return n, nil
	}
	x, ok := v.(float64)
	if !ok {
		return nil, errArguments
	}
	switch name {
	case "floor":
		x = math.Floor(x)
	case "ceil":
		x = math.Ceil(x)
	default:
		x = math.Trunc(x)
	}
	if !(math.Abs(x) < 1<<63) {
		return nil, errOverflow
	}
	return int64(x), nil
}

// rounded is round(x) or round(x, digits): halves, as the binary number has them, go to the even digit.
func rounded(args []any) (any, error) {
	if len(args) == 0 || len(args) > 2 {
		return nil, errArguments
	}
	x, ok := number(args[0])
	if !ok {
		return nil, errArguments
	}
	if len(args) == 1 || args[1] == nil {
		return toInteger("trunc", any(math.RoundToEven(x)))
	}
	digits, ok := integer(args[1])
	if n, whole := integer(args[0]); whole && ok && digits >= 0 {
		return n, nil
	}
	if !ok || digits < 0 || digits > 300 {
		return nil, errArguments
	}
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return x, nil
	}
	return strconv.ParseFloat(strconv.FormatFloat(x, 'f', int(digits), 64), 64)
}

// method is a call of a method of a text, a dictionary or a list.
func (e *expander) method(f bound, args []any) (any, error) {
	if d, ok := f.of.(*dictionary); ok {
		switch {
		case f.name == "get" && (len(args) == 1 || len(args) == 2):
			key := newDictionary()
			if err := key.set(args[0], nil); err != nil {
				return nil, err
			}
			if v, ok := d.values[key.keys[0]]; ok {
				return v, nil
			}
			return append(args, nil)[1], nil
		case len(args) == 0:
			var out list
			for _, k := range d.keys {
				out = append(out, map[string]any{"keys": k, "values": d.values[k], "items": tuple{k, d.values[k]}}[f.name])
			}
			return out, nil
		}
		return nil, errArguments
	}
	s, ok := f.of.(string)
	if !ok {
		return nil, errors.New("methods of lists are not read")
	}
	var t [2]string
	for i, a := range args {
		if i < 2 {
			if t[i], ok = a.(string); !ok && f.name != "join" {
				return nil, errArguments
			}
		}
	}
	switch f.name + strconv.Itoa(len(args)) {
	case "lower0":
		return strings.ToLower(s), nil
	case "upper0":
		return strings.ToUpper(s), nil
	case "capitalize0":
		if s != "" {
			s = strings.ToUpper(s[:1]) + strings.ToLower(s[1:])
		}
		return s, nil
	case "strip0":
		return strings.TrimSpace(s), nil
	case "strip1":
		return strings.Trim(s, t[0]), nil
	case "rstrip1":
		return strings.TrimRight(s, t[0]), nil
	case "lstrip1":
		return strings.TrimLeft(s, t[0]), nil
	case "startswith1":
		return strings.HasPrefix(s, t[0]), nil
	case "endswith1":
		return strings.HasSuffix(s, t[0]), nil
	case "find1":
		return int64(strings.Index(s, t[0])), nil
	case "count1":
		return int64(strings.Count(s, t[0])), nil
	case "replace2":
		if strings.Count(s, t[0])*len(t[1])+len(s) > maxWord {
			return nil, fmt.Errorf("a text of more than %d bytes", maxWord)
		}
		return strings.ReplaceAll(s, t[0], t[1]), nil
	case "split0", "split1":
		parts := strings.Fields(s)
		if len(args) == 1 {
			if t[0] == "" {
				return nil, errArguments
			}
			parts = strings.Split(s, t[0])
		}
		if len(parts) > maxItems {
			return nil, fmt.Errorf("a list of more than %d items", maxItems)
		}
		out := list{}
		for _, p := range parts {
			out = append(out, p)
		}
		return out, nil
	case "join1":
		items, ok := sequence(args[0])
		if !ok {
			return nil, errArguments
		}
		n := len(s) * len(items)
		for _, x := range texts(items) {
			n += len(x)
		}
		if n > maxWord || len(texts(items)) != len(items) {
			return nil, errArguments
		}
		return strings.Join(texts(items), s), nil
	}
	return nil, errors.New("the method is not read, or has other arguments")
}

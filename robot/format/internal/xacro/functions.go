package xacro

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
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

var others = []string{"abs", "min", "max", "round", "len", "int", "float", "str", "bool", "list", "tuple", "dict", "sum", "any", "all", "sorted", "floor", "ceil", "trunc", "log",
	"range", "map", "filter", "zip", "enumerate", "reversed", "isinstance", "divmod", "ord", "chr", "repr",
	"isnan", "isinf", "load_yaml", "dotify", "arg", "math", "xacro", "python", "warning", "error", "message", "fatal"}

// unread are functions of the reference processor whose values do not outlast an expression, or print in no fixed order.
var unread = []string{"set", "frozenset", "complex", "hash", "type", "vars", "slice", "issubclass", "abs_filename", "tokenize", "print_location"}

// function returns a constant or a function by its name.
func function(name string) (any, error) {
	if v, ok := constants[name]; ok {
		return v, nil
	}
	_, one := ofOne[name]
	_, two := ofTwo[name]
	if one || two || slices.Contains(others, name) {
		return bound{name: name}, nil
	}
	if slices.Contains(unread, name) {
		return nil, fmt.Errorf("%q is a function of the reference processor that is not read here", name)
	}
	return nil, fmt.Errorf("%q is not known", name)
}

var errArguments = errors.New("it has the wrong number or kind of arguments")

// apply calls a function or a method.
func (e *expander) apply(f bound, args []any, named *dictionary, at *node) (any, error) {
	if takes := namedArguments[f.name]; f.of != nil || f.name != "dict" {
		for _, k := range named.keys {
			if f.of != nil || !slices.Contains(takes, k.(string)) {
				return nil, fmt.Errorf("it has no argument %q that is read", k)
			}
		}
	}
	if f.of != nil {
		return e.method(f, args)
	}
	if _, one := ofOne[f.name]; one {
		return ofNumbers(f.name, args, named)
	}
	if _, two := ofTwo[f.name]; two {
		return ofNumbers(f.name, args, named)
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
	case "abs", "log", "isnan", "isinf", "int", "floor", "ceil", "trunc", "round", "divmod", "float":
		return ofNumbers(f.name, args, named)
	case "ord":
		if r := []rune(fmt.Sprint(only(args))); len(r) == 1 && typeName(only(args)) == "a text" {
			return int64(r[0]), nil
		}
	case "chr":
		if n, ok := integer(only(args)); ok && n >= 0 && n < utf8.MaxRune && utf8.ValidRune(rune(n)) {
			return string(rune(n)), nil
		}
	case "repr":
		if len(args) == 1 {
			var b strings.Builder
			err := e.print(&b, args[0], 0)
			return b.String(), err
		}
	case "isinstance":
		if len(args) == 2 {
			return isInstance(args[0], args[1])
		}
	case "dotify":
		if d, ok := only(args).(*dictionary); ok {
			return d, nil
		}
	case "str":
		if len(args) == 0 {
			return "", nil
		}
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
		case *view:
			if x.once {
				return nil, errArguments
			}
			return int64(len(x.items)), nil
		}
		if items, ok := sequence(only(args)); ok {
			return int64(len(items)), nil
		}
	default:
		return e.ofItems(f.name, args, named, at)
	}
	return nil, errArguments
}

// ofNumbers calls a function that makes a number of numbers, or of a text.
func ofNumbers(name string, args []any, named *dictionary) (any, error) {
	xs, numeric := make([]float64, len(args)), true
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
	if g, ok := ofOne[name]; ok && numeric && len(args) == 1 {
		return finite(g(xs[0]))
	}
	if g, ok := ofTwo[name]; ok && numeric && len(args) == 2 {
		return finite(g(xs[0], xs[1]))
	}
	switch name {
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
			return name == "isnan" && math.IsNaN(xs[0]) || name == "isinf" && math.IsInf(xs[0], 0), nil
		}
	case "int":
		if base, ok := named.values["base"]; ok {
			args = append(args, base)
		}
		if len(args) == 2 {
			return inBase(args[0], args[1])
		}
		if len(args) == 0 {
			return int64(0), nil
		}
		return toInteger(name, only(args))
	case "floor", "ceil", "trunc":
		return toInteger(name, only(args))
	case "round":
		if digits, ok := named.values["ndigits"]; ok {
			args = append(args, digits)
		}
		return rounded(args)
	case "divmod":
		if len(args) == 2 && numeric {
			quotient, err := combine("//", args[0], args[1])
			if err != nil {
				return nil, err
			}
			rest, err := combine("%", args[0], args[1])
			return tuple{quotient, rest}, err
		}
	case "float":
		if len(args) == 0 {
			return 0.0, nil
		}
		if s, ok := only(args).(string); ok {
			v, err := parseFloat(digitsOf(strings.TrimSpace(s)))
			if err != nil {
				return nil, fmt.Errorf("%q is no number", clip(s))
			}
			return v, nil
		}
		if numeric && len(xs) == 1 {
			return xs[0], nil
		}
	}
	return nil, errArguments
}

func only(args []any) any {
	if len(args) == 1 {
		return args[0]
	}
	return *new(any)
}

func toInteger(name string, v any) (any, error) {
	if n, ok := integer(v); ok {
		return n, nil
	}
	if s, ok := v.(string); ok && name == "int" {
		return inBase(s, int64(10))
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
	n, whole := integer(args[0])
	if whole && ok && digits >= 0 {
		return n, nil
	}
	if !ok || digits < -18 || digits > 300 {
		return nil, errArguments
	}
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return x, nil
	}
	if digits < 0 {
		unit := math.Pow10(int(-digits))
		if x = math.RoundToEven(x/unit) * unit; whole {
			return toInteger("trunc", any(x))
		}
		return x, nil
	}
	return strconv.ParseFloat(strconv.FormatFloat(x, 'f', int(digits), 64), 64)
}

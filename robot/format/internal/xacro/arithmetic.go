package xacro

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"
)

var (
	errZero     = errors.New("division by zero")
	errOverflow = errors.New("the integer has more than 64 bits; write it with a point")
	errShift    = errors.New("a shift by a negative number")
)

// combine applies + - * / // % or **.
func combine(op string, a, b any) (any, error) {
	if x, ok := integer(a); ok {
		if y, ok := integer(b); ok {
			v, err := combineIntegers(op, x, y)
			if typeName(a) == "a truth value" && typeName(b) == "a truth value" && strings.Contains("&|^", op) {
				return v != any(int64(0)), err
			}
			return v, err
		}
	}
	if strings.Contains("&|^<<>>", op) {
		return merged(op, a, b)
	}
	x, ok1 := number(a)
	y, ok2 := number(b)
	if ok1 && ok2 {
		return combineFloats(op, x, y)
	}
	return combineSequences(op, a, b)
}

func combineIntegers(op string, x, y int64) (any, error) {
	switch op {
	case "+":
		if s := x + y; (s > x) == (y > 0) {
			return s, nil
		}
		return nil, errOverflow
	case "-":
		if s := x - y; (s < x) == (y > 0) {
			return s, nil
		}
		return nil, errOverflow
	case "*":
		return times(x, y)
	case "/":
		if y == 0 {
			return nil, errZero
		}
		return float64(x) / float64(y), nil
	case "//", "%":
		if y == 0 {
			return nil, errZero
		}
		if x == math.MinInt64 && y == -1 {
			return nil, errOverflow
		}
		quotient, rest := x/y, x%y
		if rest != 0 && (rest < 0) != (y < 0) {
			quotient, rest = quotient-1, rest+y
		}
		if op == "%" {
			return rest, nil
		}
		return quotient, nil
	case "&":
		return x & y, nil
	case "|":
		return x | y, nil
	case "^":
		return x ^ y, nil
	case "<<", ">>":
		switch shifted := x << min(uint64(y), 64); {
		case y < 0:
			return nil, errShift
		case op == ">>":
			return x >> min(y, 63), nil
		case x != 0 && (y > 63 || shifted>>y != x):
			return nil, errOverflow
		default:
			return shifted, nil
		}
	}
	if y < 0 {
		return combineFloats(op, float64(x), float64(y))
	}
	if y > 64 && x != 0 && x != 1 && x != -1 {
		return nil, errOverflow
	}
	if y > 64 {
		y = 2 + y%2
	}
	p := int64(1)
	for range y {
		v, err := times(p, x)
		if err != nil {
			return nil, err
		}
		p = v.(int64)
	}
	return p, nil
}

func times(x, y int64) (any, error) {
	high, _ := bits.Mul64(magnitude(x), magnitude(y))
	p := x * y
	if high != 0 || x != 0 && (p/x != y || x == -1 && y == math.MinInt64) {
		return nil, errOverflow
	}
	return p, nil
}

func magnitude(x int64) uint64 {
	if x < 0 {
		return -uint64(x)
	}
	return uint64(x)
}

func combineFloats(op string, x, y float64) (any, error) {
	switch op {
	case "+":
		return x + y, nil
	case "-":
		return x - y, nil
	case "*":
		return x * y, nil
	case "**":
		p := math.Pow(x, y)
		switch {
		case x == 0 && y < 0:
			return nil, errZero
		case math.IsNaN(p) && !math.IsNaN(x) && !math.IsNaN(y):
			return nil, errors.New("the power is a complex number")
		case math.IsInf(p, 0) && !math.IsInf(x, 0) && !math.IsInf(y, 0):
			return nil, errors.New("the power is too large")
		}
		return p, nil
	}
	if y == 0 {
		return nil, errZero
	}
	rest := math.Mod(x, y)
	if rest != 0 && (rest < 0) != (y < 0) {
		rest += y
	}
	switch op {
	case "/":
		return x / y, nil
	case "%":
		return rest, nil
	}
	return math.Round((x - rest) / y), nil
}

// merged returns a dictionary with the entries of a second one, by |.
func merged(op string, a, b any) (any, error) {
	x, ok1 := a.(*dictionary)
	y, ok2 := b.(*dictionary)
	if !ok1 || !ok2 || op != "|" {
		return nil, fmt.Errorf("%s %s %s is not defined", typeName(a), op, typeName(b))
	}
	d := newDictionary()
	for _, from := range []*dictionary{x, y} {
		for _, k := range from.keys {
			if err := d.set(k, from.values[k]); err != nil {
				return nil, err
			}
		}
	}
	return d, nil
}

// combineSequences joins texts and lists, repeats them, and refuses other pairs.
func combineSequences(op string, a, b any) (any, error) {
	switch x := a.(type) {
	case string:
		if y, ok := b.(string); ok && op == "+" {
			if len(x)+len(y) > maxWord {
				return nil, fmt.Errorf("the expression makes a text of more than %d bytes", maxWord)
			}
			return x + y, nil
		}
		if n, ok := integer(b); ok && op == "*" {
			if n = max(n, 0); n*int64(max(len(x), 1)) > maxWord || n > maxWord {
				return nil, fmt.Errorf("the expression makes a text of more than %d bytes", maxWord)
			}
			return strings.Repeat(x, int(n)), nil
		}
	case list:
		if y, ok := b.(list); ok && op == "+" {
			if len(x)+len(y) > maxItems {
				return nil, fmt.Errorf("a list of more than %d items", maxItems)
			}
			return append(slices.Clone(x), y...), nil
		}
		if n, ok := integer(b); ok && op == "*" {
			if n = max(n, 0); n*int64(max(len(x), 1)) > maxItems || n > maxItems {
				return nil, fmt.Errorf("a list of more than %d items", maxItems)
			}
			return list(slices.Repeat(x, int(n))), nil
		}
	case tuple:
		if y, ok := b.(tuple); ok && op == "+" {
			v, err := combineSequences(op, list(x), list(y))
			joined, _ := v.(list)
			return tuple(joined), err
		}
		if _, ok := integer(b); ok && op == "*" {
			v, err := combineSequences(op, list(x), b)
			repeated, _ := v.(list)
			return tuple(repeated), err
		}
	}
	if _, ok := integer(a); ok && op == "*" {
		switch b.(type) {
		case string, list, tuple:
			return combineSequences(op, b, a)
		}
	}
	return nil, fmt.Errorf("%s %s %s is not defined", typeName(a), op, typeName(b))
}

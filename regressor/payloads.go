package regressor

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// MaxPayloads is the largest payload number, as in payload:LINK=99.
const MaxPayloads = 99

// PayloadNumber returns the payload number in a term such as "payload:LINK=2", or 0 if it has none.
func PayloadNumber(t Term) int {
	arg := t.Argument()
	at := strings.LastIndexByte(arg, '=')
	if t.Name() != Payload || at < 0 {
		return 0
	}
	n, err := strconv.Atoi(arg[at+1:])
	if err != nil || n < 1 || n > MaxPayloads || arg[at+1:] != strconv.Itoa(n) {
		return 0 // part of the link's name
	}
	return n
}

// PayloadPrefix returns the prefix of the parameter names of a payload with this number.
func PayloadPrefix(number int) string {
	if number == 0 {
		return "P"
	}
	return "P" + strconv.Itoa(number)
}

// PayloadNumbers returns the payload numbers in a model's columns, ascending; none if its payload has no number.
func PayloadNumbers(columns []Column) []int {
	var out []int
	for _, c := range columns {
		if c.Body > 0 && !slices.Contains(out, c.Body) {
			out = append(out, c.Body)
		}
	}
	slices.Sort(out)
	return out
}

// NumbersOf returns the payload numbers in terms, ascending; none if the payload has no number.
func NumbersOf(terms []Term) []int {
	var out []int
	for _, t := range terms {
		if n := PayloadNumber(t); n > 0 {
			out = append(out, n)
		}
	}
	slices.Sort(out)
	return out
}

// checkNumbers refuses a model with both numbered and unnumbered payloads, and the same number on two links: the number
// says which body is attached.
func checkNumbers(terms []Term) error {
	used := map[int]Term{}
	var payloads []Term
	for _, t := range terms {
		if t.Name() == Payload {
			payloads = append(payloads, t)
		}
	}
	for _, t := range payloads {
		n := PayloadNumber(t)
		switch other, twice := used[n]; {
		case n > 0 && twice && other != t:
			return fmt.Errorf("terms %q and %q: give each payload a number of its own", other, t)
		case n == 0 && PayloadNumber(payloads[0]) > 0 || n > 0 && PayloadNumber(payloads[0]) == 0:
			return fmt.Errorf("terms %q and %q: give every payload a number, as in payload:LINK=1, or none", payloads[0], t)
		}
		used[n] = t
	}
	return nil
}

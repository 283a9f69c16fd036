package project

import (
	"fmt"
	"strconv"
)

// Set sets a setting from all its texts on a command line, in order. It adds to the entries of a map and replaces
// anything else.
func (t Setting) Set(s *Settings, texts ...string) error {
	if len(texts) == 0 {
		return nil
	}
	s.give(t.Key, FromOption)
	if t.set != nil {
		return t.set(s, texts)
	}
	last := texts[len(texts)-1]
	switch to := t.field(s).(type) {
	case *string:
		*to = last
	case *Choice:
		var err error
		*to, err = parseChoice(last)
		return err
	case *bool:
		return parse(to, last, strconv.ParseBool, "neither true nor false")
	case *int:
		return parse(to, last, strconv.Atoi, "not a whole number")
	case *uint64:
		return parse(to, last, func(x string) (uint64, error) { return strconv.ParseUint(x, 0, 64) }, "not a whole number from zero")
	case *float64:
		return parse(to, last, parseFloat, "not a finite number below 1e50")
	case **float64:
		*to = new(float64)
		return parse(*to, last, parseFloat, "not a finite number below 1e50")
	case *[]float64:
		v, err := ParseNumbers(last)
		*to = v
		return err
	case *[]string:
		if *to = append([]string(nil), texts...); t.Form == Listed {
			*to = ParseList(last)
		}
	case *map[string]Reading:
		return setReadings(s, texts)
	case *map[string]float64:
		return pairsOfNumbers(to, texts, parseFloat, "NUMBER")
	case *map[string]Known:
		return pairsOfNumbers(to, texts, parseKnown, "VALUE; VALUE is "+knownForm)
	case *map[string]string:
		if t.Form == Colon {
			return pairsOfTexts(to, ofOnlyLog(texts), ":")
		}
		return pairsOfTexts(to, texts, "=")
	default:
		panic(fmt.Sprintf("project: setting %s has a field of type %T", t.Key, to))
	}
	return nil
}

// Type returns the type of the setting's values for help texts.
func (t Setting) Type() string {
	if t.Key == "cutoff" {
		return "hertz|auto"
	}
	switch t.field(new(Settings)).(type) {
	case *Choice:
		return "yes|no|auto"
	case *bool:
		return "bool"
	case *int:
		return "int"
	case *uint64:
		return "uint64"
	case *float64, **float64:
		return "float64"
	case *map[string]float64, *map[string]Known, *map[string]string, *map[string]Reading, *Accept:
		return "stringArray"
	case *[]string:
		if t.Form == Each {
			return "stringArray"
		}
	}
	return "string"
}

// Kind returns the type of the setting's values for programs: bool, int, uint64, number, numbers, text, texts, or a
// choice.
func (t Setting) Kind() string {
	if t.Key == "cutoff" {
		return "number|auto"
	}
	switch t.field(new(Settings)).(type) {
	case *Choice:
		return "yes|no|auto"
	case *bool:
		return "bool"
	case *int:
		return "int"
	case *uint64:
		return "uint64"
	case *float64, **float64:
		return "number"
	case *[]float64, *[][]float64:
		return "numbers"
	case *map[string]float64, *map[string]Known, *map[string]string, *map[string]Reading, *[]string, *Accept:
		return "texts"
	}
	return "text"
}

// Repeats reports whether several texts of a setting add up. If not, the last counts.
func (t Setting) Repeats() bool { return t.Type() == "stringArray" }

// parseFloat reads a usable number.
func parseFloat(text string) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err == nil && !usable(v) {
		err = strconv.ErrRange
	}
	return v, err
}

func parse[T any](to *T, text string, read func(string) (T, error), why string) error {
	v, err := read(text)
	if err != nil {
		return fmt.Errorf("%q is %s", text, why)
	}
	*to = v
	return nil
}

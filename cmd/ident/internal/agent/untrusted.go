package agent

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	// textBound is the number of characters of a text out of a file that are returned.
	textBound = 200
	// listBound is the number of entries of a list that are returned. Most robots have fewer joints and parameters.
	listBound = 100
	// numbersBound is the length of the longest list of numbers that is returned: numbers by joint are returned, those by sample are not.
	numbersBound = 32
)

// Clean returns a text on one line, at most 200 characters long, in which characters that do not print are escaped:
// line ends, control characters and those that change the direction of a text.
func Clean(text string) string {
	quoted := strconv.QuoteToGraphic(text)
	quoted = strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
	if utf8.RuneCountInString(quoted) > textBound {
		return string([]rune(quoted)[:textBound-1]) + "…"
	}
	return quoted
}

// Untrusted is a text that may come from a file. It is data, never an instruction.
type Untrusted struct {
	Text string `json:"untrusted"`
}

// Marked returns a text as untrusted.
func Marked(text string) Untrusted { return Untrusted{Clean(text)} }

// words is the vocabulary of the program: values that its documents hold, and names of their members.
type words map[string]bool

// mark returns a decoded JSON value whose texts are untrusted unless they are words of the program. Objects with other
// keys become lists of name and value. Long lists are cut, and lists of many numbers left out.
func (w words) mark(value any) any {
	switch v := value.(type) {
	case string:
		if v == "" || w[v] {
			return v
		}
		return Marked(v)
	case []any:
		return w.markList(v)
	case map[string]any:
		return w.markObject(v)
	}
	return value
}

func (w words) markList(list []any) any {
	most := listBound
	if len(list) > 0 {
		switch first := list[0].(type) {
		case json.Number:
			most = numbersBound
		case []any: // a matrix
			if most = 0; len(list)*len(first) <= numbersBound {
				most = listBound
			}
		}
	}
	if len(list) > most && most < listBound {
		return map[string]any{"left_out": len(list)}
	}
	out := make([]any, 0, len(list))
	for i, v := range list {
		if i == most {
			return append(out, map[string]any{"left_out": len(list) - most})
		}
		out = append(out, w.mark(v))
	}
	return out
}

func (w words) markObject(object map[string]any) any {
	keys := slices.Sorted(maps.Keys(object))
	if i := slices.IndexFunc(keys, func(k string) bool { return !w[k] }); i < 0 {
		out := make(map[string]any, len(object))
		for k, v := range object {
			out[k] = w.mark(v)
		}
		return out
	}
	var out []any
	for _, k := range keys {
		out = append(out, map[string]any{"name": Marked(k), "value": w.mark(object[k])})
	}
	return out
}

package xacro

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// method returns a call of a method of a text, a dictionary, a list or a tuple.
func (e *expander) method(f bound, args []any) (any, error) {
	switch of := f.of.(type) {
	case *dictionary:
		return ofDictionary(of, f.name, args)
	case string:
		return e.ofText(of, f.name, args)
	}
	items, _ := sequence(f.of)
	switch {
	case f.name == "count" && len(args) == 1:
		n := int64(0)
		for _, x := range items {
			ok, err := e.same(x, args[0], 0)
			if err != nil {
				return nil, err
			}
			if ok {
				n++
			}
		}
		return n, nil
	case f.name == "index" && len(args) == 1:
		for i, x := range items {
			if ok, err := e.same(x, args[0], 0); ok || err != nil {
				return int64(i), err
			}
		}
		return nil, errors.New("no entry is equal to it")
	case slices.Contains([]string{"append", "extend", "insert", "remove", "pop", "sort", "reverse", "clear"}, f.name):
		return nil, errors.New("methods that change a list are not read: build another one")
	}
	return nil, errors.New("ident does not know this method with these arguments; write the value instead")
}

func ofDictionary(d *dictionary, name string, args []any) (any, error) {
	switch {
	case name == "get" && (len(args) == 1 || len(args) == 2):
		key := newDictionary()
		if err := key.set(args[0], nil); err != nil {
			return nil, err
		}
		if v, ok := d.values[key.keys[0]]; ok {
			return v, nil
		}
		return append(args, nil)[1], nil
	case len(args) == 0:
		out := &view{kind: "dict_" + name}
		for _, k := range d.keys {
			out.items = append(out.items, map[string]any{"keys": k, "values": d.values[k], "items": tuple{k, d.values[k]}}[name])
		}
		return out, nil
	}
	return nil, errArguments
}

// ofText returns the methods of texts.
func (e *expander) ofText(s, name string, args []any) (any, error) {
	var t [2]string
	for i, a := range args {
		text, ok := a.(string)
		if i >= len(t) || !ok && !slices.Contains([]string{"join", "split", "rsplit", "zfill", "rjust", "ljust", "center"}, name) {
			return nil, errArguments
		}
		t[i] = text
	}
	switch call := name + strconv.Itoa(len(args)); call {
	case "join1":
		items, ok := e.iterated(args[0])
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
	case "zfill1", "rjust1", "ljust1", "center1", "rjust2", "ljust2", "center2":
		return justified(s, name, args)
	case "split0", "split1", "split2", "rsplit1", "rsplit2", "rsplit0":
		return listOf(split(s, name, args))
	default:
		if changed, ok, err := changedText(s, call, t); ok {
			return changed, err
		}
		return toldOf(s, call, t)
	}
}

// changedText calls a method, named with the number of its arguments, that makes another text; false if it is none.
func changedText(s, call string, t [2]string) (text string, ok bool, err error) {
	switch call {
	case "lower0":
		return strings.ToLower(s), true, nil
	case "upper0":
		return strings.ToUpper(s), true, nil
	case "capitalize0":
		if r := []rune(s); len(r) > 0 {
			s = strings.ToUpper(string(r[:1])) + strings.ToLower(string(r[1:]))
		}
		return s, true, nil
	case "title0":
		return titled(s), true, nil
	case "swapcase0":
		return strings.Map(func(r rune) rune {
			if unicode.IsUpper(r) {
				return unicode.ToLower(r)
			}
			return unicode.ToUpper(r)
		}, s), true, nil
	case "strip0":
		return strings.TrimSpace(s), true, nil
	case "rstrip0":
		return strings.TrimRightFunc(s, unicode.IsSpace), true, nil
	case "lstrip0":
		return strings.TrimLeftFunc(s, unicode.IsSpace), true, nil
	case "strip1":
		return strings.Trim(s, t[0]), true, nil
	case "rstrip1":
		return strings.TrimRight(s, t[0]), true, nil
	case "lstrip1":
		return strings.TrimLeft(s, t[0]), true, nil
	case "removeprefix1":
		return strings.TrimPrefix(s, t[0]), true, nil
	case "removesuffix1":
		return strings.TrimSuffix(s, t[0]), true, nil
	case "replace2":
		if strings.Count(s, t[0])*len(t[1])+len(s) > maxWord {
			return "", true, fmt.Errorf("the expression makes a text of more than %d bytes", maxWord)
		}
		return strings.ReplaceAll(s, t[0], t[1]), true, nil
	}
	return "", false, nil
}

// toldOf calls a method, named with the number of its arguments, that tells something of a text or takes it apart.
func toldOf(s, call string, t [2]string) (any, error) {
	last := call[0] == 'r' // from the end
	switch call {
	case "startswith1":
		return strings.HasPrefix(s, t[0]), nil
	case "endswith1":
		return strings.HasSuffix(s, t[0]), nil
	case "find1", "rfind1", "index1", "rindex1":
		at := strings.Index(s, t[0])
		if last {
			at = strings.LastIndex(s, t[0])
		}
		if at < 0 && strings.HasSuffix(call, "index1") {
			return nil, fmt.Errorf("%q is not in it", clip(t[0]))
		}
		if at > 0 {
			at = len([]rune(s[:at]))
		}
		return int64(at), nil
	case "count1":
		return int64(strings.Count(s, t[0])), nil
	case "isdigit0":
		return s != "" && strings.Trim(s, "0123456789") == "", nil
	case "isalpha0":
		return s != "" && strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) }) < 0, nil
	case "isalnum0":
		return s != "" && strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) < 0, nil
	case "isspace0":
		return s != "" && strings.TrimSpace(s) == "", nil
	case "islower0":
		return strings.ToLower(s) == s && strings.ToUpper(s) != s, nil
	case "isupper0":
		return strings.ToUpper(s) == s && strings.ToLower(s) != s, nil
	case "partition1", "rpartition1":
		if t[0] == "" {
			return nil, errArguments
		}
		at := strings.Index(s, t[0])
		if last {
			at = strings.LastIndex(s, t[0])
		}
		switch {
		case at >= 0:
			return tuple{s[:at], t[0], s[at+len(t[0]):]}, nil
		case last:
			return tuple{"", "", s}, nil
		}
		return tuple{s, "", ""}, nil
	case "splitlines0":
		if s == "" {
			return list{}, nil
		}
		return listOf(strings.Split(strings.TrimSuffix(strings.ReplaceAll(s, "\r\n", "\n"), "\n"), "\n"), nil)
	}
	return nil, errors.New("ident does not know this method with these arguments; write the value instead")
}

// titled has a capital letter behind every character that is no letter.
func titled(s string) string {
	inside := false
	return strings.Map(func(r rune) rune {
		defer func() { inside = unicode.IsLetter(r) }()
		if inside {
			return unicode.ToLower(r)
		}
		return unicode.ToUpper(r)
	}, s)
}

// justified fills a text to a width.
func justified(s, name string, args []any) (any, error) {
	width, ok := integer(args[0])
	fill := " "
	if name == "zfill" {
		fill = "0"
	}
	if len(args) == 2 {
		fill, _ = args[1].(string)
	}
	if !ok || width > maxWord || len([]rune(fill)) != 1 {
		return nil, errArguments
	}
	more := max(0, int(width)-len([]rune(s)))
	switch name {
	case "zfill":
		sign := ""
		if s != "" && (s[0] == '-' || s[0] == '+') {
			sign, s = s[:1], s[1:]
		}
		return sign + strings.Repeat(fill, more) + s, nil
	case "rjust":
		return strings.Repeat(fill, more) + s, nil
	case "ljust":
		return s + strings.Repeat(fill, more), nil
	}
	left := more/2 + more&int(width)&1 // Python's choice of the side with one more
	return strings.Repeat(fill, left) + s + strings.Repeat(fill, more-left), nil
}

// split is split or rsplit, at a text or at white space, at most so often as a second argument says.
func split(s, name string, args []any) ([]string, error) {
	most := int64(-1)
	if len(args) == 2 {
		var ok bool
		if most, ok = integer(args[1]); !ok {
			return nil, errArguments
		}
	}
	if len(args) == 0 || args[0] == nil {
		if most >= 0 {
			return nil, errArguments
		}
		return strings.Fields(s), nil
	}
	at, ok := args[0].(string)
	if !ok || at == "" {
		return nil, errArguments
	}
	parts := strings.Split(s, at)
	if most < 0 || int64(len(parts)) <= most+1 {
		return parts, nil
	}
	if name == "split" {
		return strings.SplitN(s, at, int(most)+1), nil
	}
	keep := len(parts) - int(most)
	return append([]string{strings.Join(parts[:keep], at)}, parts[keep:]...), nil
}

// listOf makes a list of texts.
func listOf(parts []string, err error) (any, error) {
	if len(parts) > maxItems {
		return nil, fmt.Errorf("a list of more than %d items", maxItems)
	}
	out := list{}
	for _, p := range parts {
		out = append(out, p)
	}
	return out, err
}

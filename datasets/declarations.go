package datasets

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// A DeclarationError reports a declaration of Options that cannot hold for a log: a key that no channel has, two
// declarations of one channel that differ, or a number that cannot be computed with.
type DeclarationError struct {
	Option string // units, scale or zero
	Key    string // as it was given
	Err    error  // names the channel
}

// Error returns the text of Err.
func (e *DeclarationError) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e *DeclarationError) Unwrap() error { return e.Err }

// declaration is what Options say of one channel; nil for nothing.
type declaration struct {
	unit        *string
	scale, zero *float64
}

// declarations returns the declarations of all channels. names are the channels' names, without and with a unit in brackets.
func (o *Options) declarations(names [][2]string, channels []Channel) ([]declaration, error) {
	units, err := declared("units", o.Units, names, channels)
	if err != nil {
		return nil, err
	}
	scales, err := declared("scale", o.Scale, names, channels)
	if err != nil {
		return nil, err
	}
	zeros, err := declared("zero", o.Zero, names, channels)
	if err != nil {
		return nil, err
	}
	for key, v := range o.Scale {
		if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, &DeclarationError{"scale", key, fmt.Errorf("the scale of %s is %g: a scale is a finite number other than 0", key, v)}
		}
	}
	for key, v := range o.Zero {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, &DeclarationError{"zero", key, fmt.Errorf("the zero of %s is %g: it must be finite", key, v)}
		}
	}
	out := make([]declaration, len(names))
	for i := range out {
		out[i] = declaration{units[i], scales[i], zeros[i]}
		if units[i] != nil && scales[i] != nil {
			return nil, &DeclarationError{"scale", channels[i].Name, fmt.Errorf("%s has a declared unit (%q) and a declared scale (%g): give one of them", channels[i].Name, *units[i], *scales[i])}
		}
	}
	return out, nil
}

// declared finds the value that keys give each channel, nil for none.
func declared[T comparable](option string, of map[string]T, names [][2]string, channels []Channel) ([]*T, error) {
	out := make([]*T, len(names))
	if len(of) == 0 {
		return out, nil
	}
	used := map[string]bool{}
	for i, both := range names {
		exact := false
		for _, name := range both {
			if v, ok := of[name]; ok {
				out[i], exact, used[name] = &v, true, true
				break
			}
		}
		first := ""
		for _, key := range sortedKeys(of) {
			if !matches(key, both[0]) && !matches(key, both[1]) {
				continue
			}
			used[key] = true
			if v := of[key]; exact || out[i] != nil && *out[i] == v {
				continue
			} else if out[i] != nil {
				return nil, &DeclarationError{option, key, fmt.Errorf("%s is declared as %v by %s and as %v by %s", both[0], *out[i], first, v, key)}
			} else {
				out[i], first = &v, key
			}
		}
	}
	for _, key := range sortedKeys(of) {
		if used[key] {
			continue
		}
		if strings.Contains(key, "*") {
			return nil, &DeclarationError{option, key, fmt.Errorf("%w: no channel matches the pattern %q", ErrNoChannel, key)}
		}
		return nil, &DeclarationError{option, key, fmt.Errorf("a %s is declared for it: %w", map[string]string{"units": "unit"}[option]+strings.TrimPrefix(option, "units"), noChannel(key, channels))}
	}
	return out, nil
}

// Like returns the channels that a key of [Options].Units names: a name, or a pattern in which * stands for any text.
func (l *Log) Like(key string) []Channel {
	var out []Channel
	for _, ch := range l.channels {
		if ch.Name == key || matches(key, ch.Name) {
			out = append(out, ch)
		}
	}
	return out
}

// matches reports whether a pattern with at least one * is that of a name.
func matches(pattern, name string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 || !strings.HasPrefix(name, parts[0]) {
		return false
	}
	name = name[len(parts[0]):]
	last := len(parts) - 1
	for _, p := range parts[1:last] {
		i := strings.Index(name, p)
		if i < 0 {
			return false
		}
		name = name[i+len(p):]
	}
	return strings.HasSuffix(name, parts[last])
}

// conversion returns the conversion of a channel, whose unit it sets.
func (d declaration) conversion(c *Channel) (conversion, error) {
	if d.unit != nil {
		c.Unit = *d.unit
	}
	if d.scale != nil {
		c.Unit = ""
	}
	out, err := conversionOf(c.Unit)
	if d.scale != nil {
		out.mul = *d.scale
	}
	if d.zero != nil {
		out.zero = *d.zero
	}
	return out, err
}

func sortedKeys[T any](m map[string]T) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

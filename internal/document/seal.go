package document

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// SealKey is the member that holds the seal of a document.
const SealKey = "seal"

// sealPrefix begins a seal and names its hash.
const sealPrefix = "sha256:"

// ErrBroken is wrapped by the errors about documents that were changed since they were sealed.
var ErrBroken = errors.New("the seal is broken: the document was changed after ident wrote it")

// SealOf returns the seal of a document.
func SealOf(text []byte) (string, error) {
	form, err := Canonical(text)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(form)
	return sealPrefix + hex.EncodeToString(sum[:]), nil
}

// LostSeal reports whether a document without a seal is one that was written with it: it holds hashes of files, or names a version, above those
// that wrote no seals.
func LostSeal(text []byte) bool {
	var head struct {
		Version string                     `json:"version"`
		Files   map[string]json.RawMessage `json:"file_sha256"`
		Robot   string                     `json:"robot_file_sha256"`
	}
	if json.Unmarshal(text, &head) != nil {
		return false
	}
	return len(head.Files) > 0 || head.Robot != "" || later(head.Version, unsealedUntil)
}

// unsealedUntil is the last version whose documents have no seal.
const unsealedUntil = "0.4.0"

// later reports whether a version of three numbers is above another. What is none is not.
func later(a, b string) bool {
	var x, y [3]int
	if n, _ := fmt.Sscanf(a, "%d.%d.%d", &x[0], &x[1], &x[2]); n < 3 {
		return false
	}
	fmt.Sscanf(b, "%d.%d.%d", &y[0], &y[1], &y[2])
	return slices.Compare(x[:], y[:]) > 0
}

// CheckSeal reports whether a document has a seal. If it has one that is not its own, the error wraps ErrBroken.
func CheckSeal(text []byte) (sealed bool, err error) {
	var head map[string]json.RawMessage
	if err := json.Unmarshal(text, &head); err != nil {
		return false, err
	}
	raw, ok := head[SealKey]
	if !ok {
		return false, nil
	}
	var seal string
	if json.Unmarshal(raw, &seal) != nil {
		return true, ErrBroken
	}
	want, err := SealOf(text)
	if err != nil {
		return true, fmt.Errorf("%w: %w", ErrBroken, err)
	}
	if seal != want {
		return true, ErrBroken
	}
	return true, nil
}

// Canonical returns the canonical form of a JSON document without its seal.
func Canonical(text []byte) ([]byte, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	v, err := readValue(d)
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("text follows the document")
	}
	if members, ok := v.(map[string]any); ok {
		delete(members, SealKey)
	}
	return appendValue(nil, v)
}

// readValue reads a value. A member that an object has twice is an error: readers disagree which of them counts.
func readValue(d *json.Decoder) (any, error) {
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	delim, nested := t.(json.Delim)
	if !nested {
		return t, nil
	}
	if delim == '[' {
		list := []any{}
		for d.More() {
			v, err := readValue(d)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err := d.Token()
		return list, err
	}
	members := map[string]any{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		name := key.(string) // Token returns the names of members as strings
		if _, twice := members[name]; twice {
			return nil, fmt.Errorf("the member %q occurs twice", name)
		}
		if members[name], err = readValue(d); err != nil {
			return nil, err
		}
	}
	_, err = d.Token()
	return members, err
}

func appendValue(dst []byte, v any) ([]byte, error) {
	switch v := v.(type) {
	case json.Number:
		return appendNumber(dst, v.String()), nil
	case []any:
		dst = append(dst, '[')
		for i, e := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			var err error
			if dst, err = appendValue(dst, e); err != nil {
				return nil, err
			}
		}
		return append(dst, ']'), nil
	case map[string]any:
		dst = append(dst, '{')
		for i, name := range slices.Sorted(maps.Keys(v)) {
			if i > 0 {
				dst = append(dst, ',')
			}
			var err error
			if dst, err = appendValue(dst, name); err != nil {
				return nil, err
			}
			if dst, err = appendValue(append(dst, ':'), v[name]); err != nil {
				return nil, err
			}
		}
		return append(dst, '}'), nil
	}
	text, err := json.Marshal(v) // texts, true, false and null
	return append(dst, text...), err
}

// appendNumber appends the shortest text that reads back to the same value: 1.50, 1.5e0 and 15e-1 are one number. Whole numbers
// have no exponent below 1e21, as encoding/json writes them. An integer that no float holds, such as a seed of 19 digits, and a
// number beyond all floats keep their text.
func appendNumber(dst []byte, text string) []byte {
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return append(dst, text...)
	}
	var short []byte
	switch {
	case f == 0: // also -0, which some writers drop
		short = []byte("0")
	case f == math.Trunc(f) && math.Abs(f) < 1e21:
		short = strconv.AppendFloat(nil, f, 'f', -1, 64)
	default:
		short = strconv.AppendFloat(nil, f, 'g', -1, 64)
	}
	if whole := strings.Trim(text, "-0123456789") == ""; whole && f != 0 && len(text) < 21 {
		return append(dst, text...)
	}
	return append(dst, short...)
}

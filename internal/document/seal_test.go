package document

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// sealed returns a document with its seal.
func sealed(t interface{ Fatal(...any) }, members map[string]any) []byte {
	text, err := json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	if members[SealKey], err = SealOf(text); err != nil {
		t.Fatal(err)
	}
	text, err = json.Marshal(members)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestSealHolds(t *testing.T) {
	text := sealed(t, map[string]any{"schema": "ident.x/1", "a": []float64{1.5, -0.25, 1e-300}, "name": "Ä<&\u2028\"\\", "seed": uint64(math.MaxUint64), "none": nil, "on": true})
	var indented bytes.Buffer
	if err := json.Indent(&indented, text, "\t", "   "); err != nil {
		t.Fatal(err)
	}
	for name, same := range map[string]string{
		"as written":          string(text),
		"indented":            indented.String(),
		"line ends":           strings.ReplaceAll(indented.String(), "\n", "\r\n"),
		"longer number":       strings.Replace(string(text), "1.5", "15.00e-1", 1),
		"escaped text":        strings.Replace(string(text), "schema", `\u0073chema`, 1),
		"blanks at both ends": "\n\n " + string(text) + " \r\n",
	} {
		if ok, err := CheckSeal([]byte(same)); !ok || err != nil {
			t.Errorf("%s: %v, %v", name, ok, err)
		}
	}
	for name, other := range map[string]string{
		"number":           strings.Replace(string(text), "1.5", "1.5000000000000002", 1),
		"sign":             strings.Replace(string(text), "-0.25", "0.25", 1),
		"name":             strings.Replace(string(text), `"a"`, `"A"`, 1),
		"text":             strings.Replace(string(text), "ident.x", "ident.y", 1),
		"seed":             strings.Replace(string(text), "18446744073709551615", "18446744073709551614", 1),
		"another member":   strings.Replace(string(text), `"a":`, `"b":1,"a":`, 1),
		"a member twice":   strings.Replace(string(text), `"a":`, `"a":[],"a":`, 1),
		"null":             strings.Replace(string(text), `null`, `false`, 1),
		"a seal of number": strings.Replace(string(text), `"sha256:`, `1,"x":"`, 1),
	} {
		if other == string(text) {
			t.Fatalf("%s: nothing changed", name)
		}
		if _, err := CheckSeal([]byte(other)); !errors.Is(err, ErrBroken) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if ok, err := CheckSeal([]byte(`{"schema": "ident.x/1"}`)); ok || err != nil {
		t.Errorf("no seal: %v, %v", ok, err)
	}
}

// Members in another order and numbers in another notation keep the seal; a bit flipped anywhere breaks it, or the document, unless
// the value is the same.
func TestSealProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		members := map[string]any{}
		for i := range rapid.IntRange(1, 8).Draw(t, "members") {
			members[fmt.Sprint("m", i)] = []any{rapid.Float64Range(-1e300, 1e300).Draw(t, "number"), rapid.String().Draw(t, "text"), rapid.Int64().Draw(t, "int")}
		}
		text := sealed(t, members)
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		var other strings.Builder
		other.WriteString("{")
		names := make([]string, 0, len(members))
		for name := range members {
			names = append(names, name)
		}
		rng.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		for i, name := range names {
			value, err := json.Marshal(members[name])
			if err != nil {
				t.Fatal(err)
			}
			if list, ok := members[name].([]any); ok {
				x := list[0].(float64)
				value = []byte(strings.Replace(string(value), string(value[:bytes.IndexByte(value, ',')]), fmt.Sprintf("[%.20e", x), 1))
			}
			if i > 0 {
				other.WriteString(" ,\n")
			}
			fmt.Fprintf(&other, "%q :%s", name, value)
		}
		other.WriteString("}")
		if ok, err := CheckSeal([]byte(other.String())); !ok || err != nil {
			t.Fatalf("another order: %v, %v\n%s\n%s", ok, err, text, other.String())
		}
		flipped := bytes.Clone(text)
		flipped[rng.IntN(len(flipped))] ^= 1 << rng.IntN(8)
		var before, after any
		if json.Unmarshal(text, &before) != nil || json.Unmarshal(flipped, &after) != nil {
			return
		}
		a, _ := json.Marshal(before)
		b, _ := json.Marshal(after)
		if ok, err := CheckSeal(flipped); ok && err == nil && !bytes.Equal(a, b) {
			t.Fatalf("a flip is not seen:\n%s\n%s", text, flipped)
		}
	})
}

// Any text is read, checked and put into canonical form without a panic; the canonical form is its own.
func FuzzCanonical(f *testing.F) {
	for _, s := range []string{`{"a":[1,2.50,-0,1e400],"seal":"x"}`, `[`, `{"a":1,"a":2}`, `null`, `"\ud800"`, `{"seal":1}`, `1 2`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		_, _ = CheckSeal(text)
		form, err := Canonical(text)
		if err != nil {
			return
		}
		again, err := Canonical(form)
		if err != nil || !bytes.Equal(form, again) {
			t.Fatalf("%q is %q, then %q (%v)", text, form, again, err)
		}
	})
}

func TestLostSeal(t *testing.T) {
	for text, want := range map[string]bool{
		`{}`: false, `[]`: false, `{"version": "0.4.0"}`: false, `{"version": "0.3.9"}`: false, `{"version": "dev"}`: false, `{"version": 5}`: false,
		`{"version": "0.4.1"}`: true, `{"version": "1.0.0-rc1"}`: true, `{"version": "0.4.0", "file_sha256": {"robot.urdf": "x"}}`: true, `{"file_sha256": {}}`: false, `{"robot_file_sha256": "x"}`: true,
	} {
		if LostSeal([]byte(text)) != want {
			t.Errorf("%s: %v", text, !want)
		}
	}
}

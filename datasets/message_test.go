package datasets

import (
	"encoding/json"
	"errors"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestJSONMessages draws states of joints in both forms of JSON and reads them.
func TestJSONMessages(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 5).Draw(t, "joints")
		names := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z_]{1,8}`), n, n, rapid.ID[string]).Draw(t, "names")
		position := rapid.SliceOfN(rapid.Float64Range(-1e3, 1e3), n, n).Draw(t, "position")
		effort := rapid.SliceOfN(rapid.Float64Range(-1e3, 1e3), n, n).Draw(t, "effort")
		sec, nsec := rapid.Int64Range(0, 2e9).Draw(t, "sec"), rapid.Int64Range(0, 999_999_999).Draw(t, "nsec")
		var message map[string]any
		if rapid.Bool().Draw(t, "lists") {
			message = map[string]any{"header": map[string]any{"stamp": map[string]any{"sec": sec, "nanosec": nsec}}, "name": names, "position": position, "velocity": []float64{}, "effort": effort}
		} else {
			var joints []any
			for i, name := range names {
				joints = append(joints, map[string]any{"name": name, "position": position[i], "effort": effort[i]})
			}
			message = map[string]any{"timestamp": map[string]any{"sec": sec, "nsec": nsec}, "joints": joints}
		}
		b, err := json.Marshal(message)
		if err != nil {
			t.Fatal(err)
		}
		var j jointState
		if err := j.decodeJSON(b); err != nil {
			t.Fatalf("%v of %s", err, b)
		}
		got := make([]float64, n)
		if k, err := j.joints(); err != nil || k != n || j.stamp != sec*1e9+nsec || j.values[1] != nil {
			t.Fatalf("%d joints at %d: %v of %s", k, j.stamp, err, b)
		}
		for field, want := range map[int][]float64{0: position, 2: effort} {
			if j.number.decode(got, j.values[field], 8); !slices.Equal(got, want) {
				t.Fatalf("%v, want %v of %s", got, want, b)
			}
		}
	})
}

// TestProtobufImpliesZeros holds that a number of proto3 that is absent is 0, and one of several or an optional one is none.
func TestProtobufImpliesZeros(t *testing.T) {
	field := func(number byte, b []byte) []byte { return append([]byte{number<<3 | protoLength, byte(len(b))}, b...) }
	one := func(name string, number, kind, label byte, more ...byte) []byte {
		return field(2, append(append(field(1, []byte(name)), 3<<3, number, 4<<3, label, 5<<3, kind), more...))
	}
	joint := field(4, slices.Concat(field(1, []byte("JointState")), one("name", 1, protoString, 1), one("position", 2, 1, 1), one("effort", 3, 1, 1, 9<<3, 0)))
	states := field(4, slices.Concat(field(1, []byte("JointStates")), one("joints", 1, protoMessage, 3, field(6, []byte(".x.JointState"))...)))
	kinds, err := readProtoKinds(field(1, slices.Concat(field(2, []byte("x")), joint, states, field(12, []byte("proto3")))))
	if err != nil || len(kinds) != 2 {
		t.Fatalf("%v, %v", kinds, err)
	}
	var j jointState
	if err := j.decodeProtobuf(field(1, field(1, []byte("elbow"))), "x.JointStates", kinds); err != nil {
		t.Fatal(err)
	}
	var v [1]float64
	if j.number.decode(v[:], j.values[0], 8); v[0] != 0 || j.values[2] != nil || string(j.names[0]) != "elbow" {
		t.Errorf("%v, %q, effort %v", v, j.names, j.values[2])
	}
	if err := j.decodeProtobuf(nil, "x.Other", kinds); !errors.Is(err, ErrFormat) {
		t.Errorf("%v", err)
	}
}

// FuzzMessages reads bytes as messages with names and as their descriptions, and numbers in groups as numbers, without a panic.
func FuzzMessages(f *testing.F) {
	for _, c := range []string{"mcap/foxglove_protobuf.mcap", "mcap/foxglove_json.mcap"} {
		f.Add([]byte(c), []byte(`{"joints":[{"name":"a","position":1}]}`))
	}
	f.Add([]byte("\x0a\x05\x12\x01x\x22\x00"), []byte("\x0a\x03\x0a\x01a"))
	f.Fuzz(func(t *testing.T, description, message []byte) {
		var j jointState
		j.decodeJSON(message)
		j.joints()
		j.decodeArray(message, true, false)
		j.decodeArray(message, false, true)
		if v, ok := slowNumber(message, ','); ok && len(message) > 0 && len(message) < 16 {
			if w, same := slowNumber(append([]byte(" "), message...), ','); !same || w != v && !math.IsNaN(v) {
				t.Errorf("%q is %v and %v", message, v, w)
			}
		}
		kinds, err := readProtoKinds(description)
		if err != nil {
			return
		}
		for kind := range kinds {
			j.decodeProtobuf(message, kind, kinds)
			j.joints()
		}
	})
}

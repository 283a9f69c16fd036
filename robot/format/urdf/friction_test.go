package urdf_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"ident/robot"
	"ident/robot/format"
	"ident/robot/format/urdf"
)

const arm = "<?xml version='1.0' encoding='ISO-8859-1'?>\r\n<robot name='caf\xe9'>\r\n  <link name='base'/>\r\n  <link name='a'/>\r\n  <link name='b'/>\r\n  <link name='c'/>\r\n" +
	"  <joint name='one' type='revolute'>\r\n    <parent link='base'/><child link='a'/>\r\n    <dynamics friction = '1.50' /><!-- kept -->\r\n  </joint>\r\n" +
	"  <joint name='two' type='prismatic'>\r\n    <parent link='a'/><child link='b'/>\r\n  </joint>\r\n" +
	"  <joint name='three' type='continuous'><parent link='b'/><child link='c'/></joint>\r\n</robot>\r\n"

func TestReplaceFriction(t *testing.T) {
	want := map[string]robot.Joint{"one": {Fv: 0.1, Fs: 1.5}, "two": {Fs: math.Pi}, "three": {}}
	out, err := urdf.ReplaceFriction([]byte(arm), want)
	if err != nil {
		t.Fatal(err)
	}
	r, err := format.Read(out, "urdf", "", robot.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range r.Links {
		if w := want[l.Joint.Name]; l.Joint.Fv != w.Fv || l.Joint.Fs != w.Fs {
			t.Errorf("%s: %g and %g, want %g and %g", l.Joint.Name, l.Joint.Fv, l.Joint.Fs, w.Fv, w.Fs)
		}
	}
	// The number that was there keeps its digits, and nothing else changes.
	plain := strings.Replace(string(out), "damping=\"0.10000000000000001\"", "", 1)
	plain = strings.Replace(plain, "\r\n    <dynamics damping=\"0\" friction=\"3.1415926535897931\"/>", "", 1)
	if plain != arm {
		t.Errorf("%q", plain)
	}
	if same, err := urdf.ReplaceFriction([]byte(arm), nil); err != nil || string(same) != arm {
		t.Errorf("no joints, other bytes: %v", err)
	}
	var fe *robot.FileError
	if _, err := urdf.ReplaceFriction([]byte(arm), map[string]robot.Joint{"four": {}}); !errors.As(err, &fe) || !strings.Contains(err.Error(), `"four"`) {
		t.Error(err)
	}
	if _, err := urdf.ReplaceFriction([]byte(strings.Replace(arm, "'two'", "'one'", 1)), map[string]robot.Joint{"one": {}}); !errors.As(err, &fe) || fe.Line != 11 {
		t.Error(err)
	}
	if _, err := urdf.ReplaceFriction([]byte(arm), map[string]robot.Joint{"one": {Fs: math.NaN()}}); !errors.Is(err, robot.ErrNotWritable) {
		t.Error(err)
	}
}

func ExampleReplaceFriction() {
	text := `<robot name="arm"><link name="base"/><link name="a"/><joint name="j" type="continuous"><parent link="base"/><child link="a"/></joint></robot>`
	out, err := urdf.ReplaceFriction([]byte(text), map[string]robot.Joint{"j": {Fv: 2, Fs: 0.5}})
	fmt.Println(string(out), err)
	// Output: <robot name="arm"><link name="base"/><link name="a"/><joint name="j" type="continuous"><dynamics damping="2" friction="0.5"/><parent link="base"/><child link="a"/></joint></robot> <nil>
}

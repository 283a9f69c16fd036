// Package mjcf reads and writes robots as MuJoCo's XML, and puts identified parameters into a user's own file of that format.
//
// Bodies keep the user's frames, so that the coordinates of a joint are those of MuJoCo's qpos, and armature, damping and frictionloss
// are Ia, Fv and Fs. The torques of the equations of motion are those of mj_inverse without constraints; a test asks MuJoCo itself.
package mjcf

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
	"strconv"

	"ident/robot"
)

func notWritable(where, format string, args ...any) error {
	return fmt.Errorf("%s: %s: %w", where, fmt.Sprintf(format, args...), robot.ErrNotWritable)
}

func fault(line int, format string, args ...any) error {
	return &robot.FileError{Line: line, Text: fmt.Sprintf(format, args...)}
}

// number has all digits, without the sign of a zero.
func number(v float64) string { return strconv.FormatFloat(v+0, 'g', -1, 64) }

func spaced(v [3]float64) string { return number(v[0]) + " " + number(v[1]) + " " + number(v[2]) }

// quoted returns the value of an attribute.
func quoted(s string) string {
	var b bytes.Buffer
	b.WriteByte('"')
	_ = xml.EscapeText(&b, []byte(s)) // memory does not fail
	b.WriteByte('"')
	return b.String()
}

// numbers returns the element of parameters about the origin of the body's frame.
func numbers(name string, p robot.Inertial) (string, error) {
	centre, ok := p.CentreOfMass()
	if !ok && p != (robot.Inertial{}) {
		return "", notWritable(fmt.Sprintf("link %q", name), "its mass is zero but its moments are not, and MuJoCo gives moments about the mass centre")
	}
	j, _ := p.Central()
	for _, row := range j {
		for _, v := range row {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return "", notWritable(fmt.Sprintf("link %q", name), "its inertial is not finite")
			}
		}
	}
	return fmt.Sprintf("<inertial pos=%q mass=%q fullinertia=\"%s %s %s %s %s %s\"/>", spaced(centre), number(p.Mass()),
		number(j[0][0]), number(j[1][1]), number(j[2][2]), number(j[0][1]), number(j[0][2]), number(j[1][2])), nil
}

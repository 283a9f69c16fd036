package datasets

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Messages of JSON and of Protocol Buffers name their fields. Those of joint states have a list of joints, each with its name and
// values (foxglove.JointStates), or a list of names beside lists of values (sensor_msgs/JointState); either with a stamp.

// namedKind reports whether messages whose fields have names hold the states of joints.
func namedKind(kind string) bool {
	base := kind[strings.LastIndexAny(kind, "/.:")+1:]
	return base == "JointState" || base == "JointStates"
}

// leaves collects the fields of a message by their paths.
type leaves struct {
	names     []string
	values    [3][]float64 // position, velocity, effort
	sec, nsec float64
	stamp     int64 // of a stamp that is one number or a text
}

// leafFields returns the names of the lists of leaves.values, in singular.
func leafFields() [3][]string {
	return [3][]string{{"position", "q"}, {"velocity", "dq", "qd"}, {"effort", "torque", "tau"}}
}

func (l *leaves) reset() {
	l.names = l.names[:0]
	for i := range l.values {
		l.values[i] = l.values[i][:0]
	}
	l.sec, l.nsec, l.stamp = 0, 0, 0
}

// fieldOf returns the field and the joint of a path: joints[2].position or position[2].
func fieldOf(path []byte) (field string, joint int, ok bool) {
	at := bytes.IndexByte(path, '[')
	if at < 0 {
		return "", 0, false
	}
	n, rest, number := upTo(path[at+1:], 5)
	if !number || len(rest) == 0 || rest[0] != ']' {
		return "", 0, false
	}
	if rest = rest[1:]; len(rest) == 0 {
		return strings.TrimSuffix(lastOf(string(path[:at])), "s"), int(n), true
	}
	return string(bytes.TrimPrefix(rest, []byte("."))), int(n), rest[0] == '.'
}

// lastOf returns the last element of a path with points.
func lastOf(path string) string { return path[strings.LastIndexByte(path, '.')+1:] }

const mostLeaves = 4096 // joints of a message

func (l *leaves) number(path []byte, v float64) error {
	field, joint, ok := fieldOf(path)
	if !ok {
		l.time(string(path), v)
		return nil
	}
	for i, names := range leafFields() {
		if !slices.Contains(names, field) {
			continue
		}
		if joint >= mostLeaves {
			return fmt.Errorf("%w: %d joints", ErrDamaged, joint+1)
		}
		for len(l.values[i]) <= joint {
			l.values[i] = append(l.values[i], math.NaN())
		}
		l.values[i][joint] = v
	}
	return nil
}

// time takes a part of the stamp.
func (l *leaves) time(path string, v float64) {
	parent, last := "", lastOf(path)
	if len(last) < len(path) {
		parent = lastOf(path[:len(path)-len(last)-1])
	}
	switch {
	case !isTime(parent) && !isTime(last):
	case slices.Contains([]string{"sec", "secs", "seconds"}, last) && isTime(parent):
		l.sec = v
	case slices.Contains([]string{"nsec", "nsecs", "nanosec", "nanos", "nanoseconds"}, last):
		l.nsec = v
	case isTime(last): // by its size the unit of a time since 1970; less is seconds
		unit := 1e9
		for _, u := range []float64{1e11, 1e14, 1e17} {
			if v >= u {
				unit /= 1e3
			}
		}
		l.stamp = int64(v * unit)
	}
}

func (l *leaves) text(path, s []byte) error {
	field, joint, ok := fieldOf(path)
	switch {
	case ok && field == "name":
		if joint != len(l.names) || joint >= mostLeaves {
			return fmt.Errorf("%w: the name of joint %d comes after the name of joint %d", ErrDamaged, joint+1, len(l.names))
		}
		l.names = append(l.names, string(s))
		return nil
	case !ok && isTime(lastOf(string(path))):
		if ns, is := timeStamp(s); is {
			l.stamp = ns
			return nil
		}
		if ns, err := strconv.ParseInt(string(s), 10, 64); err == nil && ns > 1e17 {
			l.stamp = ns
			return nil
		}
	}
	if v, is := slowNumber(s, '.'); is && len(s) > 0 {
		return l.number(path, v)
	}
	return nil
}

// message makes the message that decode makes of the bytes of ROS.
func (l *leaves) message(j *jointState) error {
	if j.stamp = l.stamp; l.sec != 0 || l.nsec != 0 {
		if math.Abs(l.sec) > mostSeconds || math.Abs(l.nsec) > 1e12 {
			return fmt.Errorf("%w: a stamp of %g s", ErrDamaged, l.sec)
		}
		j.stamp = int64(l.sec)*1e9 + int64((l.sec-math.Trunc(l.sec))*1e9) + int64(l.nsec)
	}
	j.names = j.names[:0]
	for _, name := range l.names {
		j.names = append(j.names, []byte(name))
	}
	most := len(l.names)
	for _, v := range l.values {
		most = max(most, len(v))
	}
	j.values = [4][]byte{}
	for i, list := range l.values {
		if len(list) == 0 {
			continue
		}
		b := make([]byte, 0, 8*most)
		for k := range most {
			v := math.NaN()
			if k < len(list) {
				v = list[k]
			}
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		}
		j.values[i] = b
	}
	j.number = numberType{kind: 'f', size: 8}
	return nil
}

// decodeJSON reads a message of JSON.
func (j *jointState) decodeJSON(b []byte) error {
	j.leaves.reset()
	s := jsonScanner{b: b, number: j.leaves.number, text: j.leaves.text}
	if err := s.value(0); err != nil {
		return err
	}
	return j.leaves.message(j)
}

// decodeProtobuf reads a message of Protocol Buffers of a kind.
func (j *jointState) decodeProtobuf(b []byte, kind string, kinds protoKinds) error {
	j.leaves.reset()
	d := protoDecoder{kinds: kinds, number: j.leaves.number, text: j.leaves.text}
	if err := d.message(b, kind, 0); err != nil {
		return err
	}
	return j.leaves.message(j)
}

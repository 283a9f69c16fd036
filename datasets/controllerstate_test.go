package datasets

import (
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"
)

// row1 is a point of two joints: positions, velocities, no accelerations, efforts.
func row1(x float64) [4][]float64 {
	return [4][]float64{{x, x + 0.5}, {10 * x, 10*x + 5}, nil, {100 * x, 100*x + 50}}
}

// controllerCDR writes a message of a trajectory controller as little-endian CDR: header, names, points with durations, aligned by hand.
func controllerCDR(stamp int64, names []string, points [][4][]float64) []byte {
	le := binary.LittleEndian
	b := []byte{0, 1, 0, 0}
	pad := func(size int) {
		for (len(b)-4)%size != 0 {
			b = append(b, 0)
		}
	}
	number := func(v uint32) { pad(4); b = le.AppendUint32(b, v) }
	text := func(s string) { number(uint32(len(s) + 1)); b = append(append(b, s...), 0) }
	number(uint32(stamp / 1e9))
	number(uint32(stamp % 1e9))
	text("base")
	number(uint32(len(names)))
	for _, n := range names {
		text(n)
	}
	for _, p := range points {
		for _, list := range p {
			number(uint32(len(list)))
			for _, v := range list {
				pad(8)
				b = le.AppendUint64(b, math.Float64bits(v))
			}
		}
		number(1) // duration
		number(2)
	}
	return b
}

// States of trajectory controllers have positions, velocities, efforts and commands: of ROS 2 before and since the output, and of ROS 1.
func TestControllerStates(t *testing.T) {
	names := []string{"elbow", "wrist"}
	three := [][4][]float64{row1(1), row1(2), row1(-1)}
	bare := slices.Clone(three)
	bare[1][3] = nil // measured effort
	bare[1][1] = nil
	ros1 := func(points [][4][]float64) []byte {
		b := ros1Of(5e9, "base", names, [3][]float64{})
		b = b[:len(b)-12] // the empty lists of a joint state
		for _, p := range points {
			for _, list := range p {
				b = binary.LittleEndian.AppendUint32(b, uint32(len(list)))
				for _, v := range list {
					b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
				}
			}
			b = append(b, make([]byte, 8)...)
		}
		return b
	}
	for _, c := range []struct {
		name   string
		data   []byte
		cdr    bool
		effort float64 // of the wrist; NaN for none
	}{
		{"ROS 2 before Humble", controllerCDR(5e9, names, three), true, 250},
		{"Humble, with an output", controllerCDR(5e9, names, append(slices.Clone(three), row1(7))), true, 750},
		{"Humble, with an empty output", controllerCDR(5e9, names, append(slices.Clone(three), [4][]float64{})), true, 250},
		{"Jazzy, with lists of other joints behind", append(controllerCDR(5e9, names, append(slices.Clone(three), row1(7))), make([]byte, 64)...), true, 750},
		{"ROS 1", ros1(three), false, 250},
		{"positions alone", controllerCDR(5e9, names, bare), true, math.NaN()},
	} {
		var j jointState
		if err := j.decode(c.data, c.cdr, true); err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if n, err := j.joints(); n != 2 || err != nil || j.stamp != 5e9 || string(j.names[1]) != "wrist" {
			t.Errorf("%s: %d joints %q, %v", c.name, n, j.names, err)
		}
		value := func(field int) float64 {
			if len(j.values[field]) == 0 {
				return math.NaN()
			}
			return math.Float64frombits(binary.LittleEndian.Uint64(j.values[field][8:]))
		}
		if q, tau, ref := value(0), value(2), value(commandField); q != 2.5 || ref != 1.5 || tau != c.effort && !(math.IsNaN(tau) && math.IsNaN(c.effort)) {
			t.Errorf("%s: q %g, tau %g, command %g", c.name, q, tau, ref)
		}
		for cut := range len(c.data) / 2 { // the first half: it ends within the first two points
			if err := j.decode(c.data[:cut], c.cdr, true); err == nil {
				t.Errorf("%s: %d bytes of %d are a message", c.name, cut, len(c.data))
			}
		}
	}
	var msgs []testMessage
	for k := range int64(20) {
		msgs = append(msgs, testMessage{topic: "/controller/state", stamp: k * 10 * ms, raw: controllerCDR(k*10*ms, names, append(slices.Clone(three), row1(float64(k))))})
	}
	l, err := Open(writeFile(t, "x.mcap", recordingOf(msgs)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(l.Names(), " "); got != "t q_elbow q_wrist dq_elbow dq_wrist tau_elbow tau_wrist q_ref_elbow q_ref_wrist" {
		t.Error(got)
	}
	roles, _, err := MapChannels(l, names, nil)
	if err != nil || roles.Q[0] != "q_elbow" || roles.Tau[1] != "tau_wrist" {
		t.Error(roles, err)
	}
	// Beside joint states they are left aside.
	both := append(every("/arm", 0, 10*ms, 20, names, line(1, 2), nil), msgs...)
	if l, err = Open(writeFile(t, "y.mcap", recordingOf(both)), Options{}); err != nil || l.Has("q_ref_elbow") || len(l.Notes()) == 0 {
		t.Error(l, err)
	}
}

package datasets

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"ident/internal/hint"
)

// npzOf makes an archive of arrays of float64, each with its shape.
func npzOf(t *testing.T, arrays map[string][]float64, shapes map[string]string) *bytes.Reader {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range sortedKeys(arrays) {
		w, err := z.Create(name + ".npy")
		if err != nil {
			t.Fatal(err)
		}
		head := fmt.Sprintf("{'descr': '<f8', 'fortran_order': False, 'shape': %s, }", shapes[name])
		head += strings.Repeat(" ", 63-(10+len(head))%64) + "\n"
		w.Write([]byte("\x93NUMPY\x01\x00"))
		binary.Write(w, binary.LittleEndian, uint16(len(head)))
		w.Write([]byte(head))
		binary.Write(w, binary.LittleEndian, arrays[name])
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return bytes.NewReader(b.Bytes())
}

// TestRobotsOfAnArray reads one robot of several, with time first or the robots first, and proposes the rate that the velocities have.
func TestRobotsOfAnArray(t *testing.T) {
	const rows, robots, joints = 60, 3, 2
	position := func(k, e, j int) float64 { return math.Sin(0.1*float64(k)*float64(j+1)) + float64(e) }
	velocity := func(k, e, j int) float64 { return 50 * 0.1 * float64(j+1) * math.Cos(0.1*float64(k)*float64(j+1)) }
	fill := func(timeFirst bool, at func(k, e, j int) float64) []float64 {
		out := make([]float64, rows*robots*joints)
		for k := range rows {
			for e := range robots {
				for j := range joints {
					i := (k*robots+e)*joints + j
					if !timeFirst {
						i = (e*rows+k)*joints + j
					}
					out[i] = at(k, e, j)
				}
			}
		}
		return out
	}
	arrays := map[string][]float64{"dof_pos": fill(true, position), "dof_vel": fill(false, velocity), "dt": {0.02}, "tau": fill(true, position)[:rows*joints]}
	shapes := map[string]string{"dof_pos": "(60, 3, 2)", "dof_vel": "(3, 60, 2)", "dt": "()", "tau": "(60, 2)"}
	r := npzOf(t, arrays, shapes)
	for env := range robots {
		l, err := OpenReader(r, r.Size(), "log.npz", Options{Env: env})
		if err != nil {
			t.Fatal(err)
		}
		q, err := l.Column("dof_pos2")
		if err != nil || q[7] != position(7, env, 1) {
			t.Errorf("robot %d: %v, %v", env, q, err)
		}
		dq, err := l.Column("dof_vel1")
		if err != nil || dq[7] != velocity(7, env, 0) {
			t.Errorf("robot %d: %v, %v", env, dq, err)
		}
		_, _, err = MapChannels(l, []string{"a", "b"}, map[string]string{"q_*": "dof_pos*", "dq_*": "dof_vel*"})
		var h *hint.Error
		if !errors.Is(err, ErrNoClock) || !errors.As(err, &h) {
			t.Fatalf("%v", err)
		}
		if setting, value := h.Hint(); setting != "rate" || value != "50" {
			t.Errorf("%v", err)
		}
		l.Close()
	}
	if _, err := OpenReader(r, r.Size(), "log.npz", Options{Env: 3}); !errors.Is(err, ErrNoChannel) || !strings.Contains(err.Error(), "from 0 to 2") {
		t.Errorf("%v", err)
	}
}

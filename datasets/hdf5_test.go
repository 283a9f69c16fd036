package datasets

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// hdf5File returns the path of a file of testdata/hdf5.
func hdf5File(name string) string { return filepath.Join("testdata", "hdf5", name) }

// TestHDF5 reads the files of testdata/hdf5, whole and in part, in memory and by temporary files. also names the motion's channels
// that further channels equal.
func TestHDF5(t *testing.T) {
	motion := "dq1 dq2 q1 q2 t tau1 tau2"
	for _, c := range []struct {
		file     string
		channels string
		also     map[string]string
		meta     map[string]string
		notes    []string
		runs     int
	}{
		{"contiguous.h5", motion, nil, nil, nil, 1},
		{"gzip.h5", motion, nil, nil, nil, 1},
		{"shuffle.h5", motion, nil, nil, nil, 1},
		{"fletcher32.h5", motion, nil, nil, nil, 1},
		{"lzf.h5", motion, nil, nil, nil, 1},
		{"earliest.h5", motion, nil, nil, nil, 1},
		{"v108.h5", motion, nil, nil, nil, 1},
		{"v110.h5", motion, nil, nil, nil, 1},
		{"userblock.h5", motion, nil, nil, nil, 1},
		{"types.h5", "dq1 dq2 half k8 k16 k64 on pair.a pair.b q1 q2 t tau1 tau2 u32", map[string]string{"half": "q1", "k64": "k", "u32": "k"},
			map[string]string{"mode": "free", "fs": "100", "word": "fixed", "robot": "arm é", "rate": "100", "sim": "1"}, []string{"names: skipped"}, 1},
		{"grown.h5", "q1 q2 t tau1 tau2", nil, nil, nil, 1},
		{"aloha.hdf5", "action1 action2 effort1 effort2 qpos1 qpos2 qvel1 qvel2", map[string]string{"qpos1": "q1", "action2": "q2", "qvel2": "dq2", "effort1": "tau1"}, map[string]string{"sim": "0"},
			[]string{"cam_high: skipped: images are left out"}, 1},
		{"robomimic.hdf5", "actions1 actions2 robot0_joint_pos1 robot0_joint_pos2 robot0_joint_vel1 robot0_joint_vel2",
			map[string]string{"robot0_joint_pos1": "q1", "robot0_joint_vel2": "dq2", "actions1": "tau1"}, map[string]string{"data/total": "40"}, []string{"agentview_image: skipped: images"}, 3},
		{"libero.hdf5", "actions1 actions2 gripper_states1 gripper_states2 joint_states1 joint_states2", map[string]string{"joint_states1": "q1", "gripper_states2": "dq2", "actions2": "tau2"}, nil, nil, 2},
		{"droid.h5", "joint_position1 joint_position2 joint_positions1 joint_positions2 joint_torques_computed1 joint_torques_computed2 joint_velocities1 joint_velocities2 read_start",
			map[string]string{"joint_positions2": "q2", "joint_velocities1": "dq1", "joint_torques_computed2": "tau2"}, nil, nil, 1},
		{"matlab73.mat", "dq1 dq2 x on q1 q2 t tau1 tau2", map[string]string{"x": "q1"}, map[string]string{"mode": "free", "fs": "100"}, []string{"names: skipped: its elements are references"}, 1},
		{"extensible.h5", "t tau1 tau2", nil, nil, []string{"q: skipped: its chunks are in an extensible array"}, 1},
		{"version5.h5", "t tau1 tau2", nil, nil, []string{"q: skipped: its layout is of version 5"}, 1},
	} {
		t.Run(c.file, func(t *testing.T) {
			for _, opt := range []Options{{}, {MemoryLimit: -1, TempDir: t.TempDir()}} {
				l, err := Open(hdf5File(c.file), opt)
				if err != nil {
					t.Fatal(err)
				}
				defer l.Close()
				if got := strings.Join(l.Names(), " "); got != c.channels || l.Rows() != 40 {
					t.Fatalf("%d rows of %s", l.Rows(), got)
				}
				for _, first := range []int{0, 11} {
					part := l.Slice(first, 40)
					cols, err := part.Columns(l.Names()...)
					if err != nil {
						t.Fatal(err)
					}
					for i, name := range l.Names() {
						if other, ok := c.also[name]; ok {
							name = other
						}
						f, ok := foreignMotion(name)
						for k := 0; ok && k < len(cols[i]); k++ {
							want := f(float64(first + k))
							if c.file == "grown.h5" && strings.HasPrefix(name, "tau") && first+k >= 30 {
								want = math.NaN()
							}
							if got := cols[i][k]; !(math.Abs(got-want) <= 1e-15*math.Abs(want)) && !(math.IsNaN(got) && math.IsNaN(want)) { // milliseconds are rounded once
								t.Fatalf("%s of row %d is %v, not %v", l.Names()[i], first+k, got, want)
							}
						}
					}
				}
				meta := l.Meta()
				for key, want := range c.meta {
					if meta[key] != want {
						t.Errorf("metadata %s is %q, not %q", key, meta[key], want)
					}
				}
				var notes []string
				for _, n := range l.Notes() {
					notes = append(notes, n.String())
				}
				for _, want := range c.notes {
					if !strings.Contains(strings.Join(notes, "\n"), want) {
						t.Errorf("no note has %q: %q", want, notes)
					}
				}
				runs, err := l.Runs()
				if err != nil || len(runs) != c.runs {
					t.Errorf("%d runs, not %d: %v", len(runs), c.runs, err)
				}
			}
		})
	}
	if _, err := Open(hdf5File("dense.h5"), Options{}); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "fractal heap") {
		t.Errorf("links in a fractal heap: %v", err)
	}
}

// TestDamagedHDF5 reads each file of testdata/hdf5 cut short and with bytes changed: it is read, or refused by an error that says why,
// and nothing else.
func TestDamagedHDF5(t *testing.T) {
	files, err := filepath.Glob(hdf5File("*.h*5"))
	if err != nil || len(files) < 15 {
		t.Fatal(files, err)
	}
	for _, path := range append(files, hdf5File("matlab73.mat")) {
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 60 {
			b := append([]byte(nil), whole...)
			if at := len(b) * i / 60; i%2 == 0 {
				b = b[:at]
			} else {
				for k := range 3 { // spread over the part that describes the rest
					b[(at*7+k*131)%len(b)] ^= byte(1 << (i % 8))
				}
			}
			openDamaged(t, filepath.Ext(path), b)
		}
	}
}

// openDamaged reads all of a damaged file; an error must be one of those that a reader has.
func openDamaged(t *testing.T, ext string, b []byte) {
	t.Helper()
	l, err := Open(writeFile(t, "damaged"+ext, b), Options{})
	if err == nil {
		_, err = l.Columns(l.Names()...)
		err = errors.Join(err, l.Close())
	}
	if err != nil && !errors.Is(err, ErrFormat) && !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrTruncated) && !errors.Is(err, ErrDuplicate) && !errors.As(err, new(*DeclarationError)) {
		t.Errorf("%v", err)
	}
}

// FuzzHDF5 reads hostile files.
func FuzzHDF5(f *testing.F) {
	files, _ := filepath.Glob(hdf5File("*.h*5"))
	for _, path := range append(files, hdf5File("matlab73.mat")) {
		b, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) { openDamaged(t, ".h5", b) })
}

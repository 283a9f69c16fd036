package datasets

import (
	"encoding/binary"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// foreignMotion returns the function behind a channel of the files in testdata/foreign.
func foreignMotion(name string) (func(k float64) float64, bool) {
	f, ok := map[string]func(k float64) float64{
		"t":  func(k float64) float64 { return k * 0.01 },
		"q1": func(k float64) float64 { return k / 8 }, "q2": func(k float64) float64 { return -k / 4 },
		"dq1": func(k float64) float64 { return k / 16 }, "dq2": func(k float64) float64 { return k / 2 },
		"tau1": func(k float64) float64 { return 3 * k }, "tau2": func(k float64) float64 { return 7 - k/8 },
		"k": func(k float64) float64 { return k },
	}[name]
	return f, ok
}

// TestFilesOfOtherPrograms reads files written by other programs. also lists further channels and the
// motion's channels that they equal.
func TestFilesOfOtherPrograms(t *testing.T) {
	ros := map[string]string{"q_a": "q1", "q_b": "q2", "dq_a": "dq1", "dq_b": "dq2", "tau_a": "tau1", "tau_b": "tau2"}
	table := map[string]string{"n": "k", "big": "k"}
	for _, c := range []struct {
		file     string
		channels string
		also     map[string]string
		meta     map[string]string
		notes    []string
	}{
		{"ros1_none.bag", "t q_a q_b dq_a dq_b tau_a tau_b", ros, map[string]string{"ros.topics": "/arm/joint_states", "ros.start": "1700000000.000000000"}, nil},
		{"ros1_bz2.bag", "t q_a q_b dq_a dq_b tau_a tau_b", ros, nil, nil},
		{"ros1_lz4.bag", "t q_a q_b dq_a dq_b tau_a tau_b", ros, nil, nil},
		{"ros2_plain.mcap", "t q_a q_b dq_a dq_b tau_a tau_b", ros, map[string]string{"ros.start": "1700000000.000000000"}, nil},
		{"ros2_chunks.mcap", "t q_a q_b dq_a dq_b tau_a tau_b", ros, nil, nil},
		{"ros2_zstd.mcap", "t q_a q_b dq_a dq_b tau_a tau_b", ros, nil, nil},
		{"ros2_lz4.mcap", "t q_a q_b dq_a dq_b tau_a tau_b", ros, nil, nil},
		{"ros2.db3", "t q_a q_b dq_a dq_b tau_a tau_b", ros, nil, nil},
		{"numpy.npz", "t q1 q2 dq1 dq2 tau1 tau2 f4 i16 on h when", map[string]string{"f4": "q1", "i16": "k", "h": "q1", "when": "t"},
			map[string]string{"fs": "100", "mode": "free"}, []string{"words", "2 by 2 by 2"}},
		{"numpy_deflated.npz", "t q1 q2 dq1 dq2 tau1 tau2", nil, nil, nil},
		{"records.npy", "t q1 q2 n tau1 tau2", map[string]string{"n": "k"}, nil, nil},
		{"plain.npy", "column1 column2 column3", map[string]string{"column1": "t", "column2": "q1", "column3": "q2"}, nil, nil},
		{"scipy_v5.mat", "t q1 q2 dq1 dq2 tau1 tau2 i8 log.t log.x log.deep.y", map[string]string{"i8": "k", "log.t": "t", "log.x": "q1", "log.deep.y": "q2"},
			map[string]string{"fs": "100", "mode": "free"}, []string{"cells"}},
		{"scipy_v5_deflated.mat", "t q1 q2 dq1 dq2 tau1 tau2 f4", map[string]string{"f4": "q1"}, nil, nil},
		{"octave_v6.mat", "t q1 q2 dq1 dq2 tau1 tau2 i b s.t s.pos1 s.pos2", map[string]string{"i": "k", "s.t": "t", "s.pos1": "q1", "s.pos2": "q2"}, nil, nil},
		{"octave_v7.mat", "t q1 q2 dq1 dq2 tau1 tau2 i b s.t s.pos1 s.pos2", map[string]string{"i": "k", "s.t": "t", "s.pos1": "q1", "s.pos2": "q2"}, nil, nil},
		{"octave_hdf5.mat", "q1 q2 t", nil, nil, nil},
		{"pyarrow_checksums.parquet", "t q1 q2 tau1 n", map[string]string{"n": "k"}, nil, nil},
		{"pyarrow_checksums_v2.parquet", "t q1 q2 tau1 n", map[string]string{"n": "k"}, nil, nil},
		{"rust_zstd_bss.parquet", "t q1 q2 tau1 n big", table, nil, nil},
		{"rust_snappy_dict.parquet", "t q1 q2 tau1 n big", table, nil, nil},
		{"rust_lz4_delta.parquet", "t q1 q2 tau1 n big", table, nil, nil},
		{"rust_brotli.parquet", "t q1 q2 tau1 n big", table, nil, nil},
		{"rust_gzip.parquet", "t q1 q2 tau1 n big", table, nil, nil},
		{"hyparquet.parquet", "t q1 q2 n", table, nil, nil},
		{"js.arrow", "t q1 q2 tau1 n big", table, nil, nil},
		{"js.arrows", "t q1 q2 tau1 n big", table, nil, nil},
	} {
		t.Run(c.file, func(t *testing.T) {
			for _, opt := range []Options{{}, {MemoryLimit: -1, TempDir: t.TempDir()}} {
				l, err := Open(filepath.Join("testdata", "foreign", c.file), opt)
				if err != nil {
					t.Fatal(err)
				}
				if got := strings.Join(l.Names(), " "); got != c.channels || l.Rows() != 40 {
					t.Fatalf("%d rows of %s", l.Rows(), got)
				}
				for _, part := range []*Log{l, l.Slice(11, 33)} {
					cols, err := part.Columns(l.Names()...)
					if err != nil {
						t.Fatal(err)
					}
					for i, name := range l.Names() {
						if other, ok := c.also[name]; ok {
							name = other
						}
						f, ok := foreignMotion(name)
						for k, v := range cols[i] {
							row := k + part.first
							// The writers' k·0.01 rounds twice, a reader's nanoseconds once.
							if want := f0(f, row, ok); ok && !(math.Abs(v-want) <= 1e-16*math.Abs(want)) && (name != "t" || math.Abs(v-want) > 1e-15) && !(math.IsNaN(v) && c.file == "hyparquet.parquet" && name == "q2" && row%5 == 0) {
								t.Fatalf("%s row %d is %v, want %v", l.Names()[i], row, v, want)
							}
						}
					}
				}
				for k, v := range c.meta {
					if l.Meta()[k] != v {
						t.Errorf("metadata %s is %q, want %q", k, l.Meta()[k], v)
					}
				}
				if len(l.Notes()) != len(c.notes) {
					t.Errorf("notes %v", l.Notes())
				}
				for i, want := range c.notes {
					if !strings.Contains(l.Notes()[i].String(), want) {
						t.Errorf("note %q, want %q", l.Notes()[i], want)
					}
				}
				if err := errors.Join(l.Close(), l.Close()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for file, want := range map[string]string{"level4.mat": "-v7"} {
		if _, err := Open(filepath.Join("testdata", "foreign", file), Options{}); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", file, err)
		}
	}
}

func f0(f func(float64) float64, row int, ok bool) float64 {
	if !ok {
		return 0
	}
	return f(float64(row))
}

// TestMeasuredMAT compares the MATLAB file of a test bench with the text derived from it.
func TestMeasuredMAT(t *testing.T) {
	root := os.Getenv("IDENT_DATA")
	if root == "" {
		root = filepath.Join("..", "..", "shared")
	}
	dir := filepath.Join(root, "data", "emps")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("the measured logs are not there: set IDENT_DATA")
	}
	m, err := Open(filepath.Join(dir, "DATA_EMPS.mat"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if m.Rows() != 24841 || !slices.Equal(m.Names(), []string{"qg", "qm", "t", "vir"}) || m.Meta()["gtau"] != "35.15065188248547" {
		t.Errorf("%d rows of %v, %v", m.Rows(), m.Names(), m.Meta())
	}
	cols, err := m.Columns("t", "qm")
	if err != nil {
		t.Fatal(err)
	}
	if last := cols[0][24840]; math.Abs(last-24.84) > 1e-3 {
		t.Errorf("the last time is %v, the record is of 24.84 s", last)
	}
}

func TestFieldsOfOneStructureLoseItsName(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "foreign", "octave_v6.mat"))
	if err != nil {
		t.Fatal(err)
	}
	// Keep only the last variable of the file, which is the structure.
	le := binary.LittleEndian
	var last []byte
	for b := data[matHeader:]; len(b) > 0; {
		n := 8 + le.Uint32(b[4:])
		last, b = b[:n], b[n:]
	}
	l, err := Open(writeFile(t, "x.mat", append(data[:matHeader:matHeader], last...)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if !slices.Equal(l.Names(), []string{"t", "pos1", "pos2"}) || len(l.Notes()) != 1 {
		t.Errorf("%v, %v", l.Names(), l.Notes())
	}
}

package datasets

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"ident/internal/long"
)

// storage is one way to store a log; the suite below holds for all of them.
type storage struct {
	name string
	ext  string // "" stands for FromColumns
	opt  Options
}

func storages() []storage {
	return []storage{
		{"memory", "", Options{}},
		{"csv", ".csv", Options{}},
		{"csv.gz", ".csv.gz", Options{}},
		{"csv.zst", ".csv.zst", Options{}},
		{"tsv", ".tsv", Options{}},
		{"csv spooled", ".csv", Options{MemoryLimit: -1}},
		{"parquet", ".parquet", Options{}},
		{"arrow", ".arrow", Options{}},
		{"feather", ".feather", Options{}},
		{"arrow stream", ".arrows", Options{}},
		{"npz", ".npz", Options{}},
		{"mat", ".mat", Options{}},
		{"mcap", ".mcap", Options{}},
		{"mcap spooled", ".mcap", Options{MemoryLimit: -1}},
	}
}

// cleaner is testing.T or rapid.T.
type cleaner interface {
	Fatalf(format string, args ...any)
	Helper()
}

func (s storage) keep(t cleaner, dir string, channels []Channel, cols [][]float64, meta map[string]string) *Log {
	t.Helper()
	if s.ext == "" {
		return FromColumns("log", channels, cols, meta)
	}
	path := filepath.Join(dir, "log"+s.ext)
	err := Write(path, channels, meta, func(w *Writer) error {
		// In pieces, so that buffers of the encoders are cut at odd places.
		for at, piece := 0, 1; len(cols) > 0 && at < len(cols[0]); piece = piece*3 + 1 {
			n := min(piece, len(cols[0])-at)
			part := make([][]float64, len(cols))
			for i := range cols {
				part[i] = cols[i][at : at+n]
			}
			if err := w.Append(part); err != nil {
				return err
			}
			at += n
		}
		return nil
	})
	if err != nil {
		t.Fatalf("%s: %v", s.name, err)
	}
	l, err := Open(path, s.opt)
	if err != nil {
		t.Fatalf("%s: %v", s.name, err)
	}
	return l
}

func same(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || math.IsNaN(a) && math.IsNaN(b)
}

func wantColumns(t cleaner, what string, l *Log, names []string, want [][]float64) {
	t.Helper()
	got, err := l.Columns(names...)
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	for i := range want {
		if len(got[i]) != len(want[i]) {
			t.Fatalf("%s: %s has %d rows, want %d", what, names[i], len(got[i]), len(want[i]))
		}
		for k := range want[i] {
			if !same(got[i][k], want[i][k]) {
				t.Fatalf("%s: %s row %d is %v, want %v", what, names[i], k, got[i][k], want[i][k])
			}
		}
	}
}

func names(channels []Channel) []string {
	var out []string
	for _, c := range channels {
		out = append(out, c.Name)
	}
	return out
}

// sample makes rows of numbers of every size, deterministic and different from each other.
func sample(columns, rows int) ([]Channel, [][]float64) {
	channels := make([]Channel, columns)
	cols := make([][]float64, columns)
	for i := range cols {
		channels[i].Name = fmt.Sprintf("q%d", i)
		if i == 0 {
			channels[i] = Channel{Name: "t", Unit: "s"}
		}
		cols[i] = make([]float64, rows)
		for k := range cols[i] {
			cols[i][k] = math.Sin(float64(k)+0.1*float64(i)) * math.Pow(10, float64((k+i)%9-4))
		}
	}
	return channels, cols
}

func TestStorageKeepsEveryBit(t *testing.T) {
	odd := []float64{0, math.Copysign(0, -1), 1, -1, math.Pi, 1e306, -1e306, math.MaxFloat64, math.SmallestNonzeroFloat64,
		1e-310, 0.1, 1.0 / 3, 9007199254740993, 123456789.123456789, 1e15, 1e-5, 1e22, 1e23, math.Inf(1), math.Inf(-1), math.NaN()}
	for _, s := range storages() {
		t.Run(s.name, func(t *testing.T) {
			for _, shape := range [][2]int{{1, 0}, {3, 0}, {1, 1}, {4, 1}, {2, 7}, {700, 40}, {1, 20000}, {5, 9000}}[:long.Of(8, 5)] {
				channels, cols := sample(shape[0], shape[1])
				if shape[1] >= len(odd) {
					copy(cols[0][3:], odd)
				}
				meta := map[string]string{"robot": "two-link", "ident.robot": "<robot>\n  <link/>\n</robot>\n", "plain": "a: b", "empty": "", "ключ": " \"x\" "}
				l := s.keep(t, t.TempDir(), channels, cols, meta)
				if l.Rows() != shape[1] || !slices.Equal(names(l.Channels()), names(channels)) {
					t.Fatalf("%d rows of %v", l.Rows(), l.Channels())
				}
				if !maps.Equal(l.Meta(), meta) {
					t.Fatalf("metadata %q, want %q", l.Meta(), meta)
				}
				if l.Name() != "log" {
					t.Fatalf("name %q", l.Name())
				}
				wantColumns(t, s.name, l, names(channels), cols)
				if err := l.Close(); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func TestScanGivesFullBatchesInOrder(t *testing.T) {
	channels, cols := sample(3, 10000)
	for _, s := range storages() {
		t.Run(s.name, func(t *testing.T) {
			l := s.keep(t, t.TempDir(), channels, cols, nil)
			defer l.Close()
			for _, batch := range []int{1, 7, 4096, 9999, 10000, 20000} {
				if batch == 1 && s.ext != "" {
					continue // slow and the same code
				}
				next := 0
				err := l.Scan([]string{"q2", "t"}, batch, func(first int, b [][]float64) error {
					if first != next || len(b) != 2 || len(b[0]) != min(batch, 10000-first) {
						t.Fatalf("batch at %d, want %d: %d columns of %d rows", first, next, len(b), len(b[0]))
					}
					for k := range b[0] {
						if !same(b[0][k], cols[2][first+k]) || !same(b[1][k], cols[0][first+k]) {
							t.Fatalf("row %d differs", first+k)
						}
						b[0][k], b[1][k] = -1, -1 // the batch is ours to change
					}
					next += len(b[0])
					return nil
				})
				if err != nil || next != 10000 {
					t.Fatalf("batch %d: %d rows, %v", batch, next, err)
				}
			}
			stop := errors.New("enough")
			if err := l.Scan([]string{"t"}, 10, func(int, [][]float64) error { return stop }); !errors.Is(err, stop) {
				t.Errorf("fn's error: %v", err)
			}
			calls := 0
			if err := l.Scan([]string{"t"}, 10, func(int, [][]float64) error { calls++; return ErrStop }); err != nil || calls != 1 {
				t.Errorf("ErrStop: %d calls, %v", calls, err)
			}
			if err := l.Scan([]string{"tt"}, 10, nil); !errors.Is(err, ErrNoChannel) {
				t.Errorf("unknown channel: %v", err)
			}
		})
	}
}

func TestSlicesAreLogs(t *testing.T) {
	// Long enough for two row groups and two record batches.
	channels, cols := sample(2, 140_000)
	for i, s := range storages() {
		if i%long.Of(1, 6) != 0 {
			continue // every sixth format
		}
		t.Run(s.name, func(t *testing.T) {
			l := s.keep(t, t.TempDir(), channels, cols, nil)
			defer l.Close()
			for _, r := range [][2]int{{0, 0}, {0, 10}, {139_990, 140_000}, {65_000, 66_000}, {130_000, 132_000}, {131_072, 131_073}, {140_000, 140_000}} {
				part := l.Slice(r[0], r[1])
				wantColumns(t, s.name, part, []string{"t", "q1"}, [][]float64{cols[0][r[0]:r[1]], cols[1][r[0]:r[1]]})
			}
			part := l.Slice(60_000, 70_000).Slice(5_000, 6_000)
			wantColumns(t, s.name, part, []string{"q1"}, [][]float64{cols[1][65_000:66_000]})
			first := -1
			part.Scan([]string{"t"}, 100, func(at int, _ [][]float64) error { first = at; return ErrStop })
			if first != 0 {
				t.Errorf("a slice's rows begin at %d", first)
			}
		})
	}
}

func TestScansAtOnce(t *testing.T) {
	long.Only(t, "TestScanGivesFullBatchesInOrder has one scan")
	rows := long.Of(30000, 6000)
	channels, cols := sample(4, rows)
	for _, s := range storages() {
		l := s.keep(t, t.TempDir(), channels, cols, nil)
		var wg sync.WaitGroup
		errs := make([]error, 4)
		for g := range errs {
			wg.Go(func() {
				got, err := l.Slice(g*100, rows).Column(channels[g].Name)
				if err == nil && !slices.Equal(got, cols[g][g*100:]) {
					err = errors.New("values differ")
				}
				errs[g] = err
			})
		}
		wg.Wait()
		if err := errors.Join(append(errs, l.Close())...); err != nil {
			t.Errorf("%s: %v", s.name, err)
		}
	}
}

func TestAnyLogSurvives(t *testing.T) {
	dir := t.TempDir()
	for _, s := range storages() {
		t.Run(s.name, rapid.MakeCheck(func(t *rapid.T) {
			n := rapid.IntRange(1, 6).Draw(t, "columns")
			rows := rapid.IntRange(0, 40).Draw(t, "rows")
			channels := make([]Channel, n)
			cols := make([][]float64, n)
			word := rapid.StringMatching(`[a-zA-Z_#",;:. \[\]()é]{0,8}[a-z\])]`)
			for i := range cols {
				// The first is a clock already, so that no format moves another one to the front.
				channels[i].Name = fmt.Sprintf("t%d", i)
				if i > 0 {
					channels[i].Name = fmt.Sprintf("%d%s", i, word.Draw(t, "name"))
				}
				cols[i] = rapid.SliceOfN(rapid.Float64(), rows, rows).Draw(t, "values")
			}
			meta := rapid.MapOfN(rapid.String(), rapid.String(), 0, 3).Draw(t, "meta")
			l := s.keep(t, dir, channels, cols, meta)
			defer l.Close()
			if !slices.Equal(names(l.Channels()), names(channels)) || !maps.Equal(l.Meta(), meta) || l.Rows() != rows {
				t.Fatalf("%v of %v, want %v of %v", l.Channels(), l.Meta(), channels, meta)
			}
			wantColumns(t, s.name, l, names(channels), cols)
		}))
	}
}

func TestFailedWriteLeavesNothing(t *testing.T) {
	channels, cols := sample(2, 5000)
	for _, s := range storages()[1:] {
		dir := t.TempDir()
		path := filepath.Join(dir, "log"+s.ext)
		if err := os.WriteFile(path, []byte("old"), 0o644); err != nil {
			t.Fatal(err)
		}
		boom := errors.New("boom")
		if err := Write(path, channels, nil, func(w *Writer) error { w.Append(cols); return boom }); !errors.Is(err, boom) {
			t.Errorf("%s: %v", s.name, err)
		}
		func() {
			defer func() { recover() }()
			Write(path, channels, nil, func(w *Writer) error { return w.Append(cols[:1]) })
			t.Errorf("%s: a column is missing and nobody panics", s.name)
		}()
		left, _ := os.ReadDir(dir)
		old, _ := os.ReadFile(path)
		if len(left) != 1 || string(old) != "old" {
			t.Errorf("%s: %d files left, target %q", s.name, len(left), old)
		}
	}
}

func TestCopyConvertsUnitsOnce(t *testing.T) {
	dir := t.TempDir()
	src := filepath.Join(dir, "a.csv")
	text := "# robot: r\nq1 [deg],t(ms),i1[mA]\n180,1500,250\n-90,1501,\n"
	if err := os.WriteFile(src, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	l, err := Open(src, Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := [][]float64{{1.5, 1.501}, {math.Pi, -math.Pi / 2}, {0.25, math.NaN()}}
	wantColumns(t, "csv", l, []string{"t", "q1", "i1"}, want)
	if c := l.Channels()[0]; c != (Channel{Name: "q1", Unit: "deg"}) {
		t.Errorf("declared %v", c)
	}
	for _, s := range storages()[1:] {
		path := filepath.Join(dir, "b"+s.ext)
		if err := Copy(t.Context(), path, l, map[string]string{"robot": "s", "x": "y"}); err != nil {
			t.Fatal(err)
		}
		m, err := Open(path, s.opt)
		if err != nil {
			t.Fatal(err)
		}
		wantColumns(t, s.name, m, []string{"t", "q1", "i1"}, want)
		if !maps.Equal(m.Meta(), map[string]string{"robot": "s", "x": "y"}) {
			t.Errorf("%s: metadata %v", s.name, m.Meta())
		}
		if u := m.Channels()[slices.Index(m.Names(), "q1")].Unit; u != "rad" && s.ext[1] != 'c' && s.ext[1] != 't' {
			t.Errorf("%s: unit %q", s.name, u)
		}
		m.Close()
	}
	// Onto itself.
	if err := Copy(t.Context(), src, l, nil); err != nil {
		t.Fatal(err)
	}
	if l, err = Open(src, Options{}); err != nil || l.Names()[0] != "t" {
		t.Fatalf("%v, the clock first: %v", err, l.Names())
	}
}

// TestClockNamedWithUnit: a clock that is named with its unit is written in seconds, which every file says.
func TestClockNamedWithUnit(t *testing.T) {
	dir := t.TempDir()
	for name, second := range map[string]string{"time_us": "2500000", "timestamp_ms": "2500", "t_ns": "2500000000", "%time": "2500000000", "time_s": "2.5"} {
		src := filepath.Join(dir, "a.csv")
		if err := os.WriteFile(src, []byte(name+",q1\n0,1\n"+second+",2\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		l, err := Open(src, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range storages()[1:] {
			path := filepath.Join(dir, "b"+s.ext)
			if err := Copy(t.Context(), path, l, nil); err != nil {
				t.Fatal(err)
			}
			m, err := Open(path, s.opt)
			if err != nil {
				t.Fatal(err)
			}
			wantColumns(t, s.name+" "+name, m, []string{name, "q1"}, [][]float64{{0, 2.5}, {1, 2}})
			m.Close()
		}
		l.Close()
	}
}

package datasets

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"

	"ident/internal/lerobottest"
	"ident/internal/long"
)

// readAll reads a possibly damaged file, at most a million rows of it, and fails the test unless it gives
// the announced rows or an error with the file's name.
func readAll(t testing.TB, path string) (rows int, err error) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	defer func() {
		runtime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; got > 512<<20 {
			t.Errorf("%d MiB allocated for a file of a few KiB", got>>20)
		}
	}()
	l, err := Open(path, Options{MemoryLimit: 1 << 20})
	if err == nil {
		err = l.Scan(l.Names(), 1000, func(_ int, cols [][]float64) error {
			if rows += len(cols[0]); rows > 1_000_000 {
				return ErrStop
			}
			return nil
		})
		if err == nil && rows != l.Rows() && rows <= 1_000_000 && len(l.Names()) > 0 {
			t.Errorf("%d rows of %d and no error", rows, l.Rows())
		}
		if cerr := l.Close(); cerr != nil {
			t.Error(cerr)
		}
	}
	var fe *FileError
	if err != nil && !errors.As(err, &fe) {
		t.Errorf("an error that names no file: %v", err)
	}
	return rows, err
}

// madeFiles are what the first call of wholeFiles has made.
var madeFiles map[string][]byte

// wholeFiles are small good files of each binary kind, made once. Their bytes must not be changed.
func wholeFiles(t testing.TB) map[string][]byte {
	t.Helper()
	if madeFiles != nil {
		return madeFiles
	}
	own := func(ext string) []byte {
		channels, cols := sample(3, 700)
		path := filepath.Join(t.TempDir(), "x"+ext)
		if err := Write(path, channels, map[string]string{"robot": "r"}, func(w *Writer) error { return w.Append(cols) }); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	files := map[string][]byte{
		"own.parquet":     own(".parquet"),
		"foreign.parquet": foreignParquet(t, 90),
		"lists.parquet": (&lerobottest.Set{Order: []string{"observation.state"}, Lists: map[string][][]float32{"observation.state": {{1, 2}, {3, 4}, {5, 6}}},
			Time: []float32{0, 0.1, 0}, Episode: []int64{0, 0, 1}, Groups: 2}).Bytes(t),
		"v2.parquet":    foreignParquet(t, 90, parquet.WithDataPageVersion(parquet.DataPageV2), parquet.WithCompression(compress.Codecs.Snappy), parquet.WithPageIndexEnabled(true)),
		"own.arrow":     own(".arrow"),
		"own.arrows":    own(".arrows"),
		"foreign.arrow": foreignArrow(t, 90, false),
		"lz4.arrow":     foreignArrow(t, 90, false, ipc.WithLZ4()),
		"zstd.arrows":   foreignArrow(t, 90, true, ipc.WithZstd()),
		"own.csv.gz":    own(".csv.gz"),
		"own.csv.zst":   own(".csv.zst"),
		"own.mcap":      own(".mcap"),
		"own.npz":       own(".npz"),
		"own.mat":       own(".mat"),
	}
	for _, name := range []string{"ros1_none.bag", "ros1_bz2.bag", "ros1_lz4.bag", "ros2_plain.mcap", "ros2_zstd.mcap", "ros2_lz4.mcap", "ros2.db3",
		"numpy.npz", "numpy_deflated.npz", "records.npy", "plain.npy", "scipy_v5.mat", "scipy_v5_deflated.mat", "octave_v7.mat", "rust_lz4_delta.parquet", "rust_zstd_bss.parquet", "js.arrow"} {
		b, err := os.ReadFile(filepath.Join("testdata", "foreign", name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = b
	}
	madeFiles = files
	return files
}

func TestTruncatedFiles(t *testing.T) {
	for name, data := range wholeFiles(t) {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), name)
			quiet := 0
			// The boundaries of a file's parts differ between formats: all places near the ends, and a couple of
			// hundred between.
			edge := long.Of(100, 6)
			for n := 0; n < len(data); n++ {
				if n > edge && n < len(data)-edge && n%(1+len(data)/long.Draws(200, 70, 5)) != 0 {
					continue
				}
				if err := os.WriteFile(path, data[:n], 0o644); err != nil {
					t.Fatal(err)
				}
				if _, err := readAll(t, path); err == nil && (n > 3 || filepath.Ext(name) != ".zst") {
					quiet++ // three bytes do not distinguish zstd from text
				}
			}
			// An Arrow stream may end behind any batch, a MATLAB file behind any variable; padding may be absent. The
			// ends of all other formats are marked.
			if limit := map[string]int{".arrows": 14, ".mat": 60}[filepath.Ext(name)]; quiet > limit {
				t.Errorf("%d truncations went unnoticed", quiet)
			}
		})
	}
}

func TestFlippedBits(t *testing.T) {
	for name, data := range wholeFiles(t) {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), name)
			rnd := rand.New(rand.NewPCG(1, uint64(len(data))))
			noticed := 0
			tries := long.Draws(200, 70, 8)
			for range tries {
				broken := bytes.Clone(data)
				for range 1 + rnd.IntN(3) {
					broken[rnd.IntN(len(broken))] ^= 1 << rnd.IntN(8)
				}
				if err := os.WriteFile(path, broken, 0o644); err != nil {
					t.Fatal(err)
				}
				if _, err := readAll(t, path); err != nil {
					noticed++
				}
			}
			t.Logf("%d of %d noticed", noticed, tries)
		})
	}
}

// corpus seeds a fuzz target with whole, cut and flipped files.
func corpus(f *testing.F, exts ...string) {
	rnd := rand.New(rand.NewPCG(2, 3))
	for name, data := range wholeFiles(f) {
		ok := false
		for _, e := range exts {
			ok = ok || filepath.Ext(name) == e
		}
		if !ok {
			continue
		}
		f.Add(data)
		for range long.Of(8, 3) {
			f.Add(data[:rnd.IntN(len(data))])
			broken := bytes.Clone(data)
			broken[rnd.IntN(len(broken))] ^= 1 << rnd.IntN(8)
			f.Add(broken)
		}
	}
}

// fuzzFile reads data as a file of one kind. A fuzz worker has one temporary folder for all inputs.
func fuzzFile(f *testing.F, ext string) {
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(dir, fmt.Sprintf("x%d%s", os.Getpid(), ext))
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		readAll(t, path)
	})
}

func FuzzParquet(f *testing.F) {
	corpus(f, ".parquet")
	fuzzFile(f, ".parquet")
}

func FuzzArrow(f *testing.F) {
	corpus(f, ".arrow", ".arrows")
	fuzzFile(f, ".arrow")
}

func FuzzMCAP(f *testing.F) {
	corpus(f, ".mcap")
	fuzzFile(f, ".mcap")
}

func FuzzBag(f *testing.F) {
	corpus(f, ".bag")
	fuzzFile(f, ".bag")
}

func FuzzSQLiteBag(f *testing.F) {
	corpus(f, ".db3")
	fuzzFile(f, ".db3")
}

func FuzzNumPy(f *testing.F) {
	corpus(f, ".npy")
	fuzzFile(f, ".npy")
}

func FuzzNumPyArchive(f *testing.F) {
	corpus(f, ".npz")
	fuzzFile(f, ".npz")
}

func FuzzMATLAB(f *testing.F) {
	corpus(f, ".mat")
	fuzzFile(f, ".mat")
}

// FuzzJointState decodes arbitrary bytes as messages, without a file around them, whose checksums would
// reject most.
func FuzzJointState(f *testing.F) {
	row := [3][]float64{{1, 2}, {3, 4}, {5, 6}}
	f.Add(encodeCDR(nil, 1_700_000_000_123_456_789, []string{"a", "elbow"}, row), true)
	f.Add(slowCDR(binary.BigEndian, 8, 5, "base", []string{"a", "b"}, row), true)
	f.Add(slowCDR(binary.LittleEndian, 4, 5, "base", nil, [3][]float64{}), true)
	f.Add(ros1Of(12e9, "base", []string{"a", "b"}, row), false)
	f.Add(controllerCDR(5, []string{"a", "b"}, [][4][]float64{row1(1), row1(2), row1(3), row1(4)}), true)
	f.Fuzz(func(t *testing.T, data []byte, cdr bool) {
		var j jointState
		if err := j.decode(data, cdr, true); err == nil {
			if n, err := j.joints(); err == nil && 8*n > len(data) && len(j.values[0])+len(j.values[1])+len(j.values[2])+len(j.values[3]) > 0 {
				t.Fatalf("%d joints of a controller out of %d bytes", n, len(data))
			}
		}
		if err := j.decode(data, cdr, false); err != nil {
			return
		}
		if n, err := j.joints(); err == nil && 8*n > len(data) && len(j.values[0])+len(j.values[1])+len(j.values[2]) > 0 {
			t.Fatalf("%d joints out of %d bytes", n, len(data))
		}
		kind := "cdr"
		if !cdr {
			kind = "ros1"
		}
		r := &recorder{path: "x", room: Options{}.room(), byName: map[string]*topic{}}
		tp, _ := r.topic("/j", "sensor_msgs/JointState", kind)
		for range 2 {
			if err := r.message(tp, 0, data, 1); err != nil {
				var fe *FileError
				if !errors.As(err, &fe) || fe.Topic != "/j" {
					t.Fatalf("no place: %v", err)
				}
				return
			}
		}
	})
}

func FuzzCSV(f *testing.F) {
	for _, s := range []string{
		"t,q1\n0,1\n1,2\n", "\xef\xbb\xbf# a: b\r\nt;q1 [deg]\r\n0;1,5\r\n", "\"t\"\t\"q\"\"1\"\n0\t\n", "# t,q1\n0,1", "t,q1\n0,1\n2", "0,1\n",
		"t,q1,\n1e306,-nan,\n", "# \"k\\n\": \"v\"\n,t\n1,2\n",
	} {
		f.Add([]byte(s))
		f.Add(zipped(f, s))
		f.Add(zstandard(f, []byte(s)))
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, data []byte) {
		path := filepath.Join(dir, fmt.Sprintf("x%d.csv", os.Getpid()))
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		rows, err := readAll(t, path)
		l, lax := Open(path, Options{BadRows: Drop})
		if err == nil && (lax != nil || l.Rows() != rows || l.DroppedRows() > 0) {
			t.Fatalf("strict reading gives %d rows, dropping %v", rows, lax)
		}
		if lax != nil || len(l.Meta()) > 0 {
			return
		}
		// A log that was read survives being written.
		out := filepath.Join(dir, fmt.Sprintf("y%d.csv", os.Getpid()))
		if Copy(t.Context(), out, l, nil) != nil {
			return // names that a text file cannot hold
		}
		again, err := Open(out, Options{})
		if err != nil {
			t.Fatal(err)
		}
		want, err := l.Columns(l.Names()...)
		if err != nil {
			t.Fatal(err)
		}
		wantColumns(t, "written and read", again, l.Names(), want)
	})
}

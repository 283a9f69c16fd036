package datasets

import (
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"

	"ident/internal/long"
)

// longLog writes a log of the given rows, a batch at a time.
func longLog(t testing.TB, path string, rows, columns int) {
	t.Helper()
	channels := make([]Channel, columns)
	cols := make([][]float64, columns)
	for i := range cols {
		channels[i].Name = "c" + strconv.Itoa(i)
		cols[i] = make([]float64, 10_000)
	}
	err := Write(path, channels, nil, func(w *Writer) error {
		for at := 0; at < rows; at += len(cols[0]) {
			for i, c := range cols {
				for k := range c {
					c[k] = math.Sin(float64(at+k) * float64(i+1))
				}
			}
			if err := w.Append(cols); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestMemoryStaysBounded reads logs larger than the memory it allows beside that in use before, twice with IDENT_LONG. IDENT_LONG_LOG is the
// number of rows for a longer run by hand.
func TestMemoryStaysBounded(t *testing.T) {
	long.Only(t, "writes and reads long logs")
	rows := long.Of(600_000, 0) // 100 and 59 MiB of values, 48 are allowed
	if n, err := strconv.Atoi(os.Getenv("IDENT_LONG_LOG")); err == nil {
		rows = n
	}
	const columns, allowed = 22, 48 << 20
	for _, name := range []string{"x.parquet", "x.mcap", "x.arrow", "x.npz"}[:long.Of(4, 0)] {
		path := filepath.Join(t.TempDir(), name)
		longLog(t, path, rows, columns)
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		before := m.HeapAlloc
		// A recording is decoded into columns when it is opened; these go to a file beyond the limit.
		l, err := Open(path, Options{MemoryLimit: 8 << 20})
		if err != nil {
			t.Fatal(err)
		}
		most, batches := uint64(0), 0
		err = l.Scan(l.Names(), 0, func(int, [][]float64) error {
			if batches++; batches%16 == 0 {
				runtime.GC()
				runtime.ReadMemStats(&m)
				most = max(most, m.HeapAlloc-min(m.HeapAlloc, before))
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %d MiB of values, at most %d MiB in use", name, rows*columns*8>>20, most>>20)
		if most > allowed {
			t.Errorf("%s: %d MiB in use, allowed are %d", name, most>>20, allowed>>20)
		}
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}
}

package datasets

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// benchLog writes a log of 22 channels as a robot with seven joints gives it: measured digits, rows at
// 1 kHz. For CSV the digits are those of a logger that prints six.
func benchLog(b *testing.B, name string, rows int, digits bool) string {
	b.Helper()
	channels := []Channel{{"t", "s"}}
	for _, p := range []string{"q", "dq", "tau"} {
		for j := range 7 {
			channels = append(channels, Channel{Name: fmt.Sprint(p, j+1)})
		}
	}
	path := filepath.Join(b.TempDir(), name)
	err := Write(path, channels, nil, func(w *Writer) error {
		cols := make([][]float64, len(channels))
		for at := 0; at < rows; at += 1000 {
			for i := range cols {
				cols[i] = cols[i][:0]
				for k := at; k < at+1000; k++ {
					v := 3 * math.Sin(0.0007*float64(k)*float64(i+1)+float64(i))
					if i == 0 {
						v = float64(k) / 1000
					} else if !digits {
						v = math.Round(v*1e6) / 1e6
					}
					cols[i] = append(cols[i], v)
				}
			}
			if err := w.Append(cols); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
	return path
}

func readBench(b *testing.B, path string, opt Options) {
	b.Helper()
	info, err := os.Stat(path)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	rows, cols := 0, 0
	for b.Loop() {
		l, err := Open(path, opt)
		if err != nil {
			b.Fatal(err)
		}
		rows, cols = l.Rows(), len(l.Names())
		if err := l.Scan(l.Names(), 0, func(int, [][]float64) error { return nil }); err != nil {
			b.Fatal(err)
		}
		if err := l.Close(); err != nil {
			b.Fatal(err)
		}
	}
	seconds := b.Elapsed().Seconds() / float64(b.N)
	b.ReportMetric(float64(info.Size())/1e6/seconds, "file-MB/s")
	b.ReportMetric(float64(8*rows*cols)/1e6/seconds, "values-MB/s")
}

func BenchmarkReadCSV(b *testing.B) { readBench(b, benchLog(b, "x.csv", 100_000, false), Options{}) }

func BenchmarkReadCSV17Digits(b *testing.B) {
	readBench(b, benchLog(b, "x.csv", 100_000, true), Options{})
}

func BenchmarkReadCSVSpooled(b *testing.B) {
	readBench(b, benchLog(b, "x.csv", 100_000, false), Options{MemoryLimit: -1})
}

func BenchmarkReadCSVGzip(b *testing.B) {
	readBench(b, benchLog(b, "x.csv.gz", 100_000, false), Options{})
}

func BenchmarkReadParquet(b *testing.B) {
	readBench(b, benchLog(b, "x.parquet", 500_000, true), Options{})
}

func BenchmarkReadArrow(b *testing.B) {
	readBench(b, benchLog(b, "x.arrow", 500_000, true), Options{})
}

func writeBench(b *testing.B, ext string) {
	b.Helper()
	l, err := Open(benchLog(b, "x.parquet", 50_000, true), Options{})
	if err != nil {
		b.Fatal(err)
	}
	cols, err := l.Columns(l.Names()...)
	if err != nil {
		b.Fatal(err)
	}
	out := filepath.Join(b.TempDir(), "y"+ext)
	b.SetBytes(int64(8 * l.Rows() * len(cols)))
	for b.Loop() {
		if err := Write(out, l.Channels(), nil, func(w *Writer) error { return w.Append(cols) }); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkWriteCSV(b *testing.B)     { writeBench(b, ".csv") }
func BenchmarkWriteParquet(b *testing.B) { writeBench(b, ".parquet") }
func BenchmarkWriteArrow(b *testing.B)   { writeBench(b, ".arrow") }

package datasets

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"
)

// benchLog writes a log of 22 channels, as of a robot with seven joints: measured digits, rows at 1 kHz. For
// CSV the digits are those of a logger that prints six.
func benchLog(b *testing.B, name string, rows int, digits bool) string {
	b.Helper()
	channels := []Channel{{Name: "t", Unit: "s"}}
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

// benchBag is a ROS 1 bag of 100 000 messages of seven joints, uncompressed.
func benchBag(b *testing.B) string {
	b.Helper()
	le := binary.LittleEndian
	var names []string
	var row [3][]float64
	for j := range 7 {
		names = append(names, fmt.Sprint("panda_joint", j+1))
		for i := range row {
			row[i] = append(row[i], float64(i+j))
		}
	}
	conn := bagField(nil, "conn", make([]byte, 4))
	chunk := bagRecord(nil, bag1Connection, bagField(bytes.Clone(conn), "topic", []byte("/joint_states")), bagField(nil, "type", []byte("sensor_msgs/JointState")))
	for k := range 100_000 {
		row[0][0] = math.Sin(0.001 * float64(k))
		stamp := int64(k) * 1_000_000
		time := le.AppendUint32(le.AppendUint32(nil, uint32(stamp/1e9)), uint32(stamp%1e9))
		chunk = bagRecord(chunk, bag1Message, bagField(bytes.Clone(conn), "time", time), ros1Of(stamp, "", names, row))
	}
	return writeFile(b, "x.bag", bagFile("none", chunk, uint32(len(chunk))))
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

// Digits of encoders and currents, which compress.
func BenchmarkReadParquetCompressible(b *testing.B) {
	readBench(b, benchLog(b, "x.parquet", 500_000, false), Options{})
}

// benchDictionary is a Parquet file as the usual writers make it, by default, of values of coarse encoders:
// a dictionary of a thousand values and snappy.
func benchDictionary(b *testing.B, rows int) string {
	b.Helper()
	fields := schema.FieldList{}
	for i := range 22 {
		fields = append(fields, schema.NewFloat64Node(fmt.Sprint("c", i), parquet.Repetitions.Optional, -1))
	}
	root, err := schema.NewGroupNode("log", parquet.Repetitions.Required, fields, -1)
	if err != nil {
		b.Fatal(err)
	}
	var buf bytes.Buffer
	w := file.NewParquetWriter(&buf, root, file.WithWriterProps(parquet.NewWriterProperties(parquet.WithCompression(compress.Codecs.Snappy))))
	rg, err := w.AppendRowGroupChecked()
	if err != nil {
		b.Fatal(err)
	}
	values, there := make([]float64, rows), make([]int16, rows)
	for i := range fields {
		for k := range values {
			values[k], there[k] = math.Round(500*math.Sin(0.0007*float64(k)*float64(i+1)))/500, 1
		}
		cw, err := rg.NextColumn()
		if err != nil {
			b.Fatal(err)
		}
		if _, err := cw.(*file.Float64ColumnChunkWriter).WriteBatch(values, there, nil); err != nil {
			b.Fatal(err)
		}
		if err := cw.Close(); err != nil {
			b.Fatal(err)
		}
	}
	if err := errors.Join(rg.Close(), w.Close()); err != nil {
		b.Fatal(err)
	}
	return writeFile(b, "x.parquet", buf.Bytes())
}

func BenchmarkReadParquetDictionary(b *testing.B) {
	readBench(b, benchDictionary(b, 500_000), Options{})
}

func BenchmarkReadCSVZstd(b *testing.B) {
	readBench(b, benchLog(b, "x.csv.zst", 100_000, false), Options{})
}

func BenchmarkReadNPZ(b *testing.B) { readBench(b, benchLog(b, "x.npz", 500_000, true), Options{}) }
func BenchmarkReadMAT(b *testing.B) { readBench(b, benchLog(b, "x.mat", 500_000, true), Options{}) }

// Recordings are decoded into columns when they are opened.
func BenchmarkReadMCAP(b *testing.B) { readBench(b, benchLog(b, "x.mcap", 100_000, false), Options{}) }

func BenchmarkReadMCAPSpooled(b *testing.B) {
	readBench(b, benchLog(b, "x.mcap", 100_000, false), Options{MemoryLimit: -1})
}

func BenchmarkReadBag(b *testing.B) { readBench(b, benchBag(b), Options{}) }

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
func BenchmarkWriteNPZ(b *testing.B)     { writeBench(b, ".npz") }
func BenchmarkWriteMAT(b *testing.B)     { writeBench(b, ".mat") }
func BenchmarkWriteMCAP(b *testing.B)    { writeBench(b, ".mcap") }

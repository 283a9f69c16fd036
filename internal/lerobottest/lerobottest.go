// Package lerobottest writes data sets of LeRobot as its own library does: Parquet by Arrow, lists of float32 of one length,
// a file that describes them. It is for tests.
package lerobottest

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"
)

// Set is a data set: rows of one file, all lists of a name equally long.
type Set struct {
	Lists   map[string][][]float32 // by name, row after row
	Order   []string               // of the lists
	Names   map[string][]string    // of their entries
	Time    []float32              // of the episode, s
	Episode []int64
	Rate    float64
	Groups  int // row groups, at least 1
}

// Bytes returns the Parquet file.
func (s *Set) Bytes(t testing.TB, props ...parquet.WriterProperty) []byte {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	opt, req := parquet.Repetitions.Optional, parquet.Repetitions.Required
	var fields schema.FieldList
	for _, name := range s.Order {
		element, err := schema.NewPrimitiveNode("element", opt, parquet.Types.Float, -1, -1)
		must(err)
		inner, err := schema.NewGroupNode("list", parquet.Repetitions.Repeated, schema.FieldList{element}, -1)
		must(err)
		outer, err := schema.NewGroupNodeLogical(name, opt, schema.FieldList{inner}, schema.NewListLogicalType(), -1)
		must(err)
		fields = append(fields, outer)
	}
	fields = append(fields, schema.NewFloat32Node("timestamp", opt, -1), schema.NewInt64Node("frame_index", opt, -1), schema.NewInt64Node("episode_index", opt, -1))
	root, err := schema.NewGroupNode("schema", req, fields, -1)
	must(err)
	var b bytes.Buffer
	w := file.NewParquetWriter(&b, root, file.WithWriterProps(parquet.NewWriterProperties(append(props, parquet.WithCompression(compress.Codecs.Snappy))...)))
	rows, groups := len(s.Time), max(s.Groups, 1)
	frame := make([]int64, rows)
	for i := 1; i < rows; i++ {
		if s.Episode[i] == s.Episode[i-1] {
			frame[i] = frame[i-1] + 1
		}
	}
	for g := range groups {
		from, to := g*rows/groups, (g+1)*rows/groups
		rg, err := w.AppendRowGroupChecked()
		must(err)
		ones := make([]int16, to-from)
		for i := range ones {
			ones[i] = 1
		}
		for c := range fields {
			cw, err := rg.NextColumn()
			must(err)
			switch c - len(s.Order) {
			case 0:
				_, err = cw.(*file.Float32ColumnChunkWriter).WriteBatch(s.Time[from:to], ones, nil)
			case 1:
				_, err = cw.(*file.Int64ColumnChunkWriter).WriteBatch(frame[from:to], ones, nil)
			case 2:
				_, err = cw.(*file.Int64ColumnChunkWriter).WriteBatch(s.Episode[from:to], ones, nil)
			default:
				var values []float32
				var definition, repetition []int16
				for _, list := range s.Lists[s.Order[c]][from:to] {
					for k, v := range list {
						values = append(values, v)
						definition, repetition = append(definition, 3), append(repetition, int16(min(k, 1)))
					}
					if list == nil {
						definition, repetition = append(definition, 0), append(repetition, 0)
					}
				}
				_, err = cw.(*file.Float32ColumnChunkWriter).WriteBatch(values, definition, repetition)
			}
			must(err)
			must(cw.Close())
		}
		must(rg.Close())
	}
	must(w.Close())
	return b.Bytes()
}

// Write makes the folder of the data set and returns the path of its file.
func (s *Set) Write(t testing.TB, folder string) string {
	t.Helper()
	features := map[string]any{}
	for _, name := range s.Order {
		features[name] = map[string]any{"dtype": "float32", "shape": []int{len(s.Lists[name][0])}, "names": s.Names[name]}
	}
	info, err := json.Marshal(map[string]any{"codebase_version": "v3.0", "robot_type": "bench", "fps": s.Rate, "features": features})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "data", "chunk-000", "file-000.parquet")
	for p, text := range map[string][]byte{path: s.Bytes(t), filepath.Join(folder, "meta", "info.json"): info} {
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return path
}

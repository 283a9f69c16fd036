package datasets

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"ident/internal/long"
)

// repeat is n bytes of a repeated text.
func repeat(text string, n int) io.Reader {
	block := bytes.Repeat([]byte(text), 1+(1<<16)/len(text))
	readers := make([]io.Reader, n/len(block)+1)
	for i := range readers {
		readers[i] = bytes.NewReader(block)
	}
	return io.MultiReader(readers...)
}

// packed is the compressed form of r.
func packed(t testing.TB, r io.Reader, compressor func(io.Writer) io.WriteCloser) []byte {
	t.Helper()
	var b bytes.Buffer
	z := compressor(&b)
	if _, err := io.Copy(z, r); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func gzipOf(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }
func zlibOf(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) }
func lz4Of(w io.Writer) io.WriteCloser  { return lz4.NewWriter(w) }
func zstdOf(w io.Writer) io.WriteCloser {
	z, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1))
	if err != nil {
		panic(err)
	}
	return z
}

func zstandard(t testing.TB, data []byte) []byte { return packed(t, bytes.NewReader(data), zstdOf) }

// zipOf is an archive with one entry; claimed, unless 0, replaces its size in the directory.
func zipOf(t testing.TB, name string, method uint16, r io.Reader, claimed uint64) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	var err error
	if claimed > 0 {
		deflated := packed(t, r, zlibOf)
		deflated = deflated[2 : len(deflated)-4]
		var w io.Writer
		w, err = z.CreateRaw(&zip.FileHeader{Name: name, Method: method, CompressedSize64: uint64(len(deflated)), UncompressedSize64: claimed})
		if err == nil {
			_, err = w.Write(deflated)
		}
	} else {
		var w io.Writer
		if w, err = z.CreateHeader(&zip.FileHeader{Name: name, Method: method}); err == nil {
			_, err = io.Copy(w, r)
		}
	}
	if err = errors.Join(err, z.Close()); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// chunkFile is an MCAP file with one chunk, repeated.
func chunkFile(kind string, data []byte, size uint64, times int) []byte {
	le := binary.LittleEndian
	c := le.AppendUint64(make([]byte, 16), size)
	c = mcapText(le.AppendUint32(c, 0), kind)
	c = append(le.AppendUint64(c, uint64(len(data))), data...)
	b := append([]byte(mcapMagic), bytes.Repeat(mcapRecord(mcapChunk, c), times)...)
	b = append(b, mcapRecord(mcapDataEnd, make([]byte, 4))...)
	return append(append(b, mcapRecord(mcapFooter, make([]byte, 20))...), mcapMagic...)
}

// bagField is a header with one more field.
func bagField(head []byte, name string, value []byte) []byte {
	head = binary.LittleEndian.AppendUint32(head, uint32(len(name)+1+len(value)))
	return append(append(head, name+"="...), value...)
}

// bagRecord appends a record to a bag or a chunk.
func bagRecord(b []byte, op byte, head, data []byte) []byte {
	le := binary.LittleEndian
	head = bagField(head, "op", []byte{op})
	b = append(le.AppendUint32(b, uint32(len(head))), head...)
	return append(le.AppendUint32(b, uint32(len(data))), data...)
}

// bagFile is a ROS 1 bag of one chunk.
func bagFile(kind string, data []byte, size uint32) []byte {
	le := binary.LittleEndian
	chunk := bagRecord(nil, bag1Chunk, bagField(bagField(nil, "compression", []byte(kind)), "size", le.AppendUint32(nil, size)), data)
	head := func(index int) []byte {
		fields := bagField(bagField(nil, "chunk_count", make([]byte, 4)), "index_pos", le.AppendUint64(nil, uint64(index)))
		return bagRecord([]byte(bag1Magic), bag1Header, fields, nil)
	}
	return append(head(len(head(0))+len(chunk)), chunk...)
}

// matVariable is a MATLAB file of one compressed variable.
func matVariable(deflated []byte) []byte {
	le := binary.LittleEndian
	b := bytes.Repeat([]byte{' '}, matHeader)
	copy(b, matMagic)
	copy(b[124:], []byte{0, 1, 'I', 'M'})
	return append(le.AppendUint32(le.AppendUint32(b, miCompressed), uint32(len(deflated))), deflated...)
}

// manyRows is a Parquet file with a constant column of any number of rows.
func manyRows(t testing.TB, groups, rows int) []byte {
	t.Helper()
	root, err := schema.NewGroupNode("log", parquet.Repetitions.Required, schema.FieldList{schema.NewInt64Node("t", parquet.Repetitions.Required, -1)}, -1)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := file.NewParquetWriter(&b, root, file.WithWriterProps(parquet.NewWriterProperties(parquet.WithDictionaryDefault(true))))
	same := make([]int64, rows)
	for range groups {
		rg, err := w.AppendRowGroupChecked()
		if err != nil {
			t.Fatal(err)
		}
		cw, err := rg.NextColumn()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := cw.(*file.Int64ColumnChunkWriter).WriteBatch(same, nil, nil); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(cw.Close(), rg.Close()); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestBombs reads small files that claim to be, or expand to, enormous ones. readAll checks that the reading
// of each allocates no more than 512 MiB, and that the temporary folder is bounded.
func TestBombs(t *testing.T) {
	const large = 270 << 20 // just above the bound for a small file
	npy := func(shape string) []byte { return npyHeader("<f8", shape) }
	le := binary.LittleEndian
	matrix := func(size uint32) []byte { return le.AppendUint32(le.AppendUint32(nil, miMatrix), size) }
	for _, c := range []struct {
		name string
		data func() []byte
		kind error
	}{
		{"rows.csv.gz", func() []byte {
			return packed(t, io.MultiReader(bytes.NewReader([]byte("t,q\n")), repeat("1,2\n", large)), gzipOf)
		}, ErrDamaged},
		{"line.csv.gz", func() []byte { return packed(t, repeat("t", large), gzipOf) }, ErrFormat},
		{"blank.csv.gz", func() []byte { return packed(t, repeat("\n", large), gzipOf) }, ErrDamaged},
		{"rows.csv.zst", func() []byte {
			return packed(t, io.MultiReader(bytes.NewReader([]byte("t,q\n")), repeat("1,2\n", large)), zstdOf)
		}, ErrDamaged},
		{"line.csv.zst", func() []byte { return packed(t, repeat("t,", large), zstdOf) }, ErrFormat},
		{"zeros.npz", func() []byte {
			return zipOf(t, "t.npy", zip.Deflate, io.MultiReader(bytes.NewReader(npy(fmt.Sprintf("(%d,)", large/8))), repeat("\x00", large)), 0)
		}, ErrDamaged},
		{"claim.npz", func() []byte { return zipOf(t, "t.npy", zip.Deflate, bytes.NewReader(npy("(9,)")), 1<<50) }, ErrDamaged},
		{"small claim.npz", func() []byte { return zipOf(t, "t.npy", zip.Deflate, repeat("\x00", 10<<20), 1<<10) }, ErrDamaged},
		{"shape.npz", func() []byte { return zipOf(t, "t.npy", zip.Store, bytes.NewReader(npy("(1000000000000,)")), 0) }, ErrTruncated},
		{"shape.npy", func() []byte { return npy("(9223372036854775807, 9223372036854775807)") }, ErrDamaged},
		{"columns.npy", func() []byte { return npy("(0, 1000000000000)") }, ErrFormat},
		{"header.npy", func() []byte { return append([]byte(npyMagic+"\x02\x00"), 0xff, 0xff, 0xff, 0x7f) }, ErrTruncated},
		{"nested.npy", func() []byte { return append([]byte(npyMagic+"\x01\x00\x40\x00"), bytes.Repeat([]byte("("), 64)...) }, ErrDamaged},
		{"claim.mat", func() []byte { return matVariable(packed(t, bytes.NewReader(matrix(math.MaxUint32)), zlibOf)) }, ErrDamaged},
		{"zeros.mat", func() []byte {
			return matVariable(packed(t, io.MultiReader(bytes.NewReader(matrix(200<<20)), repeat("\x00", 200<<20)), zlibOf))
		}, ErrDamaged},
		{"claim.mcap", func() []byte { return chunkFile("zstd", zstandard(t, make([]byte, 100)), 1<<60, 1) }, ErrDamaged},
		{"zeros.mcap", func() []byte { return chunkFile("zstd", packed(t, repeat("\x00", large), zstdOf), 1<<20, 1) }, ErrDamaged},
		{"zeros lz4.mcap", func() []byte { return chunkFile("lz4", packed(t, repeat("\x00", large), lz4Of), 60<<20, 1) }, ErrDamaged},
		{"few lz4.mcap", func() []byte { return chunkFile("lz4", packed(t, repeat("\x00", 100), lz4Of), 60<<20, 1) }, ErrDamaged},
		{"many.mcap", func() []byte { return chunkFile("lz4", packed(t, repeat("\x00", 60<<20), lz4Of), 60<<20, 6) }, ErrDamaged},
		{"record.mcap", func() []byte { return append([]byte(mcapMagic+"\x05\xff\xff\xff\xff\xff\xff\xff\x7f"), mcapMagic...) }, ErrTruncated},
		{"claim.bag", func() []byte { return bagFile("lz4", packed(t, repeat("\x00", 100), lz4Of), math.MaxUint32) }, ErrDamaged},
		{"zeros.bag", func() []byte { return bagFile("lz4", packed(t, repeat("\x00", large), lz4Of), 1<<20) }, ErrDamaged},
		{"bz2.bag", func() []byte { return bagFile("bz2", []byte("BZh91AY&SY"), 60<<20) }, ErrDamaged},
		{"rows.parquet", func() []byte { return manyRows(t, 20, 10<<20) }, ErrDamaged},
	} {
		t.Run(c.name, func(t *testing.T) {
			switch c.name {
			case "rows.csv.gz", "rows.csv.zst", "blank.csv.gz", "line.csv.gz", "rows.parquet", "zeros lz4.mcap", "line.csv.zst", "zeros.npz", "zeros.mat", "many.mcap":
				long.Only(t, "zeros.mcap and zeros.bag expand as far")
			case "zeros.mcap", "zeros.bag":
				long.Only(t, "expands to hundreds of MiB")
			}
			data := c.data()
			if len(data) > 8<<20 {
				t.Fatalf("a bomb of %d bytes", len(data))
			}
			path := filepath.Join(t.TempDir(), c.name)
			if err := os.WriteFile(path, data, 0o644); err != nil {
				t.Fatal(err)
			}
			if _, err := readAll(t, path); !errors.Is(err, c.kind) {
				t.Errorf("%d bytes: %v, want %v", len(data), err, c.kind)
			}
		})
	}
}

// TestChecksumsAreCompared flips a bit in the data of formats that have checksums: an error is due.
func TestChecksumsAreCompared(t *testing.T) {
	records := recordingOf(every("/j", 0, ms, 3, []string{"a"}, line(0, 1), nil))
	inner := records[len(mcapMagic):]
	le := binary.LittleEndian
	c := le.AppendUint64(make([]byte, 16), uint64(len(inner)))
	c = mcapText(le.AppendUint32(c, crc32.ChecksumIEEE(inner)^1), "")
	c = append(le.AppendUint64(c, uint64(len(inner))), inner...)
	b := append([]byte(mcapMagic), mcapRecord(mcapChunk, c)...)
	b = append(append(append(b, mcapRecord(mcapDataEnd, make([]byte, 4))...), mcapRecord(mcapFooter, make([]byte, 20))...), mcapMagic...)
	if _, err := readAll(t, writeFile(t, "x.mcap", b)); !errors.Is(err, ErrDamaged) {
		t.Errorf("chunk: %v", err)
	}
	for _, name := range []string{"numpy_deflated.npz", "scipy_v5_deflated.mat", "ros1_bz2.bag"} {
		data, err := os.ReadFile(filepath.Join("testdata", "foreign", name))
		if err != nil {
			t.Fatal(err)
		}
		at := map[string]int{"numpy_deflated.npz": 200, "scipy_v5_deflated.mat": 180, "ros1_bz2.bag": 4096 + 400}[name]
		data[at] ^= 4
		if _, err := readAll(t, writeFile(t, name, data)); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A bit that changed in a stored member of an archive is found by the member's checksum.
func TestStoredChecksumsAreCompared(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.npz")
	err := Write(path, []Channel{{Name: "t"}, {Name: "q1"}}, nil, func(w *Writer) error {
		return w.Append([][]float64{{0, 0.01, 0.02}, {1.5, 2.5, 3.5}})
	})
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(data, binary.LittleEndian.AppendUint64(nil, math.Float64bits(2.5)))
	if at < 0 {
		t.Fatal("no stored value")
	}
	data[at+7] ^= 1
	if _, err := readAll(t, writeFile(t, "log.npz", data)); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "checksum") {
		t.Errorf("%v", err)
	}
}

// A panic of a decoder is told as damage, without the words of the runtime.
func TestGuardNamesTheDamage(t *testing.T) {
	for _, f := range []func() error{
		func() error { var b []byte; _ = b[len(b)+3]; return nil },
		func() error {
			return errors.New("unknown error while reading: runtime error: slice bounds out of range [:9]")
		},
	} {
		if err := guard(f); !errors.Is(err, ErrDamaged) || strings.Contains(err.Error(), "runtime") || strings.Contains(err.Error(), "index") {
			t.Errorf("%v", err)
		}
	}
}

// Names that spreadsheets would take for formulas are quoted, and read back.
func TestNamesOfFormulas(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log.csv")
	names := []string{"t", "=q1", "+q2", "-q3", "@q4"}
	var channels []Channel
	cols := make([][]float64, len(names))
	for i, n := range names {
		channels, cols[i] = append(channels, Channel{Name: n}), []float64{1}
	}
	if err := Write(path, channels, nil, func(w *Writer) error { return w.Append(cols) }); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if head, _, _ := strings.Cut(string(text), "\n"); head != `t,"'=q1","'+q2","'-q3","'@q4"` {
		t.Errorf("header %s", head)
	}
	l, err := Open(path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if !slices.Equal(l.Names(), names) {
		t.Errorf("read back %q", l.Names())
	}
}

package datasets

import (
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"ident/internal/long"
)

// flippedPages flips bits of the pages and their headers of a Parquet file with checksums of pages, and counts the flips that change a number without an error.
func flippedPages(t *testing.T, path string, step int) (unseen int) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want, err := columnsIn(path)
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	changed := filepath.Join(t.TempDir(), "x.parquet")
	footer := len(data) - 8 - int(binary.LittleEndian.Uint32(data[len(data)-8:]))
	for at := 4; at < footer; at += step {
		b := slices.Clone(data)
		b[at] ^= 1 << (at % 8)
		if err := os.WriteFile(changed, b, 0o644); err != nil {
			t.Fatal(err)
		}
		got, err := columnsIn(changed)
		if err != nil {
			refused++
			continue
		}
		for i := range min(len(got), len(want)) {
			if !slices.Equal(got[i], want[i]) {
				unseen++
				t.Logf("byte %d: column %d differs", at, i)
				break
			}
		}
	}
	t.Logf("%s: %d flips refused, %d change numbers unseen", filepath.Base(path), refused, unseen)
	return unseen
}

// columnsIn returns all columns of a log.
func columnsIn(path string) ([][]float64, error) {
	l, err := Open(path, Options{})
	if err != nil {
		return nil, err
	}
	defer l.Close()
	return l.Columns(l.Names()...)
}

// Pages whose checksum another program wrote are compared with it. The footer has no checksum: flips there may change what the
// pages mean.
func TestPageChecksums(t *testing.T) {
	for _, name := range []string{"pyarrow_checksums.parquet", "pyarrow_checksums_v2.parquet"} {
		if n := flippedPages(t, filepath.Join("testdata", "foreign", name), long.Of(1, 50)); n > 0 {
			t.Errorf("%s: %d flips change numbers unseen", name, n)
		}
	}
}

// The same of files that pyarrow writes here, if IDENT_PYTHON names a Python that has it.
func TestPageChecksumsOfPyarrow(t *testing.T) {
	python := os.Getenv("IDENT_PYTHON")
	if python == "" || exec.Command(python, "-c", "import pyarrow").Run() != nil {
		t.Skip("IDENT_PYTHON names no Python with pyarrow")
	}
	dir := t.TempDir()
	program := `
import sys, pyarrow as pa, pyarrow.parquet as pq
k = [float(i) for i in range(300)]
t = pa.table({"t": [x / 100 for x in k], "q1": [x % 7 for x in k], "tau1": [x * x for x in k]})
for c in ("none", "snappy", "zstd", "lz4", "gzip", "brotli"):
    pq.write_table(t, sys.argv[1] + "/" + c + ".parquet", compression=c, write_page_checksum=True, store_schema=False)
`
	if out, err := exec.Command(python, "-c", program, dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, codec := range []string{"none", "snappy", "zstd", "lz4", "gzip", "brotli"} {
		if n := flippedPages(t, filepath.Join(dir, codec+".parquet"), long.Of(3, 91)); n > 0 {
			t.Errorf("%s: %d flips change numbers unseen", codec, n)
		}
	}
}

package datasets

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The other implementations of Parquet and Arrow, as users have them: pyarrow, pandas and polars in the Python of IDENT_PYTHON
// (.ci/venv oracles), and parquet-wasm with apache-arrow in the folder of IDENT_PARQUET_WASM (npm). Equality is that of bits.

// oracle runs a program of testdata/oracle in a folder.
func oracle(t *testing.T, program, folder string) {
	t.Helper()
	path, err := filepath.Abs(filepath.Join("testdata", "oracle", program))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(os.Getenv("IDENT_PYTHON"), path, folder)
	if strings.HasSuffix(program, ".mjs") {
		// Modules are found beside the program.
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		path = filepath.Join(folder, program)
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
		modules, err := filepath.Abs(filepath.Join(os.Getenv("IDENT_PARQUET_WASM"), "node_modules"))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(modules, filepath.Join(folder, "node_modules")); err != nil && !os.IsExist(err) {
			t.Fatal(err)
		}
		cmd = exec.Command("node", path, folder)
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", program, err, out)
	}
	t.Logf("%s", out)
}

// needs skips a test without a variable.
func needs(t *testing.T, variable, what string) {
	t.Helper()
	if os.Getenv(variable) == "" {
		t.Skip("without " + what + ": set " + variable)
	}
}

// numbersFile reads a file of float64.
func numbersFile(t *testing.T, path string) []float64 {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	x := make([]float64, len(b)/8)
	for i := range x {
		x[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*i:]))
	}
	return x
}

// wantManifest reads all files of a folder's manifest.json, whole and a slice of each.
func wantManifest(t *testing.T, folder string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	var files map[string]map[string]string
	if err := json.Unmarshal(text, &files); err != nil {
		t.Fatal(err)
	}
	for file, channels := range files {
		t.Run(file, func(t *testing.T) {
			l, err := Open(filepath.Join(folder, file), Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			if len(l.Names()) != len(channels) {
				t.Errorf("%d channels in place of %d: %q, %v", len(l.Names()), len(channels), l.Names(), l.Notes())
			}
			for name, numbers := range channels {
				want := numbersFile(t, filepath.Join(folder, numbers))
				wantColumns(t, file, l, []string{name}, [][]float64{want})
				wantColumns(t, file+", a slice", l.Slice(1234, 3456), []string{name}, [][]float64{want[1234:3456]})
			}
		})
	}
}

// giveFiles writes a log in all our forms, and its numbers, to a folder.
func giveFiles(t *testing.T, exts ...string) string {
	t.Helper()
	folder := t.TempDir()
	channels, cols := sample(4, 70_000)
	odd := []float64{0, math.Copysign(0, -1), 1e306, -math.MaxFloat64, math.SmallestNonzeroFloat64, 1e-310, math.Inf(1), math.Inf(-1), math.NaN()}
	copy(cols[2][100:], odd)
	for k := range cols[3] {
		cols[3][k] = 20
	}
	for _, ext := range exts {
		if err := Write(filepath.Join(folder, "log"+ext), channels, map[string]string{"robot": "ключ"}, func(w *Writer) error { return w.Append(cols) }); err != nil {
			t.Fatal(err)
		}
	}
	for i, c := range channels {
		var b []byte
		for _, v := range cols[i] {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
		}
		if err := os.WriteFile(filepath.Join(folder, c.Name+".f8"), b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func TestPythonsFilesAreRead(t *testing.T) {
	needs(t, "IDENT_PYTHON", "pyarrow, pandas and polars")
	folder := t.TempDir()
	oracle(t, "write.py", folder)
	wantManifest(t, folder)
}

func TestPythonReadsOurFiles(t *testing.T) {
	needs(t, "IDENT_PYTHON", "pyarrow, pandas and polars")
	oracle(t, "read.py", giveFiles(t, ".parquet", ".arrow", ".arrows"))
}

func TestParquetWasmsFilesAreRead(t *testing.T) {
	needs(t, "IDENT_PARQUET_WASM", "parquet-wasm")
	folder := t.TempDir()
	oracle(t, "write.mjs", folder)
	wantManifest(t, folder)
}

func TestParquetWasmReadsOurFiles(t *testing.T) {
	needs(t, "IDENT_PARQUET_WASM", "parquet-wasm")
	oracle(t, "read.mjs", giveFiles(t, ".parquet", ".arrow", ".arrows"))
}

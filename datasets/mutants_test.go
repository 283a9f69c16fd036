package datasets

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"testing"
	"time"

	"ident/internal/long"
)

// mutant returns a file with one to four changes: bits, bytes, words of extreme lengths, pieces that are missing, doubled,
// exchanged or cut off.
func mutant(rng *rand.Rand, data []byte) []byte {
	b := bytes.Clone(data)
	place := func(n int) int {
		// A third near either end, where the descriptions are.
		at, near := rng.IntN(len(b)), min(len(b), 2048)
		switch rng.IntN(3) {
		case 0:
			at = rng.IntN(near)
		case 1:
			at = len(b) - 1 - rng.IntN(near)
		}
		return min(at, max(0, len(b)-n))
	}
	words := []uint64{0, 1, 127, 128, 1 << 15, 1 << 20, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 40, 1<<63 - 1, 1 << 63, 1<<64 - 1}
	for range 1 + rng.IntN(4) {
		if len(b) < 16 {
			break
		}
		switch rng.IntN(9) {
		case 0, 1:
			b[place(1)] ^= 1 << rng.IntN(8)
		case 2:
			b[place(1)] = byte(rng.Uint32())
		case 3:
			binary.LittleEndian.PutUint32(b[place(4):], uint32(words[rng.IntN(len(words))]))
		case 4:
			binary.LittleEndian.PutUint64(b[place(8):], words[rng.IntN(len(words))])
		case 5: // a varint of several bytes
			at := place(10)
			binary.PutUvarint(b[at:at+10], words[rng.IntN(len(words))])
		case 6:
			at := place(1)
			n := min(len(b)-at, 1+rng.IntN(64))
			b = append(b[:at:at], b[at+n:]...)
		case 7:
			at := place(1)
			n := min(len(b)-at, 1+rng.IntN(64))
			b = append(b[:at+n:at+n], b[at:]...)
		case 8:
			b = b[:place(1)]
		}
	}
	return b
}

// TestMutants reads changed files of Parquet and Arrow, those of other programs among them where IDENT_ORACLES is a folder of
// testdata/oracle/write.py: none panics or hangs, and none takes more than readAll allows. IDENT_MUTANTS is their number for a
// longer run by hand.
func TestMutants(t *testing.T) {
	n := long.Of(4000, 60)
	if more, err := strconv.Atoi(os.Getenv("IDENT_MUTANTS")); err == nil {
		n = more
	}
	files := map[string][]byte{}
	for name, data := range wholeFiles(t) {
		if ext := filepath.Ext(name); ext == ".parquet" || ext == ".arrow" || ext == ".arrows" {
			files[name] = data
		}
	}
	for _, pattern := range []string{"*.parquet", "*.arrow", "*.arrows", "*.feather"} {
		paths, _ := filepath.Glob(filepath.Join(os.Getenv("IDENT_ORACLES"), pattern))
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			files[filepath.Base(path)] = data
		}
	}
	var names []string
	for name := range files {
		names = append(names, name)
	}
	sort.Strings(names)
	rng := rand.New(rand.NewPCG(7, 8))
	folder, refused, slowest := t.TempDir(), 0, time.Duration(0)
	for i := range n {
		name := names[i%len(names)]
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, mutant(rng, files[name]), 0o644); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		if _, err := readAll(t, path); err != nil {
			refused++
		}
		slowest = max(slowest, time.Since(began))
	}
	t.Logf("%d mutants of %d files, %d refused; the slowest took %v", n, len(names), refused, slowest)
}

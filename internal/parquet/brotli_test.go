package parquet

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/andybalholm/brotli"
)

// Pages that the reference implementation, translated, compresses come back, and nothing may stand behind their
// stream. Damaged ones are refused, or expand to as many bytes as before.
func TestBrotliPages(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for level := range 12 {
		page := make([]byte, 4096)
		for i := range page { // words, repetitions and noise
			switch from := max(i-40, 0); rng.IntN(3) {
			case 0:
				page[i] = byte(rng.Uint32())
			case 1:
				page[i] = "the of and "[i%11]
			default:
				page[i] = page[from]
			}
		}
		var b bytes.Buffer
		w := brotli.NewWriterLevel(&b, level)
		if _, err := w.Write(page); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		got, err := new(File).expand(brotliCodec, b.Bytes(), len(page), nil)
		if err != nil || !bytes.Equal(got, page) {
			t.Errorf("level %d: %v", level, err)
		}
		if _, err := new(File).expand(brotliCodec, append(b.Bytes(), 0), len(page), nil); err == nil {
			t.Errorf("level %d: a byte behind the stream is not seen", level)
		}
		for range 20 {
			damaged := bytes.Clone(b.Bytes())
			damaged[rng.IntN(len(damaged))] ^= 1 << rng.IntN(8)
			if got, err := new(File).expand(brotliCodec, damaged, len(page), nil); err == nil && len(got) != len(page) {
				t.Errorf("level %d: %d bytes", level, len(got))
			}
		}
	}
}

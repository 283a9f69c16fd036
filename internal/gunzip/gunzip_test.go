package gunzip

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"
	"testing/iotest"
)

// numbers is text as a log has it.
func numbers(rows int) []byte {
	r := rand.New(rand.NewPCG(3, 4))
	var b bytes.Buffer
	for i := range rows {
		fmt.Fprintf(&b, "%.4f", float64(i)/200)
		for range 7 {
			fmt.Fprintf(&b, ",%.9g", r.NormFloat64())
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

func compressed(t testing.TB, level int, parts ...[]byte) []byte {
	var b bytes.Buffer
	for _, part := range parts {
		z, err := gzip.NewWriterLevel(&b, level)
		if err != nil {
			t.Fatal(err)
		}
		z.Name, z.Comment, z.Extra = "log.csv", "of a robot", []byte("more")
		if _, err := z.Write(part); err != nil {
			t.Fatal(err)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return b.Bytes()
}

func expand(src io.Reader) ([]byte, error) {
	r, err := NewReader(src)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

func texts() map[string][]byte {
	r := rand.New(rand.NewPCG(1, 2))
	random, few, far := make([]byte, 300_000), make([]byte, 200_000), make([]byte, 400_000)
	for i := range random {
		random[i] = byte(r.Uint32())
	}
	for i := range few {
		few[i] = "ab\n"[r.IntN(3)]
	}
	copy(far, random[:40_000]) // repetitions at all distances
	for i := 40_000; i < len(far); {
		length, distance := 1+r.IntN(300), 1+r.IntN(1<<15)
		for range min(length, len(far)-i) {
			far[i] = far[i-distance]
			i++
		}
		if i < len(far) {
			far[i] = byte(r.Uint32())
		}
	}
	return map[string][]byte{
		"nothing": nil, "a byte": {7}, "one value": make([]byte, 500_000), "numbers": numbers(8000), "random": random, "three values": few, "far": far,
	}
}

// Streams of all levels, in whole and in pieces as small as a byte, are what they were made of.
func TestExpands(t *testing.T) {
	for name, text := range texts() {
		for _, level := range []int{flate.NoCompression, flate.BestSpeed, flate.DefaultCompression, flate.BestCompression, flate.HuffmanOnly} {
			packed := compressed(t, level, text)
			for kind, src := range map[string]io.Reader{"whole": bytes.NewReader(packed), "half": iotest.HalfReader(bytes.NewReader(packed)), "end with data": iotest.DataErrReader(bytes.NewReader(packed))} {
				if got, err := expand(src); err != nil || !bytes.Equal(got, text) {
					t.Errorf("%s, level %d, read %s: %d of %d bytes, equal %v, %v", name, level, kind, len(got), len(text), bytes.Equal(got, text), err)
				}
			}
		}
	}
	packed := compressed(t, 6, numbers(40), nil, numbers(3), make([]byte, 1000))
	want := append(append(numbers(40), numbers(3)...), make([]byte, 1000)...)
	if got, err := expand(iotest.OneByteReader(bytes.NewReader(packed))); err != nil || !bytes.Equal(got, want) {
		t.Errorf("members byte by byte: %d of %d bytes, %v", len(got), len(want), err)
	}
	r, err := NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	if err := iotest.TestReader(r, want); err != nil {
		t.Error(err)
	}
}

// A stream that is cut anywhere gives a beginning of what it held, and says that it has no end.
func TestCut(t *testing.T) {
	for _, level := range []int{flate.NoCompression, flate.HuffmanOnly, 9} {
		text := append(numbers(30), make([]byte, 700)...)
		packed := compressed(t, level, text)
		for n := range packed {
			got, err := expand(bytes.NewReader(packed[:n]))
			if !errors.Is(err, io.ErrUnexpectedEOF) || !bytes.HasPrefix(text, got) {
				t.Fatalf("level %d, %d of %d bytes: %d expanded, a beginning: %v, %v", level, n, len(packed), len(got), bytes.HasPrefix(text, got), err)
			}
		}
	}
}

// The error of the source comes behind what was read before it.
func TestSourceFails(t *testing.T) {
	text := numbers(5000)
	packed, broken := compressed(t, 6, text), errors.New("broken")
	got, err := expand(io.MultiReader(bytes.NewReader(packed[:len(packed)/2]), iotest.ErrReader(broken)))
	if !errors.Is(err, broken) || len(got) < len(text)/4 || !bytes.HasPrefix(text, got) {
		t.Errorf("%d of %d bytes, %v", len(got), len(text), err)
	}
}

// Streams with a byte changed fail where the standard library's reader does, and give the same where it gives something.
func TestDamaged(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, level := range []int{flate.NoCompression, flate.HuffmanOnly, 1, 9} {
		packed := compressed(t, level, numbers(25))
		for at := range packed {
			b := bytes.Clone(packed)
			b[at] ^= byte(1 << r.IntN(8))
			agree(t, b)
		}
	}
}

func agree(t testing.TB, b []byte) {
	var want []byte
	z, wantErr := gzip.NewReader(bytes.NewReader(b))
	if wantErr == nil {
		want, wantErr = io.ReadAll(z)
	}
	got, err := expand(bytes.NewReader(b))
	if (err == nil) != (wantErr == nil) || err == nil && !bytes.Equal(got, want) {
		t.Fatalf("%d bytes and %v, want %d and %v, of %x", len(got), err, len(want), wantErr, b)
	}
	if err != nil && !errors.Is(err, ErrDamaged) && !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Fatalf("error %v of %x", err, b)
	}
	if n := min(len(got), len(want)); !bytes.Equal(got[:n], want[:n]) {
		t.Fatalf("other bytes before the errors %v and %v, of %x", err, wantErr, b)
	}
}

func FuzzExpand(f *testing.F) {
	for _, level := range []int{flate.NoCompression, flate.HuffmanOnly, 1, 9} {
		f.Add(compressed(f, level, numbers(5), nil))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		z, err := gzip.NewReader(bytes.NewReader(b))
		if err == nil {
			if n, _ := io.Copy(io.Discard, io.LimitReader(z, 1<<22)); n == 1<<22 {
				t.Skip("too large")
			}
		}
		agree(t, b)
	})
}

func BenchmarkNumbers(b *testing.B) {
	text := numbers(20_000)
	packed := compressed(b, 9, text)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		r, err := NewReader(bytes.NewReader(packed))
		if err != nil {
			b.Fatal(err)
		}
		if n, err := io.Copy(io.Discard, r); err != nil || n != int64(len(text)) {
			b.Fatal(n, err)
		}
	}
}

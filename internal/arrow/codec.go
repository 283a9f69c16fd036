package arrow

import (
	"bytes"
	"fmt"
	"io"

	"github.com/pierrec/lz4/v4"
)

// codec compresses the buffers of a record batch: one more than the format's number.
type codec int

const (
	stored codec = iota
	lz4Buffers
	zstdBuffers
)

// expand decompresses a buffer of n bytes.
func (f *File) expand(c codec, packed []byte, n int) ([]byte, error) {
	const ratio = 256 // a byte of an LZ4 match's length stands for 255
	if c == lz4Buffers && n/ratio > len(packed)+64 {
		return nil, damage("%d bytes cannot expand to %d", len(packed), n)
	}
	out := make([]byte, n)
	var got int
	var err error
	if c == lz4Buffers {
		r := lz4.NewReader(bytes.NewReader(packed))
		got, err = io.ReadFull(r, out)
		if _, more := r.Read(make([]byte, 1)); err == nil && more != io.EOF {
			err = fmt.Errorf("it is longer")
		}
	} else {
		var all []byte
		all, err = f.zstd.Decode(packed, out, f.most)
		got = len(all)
	}
	if err != nil {
		return nil, damage("a buffer does not decompress: %v", err)
	}
	if got != n {
		return nil, damage("a buffer expands to %d bytes in place of %d", got, n)
	}
	return out, nil
}

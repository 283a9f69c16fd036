// Package zstandard decodes the Zstandard buffers of a file.
package zstandard

import (
	"sync"

	"github.com/klauspost/compress/zstd"
)

// Decoder is made at its first use, and several goroutines share it. The zero value is ready.
type Decoder struct {
	once sync.Once
	zstd *zstd.Decoder
	err  error
}

// Decode decompresses a buffer of n bytes into the memory of out, and no more than that holds; most bounds the decoder's own
// memory at the first call, in bytes.
func (d *Decoder) Decode(packed, out []byte, most int) ([]byte, error) {
	d.once.Do(func() {
		d.zstd, d.err = zstd.NewReader(nil, zstd.WithDecoderMaxMemory(uint64(most)), zstd.WithDecodeAllCapLimit(true))
	})
	if d.err != nil {
		return nil, d.err
	}
	return d.zstd.DecodeAll(packed, out[:0])
}

package datasets

import (
	"bufio"
	"bytes"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// readWhole is the size of files that are read whole before they are expanded, which takes a fifth less time then, bytes.
const readWhole = 4 << 20

// decompressed expands gzip and zstd, recognised by content, and passes any other bytes on. size is that of
// the compressed file. A goroutine decompresses ahead until stop.
func decompressed(f io.Reader, size int64) (r io.Reader, stop func(), err error) {
	br := bufio.NewReaderSize(f, chunkOf(size))
	magic, _ := br.Peek(4)
	var b *bounded
	switch {
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		b = newBounded(nil, "gzip", maxExpanded(size))
		var src io.Reader = br
		if size > 0 && size <= readWhole {
			packed, err := io.ReadAll(br)
			if err != nil {
				return nil, nil, err
			}
			src = bytes.NewReader(packed)
		}
		z, err := gzip.NewReader(src)
		if err != nil {
			return nil, nil, b.explain(err)
		}
		b.r = z
	case bytes.Equal(magic, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		b = newBounded(nil, "zstd", maxExpanded(size))
		z, err := newZstd(br)
		if err != nil {
			return nil, nil, b.explain(err)
		}
		b.r = z
	default:
		return plainText(br), func() {}, nil
	}
	a := newReadAhead(b)
	return plainText(bufio.NewReader(a)), a.stop, nil
}

// newZstd decodes without goroutines of its own, so that there is nothing to close, with a window large
// enough for all levels of the reference compressor.
func newZstd(r io.Reader) (*zstd.Decoder, error) {
	const window = 128 << 20 // zstd --ultra -22
	return zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(window))
}

package parquet

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/dsnet/compress/brotli" // that of andybalholm imports net/http
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/pierrec/lz4/v4"
)

// expansion is the most that a codec can expand a byte to, by its format; 0 where it is unbounded.
func (c Codec) expansion() int {
	switch c {
	case snappyCodec:
		return 32 // a copy of 64 bytes takes 2, and 3 far back
	case lz4Codec:
		return 256 // a byte of a match's length stands for 255
	case gzipCodec:
		return 1040 // 258 bytes for two bits
	}
	return 0
}

// expand decompresses a page of n bytes, in the memory of buf where that suffices.
func (f *File) expand(codec Codec, src []byte, n int, buf []byte) ([]byte, error) {
	if ratio := codec.expansion(); ratio > 0 && n/ratio > len(src)+64 {
		return nil, damage("a page of %d bytes cannot expand to %d", len(src), n)
	}
	if cap(buf) < n {
		buf = make([]byte, n, n+64) // the decoder of ZSTD is faster with some room behind
	}
	buf = buf[:n]
	var got int
	var err error
	switch codec {
	case snappyCodec:
		if got, err = snappy.DecodedLen(src); err == nil && got == n {
			_, err = snappy.Decode(buf, src)
		}
	case lz4Codec:
		got, err = lz4.UncompressBlock(src, buf)
	case zstdCodec:
		var out []byte
		out, err = f.zstd.Decode(src, buf, f.most)
		if got = len(out); got == n {
			buf = out
		}
	case gzipCodec:
		var z *gzip.Reader
		if z, err = gzip.NewReader(bytes.NewReader(src)); err == nil {
			got, err = fill(z, buf)
		}
	case brotliCodec:
		var d *brotli.Reader
		if d, err = brotli.NewReader(bytes.NewReader(src), nil); err == nil {
			got, err = fill(d, buf)
		}
		if err == nil && d.InputOffset != int64(len(src)) {
			err = fmt.Errorf("its stream ends after %d of %d bytes", d.InputOffset, len(src))
		}
	default:
		return nil, Unsupported("its compression is none of SNAPPY, GZIP, BROTLI, ZSTD and LZ4_RAW")
	}
	if err != nil {
		return nil, damage("a page does not decompress: %v", err)
	}
	if got != n {
		return nil, damage("a page expands to %d bytes in place of %d", got, n)
	}
	return buf, nil
}

// fill reads all of r into b; of a longer one it reads a byte more.
func fill(r io.Reader, b []byte) (int, error) {
	n, err := io.ReadFull(r, b)
	if err != nil {
		return n, err
	}
	var more [1]byte
	if k, err := r.Read(more[:]); k > 0 || err != nil && !errors.Is(err, io.EOF) {
		return n + k, err
	}
	return n, nil
}

package datasets

import (
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// Codecs of Parquet instead of the library's: its decoders of ZSTD and SNAPPY allocate what the page claims, and LZ4 in
// the framing of Hadoop it has none. The library knows codecs for the whole process, so that these also compress.
func init() {
	compress.RegisterCodec(compress.Codecs.Zstd, &zstdPages{})
	compress.RegisterCodec(compress.Codecs.Snappy, snappyPages{})
	compress.RegisterCodec(compress.Codecs.Lz4, lz4Pages{})
}

var errLonger = errors.New("it expands beyond its length")

// zstdDecoder decodes Zstandard and verifies its checksums. Several goroutines may share it.
var zstdDecoder = sync.OnceValues(func() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecoderConcurrency(runtime.NumCPU()), zstd.WithDecoderMaxMemory(1<<30), zstd.WithDecodeAllCapLimit(true))
})

// expandZstd decompresses src into the memory of dst, and no more than that holds.
func expandZstd(dst, src []byte) ([]byte, error) {
	d, err := zstdDecoder()
	if err != nil {
		return nil, err
	}
	return d.DecodeAll(src, dst[:0:len(dst)])
}

// zstdPages compresses a page to one frame with a checksum. Its window is that of our pages.
type zstdPages struct{ encoders sync.Pool }

const (
	pageRows   = 16 << 10     // small pages bound the memory of a reader of many columns
	zstdWindow = pageRows * 8 // bytes that the compressor looks back over, those of a page
)

// Encode returns src compressed by Zstandard at its fastest level.
func (z *zstdPages) Encode(dst, src []byte) []byte { return z.EncodeLevel(dst, src, 1) }

// EncodeLevel returns what Encode returns, whatever the level.
func (z *zstdPages) EncodeLevel(dst, src []byte, _ int) []byte {
	e, _ := z.encoders.Get().(*zstd.Encoder)
	if e == nil {
		var err error
		e, err = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1),
			zstd.WithWindowSize(zstdWindow), zstd.WithZeroFrames(true), zstd.WithEncoderCRC(true))
		if err != nil {
			panic(err) // of the options
		}
	}
	defer z.encoders.Put(e)
	return e.EncodeAll(src, dst[:0])
}

// CompressBound is ZSTD_COMPRESSBOUND of zstd.h.
func (*zstdPages) CompressBound(n int64) int64 { return n + n>>8 + max(0, 128<<10-n)>>11 + 16 }

// Decode returns the bytes of a page, and panics if the page is damaged: the interface has no error.
func (z *zstdPages) Decode(dst, src []byte) []byte { return decoded(z.DecodeWithError(dst, src)) }

// DecodeWithError returns the bytes of a page, or an error if the page is damaged.
func (*zstdPages) DecodeWithError(dst, src []byte) ([]byte, error) { return expandZstd(dst, src) }

// decoded panics where a page does not decompress, as the library's interface for codecs has it.
func decoded(b []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return b
}

// snappyPages is Snappy without frames, as Parquet has it.
type snappyPages struct{}

// Encode returns src compressed.
func (snappyPages) Encode(dst, src []byte) []byte { return snappy.Encode(dst, src) }

// EncodeLevel returns what Encode returns, whatever the level.
func (snappyPages) EncodeLevel(dst, src []byte, _ int) []byte { return snappy.Encode(dst, src) }

// CompressBound returns the largest length of n compressed bytes.
func (snappyPages) CompressBound(n int64) int64 { return int64(snappy.MaxEncodedLen(int(n))) }

// Decode returns the bytes of a page, and panics if the page is damaged.
func (s snappyPages) Decode(dst, src []byte) []byte { return decoded(s.DecodeWithError(dst, src)) }

// DecodeWithError returns the bytes of a page, or an error if they are more than dst has room for.
func (snappyPages) DecodeWithError(dst, src []byte) ([]byte, error) {
	n, err := snappy.DecodedLen(src)
	if err == nil && n > len(dst) {
		err = errLonger
	}
	if err != nil {
		return nil, err
	}
	return snappy.Decode(dst, src)
}

// lz4Pages is LZ4 as Hadoop frames it: blocks behind their lengths, expanded and compressed, the most significant byte first.
// Some writers of the time left the frames out, and wrote one block, as LZ4_RAW does (parquet-format, Compression.md).
type lz4Pages struct{}

// raw returns the codec of one block.
func (lz4Pages) raw() compress.Codec {
	c, err := compress.GetCodec(compress.Codecs.Lz4Raw)
	if err != nil {
		panic(err) // it is the library's
	}
	return c
}

// Encode returns src as one frame of Hadoop.
func (c lz4Pages) Encode(dst, src []byte) []byte {
	packed := c.raw().Encode(nil, src)
	dst = binary.BigEndian.AppendUint32(dst[:0], uint32(len(src)))
	return append(binary.BigEndian.AppendUint32(dst, uint32(len(packed))), packed...)
}

// EncodeLevel returns what Encode returns, whatever the level.
func (c lz4Pages) EncodeLevel(dst, src []byte, _ int) []byte { return c.Encode(dst, src) }

// CompressBound returns the largest length of n compressed bytes and the two lengths before them.
func (c lz4Pages) CompressBound(n int64) int64 { return c.raw().CompressBound(n) + 8 }

// Decode returns the bytes of a page, and panics if the page is damaged.
func (c lz4Pages) Decode(dst, src []byte) []byte { return decoded(c.DecodeWithError(dst, src)) }

// DecodeWithError returns the bytes of a page of frames or, without them, of one block.
func (lz4Pages) DecodeWithError(dst, src []byte) ([]byte, error) {
	if n, ok := hadoopFrames(dst, src); ok {
		return dst[:n], nil
	}
	n, err := lz4.UncompressBlock(src, dst)
	if err != nil {
		return nil, fmt.Errorf("neither frames of Hadoop nor a block: %w", err)
	}
	return dst[:n], nil
}

// hadoopFrames expands all frames of src, and reports whether they are frames and fill dst.
func hadoopFrames(dst, src []byte) (n int, ok bool) {
	be := binary.BigEndian
	for len(src) >= 8 {
		expanded, packed := int64(be.Uint32(src)), int64(be.Uint32(src[4:]))
		if src = src[8:]; packed > int64(len(src)) || expanded > int64(len(dst)-n) {
			return 0, false
		}
		m, err := lz4.UncompressBlock(src[:packed], dst[n:n+int(expanded)])
		if err != nil || int64(m) != expanded {
			return 0, false
		}
		n, src = n+m, src[packed:]
	}
	return n, len(src) == 0 && n == len(dst)
}

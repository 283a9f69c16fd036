package datasets

import (
	"bytes"
	"compress/bzip2"
	"fmt"
	"io"
	"math"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

// unpacker expands the chunks of recordings. Its buffer is valid until the next chunk.
type unpacker struct {
	limit int   // largest claimed size of a chunk, bytes
	left  int64 // bytes that the rest of the chunks may expand to
	buf   []byte
	zstd  *zstd.Decoder
	lz4   *lz4.Reader
}

// maxChunk bounds a chunk of a recording, bytes: lz4 expands a byte to 255, and up to three copies of an expanded chunk are held at a
// time. Writers begin a new chunk after one to eight MiB.
const maxChunk = 128 << 20

func newUnpacker(size int64) unpacker {
	return unpacker{limit: min(maxDecoded(size), maxChunk), left: maxExpanded(size)}
}

// unpack expands a chunk of size bytes. The kinds are those of MCAP ("", zstd, lz4) and of ROS 1 bags (none,
// bz2, lz4); lz4 is its frame format in both.
func (u *unpacker) unpack(kind string, packed []byte, size uint64) ([]byte, error) {
	if kind == "" || kind == "none" {
		if uint64(len(packed)) != size {
			return nil, fmt.Errorf("%w: a chunk of %d bytes that should be %d", ErrDamaged, len(packed), size)
		}
		return packed, nil
	}
	if u.left -= int64(min(size, math.MaxInt32)); size > uint64(u.limit) || u.left < 0 {
		return nil, fmt.Errorf("%w: a chunk of %d bytes claims to expand to %d, and at most %d are read of a file of this size; write the recording again with smaller chunks", ErrDamaged, len(packed), size, min(int64(u.limit), max(u.left+int64(min(size, math.MaxInt32)), 0)))
	}
	var r io.Reader
	switch kind {
	case "zstd":
		return u.unpackZstd(packed, size)
	case "lz4":
		if u.lz4 == nil {
			u.lz4 = lz4.NewReader(nil)
		}
		u.lz4.Reset(bytes.NewReader(packed))
		r = u.lz4
	case "bz2":
		r = bzip2.NewReader(bytes.NewReader(packed))
	default:
		return nil, fmt.Errorf("%w: compression %s of chunks is not known; known are zstd, lz4 and bz2", ErrFormat, excerpt([]byte(kind)))
	}
	u.buf = grown(u.buf, int(size))
	checked := newBounded(r, kind, int64(size)+1)
	if _, err := io.ReadFull(checked, u.buf); err != nil {
		return nil, fmt.Errorf("%w: a chunk that should be %d bytes: %w", ErrDamaged, size, err)
	}
	if n, err := checked.Read(make([]byte, 1)); n != 0 || err != io.EOF {
		return nil, fmt.Errorf("%w: a chunk that should be %d bytes does not end there", ErrDamaged, size)
	}
	return u.buf, nil
}

func (u *unpacker) unpackZstd(packed []byte, size uint64) ([]byte, error) {
	if u.zstd == nil {
		var err error
		u.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxMemory(uint64(u.limit)))
		if err != nil {
			return nil, err
		}
	}
	out, err := u.zstd.DecodeAll(packed, grown(u.buf, int(size))[:0])
	if err != nil {
		return nil, fmt.Errorf("%w: zstd: %w", ErrDamaged, err)
	}
	if u.buf = out; uint64(len(out)) != size {
		return nil, fmt.Errorf("%w: a chunk expands to %d bytes instead of %d", ErrDamaged, len(out), size)
	}
	return out, nil
}

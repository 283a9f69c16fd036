package datasets

import (
	"encoding/binary"
	"math"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
)

// parquetChunk decodes a column of a row group from its first row to its last. It belongs to one goroutine, and is used
// within guard.
type parquetChunk struct {
	r      file.ColumnChunkReader
	col    *parquetColumn
	place  chunkPlace
	memory int64 // bytes that its largest page takes
	left   int64 // values and nulls not read yet
	full   int16 // definition level of a value

	levels []int16
	f32    []float32
	i32    []int32
	i64    []int64
	i96    []parquet.Int96
	fixed  []parquet.FixedLenByteArray
	bits   []bool
}

// chunk begins to read a column of a row group, after the headers of its pages have been checked. A nil reader stands for a new
// one.
func (s *parquetSource) chunk(r *file.Reader, group int, col *parquetColumn) (k *parquetChunk, err error) {
	k = &parquetChunk{col: col}
	if k.place, err = s.place(group, col.index); err != nil {
		return nil, err
	}
	if k.memory, err = checkPages(s.f, k.place, int64(maxDecoded(s.size))); err != nil {
		return nil, err
	}
	if r == nil {
		if r, err = s.reader(); err != nil {
			return nil, err
		}
	}
	if k.r, err = r.RowGroup(group).Column(col.index); err != nil {
		return nil, foreign("%w", err)
	}
	k.left, k.full = k.place.values, k.r.Descriptor().MaxDefinitionLevel()
	return k, nil
}

// read fills dst with the next rows of a scalar column, NaN for a null.
func (k *parquetChunk) read(dst []float64) error {
	for len(dst) > 0 {
		levels := k.levelsFor(len(dst))
		n, values, err := k.some(dst, levels, nil)
		if err != nil {
			return err
		}
		if levels != nil {
			if err := k.spread(dst[:n], values, levels); err != nil {
				return err
			}
		}
		dst = dst[n:]
	}
	return nil
}

// levelsFor returns memory for n definition levels, nil for a column that has none.
func (k *parquetChunk) levelsFor(n int) []int16 {
	if k.full == 0 {
		return nil
	}
	k.levels = grown(k.levels, n)
	return k.levels
}

// some reads rows or entries of one page, at least one and at most len(dst): their levels, and at the front of dst the values,
// without gaps for nulls.
func (k *parquetChunk) some(dst []float64, definition, repetition []int16) (n, values int, err error) {
	total, values, err := k.batch(dst, definition, repetition)
	if err == nil {
		err = k.r.Err()
	}
	if err != nil {
		return 0, 0, damage("%w", err)
	}
	if total <= 0 || total > int64(len(dst)) || total > k.left || values < 0 || int64(values) > total || definition == nil && int64(values) != total {
		return 0, 0, damage("%d values missing", k.left)
	}
	k.left -= total
	return int(total), values, nil
}

// spread moves the values to their rows, the last first, and sets the others to NaN.
func (k *parquetChunk) spread(dst []float64, values int, levels []int16) error {
	for i := len(dst) - 1; i >= 0; i-- {
		switch {
		case levels[i] < k.full:
			dst[i] = math.NaN()
		case levels[i] > k.full || values == 0:
			return damage("fewer values than the levels say")
		default:
			values--
			dst[i] = dst[values]
		}
	}
	if values != 0 {
		return damage("more values than the levels say")
	}
	return nil
}

// batch reads up to len(d) rows or entries of one page. (Over several pages, the library would never return from a damaged
// one.)
func (k *parquetChunk) batch(d []float64, definition, repetition []int16) (total int64, values int, err error) {
	n := int64(len(d))
	switch r := k.r.(type) {
	case *file.Float64ColumnChunkReader:
		return r.ReadBatchInPage(n, d, definition, repetition)
	case *file.Float32ColumnChunkReader:
		k.f32 = grown(k.f32, len(d))
		total, values, err = r.ReadBatchInPage(n, k.f32, definition, repetition)
		widen(d, k.f32[:min(values, len(d))])
	case *file.Int32ColumnChunkReader:
		k.i32 = grown(k.i32, len(d))
		total, values, err = r.ReadBatchInPage(n, k.i32, definition, repetition)
		for i, v := range k.i32[:min(values, len(d))] {
			d[i] = float64(v)
			if !k.col.signed {
				d[i] = float64(uint32(v))
			}
		}
	case *file.Int64ColumnChunkReader:
		k.i64 = grown(k.i64, len(d))
		total, values, err = r.ReadBatchInPage(n, k.i64, definition, repetition)
		k.integers(d, k.i64[:min(values, len(d))])
	case *file.Int96ColumnChunkReader:
		k.i96, k.i64 = grown(k.i96, len(d)), grown(k.i64, len(d))
		total, values, err = r.ReadBatchInPage(n, k.i96, definition, repetition)
		vs := k.i64[:min(values, len(d))]
		for i := range vs {
			stamp, e := k.i96[i].ToTimestamp()
			if vs[i] = int64(stamp); e != nil {
				return 0, 0, e
			}
		}
		k.integers(d, vs)
	case *file.FixedLenByteArrayColumnChunkReader:
		k.fixed = grown(k.fixed, len(d))
		total, values, err = r.ReadBatchInPage(n, k.fixed, definition, repetition)
		for i, v := range k.fixed[:min(values, len(d))] {
			d[i] = half(binary.LittleEndian.Uint16(v))
		}
	case *file.BooleanColumnChunkReader:
		k.bits = grown(k.bits, len(d))
		total, values, err = r.ReadBatchInPage(n, k.bits, definition, repetition)
		for i, v := range k.bits[:min(values, len(d))] {
			d[i] = truth(v)
		}
	default:
		return 0, 0, foreign("no reader for values of type %v", k.r.Type())
	}
	return total, values, err
}

// integers converts integers of 64 bits, time stamps counted from their origin.
func (k *parquetChunk) integers(d []float64, vs []int64) {
	switch {
	case k.col.stamp:
		for i, v := range vs {
			d[i] = float64(v - k.col.origin)
		}
	case !k.col.signed:
		for i, v := range vs {
			d[i] = float64(uint64(v))
		}
	default:
		widen(d, vs)
	}
}

// firstInt returns the first integer of 64 bits that is not null. It reads the chunk from its next row on.
func (k *parquetChunk) firstInt() (v int64, found bool, err error) {
	var dst [256]float64
	repetition := make([]int16, len(dst))
	if k.r.Descriptor().MaxRepetitionLevel() == 0 {
		repetition = nil
	}
	for k.left > 0 {
		_, values, err := k.some(dst[:], k.levelsFor(len(dst)), repetition)
		if err != nil {
			return 0, false, err
		}
		if values > 0 {
			return k.i64[0], true, nil
		}
	}
	return 0, false, nil
}

func truth(v bool) float64 {
	if v {
		return 1
	}
	return 0
}

func widen[T float32 | int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64](d []float64, s []T) {
	for i, v := range s {
		d[i] = float64(v)
	}
}

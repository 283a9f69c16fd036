package filter

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"sort"
)

// timesBlock is the number of rows that are packed together.
const timesBlock = 1024

// Times stores a column of times in seconds exactly, in a fraction of its memory: for a steady clock the second
// differences of the bits, as integers, take a byte or two. Any numbers can be stored; random ones take more room than
// before. Access to a row unpacks a block of rows. The zero value is empty.
type Times struct {
	blocks   []packedTimes
	open     []float64 // rows behind the last block
	from, to int       // rows of the view among those that are packed or open
}

// packedTimes holds timesBlock rows.
type packedTimes struct {
	first float64
	rest  []byte // second differences of the bits, in zigzag variable-length integers
}

// NewTimes packs a slice.
func NewTimes(t []float64) *Times {
	p := new(Times)
	p.Append(t...)
	return p
}

// Append adds rows. It panics on a slice that ends before the last row.
func (t *Times) Append(v ...float64) {
	if t.to != len(t.blocks)*timesBlock+len(t.open) {
		panic("filter: times can be appended to a whole column only, not to a part")
	}
	t.to += len(v)
	for len(v) > 0 {
		n := min(len(v), timesBlock-len(t.open))
		t.open = append(t.open, v[:n]...)
		v = v[n:]
		if len(t.open) == timesBlock {
			t.blocks = append(t.blocks, pack(t.open))
			t.open = t.open[:0]
		}
	}
}

func pack(t []float64) packedTimes {
	var memory [binary.MaxVarintLen64 * timesBlock]byte
	out := memory[:0]
	last, step := math.Float64bits(t[0]), int64(0)
	for _, v := range t[1:] {
		b := math.Float64bits(v)
		next := int64(b - last)
		out = binary.AppendVarint(out, next-step)
		last, step = b, next
	}
	return packedTimes{t[0], append([]byte(nil), out...)}
}

func (p *packedTimes) unpack(dst *[timesBlock]float64) {
	rest, last, step := p.rest, math.Float64bits(p.first), int64(0)
	dst[0] = p.first
	for i := 1; i < timesBlock; i++ {
		var d int64
		if b := rest[0]; b < 0x80 { // the common case of Varint
			d, rest = int64(b>>1)^-int64(b&1), rest[1:]
		} else {
			v, n := binary.Varint(rest)
			d, rest = v, rest[n:]
		}
		step += d
		last += uint64(step)
		dst[i] = math.Float64frombits(last)
	}
}

// Len returns the number of rows.
func (t *Times) Len() int { return t.to - t.from }

// Slice returns a view of rows [from, to).
func (t *Times) Slice(from, to int) *Times {
	if from < 0 || to < from || to > t.Len() {
		panic(fmt.Sprintf("filter: rows [%d, %d) of %d times", from, to, t.Len()))
	}
	out := *t
	out.from, out.to = t.from+from, t.from+to
	return &out
}

// At returns the time of a row.
func (t *Times) At(row int) float64 {
	var one [1]float64
	return t.Part(one[:0], row, row+1)[0]
}

// Part appends the times of rows [from, to) to dst.
func (t *Times) Part(dst []float64, from, to int) []float64 {
	t.Slice(from, to).Each(func(_ int, part []float64) { dst = append(dst, part...) })
	return dst
}

// All returns a copy of all times.
func (t *Times) All() []float64 { return t.Part(make([]float64, 0, t.Len()), 0, t.Len()) }

// Each calls visit for all rows in order, several at a time; first is the row of part[0]. part is valid until visit
// returns.
func (t *Times) Each(visit func(first int, part []float64)) {
	var block [timesBlock]float64
	for at := t.from; at < t.to; {
		b := at / timesBlock
		rows := t.open
		if b < len(t.blocks) {
			t.blocks[b].unpack(&block)
			rows = block[:]
		}
		end := min(t.to, b*timesBlock+len(rows))
		visit(at-t.from, rows[at-b*timesBlock:end-b*timesBlock])
		at = end
	}
}

// Whole reports whether all times are whole numbers.
func (t *Times) Whole() bool {
	whole := true
	t.Each(func(_ int, part []float64) {
		whole = whole && !slices.ContainsFunc(part, func(x float64) bool { return x != math.Trunc(x) })
	})
	return whole
}

// Search returns the first row of ascending times that is not before time, or Len if there is none.
func (t *Times) Search(time float64) int {
	// The row is in the last block that begins before the time, or right after it.
	b := sort.Search(len(t.blocks), func(b int) bool { return t.blocks[b].first >= time })
	lo := min(max((b-1)*timesBlock, t.from), t.to)
	hi := t.to
	if b < len(t.blocks) {
		hi = min(max(b*timesBlock, t.from), t.to)
	}
	part := t.Part(make([]float64, 0, hi-lo), lo-t.from, hi-t.from)
	return lo - t.from + sort.SearchFloat64s(part, time)
}

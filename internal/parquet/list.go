package parquet

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
)

// ListReader decodes a column of lists of one length, row by row. A row without a list is NaN throughout.
type ListReader struct {
	r     *ChunkReader
	at, n int // in the block of entries that is decoded
	head  [512]bool
	level [512]uint8
	value [512]float64
}

// List tells whether a column holds lists of numbers, not lists of lists.
func (c Column) List() bool { return c.Repetition == 1 && c.Type.numeric() && c.Definition < 8 }

// Lists begins to read a column of lists of a row group.
func (f *File) Lists(group, column int) (*ListReader, error) {
	g, col := f.Groups[group], f.Columns[column]
	if column >= len(g.Chunks) {
		return nil, damage("a row group of %d columns in place of %d", len(g.Chunks), len(f.Columns))
	}
	if !col.List() {
		return nil, Unsupported("values of type " + col.Type.String() + ", or nested ones, are not read")
	}
	if err := f.place(group, column); err != nil {
		return nil, err
	}
	k := g.Chunks[column]
	if k.Values < g.Rows {
		return nil, damage("%d values for %d lists", k.Values, g.Rows)
	}
	return &ListReader{r: &ChunkReader{f: f, col: col, codec: k.codec, at: k.First, last: k.Last, left: k.Values}}, nil
}

// levels takes repetition and definition levels off the front of a data page of version 1.
func (r *ChunkReader) levels(b []byte) (repetition, definition, rest []byte, err error) {
	for _, to := range []*[]byte{&repetition, &definition} {
		if len(b) < 4 || uint64(binary.LittleEndian.Uint32(b)) > uint64(len(b)-4) {
			return nil, nil, nil, Damage("levels are longer than their page")
		}
		n := binary.LittleEndian.Uint32(b)
		*to, b = b[4:4+n], b[4+n:]
	}
	return repetition, definition, b, nil
}

// fill decodes a block of entries.
func (l *ListReader) fill() error {
	p := &l.r.page
	for p.rows == 0 {
		if err := l.r.next(); err != nil {
			return err
		}
	}
	n := min(p.rows, len(l.head))
	var words [512]uint64
	if err := p.repetition.decode(words[:n]); err != nil {
		return err
	}
	for i := range n {
		l.head[i] = words[i] == 0
	}
	if err := p.levels.decode(words[:n]); err != nil {
		return err
	}
	present := 0
	for i := range n {
		l.level[i] = uint8(words[i])
		if int(words[i]) > l.r.col.Definition {
			return Damage("a level above the highest")
		}
		if int(words[i]) == l.r.col.Definition {
			present++
		}
	}
	if err := l.r.numbers(l.value[:present]); err != nil {
		return err
	}
	for i := n - 1; i >= 0; i-- {
		if int(l.level[i]) < l.r.col.Definition {
			l.value[i] = math.NaN()
			continue
		}
		present--
		l.value[i] = l.value[present]
	}
	p.rows -= n
	l.at, l.n = 0, n
	return nil
}

// more tells whether an entry follows, and decodes it.
func (l *ListReader) more() (bool, error) {
	if l.at < l.n {
		return true, nil
	}
	if l.r.left == 0 && l.r.page.rows == 0 {
		return false, nil
	}
	return true, l.fill()
}

// Width is the length of the next list that is there, at most most+1; 0 where none is left. It reads on.
func (l *ListReader) Width(most int) (int, error) {
	width := 0
	for width <= most {
		ok, err := l.more()
		if err != nil || !ok {
			return width, err
		}
		if l.head[l.at] && width > 0 {
			break
		}
		if int(l.level[l.at]) >= l.r.col.listed {
			width++
		}
		l.at++
	}
	return width, nil
}

// Read fills dst with the next lists of a width, row after row.
func (l *ListReader) Read(dst []float64, width int) error {
	for ; len(dst) > 0; dst = dst[width:] {
		for i := 0; i < width; i++ {
			ok, err := l.more()
			if err != nil {
				return err
			}
			if !ok {
				return damage("lists are missing")
			}
			if l.head[l.at] != (i == 0) {
				return Unsupported(fmt.Sprintf("lists of different lengths: one of %d in place of %d", i, width))
			}
			dst[i] = l.value[l.at]
			empty := int(l.level[l.at]) < l.r.col.listed
			if l.at++; empty {
				for i := range width {
					dst[i] = math.NaN()
				}
				break
			}
		}
		if ok, err := l.more(); err != nil || ok && !l.head[l.at] {
			if err == nil {
				err = Unsupported(fmt.Sprintf("lists of different lengths: one of more than %d", width))
			}
			return err
		}
	}
	return nil
}

// levelsUpTo decodes levels from 0 to the highest.
func levelsUpTo(b []byte, highest int) hybrid {
	return hybrid{b: b, width: uint(bits.Len(uint(highest)))}
}

package parquet

import (
	"fmt"
	"math"
)

// ChunkReader decodes a column of a row group from its first row to its last. It belongs to one goroutine.
type ChunkReader struct {
	// Origin is taken from integers before they become float64, where their differences need the digits.
	Origin int64

	f        *File
	col      Column
	codec    Codec
	at, last int64 // bytes of the chunk behind the open page
	left     int64 // rows not read yet

	window   []byte // bytes of the file from windowAt on
	windowAt int64
	buf      []byte // the expanded page

	page       page
	plain      plain
	dictionary []uint64
	words      [512]uint64
}

// Read-ahead of page headers, in bytes: headers take some tens, and hundreds with statistics.
const (
	headerAhead = 512
	mostHeader  = 16 << 20
)

// Check compares the description of a column in a row group with the file and the schema.
func (f *File) Check(group, column int) error {
	g, col := f.Groups[group], f.Columns[column]
	if column >= len(g.Chunks) {
		return damage("a row group of %d columns in place of %d", len(g.Chunks), len(f.Columns))
	}
	if !col.Type.numeric() || col.Repetition > 0 || col.Definition > 1 {
		return Unsupported("values of type " + col.Type.String() + ", or nested ones, are not read")
	}
	if k := g.Chunks[column]; k.Values != g.Rows {
		return damage("%d values for %d rows", k.Values, g.Rows)
	}
	return f.place(group, column)
}

// place compares the place and the type of a column in a row group with the file.
func (f *File) place(group, column int) error {
	g, col := f.Groups[group], f.Columns[column]
	switch k := g.Chunks[column]; {
	case k.external:
		return Unsupported("its values are in another file")
	case k.Type != col.Type:
		return damage("values of type %v in a column of type %v", k.Type, col.Type)
	case g.Rows > 0 && (k.First < 4 || k.Last <= k.First || k.Last > f.size-8):
		return damage("it is said to lie at bytes %d to %d of a file of %d", k.First, k.Last, f.size)
	}
	return nil
}

// Chunk begins to read a column of a row group.
func (f *File) Chunk(group, column int) (*ChunkReader, error) {
	if err := f.Check(group, column); err != nil {
		return nil, err
	}
	k := f.Groups[group].Chunks[column]
	return &ChunkReader{f: f, col: f.Columns[column], codec: k.codec, at: k.First, last: k.Last, left: k.Values}, nil
}

// Reuse takes the memory of another reader, which is not used again; nil for none.
func (r *ChunkReader) Reuse(old *ChunkReader) {
	if old != nil {
		r.window, r.buf = old.window[:0], old.buf
	}
}

// bytes returns n bytes of the file from at on, valid until the next call.
func (r *ChunkReader) bytes(at int64, n int) ([]byte, error) {
	if from := at - r.windowAt; from >= 0 && from+int64(n) <= int64(len(r.window)) {
		return r.window[from : from+int64(n)], nil
	}
	size := int(min(int64(n)+headerAhead, r.f.size-at))
	if cap(r.window) < size {
		r.window = make([]byte, size)
	}
	r.window, r.windowAt = r.window[:size], at
	if err := readFull(r.f.r, r.window, at); err != nil {
		r.window = r.window[:0]
		return nil, err
	}
	return r.window[:n], nil
}

// header reads the header of the next page.
func (r *ChunkReader) header() (pageHeader, error) {
	for n := headerAhead; ; n *= 8 {
		most := r.last - r.at
		b, err := r.bytes(r.at, int(min(int64(n), most)))
		if err != nil {
			return pageHeader{}, err
		}
		h, length, short, err := headerOf(b)
		if err != nil && short && int64(n) < most && n < mostHeader {
			continue
		}
		if err != nil {
			return h, err
		}
		r.at += int64(length)
		if h.compressed < 0 || int64(h.compressed) > r.last-r.at {
			return h, damage("a page of %d bytes where its column has %d", h.compressed, r.last-r.at)
		}
		if h.expanded < 0 || h.expanded > r.f.most {
			return h, damage("a page that expands to %d bytes, out of all proportion to the file", h.expanded)
		}
		return h, nil
	}
}

// next opens the next data page.
func (r *ChunkReader) next() error {
	for {
		if r.at >= r.last {
			return damage("%d values missing", r.left)
		}
		h, err := r.header()
		if err != nil {
			return err
		}
		from := r.at
		r.at += int64(h.compressed)
		switch h.kind {
		case dataPage, dataPage2:
			if h.values < 0 || int64(h.values) > r.left {
				return damage("a page of %d values where %d are left", h.values, r.left)
			}
			if h.values == 0 {
				continue
			}
			r.left -= int64(h.values)
			return r.open(h, from)
		case dictionaryPage:
			if err := r.readDictionary(h, from); err != nil {
				return err
			}
		}
	}
}

// open opens the data page whose bytes begin at from.
func (r *ChunkReader) open(h pageHeader, from int64) error {
	if r.codec == uncompressed && r.col.Type == Double && r.col.Definition == 0 && h.encoding == encodingPlain && h.definition == 0 && h.repetition == 0 {
		if h.values > h.compressed/8 {
			return errFew
		}
		r.page = page{rows: h.values, direct: from, behind: from + 8*int64(h.values)}
		return nil
	}
	b, err := r.bytes(from, h.compressed)
	if err != nil {
		return err
	}
	var repetition, levels []byte
	if h.kind == dataPage2 {
		n := h.repetition + h.definition
		if h.definition < 0 || h.repetition < 0 || h.repetition > len(b) || n > len(b) || n > h.expanded || h.repetition > 0 && r.col.Repetition == 0 {
			return Damage("levels are longer than their page")
		}
		repetition, levels, b = b[:h.repetition], b[h.repetition:n], b[n:]
		h.expanded -= n
	}
	if r.codec != uncompressed && !h.stored && h.expanded > 0 {
		if b, err = r.f.expand(r.codec, b, h.expanded, r.buf); err != nil {
			return err
		}
		r.buf = b
	}
	return r.openPage(h, repetition, levels, b)
}

// readDictionary decodes a dictionary to words.
func (r *ChunkReader) readDictionary(h pageHeader, from int64) error {
	b, err := r.bytes(from, h.compressed)
	if err == nil && r.codec != uncompressed && h.expanded > 0 {
		b, err = r.f.expand(r.codec, b, h.expanded, nil)
	}
	if err != nil {
		return err
	}
	size := r.col.Type.size()
	if r.col.Type == Boolean || h.values < 0 || h.values > len(b)/size {
		return damage("a dictionary of %d values in %d bytes", h.values, len(b))
	}
	r.dictionary = make([]uint64, h.values)
	p := plain{b, size}
	return p.decode(r.dictionary)
}

// Read fills dst with the values of the next rows, NaN for a null. Truth values are 0 and 1.
func (r *ChunkReader) Read(dst []float64) error {
	for len(dst) > 0 {
		n, err := r.some(dst)
		if err != nil {
			return err
		}
		dst = dst[n:]
	}
	return nil
}

// some reads at least a row, of one page, and returns their number.
func (r *ChunkReader) some(dst []float64) (int, error) {
	for r.page.rows == 0 {
		if err := r.next(); err != nil {
			return 0, err
		}
	}
	p := &r.page
	n := min(len(dst), p.rows)
	if !p.nullable {
		p.rows -= n
		return n, r.numbers(dst[:n])
	}
	level, same, err := p.levels.repeated(n)
	switch {
	case err != nil:
		return 0, err
	case same > 0:
		p.rows -= same
		p.levels.pass(same)
		if level == 1 {
			return same, r.numbers(dst[:same])
		}
		for i := range same {
			dst[i] = math.NaN()
		}
		return same, nil
	}
	n = min(n, len(r.words), p.levels.left)
	p.rows -= n
	return n, r.spread(dst[:n])
}

// spread reads as many values as the next levels say, and moves them to their rows, the last first.
func (r *ChunkReader) spread(dst []float64) error {
	var levels [len(r.words)]uint64
	if err := r.page.levels.decode(levels[:len(dst)]); err != nil {
		return err
	}
	n := 0
	for _, l := range levels[:len(dst)] {
		n += int(l)
	}
	if err := r.numbers(dst[:n]); err != nil {
		return err
	}
	for i := len(dst) - 1; i >= 0; i-- {
		if levels[i] == 0 {
			dst[i] = math.NaN()
			continue
		}
		n--
		dst[i] = dst[n]
	}
	return nil
}

// numbers fills dst with the next values that are not null.
func (r *ChunkReader) numbers(dst []float64) error {
	p := &r.page
	switch {
	case p.direct > 0:
		if int64(8*len(dst)) > p.behind-p.direct {
			return errFew
		}
		if err := readFull(r.f.r, bytesOf(dst), p.direct); err != nil {
			return err
		}
		toHost(dst)
		p.direct += int64(8 * len(dst))
		return nil
	case p.plain != nil:
		if len(dst) > len(p.plain.b)/8 {
			return errFew
		}
		n := copy(bytesOf(dst), p.plain.b)
		toHost(dst)
		p.plain.b = p.plain.b[n:]
		return nil
	}
	for len(dst) > 0 {
		words := r.words[:min(len(dst), len(r.words))]
		if err := p.words.decode(words); err != nil {
			return err
		}
		if err := r.convert(dst, words); err != nil {
			return err
		}
		dst = dst[len(words):]
	}
	return nil
}

// convert makes words numbers.
func (r *ChunkReader) convert(dst []float64, words []uint64) error {
	dst = dst[:len(words)]
	unsigned := r.col.Logical.Meaning == Integer && r.col.Logical.Unsigned
	switch t := r.col.Type; {
	case t == Double:
		for i, w := range words {
			dst[i] = math.Float64frombits(w)
		}
	case t == Float:
		for i, w := range words {
			dst[i] = float64(math.Float32frombits(uint32(w)))
		}
	case t == Int32 && unsigned:
		for i, w := range words {
			dst[i] = float64(uint32(w))
		}
	case t == Int32:
		for i, w := range words {
			dst[i] = float64(int64(int32(w)) - r.Origin)
		}
	case t == Int64 && unsigned:
		for i, w := range words {
			dst[i] = float64(w)
		}
	case t == Int64:
		for i, w := range words {
			dst[i] = float64(int64(w) - r.Origin)
		}
	case t == Boolean:
		for i, w := range words {
			dst[i] = float64(w & 1)
		}
	default:
		return fmt.Errorf("values of type %v", t)
	}
	return nil
}

// FirstInt is the first integer of a chunk that is not null. It reads from the chunk's next row on.
func (r *ChunkReader) FirstInt() (v int64, found bool, err error) {
	var one [1]float64
	for r.left > 0 || r.page.rows > 0 {
		for r.page.rows == 0 {
			if err := r.next(); err != nil {
				return 0, false, err
			}
		}
		p := &r.page
		if p.nullable {
			level, same, err := p.levels.repeated(p.rows)
			if err != nil {
				return 0, false, err
			}
			if same > 0 && level == 0 {
				p.rows -= same
				p.levels.pass(same)
				continue
			}
			if same == 0 {
				if err := p.levels.decode(r.words[:1]); err != nil {
					return 0, false, err
				}
				if p.rows--; r.words[0] == 0 {
					continue
				}
			}
		}
		if p.words == nil {
			return 0, false, r.numbers(one[:])
		}
		if err := p.words.decode(r.words[:1]); err != nil {
			return 0, false, err
		}
		if r.col.Type == Int32 {
			return int64(int32(r.words[0])), true, nil
		}
		return int64(r.words[0]), true, nil
	}
	return 0, false, nil
}

package parquet

import "encoding/binary"

// Kinds of pages.
const (
	dataPage       = 0
	indexPage      = 1
	dictionaryPage = 2
	dataPage2      = 3
)

// pageHeader is the header of a page, as far as it is of use here.
type pageHeader struct {
	kind                 int
	expanded, compressed int // bytes of the page
	values               int // and nulls
	encoding             Encoding
	levels               Encoding // of definition levels, version 1
	definition           int      // bytes of definition levels, version 2
	repetition           int
	stored               bool // version 2: the values are not compressed
}

// headerOf reads a header from the front of b and returns its length; short where b ends within it.
func headerOf(b []byte) (h pageHeader, n int, short bool, err error) {
	c := &compact{b: b}
	h.kind, h.levels = -1, encodingRLE
	c.structure(wireStruct, func(id int, kind byte) bool {
		switch id {
		case 1:
			h.kind = int(c.int(kind))
		case 2:
			h.expanded = int(c.int(kind))
		case 3:
			h.compressed = int(c.int(kind))
		case 5, 7, 8:
			h.details(c, id, kind)
		default:
			return false
		}
		return true
	})
	if c.bad {
		return h, 0, c.short, Damage("the header of a page does not decode")
	}
	return h, len(b) - len(c.b), false, nil
}

// details reads the header of a data page (5), a dictionary (7) or a data page of version 2 (8).
func (h *pageHeader) details(c *compact, which int, kind byte) {
	c.structure(kind, func(id int, kind byte) bool {
		switch {
		case id == 1:
			h.values = int(c.int(kind))
		case id == 2 && which != 8 || id == 4 && which == 8:
			h.encoding = Encoding(c.int(kind))
		case id == 3 && which == 5:
			h.levels = Encoding(c.int(kind))
		case id == 5 && which == 8:
			h.definition = int(c.int(kind))
		case id == 6 && which == 8:
			h.repetition = int(c.int(kind))
		case id == 7 && which == 8:
			h.stored = !c.bool(kind)
		default:
			return false
		}
		return true
	})
}

// page is the open data page of a chunk.
type page struct {
	rows     int // not read yet
	nullable bool
	levels   hybrid // the highest where there is a value
	// Of lists: 0 where one begins.
	repetition hybrid
	words      values
	plain      *plain // words, where they are doubles
	direct     int64  // byte of the file where plain doubles go on, 0 where they are in memory
	behind     int64  // byte behind them
}

// openPage describes the values of a data page: of version 1 the levels lie before the values, of version 2
// they have been taken off.
func (r *ChunkReader) openPage(h pageHeader, repetition, levels, b []byte) error {
	p := page{rows: h.values, nullable: r.col.Definition > 0}
	if r.col.Repetition > 0 {
		if h.kind == dataPage && h.levels != encodingRLE {
			return Unsupported("levels that are packed without runs")
		}
		if h.kind == dataPage {
			var err error
			if repetition, levels, b, err = r.levels(b); err != nil {
				return err
			}
		}
		p.repetition = levelsUpTo(repetition, r.col.Repetition)
	} else if h.kind == dataPage && p.nullable {
		if h.levels != encodingRLE {
			return Unsupported("levels that are packed without runs")
		}
		if len(b) < 4 || uint64(binary.LittleEndian.Uint32(b)) > uint64(len(b)-4) {
			return Damage("levels are longer than their page")
		}
		n := binary.LittleEndian.Uint32(b)
		levels, b = b[4:4+n], b[4+n:]
	}
	if p.levels = levelsUpTo(levels, r.col.Definition); h.kind == dataPage2 && len(levels) == 0 {
		p.nullable = false // levels that are left out are all 1
	}
	t := r.col.Type
	switch {
	case h.encoding == encodingPlain && t == Boolean:
		p.words = &truths{b: b}
	case h.encoding == encodingPlain:
		r.plain = plain{b, t.size()}
		p.words = &r.plain
		if t == Double {
			p.plain = &r.plain
		}
	case h.encoding == encodingDictionary || h.encoding == encodingPlainDictionary:
		if len(b) == 0 { // nulls only
			b = []byte{0}
		}
		if b[0] > 32 || r.dictionary == nil {
			return Damage("indices without a dictionary, or of more than 32 bits")
		}
		p.words = &indexed{r.dictionary, hybrid{b: b[1:], width: uint(b[0])}}
	case h.encoding == encodingRLE && t == Boolean:
		if len(b) < 4 {
			return Damage("truth values without their length")
		}
		h := levelsOf(b[4:])
		p.words = &h
	case h.encoding == encodingSplit && t != Boolean:
		p.words = &split{b: b, size: t.size()}
	case h.encoding == encodingDelta && (t == Int32 || t == Int64):
		d, err := newDelta(b)
		if err != nil {
			return err
		}
		p.words = d
	default:
		return Unsupported("values of type " + t.String() + " in an encoding that is not read")
	}
	r.page = p
	return nil
}

package parquet

import (
	"encoding/binary"
	"fmt"
	"io"

	"ident/internal/zstandard"
)

// File is the description of a Parquet file. It is immutable, and its chunks may be read from several
// goroutines at once.
type File struct {
	Rows    int64 // as the footer says, beside the groups
	Columns []Column
	Groups  []Group
	Meta    []KeyValue

	r    io.ReaderAt
	size int64
	most int // bytes that a page may expand to
	zstd zstandard.Decoder
}

// KeyValue is a piece of the file's metadata.
type KeyValue struct{ Key, Value string }

// Column is a leaf of the schema.
type Column struct {
	Path       []string // names from below the root to the leaf
	Type       Type
	Logical    Logical
	Definition int // 1 for a column that may have nulls, more where it is nested
	Repetition int // above 0 in lists

	listed int // definition level from which on a list has an entry
}

// Group is a row group.
type Group struct {
	Rows   int64
	Chunks []Chunk // of all columns
}

// Chunk is the place of a column's values in a row group.
type Chunk struct {
	Type        Type
	Values      int64 // and nulls
	First, Last int64 // its bytes are First to Last-1

	codec    Codec
	external bool
}

// Open reads the footer of a file of size bytes, of which a page may expand to most bytes.
func Open(r io.ReaderAt, size int64, most int) (*File, error) {
	var tail [8]byte
	if size < 12 {
		return nil, damage("%d bytes are no Parquet file", size)
	}
	if err := readFull(r, tail[:], size-8); err != nil {
		return nil, err
	}
	n := int64(binary.LittleEndian.Uint32(tail[:]))
	if string(tail[4:]) != "PAR1" || n > size-12 {
		return nil, damage("a footer of %d bytes in a file of %d", n, size)
	}
	footer := make([]byte, n)
	if err := readFull(r, footer, size-8-n); err != nil {
		return nil, err
	}
	f := &File{r: r, size: size, most: most}
	c := &compact{b: footer}
	var schema []element
	c.structure(wireStruct, func(id int, kind byte) bool {
		switch id {
		case 2:
			c.list(kind, func(kind byte) { schema = append(schema, elementOf(c, kind)) })
		case 3:
			f.Rows = c.int(kind)
		case 4:
			c.list(kind, func(kind byte) { f.Groups = append(f.Groups, groupOf(c, kind)) })
		case 5:
			c.list(kind, func(kind byte) { f.Meta = append(f.Meta, keyValueOf(c, kind)) })
		default:
			return false
		}
		return true
	})
	if c.bad || len(schema) == 0 {
		return nil, Damage("the footer does not decode")
	}
	rest, err := f.leaves(schema[1:], schema[0].children, Column{}, 0)
	if err == nil && len(rest) > 0 {
		err = Damage("the schema has elements beyond its tree")
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

// readFull fills b from r at byte at.
func readFull(r io.ReaderAt, b []byte, at int64) error {
	n, err := r.ReadAt(b, at)
	if n == len(b) {
		return nil
	}
	if err == io.EOF {
		return fmt.Errorf("bytes %d to %d: %w", at, at+int64(len(b)), io.ErrUnexpectedEOF)
	}
	return err
}

func keyValueOf(c *compact, kind byte) (kv KeyValue) {
	c.structure(kind, func(id int, kind byte) bool {
		switch id {
		case 1:
			kv.Key = c.text(kind)
		case 2:
			kv.Value = c.text(kind)
		default:
			return false
		}
		return true
	})
	return kv
}

func groupOf(c *compact, kind byte) (g Group) {
	c.structure(kind, func(id int, kind byte) bool {
		switch id {
		case 1:
			c.list(kind, func(kind byte) { g.Chunks = append(g.Chunks, chunkOf(c, kind)) })
		case 3:
			g.Rows = c.int(kind)
		default:
			return false
		}
		return true
	})
	return g
}

func chunkOf(c *compact, kind byte) (k Chunk) {
	var data, dictionary, length int64
	k.Type = -1
	c.structure(kind, func(id int, kind byte) bool {
		switch id {
		case 1:
			k.external = true // the path of another file
			return false
		case 3:
			c.structure(kind, func(id int, kind byte) bool {
				switch id {
				case 1:
					k.Type = Type(c.int(kind))
				case 4:
					k.codec = Codec(c.int(kind))
				case 5:
					k.Values = c.int(kind)
				case 7:
					length = c.int(kind)
				case 9:
					data = c.int(kind)
				case 11:
					dictionary = c.int(kind)
				default:
					return false
				}
				return true
			})
		default:
			return false
		}
		return true
	})
	k.First = data
	if dictionary > 0 {
		k.First = min(data, dictionary)
	}
	k.Last = k.First + length // beyond any file where the sum overflows, or before First
	return k
}

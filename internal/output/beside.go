package output

import (
	"encoding/json"
	"errors"
	"hash"
	"hash/crc32"
	"io"
	"io/fs"
	"os"

	"ident/internal/textfile"
)

// MetadataSuffix and the path of a table of text are the path of the file beside it that holds the table's metadata. Text has no
// place for metadata that spreadsheets, pandas and NumPy pass over.
const MetadataSuffix = ".meta.json"

// MetadataSchema is the value of "schema" in the file beside a table.
const MetadataSchema = "ident.metadata/1"

// Metadata is the metadata of a table of text, with the table's length and checksum: another table at the same path does not get it.
type Metadata struct {
	Schema string            `json:"schema"`
	Bytes  int64             `json:"bytes"`
	CRC32C uint32            `json:"crc32c"`
	Values map[string]string `json:"metadata"`
}

// NewSum returns the checksum of Metadata. It is computed as fast as memory is read.
func NewSum() hash.Hash32 {
	return crc32.New(crc32.MakeTable(crc32.Castagnoli))
}

// ReadMetadata reads the metadata beside a table of so many bytes; nil if there is none of ident's. Their checksum must still be
// compared.
func ReadMetadata(path string, most int) *Metadata {
	text, err := textfile.Read(path+MetadataSuffix, most)
	if err != nil {
		return nil
	}
	m := &Metadata{}
	if json.Unmarshal(text, m) != nil || m.Schema != MetadataSchema {
		return nil
	}
	return m
}

// WriteMetadata writes the metadata beside a table of text that was written to path, and removes those of an earlier one if there
// are none. A stream has nothing beside it.
func WriteMetadata(path string, bytes int64, sum uint32, values map[string]string) error {
	if info, err := os.Stat(path); path == "-" || standardStream(path) != nil || err != nil || !info.Mode().IsRegular() {
		return nil
	}
	side := path + MetadataSuffix
	if len(values) == 0 {
		if own, err := Marked(side); err != nil || !own {
			return nil
		}
		if err := os.Remove(side); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return cannot(side, err)
		}
		return nil
	}
	if own, err := Marked(side); err == nil && !own {
		return &Foreign{side, notOurs}
	}
	return Write(side, func(w io.Writer) error {
		to := json.NewEncoder(w)
		to.SetEscapeHTML(false) // a robot file stays legible
		to.SetIndent("", " ")
		return to.Encode(Metadata{MetadataSchema, bytes, sum, values})
	})
}

// describedBeside reports whether the file beside a table says that ident wrote this table.
func describedBeside(path string, f io.Reader, size int64) bool {
	m := ReadMetadata(path, mostMetadata)
	if m == nil || m.Bytes != size {
		return false
	}
	sum := NewSum()
	n, err := io.Copy(sum, f)
	return err == nil && n == size && sum.Sum32() == m.CRC32C
}

// mostMetadata bounds the metadata that a claim looks at, in bytes: with a robot file of 16 MiB, every character escaped.
const mostMetadata = 96 << 20

package datasets

import (
	"fmt"
	"hash"
	"io"
	"maps"

	"ident/internal/output"
)

// summed counts the bytes of a text and sums them up, as they are written or read.
type summed struct {
	to   io.Writer
	from io.Reader
	n    int64
	sum  hash.Hash32
}

// Write writes and sums up.
func (s *summed) Write(p []byte) (int, error) {
	n, err := s.to.Write(p)
	s.sum.Write(p[:n])
	s.n += int64(n)
	return n, err
}

// Read reads and sums up.
func (s *summed) Read(p []byte) (int, error) {
	n, err := s.from.Read(p)
	s.sum.Write(p[:n])
	s.n += int64(n)
	return n, err
}

// openText reads a file of text, and the metadata that Write has put beside it.
func openText(path string, f io.Reader, size int64, of format, opt Options) (table, error) {
	beside := output.ReadMetadata(path, maxText)
	if beside == nil {
		return of.read(path, f, size, opt)
	}
	read := &summed{from: f, sum: output.NewSum()}
	t, err := of.read(path, read, size, opt)
	if err != nil {
		return t, err
	}
	if _, err := io.Copy(io.Discard, read); err != nil || read.n != beside.Bytes || read.sum.Sum32() != beside.CRC32C {
		t.notes = append(t.notes, Note{Text: fmt.Sprintf("%s is not read: the log was changed since ident wrote both", path+output.MetadataSuffix)})
		return t, nil
	}
	maps.Copy(t.meta, beside.Values)
	return t, nil
}

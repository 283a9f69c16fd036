package datasets

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"
)

// tempFile is a temporary file, removed when it is closed or garbage. A nil tempFile is closed.
type tempFile struct {
	f      *os.File
	remove func() error
}

// newTempFile creates a file in dir. Where the system allows, its name is removed at once, so that not even
// a killed process leaves it behind.
func newTempFile(dir string) (*tempFile, error) {
	f, err := os.CreateTemp(dir, "ident-log-*.tmp")
	if err != nil {
		return nil, fmt.Errorf("a log larger than the memory limit needs a temporary file: %w", err)
	}
	remove := func() error { return nil }
	if os.Remove(f.Name()) != nil {
		name := f.Name()
		remove = sync.OnceValue(func() error { return os.Remove(name) })
	}
	t := &tempFile{f, remove}
	runtime.AddCleanup(t, func(u tempFile) { u.close() }, *t)
	return t, nil
}

func (t *tempFile) close() error {
	if t == nil {
		return nil
	}
	err := t.f.Close()
	if errors.Is(err, os.ErrClosed) {
		return nil
	}
	return errors.Join(err, t.remove())
}

// blob is bytes with random access: in memory, or in a temporary file.
type blob struct {
	io.ReaderAt
	file *tempFile
}

// newBlob reads exactly size bytes, into memory if room suffices.
func newBlob(r io.Reader, size int64, room *int64, dir string) (blob, error) {
	short := func(err error) error {
		if err == io.EOF || errors.Is(err, io.ErrUnexpectedEOF) {
			return fmt.Errorf("%w: fewer bytes than the %d announced", ErrDamaged, size)
		}
		return err
	}
	if *room -= size; *room >= 0 {
		b := make([]byte, size)
		if _, err := io.ReadFull(r, b); err != nil {
			return blob{}, short(err)
		}
		return blob{ReaderAt: bytes.NewReader(b)}, nil
	}
	t, err := newTempFile(dir)
	if err != nil {
		return blob{}, err
	}
	if _, err := io.CopyN(t.f, r, size); err != nil {
		return blob{}, errors.Join(short(err), t.close())
	}
	return blob{ReaderAt: t.f, file: t}, nil
}

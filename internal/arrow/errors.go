package arrow

import (
	"errors"
	"fmt"
	"io"
	"runtime"
)

// Damage is an error of a file that contradicts itself.
type Damage string

func (d Damage) Error() string { return string(d) }

// Truncation is an error of a file that ends before its data do.
type Truncation string

func (t Truncation) Error() string { return string(t) }

// Foreign is an error of bytes that are no Arrow file, or one of another version.
type Foreign string

func (f Foreign) Error() string { return string(f) }

func damage(format string, args ...any) error { return Damage(fmt.Sprintf(format, args...)) }

// contradiction turns the panic of an offset out of range, within a flatbuffer, into Damage. It is deferred.
func contradiction(err *error) {
	switch p := recover().(type) {
	case nil:
	case runtime.Error:
		*err = Damage("its lengths or types contradict each other")
	default:
		panic(p)
	}
}

// readFull fills b from byte at on.
func readFull(r io.ReaderAt, b []byte, at int64) error {
	n, err := r.ReadAt(b, at)
	if n == len(b) {
		return nil
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return Truncation(fmt.Sprintf("%d bytes at byte %d where %d are wanted", n, at, len(b)))
	}
	return err
}

// Package pipe puts standard input and output instead of files that commands read more than once, or write and
// rename.
package pipe

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"ident/datasets"
	"ident/internal/output"
)

// stdinName is the name of the log of standard input, in rows and in results.
const stdinName = "stdin"

// ErrTwice is the error if "-" stands for more than one log: standard input holds one.
var ErrTwice = errors.New("- stands for standard input, which holds one log: give it once")

// Input copies standard input to a temporary file and puts its path instead of "-" among the logs, because logs are
// read more than once. The first bytes determine the format; text is CSV. done removes the file. If the stream stalls,
// Input waits until ctx is done.
func Input(ctx context.Context, in io.Reader, args []string) (paths []string, done func(), err error) {
	at := slices.Index(args, "-")
	if at < 0 {
		return args, func() {}, nil
	}
	if slices.Contains(args[at+1:], "-") {
		return nil, nil, ErrTwice
	}
	dir, done, err := output.Scratch("")
	if err != nil {
		return nil, nil, scratchError("cannot keep standard input", err)
	}
	var path string
	if err := until(ctx, func() (err error) { path, err = spool(in, dir); return err }); err != nil {
		done()
		return nil, nil, scratchError("reading standard input", err)
	}
	paths = slices.Clone(args)
	paths[at] = path
	return paths, done, nil
}

// scratchError says where temporary files are, with the remedy, where the system refuses one.
func scratchError(doing string, err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return fmt.Errorf("%s: its temporary copy in %s, the folder that TMPDIR names: %w", doing, os.TempDir(), at.Err)
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// until returns the error of f, or that of ctx, whichever is first. f may block in a read or a write that nothing ends
// but the program's end, and is left alone there.
func until(ctx context.Context, f func() error) error {
	ended := make(chan error, 1)
	go func() { ended <- f() }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// spool writes a stream to a file whose extension says the format; a motion may be JSON.
func spool(in io.Reader, dir string) (string, error) {
	head := make([]byte, 16)
	n, err := io.ReadFull(in, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return "", err
	}
	head = head[:n]
	ext := datasets.Sniff(head)
	if bytes.HasPrefix(head, []byte("{")) {
		ext = ".json"
	}
	path := filepath.Join(dir, stdinName+ext)
	f, err := os.Create(path)
	if err != nil {
		return "", err
	}
	_, err = io.Copy(f, io.MultiReader(bytes.NewReader(head), in))
	return path, errors.Join(err, f.Close())
}

// Output calls write with the path to write to. For "-" that is a temporary CSV file, which Output then copies to
// standard output until ctx is done.
func Output(ctx context.Context, w io.Writer, path string, write func(path string) error) error {
	if path != "-" {
		return write(path)
	}
	dir, done, err := output.Scratch("")
	if err != nil {
		return scratchError("cannot write to standard output", err)
	}
	defer done()
	path = filepath.Join(dir, "stdout.csv")
	if err := write(path); err != nil {
		var at *fs.PathError
		if errors.As(err, &at) && filepath.Dir(at.Path) == dir {
			return scratchError("cannot write to standard output", err)
		}
		return err
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := until(ctx, func() error { _, err := io.Copy(w, f); return err }); err != nil {
		return fmt.Errorf("cannot write to standard output: %w", err)
	}
	return nil
}

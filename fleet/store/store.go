// Package store writes the results of a pipeline where they belong: on this machine beside their place and renamed, on an
// object store in one piece, which appears when it is complete.
package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"

	"ident/internal/output"
)

// attempts at a file system that fails.
const attempts = 3

// Join returns the path of a file in a folder, which may be on an object store.
func Join(folder string, names ...string) string {
	if scheme, rest, found := strings.Cut(folder, "://"); found {
		return scheme + "://" + path.Join(append([]string{rest}, names...)...)
	}
	return filepath.Join(append([]string{folder}, names...)...)
}

// Write writes a file whole; whoever reads it sees the earlier file or this one.
func Write(ctx context.Context, name string, produce func(io.Writer) error) (err error) {
	for attempt := 1; ; attempt++ {
		if err = write(ctx, name, produce); err == nil || ctx.Err() != nil || attempt == attempts {
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Duration(attempt*attempt) * 50 * time.Millisecond):
		}
	}
}

func write(ctx context.Context, name string, produce func(io.Writer) error) error {
	if !strings.Contains(name, "://") {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		return output.Write(name, produce)
	}
	files, err := filesystem.New(ctx, name)
	if err != nil {
		return err
	}
	defer files.Close()
	to, err := files.OpenWrite(ctx, name)
	if err != nil {
		return err
	}
	return errors.Join(produce(to), to.Close())
}

// Remove removes a file of an object store if it is there.
func Remove(ctx context.Context, name string) error {
	files, err := filesystem.New(ctx, name)
	if err != nil {
		return err
	}
	defer files.Close()
	there, err := files.List(ctx, name)
	if err != nil || len(there) == 0 {
		return err
	}
	by, can := files.(filesystem.Remover)
	if !can {
		return fmt.Errorf("%s: its file system removes no files; choose a new folder", name)
	}
	return by.Remove(ctx, name)
}

package intake

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
)

// local reports whether a path is one of this machine's files.
func local(name string) bool { return !strings.Contains(name, "://") }

// onDisk returns a path on this machine with the content of a file: its own, or that of a copy in folder.
func onDisk(ctx context.Context, name, folder string) (string, error) {
	if local(name) {
		_, err := os.Stat(name)
		return name, err
	}
	files, err := filesystem.New(ctx, name)
	if err != nil {
		return "", err
	}
	defer files.Close()
	from, err := files.OpenRead(ctx, name)
	if err != nil {
		return "", missing(err)
	}
	defer from.Close()
	to, err := os.Create(filepath.Join(folder, path.Base(name)))
	if err != nil {
		return "", err
	}
	if _, err := io.Copy(to, from); err != nil {
		to.Close()
		return "", err
	}
	return to.Name(), to.Close()
}

// missing gives the errors of file systems that say "no such file" in words the type that os has for it.
func missing(err error) error {
	text := strings.ToLower(err.Error())
	for _, words := range []string{"not found", "doesn't exist", "does not exist", "no such", "nosuchkey"} {
		if strings.Contains(text, words) {
			return errors.Join(fs.ErrNotExist, err)
		}
	}
	return err
}

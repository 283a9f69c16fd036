package folder

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
)

// FileSum returns a file's SHA-256, or "" if path is not a regular file: a folder has none, and a pipe can be read only
// once.
func FileSum(ctx context.Context, path string) (string, error) {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return "", err
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	for {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		if _, err := io.CopyN(h, f, 1<<20); err == io.EOF {
			break
		} else if err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

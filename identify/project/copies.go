package project

import (
	"bytes"
	"hash/maphash"
	"io"
	"os"
	"path/filepath"
	"strings"

	"ident/observation"
)

// headBytes is the length of a file's beginning by which files of one size are told apart: logs differ in their first rows.
const headBytes = 64 << 10

// refuseCopies returns an error if two of the training logs are files with the same bytes, so that copies are refused before any is read.
// Copies with other bytes are found by their samples: see observation.Leaks. Where rows are chosen, copies may differ in these.
func refuseCopies(s *Settings, paths []string) error {
	if len(s.Rows) > 0 {
		return nil
	}
	type kind struct {
		size int64
		head uint64
	}
	sizes, seed, first := map[int64][]string{}, maphash.MakeSeed(), map[kind]string{}
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Size() > 0 {
			sizes[info.Size()] = append(sizes[info.Size()], path)
		}
	}
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil || len(sizes[info.Size()]) < 2 {
			continue // a file that is missing is told when it is opened
		}
		head, err := headOf(path)
		if err != nil {
			continue
		}
		k := kind{info.Size(), maphash.Bytes(seed, head)}
		switch before, ok := first[k]; {
		case !ok:
			first[k] = path
		case before != path && sameBytes(before, path):
			return &observation.LeakError{First: runName(before), Second: runName(path), Copied: true}
		}
	}
	return nil
}

// runName returns the name of the run of a file: its own, without its folder and what follows the first dot.
func runName(path string) string {
	name, _, _ := strings.Cut(filepath.Base(path), ".")
	return name
}

func headOf(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, headBytes))
}

// sameBytes reports whether two files of one size hold the same bytes.
func sameBytes(a, b string) bool {
	x, err := os.Open(a)
	if err != nil {
		return false
	}
	defer x.Close()
	y, err := os.Open(b)
	if err != nil {
		return false
	}
	defer y.Close()
	p, q := make([]byte, headBytes), make([]byte, headBytes)
	for {
		n, errX := io.ReadFull(x, p)
		m, errY := io.ReadFull(y, q)
		if n != m || !bytes.Equal(p[:n], q[:m]) {
			return false
		}
		if errX != nil || errY != nil {
			return errX == errY && (errX == io.EOF || errX == io.ErrUnexpectedEOF)
		}
	}
}

package main

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"

	"ident/fleet/store"
	"ident/internal/output"
)

// claimResults refuses to write the results of a run instead of files that ident-fleet did not write, of links and of files
// without write permission, before any log is read. On an object store it looks at the texts that every run writes alone.
func claimResults(ctx context.Context, folder string, overwrite bool) error {
	if overwrite {
		return nil
	}
	if strings.Contains(folder, "://") {
		for _, name := range []string{"index.html", "counts.json"} {
			if err := claimStored(ctx, store.Join(folder, name)); err != nil {
				return err
			}
		}
		return nil
	}
	names, err := results(folder)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := output.Claim(filepath.Join(folder, filepath.FromSlash(name)), false); err != nil {
			return err
		}
	}
	return nil
}

// results lists the files of a folder that have the names of results, with slashes.
func results(folder string) (names []string, err error) {
	for _, pattern := range []string{"index.html", "counts.json", "robots/*.json", "parameters*.parquet", "quarantine*.parquet"} {
		some, err := fs.Glob(os.DirFS(folder), pattern)
		if err != nil {
			return nil, err
		}
		names = append(names, some...)
	}
	return names, nil
}

// claimStored is claimResults for a file of an object store.
func claimStored(ctx context.Context, name string) error {
	files, err := filesystem.New(ctx, name)
	if err != nil {
		return err
	}
	there, err := files.List(ctx, name)
	if err != nil || len(there) == 0 {
		return err
	}
	text, err := read(ctx, name)
	if err == nil && len(text) > 0 && !output.MarkedText(text) {
		err = &output.Foreign{Path: name, Why: "was not written by ident-fleet"}
	}
	return err
}

// claimFleet refuses to write a virtual fleet into a folder that holds anything but an earlier one.
func claimFleet(folder string, overwrite bool) error {
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) == 0 || overwrite {
		return nil // what cannot be read cannot be written either: writing reports the better error
	}
	if own, err := output.Marked(filepath.Join(folder, "truth.json")); err != nil || !own {
		return &output.Foreign{Path: folder, Why: "is neither empty nor a virtual fleet"}
	}
	for _, pattern := range []string{"truth.json", "manifest.csv", "ident.yaml", "robots/*.urdf", "logs/*/*"} {
		paths, err := inFolder(folder, pattern)
		if err != nil {
			return err
		}
		for _, path := range paths {
			if err := output.ClaimEdit(path, false); err != nil {
				return err
			}
		}
	}
	return nil
}

// inFolder lists the files of a folder that match a pattern with slashes.
func inFolder(folder, pattern string) ([]string, error) {
	var out []string
	names, err := fs.Glob(os.DirFS(folder), pattern) // the name of the folder is no pattern
	for _, name := range names {
		out = append(out, filepath.Join(folder, filepath.FromSlash(name)))
	}
	return out, err
}

package fleet

import (
	"context"
	"fmt"
	"hash/fnv"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"

	"ident/fleet/intake"
	"ident/fleet/manifest"
)

// list reads the manifest and expands patterns.
type list struct {
	Manifest string
}

func (l *list) ProcessElement(ctx context.Context, _ []byte, emit func(intake.Entry), refuse func(intake.Refusal)) error {
	files, err := filesystem.New(ctx, l.Manifest)
	if err != nil {
		return err
	}
	defer files.Close()
	text, err := files.OpenRead(ctx, l.Manifest)
	if err != nil {
		return err
	}
	defer text.Close()
	err = manifest.Read(text, func(row manifest.Row, bad *manifest.RowError) error {
		if bad != nil {
			refuse(intake.Refusal{Robot: bad.Robot, Log: bad.Log, Entry: bad.Number, Reason: intake.Manifest, Message: bad.Err.Error(), File: l.Manifest, Row: bad.Number})
			return nil
		}
		e := intake.Entry{Robot: row.Robot, Log: l.beside(row.Log), File: l.beside(row.File), Row: row.Number}
		if !row.Start.IsZero() {
			e.Start = row.Start.UnixMilli()
		}
		if !strings.ContainsAny(e.Log, "*?[") {
			emit(e)
			return nil
		}
		names, err := expand(ctx, e.Log)
		if err != nil || len(names) == 0 {
			r := intake.Refusal{Robot: e.Robot, Log: e.Log, Entry: row.Number, Reason: intake.NoFile, Message: "the pattern names no file", File: l.Manifest, Row: row.Number}
			if err != nil {
				r.Message = err.Error()
			}
			refuse(r)
			return nil
		}
		for _, name := range names {
			e.Log = name
			emit(e)
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("manifest %s: %w", l.Manifest, err)
	}
	return nil
}

// beside returns a path of the manifest, from its folder.
func (l *list) beside(name string) string {
	if strings.Contains(name, "://") || filepath.IsAbs(name) {
		return name
	}
	if scheme, rest, found := strings.Cut(l.Manifest, "://"); found {
		return scheme + "://" + path.Join(path.Dir(rest), filepath.ToSlash(name))
	}
	return filepath.Join(filepath.Dir(l.Manifest), name)
}

// expand lists the files of a pattern, in order.
func expand(ctx context.Context, pattern string) ([]string, error) {
	files, err := filesystem.New(ctx, pattern)
	if err != nil {
		return nil, err
	}
	defer files.Close()
	names, err := files.List(ctx, pattern)
	slices.Sort(names)
	return names, err
}

// shard gives entries the key of the shard that takes them: the hash of the path, so that a log has one shard however often it
// is listed.
type shard struct {
	Shards int
}

func (s *shard) ProcessElement(e intake.Entry) (int, intake.Entry) {
	return int(hash(e.Log) % uint64(max(1, s.Shards))), e
}

func hash(text string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(text))
	return h.Sum64()
}

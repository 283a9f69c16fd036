package project

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"ident/datasets"
	"ident/identify/folder"
	"ident/robot"
	"ident/robot/format"
)

// RobotMeta returns the metadata with which a log carries its robot. It reads the file first, so that no log carries a
// robot that no command can read.
func RobotMeta(p *Settings) (map[string]string, error) {
	r, err := format.Open(p.Robot, robot.ReadOptions{NoSnap: p.NoSnap, Set: p.Set, Args: p.Args, Packages: p.Packages})
	if err != nil {
		return nil, err
	}
	if !utf8.Valid(r.Source.Text) {
		return nil, fmt.Errorf("%s is not UTF-8 text, which the metadata of a log must be; save it as UTF-8", p.Robot)
	}
	return map[string]string{MetaRobot: string(r.Source.Text), MetaSHA: r.Source.SHA256, MetaFormat: r.Source.Format}, nil
}

// MetaSource is the metadata key for the origin of a converted log: a JSON list of sourceFile.
const MetaSource = "ident.source"

// sourceFile describes one file that a log was made from and the settings it was read with.
type sourceFile struct {
	File   string             `json:"file"`
	SHA256 string             `json:"sha256,omitempty"` // none for a folder
	Units  map[string]string  `json:"units,omitempty"`
	Scale  map[string]float64 `json:"scale,omitempty"`
	Zero   map[string]float64 `json:"zero,omitempty"`
	Map    map[string]string  `json:"map,omitempty"`
	Topics []string           `json:"topics,omitempty"`
	Rows   map[string]string  `json:"rows,omitempty"`
	Bad    int                `json:"dropped_rows,omitempty"`
	// Source is the file's own record of its origin.
	Source json.RawMessage `json:"source,omitempty"`
}

// SourceOf returns the record of the files that logs were read from, for MetaSource.
func SourceOf(ctx context.Context, p *Settings, paths []string, logs []*datasets.Log) (string, error) {
	var list []sourceFile
	for _, path := range paths {
		own := p.forFile(path)
		src := sourceFile{File: filepath.Base(filepath.Clean(path)), Units: own.Units, Scale: own.Scale, Zero: own.Zero, Map: own.Map, Topics: own.Topics, Rows: p.Rows}
		for _, l := range logs {
			if l.Path() == path {
				src.Bad = l.DroppedRows()
				if text := []byte(l.Meta()[MetaSource]); json.Valid(text) {
					src.Source = text
				}
			}
		}
		sum, err := folder.FileSum(ctx, path)
		if err != nil {
			return "", fmt.Errorf("cannot read %s again: %w", path, err)
		}
		src.SHA256 = sum
		list = append(list, src)
	}
	text, err := json.Marshal(list)
	return string(text), err
}

// OtherLogs compares files with the logs of the result in dir by their hashes. It returns a sentence for each file that
// is none of them. Without files it takes those beside dir with the names of the result's logs.
func OtherLogs(ctx context.Context, dir string, files []string, seals folder.Seals) (said []string, err error) {
	res, err := folder.ReadResult(dir, seals)
	if err != nil {
		return nil, err
	}
	var sums, names []string
	beside := map[string]string{} // hashes of the result's logs, by the paths that they may have
	for _, l := range res.Logs {
		if l.SHA256 == "" {
			continue
		}
		sums, names = append(sums, l.SHA256), append(names, l.Name)
		if l.File != "" && filepath.IsLocal(l.File) {
			beside[filepath.Join(filepath.Dir(filepath.Clean(dir)), l.File)] = l.SHA256
		}
	}
	for _, path := range files {
		sum, err := folder.FileSum(ctx, path)
		if err != nil {
			return nil, fmt.Errorf("cannot compare %s with the logs of %s: %w", path, dir, err)
		}
		if !slices.Contains(sums, sum) {
			said = append(said, fmt.Sprintf("%s is not one of the logs that the result was made of (%s), or its content has changed", path, someOf(names)))
		}
	}
	if len(files) > 0 {
		return said, nil
	}
	for _, path := range slices.Sorted(maps.Keys(beside)) {
		if sum, err := folder.FileSum(ctx, path); err == nil && sum != "" && sum != beside[path] {
			said = append(said, fmt.Sprintf("%s is not the file of that name which the result was made of: its content has changed, or it is another log", path))
		}
	}
	return said, ctx.Err()
}

// NoteTexts returns the notes from reading a robot file, one per line.
func NoteTexts(r *robot.Robot) []string {
	var out []string
	for _, n := range r.Notes {
		out = append(out, n.String())
	}
	return out
}

// someOf lists the first of many names and the number of the others.
func someOf(names []string) string {
	const most = 5
	if len(names) <= most+1 {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d others", strings.Join(names[:most], ", "), len(names)-most)
}

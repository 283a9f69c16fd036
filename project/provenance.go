package project

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"unicode/utf8"

	"ident/datasets"
	"ident/robot"
)

// RobotMeta is the metadata by which a log carries its robot. The file is read
// first: a log must not carry a robot that no command could read.
func RobotMeta(p *Settings) (map[string]string, error) {
	r, err := robot.Open(p.Robot, robot.ReadOptions{NoSnap: p.NoSnap, Set: p.Set})
	if err != nil {
		return nil, err
	}
	if !utf8.Valid(r.Source.Text) {
		return nil, fmt.Errorf("%s is not UTF-8 text, which the metadata of a log must be; save it as UTF-8", p.Robot)
	}
	return map[string]string{MetaRobot: string(r.Source.Text), MetaSHA: r.Source.SHA256, MetaFormat: r.Source.Format}, nil
}

// MetaSource is the metadata key that says where a converted log comes from:
// a JSON list of sourceFile.
const MetaSource = "ident.source"

// sourceFile is one file that a log was made of, and the settings it was read with.
type sourceFile struct {
	File   string            `json:"file"`
	SHA256 string            `json:"sha256,omitempty"` // none of a folder
	Units  map[string]string `json:"units,omitempty"`
	Map    map[string]string `json:"map,omitempty"`
	Topics []string          `json:"topics,omitempty"`
	Rows   map[string]string `json:"rows,omitempty"`
	Bad    int               `json:"dropped_rows,omitempty"`
	// Source is the file's own account of where it came from.
	Source json.RawMessage `json:"source,omitempty"`
}

// SourceOf is the account of the files that logs were read from.
func SourceOf(p *Settings, paths []string, logs []*datasets.Log) (string, error) {
	var list []sourceFile
	for _, path := range paths {
		src := sourceFile{File: filepath.Base(filepath.Clean(path)), Units: p.Units, Map: p.Map, Topics: p.Topics, Rows: p.Rows}
		for _, l := range logs {
			if l.Path() == path {
				src.Bad = l.DroppedRows()
				if text := []byte(l.Meta()[MetaSource]); json.Valid(text) {
					src.Source = text
				}
			}
		}
		sum, err := fileSum(path)
		if err != nil {
			return "", fmt.Errorf("cannot read %s again: %w", path, err)
		}
		src.SHA256 = sum
		list = append(list, src)
	}
	text, err := json.Marshal(list)
	return string(text), err
}

// fileSum is a file's SHA-256, "" for a folder.
func fileSum(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || info.IsDir() {
		return "", err
	}
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// NoteTexts are the notes of reading a robot file, one a line.
func NoteTexts(r *robot.Robot) []string {
	var out []string
	for _, n := range r.Notes {
		out = append(out, n.Where+": "+n.Text)
	}
	return out
}

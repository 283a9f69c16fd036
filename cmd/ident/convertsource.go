package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"ident/datasets"
	"ident/project"
)

// metaSource is the metadata key that says where a converted log comes from:
// a JSON list of sourceFile.
const metaSource = "ident.source"

// sourceFile is one file that a log was made of, and what was made of it.
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

// sourceOf is the account of the files that logs were read from.
func sourceOf(p *project.Settings, paths []string, logs []*datasets.Log) (string, error) {
	var list []sourceFile
	for _, path := range paths {
		src := sourceFile{File: filepath.Base(filepath.Clean(path)), Units: p.Units, Map: p.Map, Topics: p.Topics, Rows: p.Rows}
		for _, l := range logs {
			if l.Path() == path {
				src.Bad = l.DroppedRows()
				if text := []byte(l.Meta()[metaSource]); json.Valid(text) {
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

package folder

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"ident/internal/document"
	"ident/internal/textfile"
	"ident/result"
)

// VerifySchema is the version of VerifyDocument.
const VerifySchema = "ident.verify/1"

// VerifyDocument says whether the files of a result are what was written.
type VerifyDocument struct {
	Schema string         `json:"schema"`
	Result string         `json:"result"`
	Files  []VerifiedFile `json:"files"` // the document, the other files of the folder, then the logs
	// Changed and NotChecked count the files in these states; a missing file of the folder counts as changed.
	Changed    int `json:"changed"`
	NotChecked int `json:"not_checked"`
}

// VerifiedState is the state of a file.
type VerifiedState string

// The states of a file.
const (
	Unchanged  VerifiedState = "unchanged"
	Changed    VerifiedState = "changed"
	Missing    VerifiedState = "missing"     // a file of the result's folder
	NotChecked VerifiedState = "not checked" // a log that is not here, or a file whose hash is not known
)

// VerifiedFile is one file of a result.
type VerifiedFile struct {
	File  string        `json:"file"`
	Kind  string        `json:"kind"` // "document", "robot", "residuals", "log" or "file"
	State VerifiedState `json:"state"`
	Why   string        `json:"why,omitempty"` // absent for an unchanged file
}

func (d *VerifyDocument) add(file, kind string, state VerifiedState, why string) {
	d.Files = append(d.Files, VerifiedFile{file, kind, state, why})
	switch state {
	case Changed, Missing:
		d.Changed++
	case NotChecked:
		d.NotChecked++
	}
}

// Verify reads every file of the result in dir again and compares it with what was written: the document with its seal, the robot,
// the residuals and the other files that are not drawn again with their hashes, and the logs with theirs. Logs are looked for among
// the given paths, beside dir, and in the current folder, by their file names. Nothing is changed.
func Verify(ctx context.Context, dir string, logs []string) (*VerifyDocument, error) {
	d := &VerifyDocument{Schema: VerifySchema, Result: dir, Files: []VerifiedFile{}}
	name := ResultFile
	if !fileThere(filepath.Join(dir, ResultFile)) && fileThere(filepath.Join(dir, result.ElasticFile)) {
		name = result.ElasticFile
	}
	text, err := textfile.ReadDocument(filepath.Join(dir, name), largestResult)
	if err != nil {
		return nil, result.NotFolder(dir, err)
	}
	var head struct {
		Schema string `json:"schema"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		d.add(name, "document", Changed, "it is no JSON document: "+err.Error())
		return d, nil
	}
	if name == result.ElasticFile {
		return d, d.elastic(ctx, dir, text)
	}
	res := new(result.Result)
	err = json.Unmarshal(text, res)
	if err == nil && head.Schema != result.Schema {
		err = fmt.Errorf("its schema is %q, this version reads %q: make it again with this version", head.Schema, result.Schema)
	}
	if err == nil {
		err = res.Valid()
	}
	d.document(name, text, err)
	if err != nil {
		return d, nil
	}
	return d, errors.Join(d.folder(ctx, dir, res), d.logs(ctx, dir, res, logs))
}

func fileThere(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// document adds the result's document; invalid is the error of reading it.
func (d *VerifyDocument) document(name string, text []byte, invalid error) {
	sealed, err := document.CheckSeal(text)
	switch {
	case err != nil:
		d.add(name, "document", Changed, err.Error())
	case invalid != nil:
		d.add(name, "document", Changed, invalid.Error())
	case !sealed && document.LostSeal(text):
		d.add(name, "document", Changed, "the seal that ident wrote in it is missing")
	case !sealed:
		d.add(name, "document", NotChecked, "it has no seal: version 0.4.0 and earlier, and other programs, write none")
	default:
		d.add(name, "document", Unchanged, "")
	}
}

// folder adds the files of the result's folder beside its document.
func (d *VerifyDocument) folder(ctx context.Context, dir string, res *result.Result) error {
	names := slices.Clone(res.Files)
	for _, more := range []string{res.Robot.File, residualsFile} {
		if more != "" && !slices.Contains(names, more) {
			names = append(names, more)
		}
	}
	for name := range res.FileSHA256 {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		if name == ResultFile || isDrawing(name) {
			continue // pages and plots are drawn again by ident plot
		}
		kind, want := "file", res.FileSHA256[name]
		switch name {
		case res.Robot.File:
			kind = "robot"
			if want == "" {
				want = res.Robot.SHA256
			}
		case residualsFile:
			kind = "residuals"
		}
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			d.add(name, kind, Changed, "its name leads out of the folder")
			continue
		}
		if err := d.hashed(ctx, filepath.Join(dir, filepath.FromSlash(name)), name, kind, want); err != nil {
			return err
		}
		if kind == "residuals" && d.Files[len(d.Files)-1].State == NotChecked {
			d.Files = d.Files[:len(d.Files)-1]
			d.NotChecked--
			if _, err := readResiduals(ctx, dir, len(res.Joints)); err != nil && ctx.Err() == nil {
				d.add(name, kind, Changed, err.Error())
			} else { // the file's own checksum
				d.add(name, kind, Unchanged, "")
			}
		}
	}
	return ctx.Err()
}

// hashed adds a file of the folder, whose hash was want, "" for an unknown one.
func (d *VerifyDocument) hashed(ctx context.Context, path, name, kind, want string) error {
	sum, err := FileSum(ctx, path)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, fs.ErrNotExist):
		d.add(name, kind, Missing, "it is not in the folder")
	case err != nil:
		d.add(name, kind, Changed, err.Error())
	case sum == "":
		d.add(name, kind, Changed, "it is not a regular file")
	case want == "":
		d.add(name, kind, NotChecked, "the document holds no hash of it")
	case sum != want:
		d.add(name, kind, Changed, "its hash is not the one that was written")
	default:
		d.add(name, kind, Unchanged, "")
	}
	return nil
}

// logs adds the logs of the result, one for each file.
func (d *VerifyDocument) logs(ctx context.Context, dir string, res *result.Result, given []string) error {
	known := map[string]string{} // hashes of the given files
	for _, path := range given {
		sum, err := FileSum(ctx, path)
		if err != nil {
			return fmt.Errorf("cannot read %s: %w", path, err)
		}
		known[path] = sum
	}
	seen := map[string]bool{}
	used := map[string]bool{}
	for _, l := range res.Logs {
		name := l.File
		if name == "" {
			name = l.Name
		}
		if key := name + "\x00" + l.SHA256; seen[key] {
			continue
		} else {
			seen[key] = true
		}
		if l.SHA256 == "" {
			d.add(name, "log", NotChecked, "the document holds no hash of it: it was a stream, a folder or a table in memory")
			continue
		}
		state, why := NotChecked, "no file of this name is given, beside the result, or in the current folder"
		paths := slices.Clone(given)
		if l.File != "" && filepath.IsLocal(l.File) {
			paths = append(paths, filepath.Join(filepath.Dir(filepath.Clean(dir)), l.File), l.File)
		}
		for _, path := range paths {
			sum, ok := known[path]
			if !ok {
				var err error
				if sum, err = FileSum(ctx, path); ctx.Err() != nil {
					return ctx.Err()
				} else if err != nil || sum == "" {
					continue
				}
			}
			if sum == l.SHA256 {
				state, why, used[path] = Unchanged, "", true
				break
			}
			if filepath.Base(path) == l.File {
				state, why, used[path] = Changed, fmt.Sprintf("%s has another content", path), true
			}
		}
		d.add(name, "log", state, why)
	}
	for _, path := range given {
		if !used[path] {
			d.add(path, "log", Changed, "it is not one of the logs that the result was made of, or its content has changed")
		}
	}
	return nil
}

// elastic adds the files of a result of elastic joints.
func (d *VerifyDocument) elastic(ctx context.Context, dir string, text []byte) error {
	var res struct {
		Logs        []string `json:"logs"`
		RobotSHA256 string   `json:"robot_file_sha256"`
	}
	err := json.Unmarshal(text, &res)
	d.document(result.ElasticFile, text, err)
	if err != nil {
		return nil
	}
	if err := d.hashed(ctx, filepath.Join(dir, elasticFiles[1]), elasticFiles[1], "robot", res.RobotSHA256); err != nil {
		return err
	}
	for _, name := range res.Logs {
		d.add(name, "log", NotChecked, "results of elastic joints hold no hashes of their logs")
	}
	return nil
}

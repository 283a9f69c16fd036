// Package folder writes and reads the folders of results, and the documents in them.
//
// A folder has result.json (the whole result with the settings that it was made by), residuals.parquet, the robot file as
// it was read, report.html and plots/. The result lists its own files; a later result replaces these and no others, and a folder that
// is neither empty nor a result is refused with [ErrNotResult]. [WriteResult] writes a folder whole or not at all, [ReadResult] reads
// its document, [Redraw] draws its page again, and [Verify] says whether its files are what was written.
//
// A document that ident reads back has a seal, which [WriteSealed] writes and [Seals] checks.
package folder

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"ident/identify/regression"
	"ident/internal/finite"
	"ident/internal/output"
	"ident/internal/textfile"
	"ident/mechanics/loads"
	"ident/report"
	"ident/report/loadsection"
	"ident/report/scene"
	"ident/result"
	"ident/robot"
)

// Default returns the default folder of a result: log.ident for both log.parquet and log.csv.gz.
func Default(path string) string {
	base := strings.TrimSuffix(strings.TrimSuffix(filepath.Clean(path), ".gz"), ".zst")
	return strings.TrimSuffix(base, filepath.Ext(base)) + ".ident"
}

// WriteJSON writes doc to w as one JSON document.
func WriteJSON(w io.Writer, doc any) error {
	text, err := documentText(doc)
	if err == nil {
		_, err = w.Write(text)
	}
	return err
}

// WriteSealed is WriteJSON for a document that ident reads back: it first sets the document's member seal, which is at the given
// place.
func WriteSealed(w io.Writer, doc any, at *string) error {
	if err := seal(doc, at); err != nil {
		return err
	}
	return WriteJSON(w, doc)
}

// documentText returns doc as one JSON document.
func documentText(doc any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(doc); err != nil {
		if bad := finite.Check(doc); bad != nil {
			err = fmt.Errorf("%w: the numbers are too large or too small; look for a channel of the wrong scale with ident check", bad)
		}
		return nil, fmt.Errorf("writing JSON: %w", err)
	}
	return b.Bytes(), nil
}

// largestResult bounds the size in bytes of the files that are read from a result's folder.
const largestResult = 256 << 20

// Names within a result's folder.
const (
	ResultFile   = "result.json"
	comparedFile = "compared.json"
	loadsFile    = "loads.json"
	commandFile  = "command.txt" // the command line that made the result, for its page
	ReportFile   = "report.html"
	PlotsFolder  = "plots"
)

// Drawing says how the page and the plots of a result are drawn.
type Drawing struct {
	// Plots writes the plots as separate files too; rendering them takes longer than a short fit.
	Plots bool
	// Command is the command line that made the result, for the page; empty for none.
	Command string
	// Compared compares the result with other models or candidates, for the page; nil for none. It is stored in the
	// folder.
	Compared *result.Comparison
	// Loads are the joint loads of the logs' motions, for the page. They are stored in the folder.
	Loads []*loads.Report
	// Overwrite permits replacing files that belong to no earlier result, links, and files without write permission.
	Overwrite bool
}

// WriteResult writes the folder of a result. If the result contains a number that is not finite, it writes nothing and
// returns an error: see result.Result.Valid.
func WriteResult(ctx context.Context, folder string, o *regression.Outcome, r *robot.Robot, d Drawing) error {
	if err := o.Result.Valid(); err != nil {
		return err
	}
	return output.Folder(folder, inAny(resultFiles, d.Overwrite), ResultFile, d.Overwrite, func(dir string) error {
		res := &o.Result
		if len(r.Source.Text) > 0 {
			res.Robot.File = "robot." + r.Source.Format
			if err := os.WriteFile(filepath.Join(dir, res.Robot.File), r.Source.Text, 0o644); err != nil {
				return fmt.Errorf("cannot write the result: %w", err)
			}
		}
		if err := writeResiduals(ctx, dir, o.Residuals); err != nil {
			return err
		}
		if c := d.Compared; c != nil {
			if err := output.Write(filepath.Join(dir, comparedFile), func(w io.Writer) error { return WriteSealed(w, c, &c.Seal) }); err != nil {
				return err
			}
		}
		if d.Loads != nil {
			if err := output.Write(filepath.Join(dir, loadsFile), func(w io.Writer) error { return WriteJSON(w, d.Loads) }); err != nil {
				return err
			}
		}
		if d.Command != "" {
			if err := output.Write(filepath.Join(dir, commandFile), func(w io.Writer) error { _, err := io.WriteString(w, d.Command+"\n"); return err }); err != nil {
				return err
			}
		}
		if err := drawResult(ctx, dir, res, o.Residuals, SceneOf(r, res), d, Today()); err != nil {
			return err
		}
		var err error
		if res.Files, err = output.Files(dir); err != nil {
			return fmt.Errorf("cannot write %s: %w", folder, err)
		}
		res.Files = append(res.Files, ResultFile)
		slices.Sort(res.Files)
		res.FileSHA256 = map[string]string{}
		for _, name := range res.Files {
			if name == ResultFile || isDrawing(name) {
				continue
			}
			if res.FileSHA256[name], err = FileSum(ctx, filepath.Join(dir, filepath.FromSlash(name))); err != nil {
				return fmt.Errorf("cannot write %s: %w", folder, err)
			}
		}
		return output.Write(filepath.Join(dir, ResultFile), func(w io.Writer) error { return WriteSealed(w, res, &res.Seal) })
	})
}

// SceneOf returns the fitted robot for the page, or nil if it cannot be drawn; the page then shows the rest.
func SceneOf(source *robot.Robot, res *result.Result) *scene.Scene {
	r := source
	for name, at := range res.Processing.Lock {
		var err error
		if r, err = r.Lock(name, at); err != nil {
			return nil
		}
	}
	s, err := scene.New(r)
	if err != nil || len(r.Independent()) != len(res.Joints) {
		return nil
	}
	s.Identify(res)
	return s
}

// drawResult writes the page of a result and, if asked for, its plots. made is the date of the result.
func drawResult(ctx context.Context, dir string, res *result.Result, runs []result.ResidualRun, s *scene.Scene, d Drawing, made time.Time) error {
	opt := report.Options{Title: "Identification of " + res.Robot.Name, Formats: []string{"svg"}, Date: made.Format("2 Jan 2006"), Command: d.Command, Scene: s, Compared: d.Compared}
	if s, ok := loadsection.Section(d.Loads); ok {
		opt.Sections = append(opt.Sections, s)
	}
	if d.Plots {
		opt.Formats = append(opt.Formats, "png")
	}
	drawn, err := report.Plots(ctx, res, runs, opt)
	if err != nil {
		return fmt.Errorf("drawing the result: %w", err)
	}
	if d.Plots {
		if err := writePlots(filepath.Join(dir, PlotsFolder), drawn); err != nil {
			return err
		}
	}
	return output.Write(filepath.Join(dir, ReportFile), func(w io.Writer) error { return report.HTML(ctx, w, res, runs, drawn, opt) })
}

// Today returns the date for a new page: SOURCE_DATE_EPOCH if a reproducible build sets it, otherwise today.
func Today() time.Time {
	if s, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64); err == nil {
		return time.Unix(s, 0).UTC()
	}
	return time.Now()
}

func writePlots(folder string, plots []report.Plot) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return fmt.Errorf("cannot write %s: %w", folder, err)
	}
	for _, p := range plots {
		for ext, text := range map[string][]byte{".svg": p.SVG, ".png": p.PNG} {
			if len(text) == 0 {
				continue
			}
			if err := output.Write(filepath.Join(folder, p.Name+ext), func(w io.Writer) error { _, err := w.Write(text); return err }); err != nil {
				return err
			}
		}
	}
	return nil
}

// readCompared reads the comparison stored in a folder, nil if there is none.
func readCompared(dir string, seals Seals) (*result.Comparison, error) {
	text, err := textfile.ReadDocument(filepath.Join(dir, comparedFile), largestResult)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	c := new(result.Comparison)
	if err == nil {
		err = json.Unmarshal(text, c)
	}
	if err == nil && c.Schema != result.ComparisonSchema {
		err = fmt.Errorf("its schema is %q, this version reads %q: make it again with this version", c.Schema, result.ComparisonSchema)
	}
	if err == nil {
		if _, err := seals.Check(filepath.Join(dir, comparedFile), text); err != nil {
			return nil, err
		}
	}
	if err == nil {
		err = c.Valid()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, comparedFile), err)
	}
	return c, nil
}

// readCommand reads the command line stored in a folder, "" if there is none.
func readCommand(dir string) (string, error) {
	text, err := textfile.ReadDocument(filepath.Join(dir, commandFile), largestResult)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return strings.TrimSpace(string(text)), err
}

// readLoads reads the loads stored in a folder, nil if there are none.
func readLoads(dir string) ([]*loads.Report, error) {
	text, err := textfile.ReadDocument(filepath.Join(dir, loadsFile), largestResult)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var all []*loads.Report
	if err == nil {
		err = json.Unmarshal(text, &all)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, loadsFile), err)
	}
	for _, r := range all {
		if r == nil || r.Schema != loads.Schema {
			return nil, fmt.Errorf("%s: an entry without the schema %q", filepath.Join(dir, loadsFile), loads.Schema)
		}
		if err := r.Valid(); err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Join(dir, loadsFile), err)
		}
	}
	return all, nil
}

// ReadResult reads a folder's result.json. The document must be valid: see [result.Result.Valid]. If its seal is broken and seals
// permits it, its grade is doubtful at best.
func ReadResult(dir string, seals Seals) (*result.Result, error) {
	text, err := textfile.ReadDocument(filepath.Join(dir, ResultFile), largestResult)
	if err != nil {
		return nil, result.NotFolder(dir, err)
	}
	res := new(result.Result)
	if err := json.Unmarshal(text, res); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, ResultFile), err)
	}
	if res.Schema != result.Schema {
		return nil, fmt.Errorf("%s: its schema is %q, this version reads %q: make it again with this version", filepath.Join(dir, ResultFile), res.Schema, result.Schema)
	}
	if err := res.Valid(); err != nil {
		return nil, fmt.Errorf("%s: %w", filepath.Join(dir, ResultFile), err)
	}
	broken, err := seals.Check(filepath.Join(dir, ResultFile), text)
	if broken {
		res.Grade = BrokenGrade(res.Grade)
	}
	return res, err
}

package identify

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"ident/estimate/summary"
	"ident/internal/output"
	"ident/internal/rowlist"
	"ident/internal/textfile"
)

// OpenSummary reads the file of a summary. For a file of another kind the error wraps summary.ErrDamaged.
func OpenSummary(path string) (*summary.Summary, error) {
	var s *summary.Summary
	err := withFile(path, func(r io.ReaderAt, size int64) (err error) {
		s, err = summary.Decode(r, size)
		return err
	})
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("the summary %s is missing: %w", path, err)
	case errors.Is(err, summary.ErrDamaged) && !strings.HasSuffix(path, ".idr"):
		return nil, fmt.Errorf("%s is no summary; ident reduce makes one of a log, part.idr: %w", path, err)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return s, nil
}

// IsSummary reports whether a file holds a summary.
func IsSummary(path string) bool {
	found := false
	err := withFile(path, func(r io.ReaderAt, size int64) error {
		found = summary.Is(r, size)
		return nil
	})
	return err == nil && found
}

func withFile(path string, read func(io.ReaderAt, int64) error) error {
	if err := textfile.Regular(path); errors.Is(err, textfile.ErrNotRegular) {
		return fmt.Errorf("%w: %w", summary.ErrDamaged, err)
	} else if err != nil {
		return err
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	return read(f, info.Size())
}

// WriteSummary writes a summary to a temporary file and then moves it to path.
func WriteSummary(path string, s *summary.Summary) error {
	return output.Write(path, func(w io.Writer) error { return summary.Encode(w, s) })
}

// SummarySchema is the version of SummaryDocument.
const SummarySchema = "ident.summary/1"

// SummaryDocument describes a summary, without its factors.
type SummaryDocument struct {
	Schema     string               `json:"schema"`
	Robot      SummaryDocumentRobot `json:"robot"`
	Terms      []string             `json:"terms"`
	Base       int                  `json:"base_parameters"` // number of base parameters
	Columns    int                  `json:"columns"`         // number of columns of the rows, including those of terms that may be chosen
	Processing summary.Processing   `json:"processing"`
	Rows       int                  `json:"rows"`   // number of rows of the equation that has the most
	Blocks     int                  `json:"blocks"` // number of time blocks of all runs
	Bytes      int64                `json:"bytes"`  // size of the file; 0 if none was written
	Runs       []SummaryDocumentRun `json:"runs"`
}

// SummaryDocumentRobot is the robot of a summary.
type SummaryDocumentRobot struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"` // hash of the robot file
}

// SummaryDocumentRun is a run of a summary.
type SummaryDocumentRun struct {
	summary.Run
	Blocks int `json:"blocks"` // number of time blocks
}

// DescribeSummary returns the document of a summary; path is its file, "" for none.
func DescribeSummary(s *summary.Summary, path string) *SummaryDocument {
	d := &SummaryDocument{Schema: SummarySchema, Robot: SummaryDocumentRobot{s.Robot.Name, s.Robot.SHA256}, Terms: s.Model.Terms, Base: s.Model.Base, Columns: len(s.Model.Columns), Processing: s.Processing, Rows: s.Rows(), Runs: []SummaryDocumentRun{}}
	for _, r := range s.Runs {
		d.Runs = append(d.Runs, SummaryDocumentRun{r, len(r.Blocks)})
		d.Blocks += len(r.Blocks)
	}
	if info, err := os.Stat(path); err == nil {
		d.Bytes = info.Size()
	}
	return d
}

// Print writes a document as text.
func (d *SummaryDocument) Print(w io.Writer) error {
	_, err := fmt.Fprintf(w, "%s: %s of %v, %s\n%s in %s of %s, %d bytes\n", d.Robot.Name, rowlist.Plural(d.Base, "base parameter"), d.Terms, rowlist.Plural(d.Columns, "column"),
		rowlist.Plural(d.Rows, "row"), rowlist.Plural(d.Blocks, "time block"), rowlist.Plural(len(d.Runs), "run"), d.Bytes)
	for _, r := range d.Runs {
		if err == nil {
			_, err = fmt.Fprintf(w, "  %-24s %9d rows  %8.1f s  %4d blocks  %s\n", r.Name, r.Last-r.First, r.Seconds, r.Blocks, rowlist.Plural(len(r.Findings), "finding"))
		}
	}
	return err
}

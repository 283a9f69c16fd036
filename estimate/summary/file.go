package summary

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"math"
	"slices"
	"unicode/utf8"

	"ident/datasets"
	"ident/estimate"
)

// Keys of the table's metadata, and its columns.
const (
	headKey = "ident.summary"
	sumKey  = "ident.summary.sha256"
)

var columns = []string{"run", "block", "joint", "rest", "value"}

const (
	tableName   = "summary.parquet"
	valueColumn = "value"
)

// groupRows is about the number of values that are written at once, which bounds the writer's memory.
const groupRows = 1 << 16

// VersionError is the error of a file in a newer major version of the format.
type VersionError struct{ Major, Minor int }

func (e *VersionError) Error() string {
	return fmt.Sprintf("the summary has version %d.%d of the format; this program reads versions up to %d: take a newer program, or reduce the logs again", e.Major, e.Minor, Major)
}

// ErrDamaged is wrapped by the errors about files that are no summaries, or not as they were written.
var ErrDamaged = errors.New("not a summary as it was written")

func damaged(format string, a ...any) error {
	return fmt.Errorf("%w: %w", ErrDamaged, fmt.Errorf(format, a...))
}

// head is the JSON text of a file.
type head struct {
	Format     string          `json:"format"`
	Major      int             `json:"major"`
	Minor      int             `json:"minor"`
	Robot      Robot           `json:"robot"`
	Model      Model           `json:"model"`
	Processing Processing      `json:"processing"`
	Settings   json.RawMessage `json:"settings,omitempty"`
	Runs       []headRun       `json:"runs"`
}

type headRun struct {
	Run
	Prints string `json:"fingerprints"`   // 8 bytes each, the lowest first, in base 64
	Blocks int    `json:"blocks"`         // their number
	AtRest []int  `json:"rest,omitempty"` // blocks with factors of rows at rest
	State  int    `json:"state"`          // length of the mean of the motion
}

// Encode writes a summary. The same summary gives the same bytes.
func Encode(w io.Writer, s *Summary) error {
	return encodeAs(w, s, func(head []byte) []byte { return head })
}

// encodeAs does what Encode does, after change has edited the head. Tests write files of other versions by it.
func encodeAs(w io.Writer, s *Summary, changed func([]byte) []byte) error {
	if !utf8.ValidString(s.Robot.Text) {
		return errors.New("a summary cannot hold the robot file: it is not text in UTF-8")
	}
	h := head{Format: headKey, Major: Major, Minor: Minor, Robot: s.Robot, Model: s.Model, Processing: s.Processing, Settings: s.Settings, Runs: []headRun{}}
	for _, r := range s.Runs {
		prints := make([]byte, 0, 8*len(r.Prints))
		for _, p := range r.Prints {
			prints = binary.LittleEndian.AppendUint64(prints, p)
		}
		of := headRun{Run: r, Prints: base64.StdEncoding.EncodeToString(prints), Blocks: len(r.Blocks)}
		for i, b := range r.Blocks {
			if i == 0 {
				of.State = len(b.State)
			}
			if len(b.State) != of.State {
				return fmt.Errorf("%s: only some time blocks have the mean of their motion: the summary is damaged", r.Name)
			}
			if b.AtRest != nil {
				of.AtRest = append(of.AtRest, i)
			}
		}
		h.Runs = append(h.Runs, of)
	}
	text, err := json.Marshal(&h)
	if err != nil {
		return fmt.Errorf("writing a summary: %w", err)
	}
	text = changed(text)
	sum := newChecksum(text)
	s.each(func(_, _, _, _ int, values []float64) { sum.add(values) })
	meta := map[string]string{headKey: string(text), sumKey: sum.text()}
	channels := make([]datasets.Channel, len(columns))
	for i, name := range columns {
		channels[i].Name = name
	}
	return datasets.Encode(w, tableName, channels, meta, func(out *datasets.Writer) (err error) {
		table := make([][]float64, len(columns))
		flush := func() {
			if err == nil {
				err = out.Append(table)
			}
			for i := range table {
				table[i] = table[i][:0]
			}
		}
		s.each(func(run, block, joint, rest int, values []float64) {
			for _, v := range values {
				for i, x := range [...]float64{float64(run), float64(block), float64(joint), float64(rest), v} {
					table[i] = append(table[i], x)
				}
			}
			if len(table[0]) >= groupRows {
				flush()
			}
		})
		flush()
		return err
	})
}

// each visits the numbers of all blocks in the order of the file.
func (s *Summary) each(visit func(run, block, joint, rest int, values []float64)) {
	var buf []float64
	for i, r := range s.Runs {
		for n, b := range r.Blocks {
			visit(i, n, 0, 0, b.State)
			for rest, factors := range [][]*estimate.Factor{b.Joints, b.AtRest} {
				for k, f := range factors {
					buf = appendFactor(buf[:0], f)
					visit(i, n, k+1, rest, buf)
				}
			}
		}
	}
}

// factorValues returns the number of values of a factor of n columns.
func factorValues(n int) int { return n*(n+1)/2 + n + 3 }

func appendFactor(to []float64, f *estimate.Factor) []float64 {
	for i := range f.N {
		to = append(to, f.R[i*f.N+i:(i+1)*f.N]...)
	}
	return append(append(to, f.Z...), f.RSS, f.YY, float64(f.Rows))
}

func factorOf(n int, values []float64) (*estimate.Factor, error) {
	f := &estimate.Factor{N: n, R: make([]float64, n*n), Z: make([]float64, n)}
	for i := range n {
		copy(f.R[i*n+i:(i+1)*n], values)
		values = values[n-i:]
		if !(f.R[i*n+i] >= 0) {
			return nil, damaged("a factor has %v on its diagonal", f.R[i*n+i])
		}
	}
	copy(f.Z, values)
	f.RSS, f.YY = values[n], values[n+1]
	rows := values[n+2]
	if !(rows >= 0 && rows <= 1<<53) || rows != math.Trunc(rows) || !(f.RSS >= 0) || !(f.YY >= 0) {
		return nil, damaged("a factor of %v rows with the sums of squares %v and %v", rows, f.RSS, f.YY)
	}
	f.Rows = int(rows)
	for _, v := range slices.Concat(f.R, f.Z, []float64{f.RSS, f.YY}) {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, damaged("a factor has the entry %v", v)
		}
	}
	return f, nil
}

// checksum computes the checksum of a file: of its head, then of all values.
type checksum struct {
	of  hash.Hash
	buf []byte
}

func newChecksum(text []byte) *checksum {
	c := &checksum{of: sha256.New()}
	c.of.Write(text)
	return c
}

func (c *checksum) add(values []float64) {
	c.buf = c.buf[:0]
	for _, v := range values {
		c.buf = binary.LittleEndian.AppendUint64(c.buf, math.Float64bits(v))
	}
	c.of.Write(c.buf)
}

func (c *checksum) text() string { return hex.EncodeToString(c.of.Sum(nil)) }

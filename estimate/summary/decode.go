package summary

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"io"
	"slices"

	"ident/datasets"
	"ident/estimate"
)

// Is reports whether the bytes of a file may be a summary: whether its table has the head of one.
func Is(r io.ReaderAt, size int64) bool {
	l, err := datasets.OpenReader(r, size, tableName, datasets.Options{})
	return err == nil && l.Meta()[headKey] != ""
}

// Decode reads a summary of size bytes. Errors wrap ErrDamaged, or are a *VersionError or those of r.
func Decode(r io.ReaderAt, size int64) (*Summary, error) {
	table, err := datasets.OpenReader(r, size, tableName, datasets.Options{})
	if err != nil {
		return nil, damaged("%w", err)
	}
	text := table.Meta()[headKey]
	if text == "" {
		return nil, damaged("a Parquet file without the key %s", headKey)
	}
	var v struct {
		Format       string
		Major, Minor int
	}
	if err := json.Unmarshal([]byte(text), &v); err != nil || v.Format != headKey || v.Major < 1 {
		return nil, damaged("its head does not say which version it has")
	}
	if v.Major > Major {
		return nil, &VersionError{v.Major, v.Minor}
	}
	var h head
	if err := json.Unmarshal([]byte(text), &h); err != nil {
		return nil, damaged("head: %w", err)
	}
	if err := check(&h.Model); err != nil {
		return nil, err
	}
	values, err := readValues(table, size)
	if err != nil {
		return nil, err
	}
	sum := newChecksum([]byte(text))
	sum.add(values)
	if sum.text() != table.Meta()[sumKey] {
		return nil, damaged("its checksum does not match its contents")
	}
	s := &Summary{Robot: h.Robot, Model: h.Model, Processing: h.Processing, Settings: h.Settings}
	for i := range h.Runs {
		run, rest, err := h.run(i, values)
		if err != nil {
			return nil, err
		}
		values = rest
		if i > 0 && Compare(&s.Runs[i-1], &run) > 0 {
			return nil, damaged("its runs are not in order")
		}
		s.Runs = append(s.Runs, run)
	}
	if len(values) > 0 {
		return nil, damaged("%d values beyond its blocks", len(values))
	}
	return s, nil
}

// check refuses a model without base parameters, and masks that are not ascending within the columns.
func check(m *Model) error {
	if m.Base < 1 || m.Base > len(m.Columns) {
		return damaged("%d base parameters of %d columns", m.Base, len(m.Columns))
	}
	for k, mask := range m.Masks {
		for i, c := range mask {
			if c < 0 || c >= len(m.Columns) || i > 0 && mask[i-1] >= c {
				return damaged("the columns of equation %d are not ascending within %d", k+1, len(m.Columns))
			}
		}
	}
	return nil
}

// readValues reads the last column. Its values take no more memory than 64 MiB, or sixteen times the file: the
// factors of a robot at rest are zeros for the most part, and compress.
func readValues(table *datasets.Log, size int64) ([]float64, error) {
	if names := table.Names(); !slices.Equal(names, columns) {
		return nil, damaged("a table of the columns %q in place of %q", names, columns)
	}
	const floor, ratio = 64 << 20, 16
	if n := int64(table.Rows()); n > max(floor, ratio*size)/8 {
		return nil, damaged("%d values in a file of %d bytes", n, size)
	}
	values, err := table.Column(valueColumn)
	if err != nil {
		return nil, damaged("%w", err)
	}
	return values, nil
}

// mostSegments is the largest number of gap-free pieces of a run, which who fits it holds one by one: a gap a minute for two years.
const mostSegments = 1 << 20

// run takes the blocks of run i from the values, and returns the rest of these.
func (h *head) run(i int, values []float64) (Run, []float64, error) {
	of := &h.Runs[i]
	run := of.Run
	prints, err := base64.StdEncoding.DecodeString(of.Prints)
	if err != nil || len(prints)%8 != 0 {
		return run, nil, damaged("%s: its fingerprints do not decode", run.Name)
	}
	for ; len(prints) > 0; prints = prints[8:] {
		run.Prints = append(run.Prints, binary.LittleEndian.Uint64(prints))
	}
	if !slices.IsSorted(run.Prints) || !slices.IsSorted(of.AtRest) {
		return run, nil, damaged("%s: its fingerprints or blocks are not ascending", run.Name)
	}
	if run.Segments < 0 || run.Segments > mostSegments {
		return run, nil, damaged("%s: %d gap-free pieces", run.Name, run.Segments)
	}
	block := of.State
	for _, mask := range h.Model.Masks {
		block += factorValues(len(mask))
	}
	if of.Blocks < 0 || of.State < 0 || block <= 0 || of.Blocks > len(values)/block {
		return run, nil, damaged("%s: %d time blocks, for which values are missing", run.Name, of.Blocks)
	}
	take := func(n int) []float64 {
		v := values[:n]
		values = values[n:]
		return v
	}
	factors := func() (out []*estimate.Factor, err error) {
		for _, mask := range h.Model.Masks {
			n := len(mask)
			if len(values) < factorValues(n) {
				return nil, damaged("%s: values are missing", run.Name)
			}
			f, err := factorOf(n, take(factorValues(n)))
			if err != nil {
				return nil, err
			}
			out = append(out, f)
		}
		return out, nil
	}
	run.Blocks = make([]Block, of.Blocks)
	still := of.AtRest
	for n := range run.Blocks {
		b := &run.Blocks[n]
		if len(values) < of.State {
			return run, nil, damaged("%s: values are missing", run.Name)
		}
		if v := take(of.State); len(v) > 0 {
			b.State = slices.Clone(v)
		}
		if b.Joints, err = factors(); err != nil {
			return run, nil, err
		}
		if len(still) > 0 && still[0] == n {
			still = still[1:]
			if b.AtRest, err = factors(); err != nil {
				return run, nil, err
			}
		}
	}
	if len(still) > 0 {
		return run, nil, damaged("%s: it has no time block %d", run.Name, still[0])
	}
	return run, values, nil
}

package datasets

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"ident/datasets/internal/hdf5"
)

// hdf5Error replaces the errors of package hdf5 by those of this one.
func hdf5Error(err error) error {
	for own, theirs := range map[error]error{ErrFormat: hdf5.ErrFormat, ErrDamaged: hdf5.ErrDamaged, ErrTruncated: hdf5.ErrTruncated} {
		if errors.Is(err, theirs) {
			return fmt.Errorf("%w: HDF5: %w", own, err)
		}
	}
	return err
}

// openHDF5 lists the arrays of an HDF5 file. Contiguous numbers are read in place, others are expanded. Groups of one form with
// numbers in their names, demo_0, demo_1, …, are the runs of one log.
func (s *arraySource) openHDF5(size int64, opt Options) ([]ndarray, error) {
	f, err := hdf5.Open(s.f, size)
	if err != nil {
		return nil, hdf5Error(err)
	}
	datasets, groups, err := f.Read()
	if err != nil {
		return nil, hdf5Error(err)
	}
	datasets = octaveVariables(datasets, groups)
	h := hdf5Arrays{src: s, dir: opt.TempDir, room: opt.room(), left: maxExpanded(size)}
	demos, rest := demonstrations(datasets)
	names := shortPaths(rest, demos)
	for _, d := range rest {
		a, err := h.array(d)
		if err != nil {
			return nil, s.locate(d.Path, hdf5Error(err))
		}
		a.name = names[d.Path]
		h.arrays = append(h.arrays, a)
	}
	if len(demos) > 0 {
		for i, a := range h.arrays {
			if a.why == "" && a.text == "" && a.elements() > 1 {
				h.arrays[i].why = "it belongs to none of the runs"
			}
		}
		if err := h.join(demos, names); err != nil {
			return nil, hdf5Error(err)
		}
	}
	for _, g := range groups {
		if len(demos) > 0 && strings.Count(g.Path, "/") > 1 { // what a run says of itself is not true of the others
			continue
		}
		for _, name := range sortedKeys(g.Attributes) {
			if strings.HasPrefix(name, "MATLAB_") || strings.HasPrefix(name, "H5") || name == octaveMark {
				continue
			}
			h.arrays = append(h.arrays, ndarray{name: strings.TrimPrefix(path.Join(g.Path, name), "/"), text: g.Attributes[name]})
		}
	}
	return h.arrays, nil
}

// octaveMark is the attribute of the groups in which GNU Octave keeps a variable: its value, and its type in words.
const octaveMark = "OCTAVE_NEW_FORMAT"

// octaveVariables gives the values of Octave's variables the names of these, and leaves out the words for their types. Octave's arrays
// are transposed, as MATLAB's are.
func octaveVariables(datasets []*hdf5.Dataset, groups []hdf5.Group) (out []*hdf5.Dataset) {
	variables := map[string]bool{}
	for _, g := range groups {
		if g.Attributes[octaveMark] != "" {
			variables[g.Path] = true
		}
	}
	for _, d := range datasets {
		if parent := path.Dir(d.Path); variables[parent] {
			if path.Base(d.Path) != "value" {
				continue
			}
			d.Path, d.Attributes = parent, map[string]string{"MATLAB_class": "double"}
		}
		out = append(out, d)
	}
	return out
}

// hdf5Arrays makes arrays of datasets.
type hdf5Arrays struct {
	src    *arraySource
	dir    string
	room   *int64
	left   int64 // bytes that the remaining compressed datasets may expand to
	arrays []ndarray
}

// array describes a dataset.
func (h *hdf5Arrays) array(d *hdf5.Dataset) (ndarray, error) {
	a := ndarray{dims: slices.Clone(d.Dims), itemSize: int64(d.Type.Size), why: d.Why}
	class, matlab := d.Attributes["MATLAB_class"]
	if matlab { // the file has the transpose of MATLAB's array
		slices.Reverse(a.dims)
		a.fortran = true
	}
	switch {
	case a.why != "":
		return a, nil
	case d.Attributes["MATLAB_empty"] == "1":
		a.why = "it is empty"
		return a, nil
	case d.Type.Class == hdf5.Text || class == "char":
		text, ok, err := d.ReadText()
		if a.text = text; !ok || text == "" {
			a.why = "its elements are texts"
		}
		return a, err
	case d.Type.Class == hdf5.Int && d.Type.Size == 1 && len(d.Dims) >= 3:
		a.why = "images are left out"
		return a, nil
	case slices.Contains(a.dims, 0):
		a.why = "it is empty"
		return a, nil
	}
	a.fields = []arrayField{{num: hdf5Number(d.Type)}}
	if d.Type.Class == hdf5.Record {
		a.fields = nil
		for _, m := range d.Type.Members {
			a.fields = append(a.fields, arrayField{name: m.Name, num: hdf5Number(m.Type), offset: int64(m.Offset)})
		}
	}
	for _, key := range []string{"units", "unit"} {
		if unit := d.Attributes[key]; unit != "" {
			if _, err := conversionOf(unit); err == nil {
				for i := range a.fields {
					a.fields[i].unit = unit
				}
			}
		}
	}
	if at, _, ok := d.Contiguous(); ok {
		a.r, a.base = h.src.f, at
		return a, nil
	}
	r, err := d.Elements()
	if err != nil {
		return a, err
	}
	if h.left -= d.Bytes(); h.left < 0 {
		return a, fmt.Errorf("%w: it claims to expand to %d bytes, out of all proportion to the file's size", ErrDamaged, d.Bytes())
	}
	b, err := newBlob(r, d.Bytes(), h.room, h.dir)
	if err != nil {
		return a, err
	}
	h.src.files = append(h.src.files, b.file)
	a.r = b
	return a, nil
}

// hdf5Number returns the form of a number.
func hdf5Number(t hdf5.Type) numberType {
	num := numberType{kind: 'f', size: t.Size, big: t.Big}
	switch {
	case t.Class == hdf5.Bool:
		num.kind = 'b'
	case t.Class == hdf5.Int && t.Signed:
		num.kind = 'i'
	case t.Class == hdf5.Int:
		num.kind = 'u'
	}
	return num
}

// demonstration is a run of a file: its name, and its datasets by their paths within it.
type demonstration struct {
	name string
	sets map[string]*hdf5.Dataset
}

// demonstrations returns the runs of a file, in order, and the datasets that belong to none. Runs are at least two groups of one group
// whose names differ in a number alone; a single one named demo, episode, trajectory or run with a number is a run too.
func demonstrations(all []*hdf5.Dataset) (demos []demonstration, rest []*hdf5.Dataset) {
	type family struct{ parent, stem string }
	members := map[family]map[string]bool{}
	familyOf := func(dir string) (family, bool) {
		base := path.Base(dir)
		stem := strings.TrimRight(base, "0123456789")
		return family{path.Dir(dir), stem}, stem != base && stem != ""
	}
	for _, d := range all {
		for dir := path.Dir(d.Path); dir != "/"; dir = path.Dir(dir) {
			if f, ok := familyOf(dir); ok {
				if members[f] == nil {
					members[f] = map[string]bool{}
				}
				members[f][dir] = true
			}
		}
	}
	var best family
	for f, dirs := range members {
		usual := slices.Contains([]string{"demo", "episode", "ep", "traj", "trajectory", "run", "rollout"}, strings.ToLower(strings.TrimRight(f.stem, "_-")))
		if (len(dirs) > 1 || usual) && (len(dirs) > len(members[best]) || len(dirs) == len(members[best]) && f.parent+f.stem < best.parent+best.stem) {
			best = f
		}
	}
	at := map[string]int{}
	for _, d := range all {
		run := ""
		for dir := path.Dir(d.Path); dir != "/"; dir = path.Dir(dir) {
			if f, ok := familyOf(dir); ok && best.stem != "" && f == best {
				run = dir
			}
		}
		if run == "" {
			rest = append(rest, d)
			continue
		}
		k, ok := at[run]
		if !ok {
			k = len(demos)
			at[run] = k
			demos = append(demos, demonstration{path.Base(run), map[string]*hdf5.Dataset{}})
		}
		demos[k].sets[strings.TrimPrefix(d.Path, run+"/")] = d
	}
	return demos, rest
}

// shortPaths returns the names of the datasets as channels: the last part of a path if no other dataset has it, otherwise the whole
// path with points. Datasets of runs have their path within the run.
func shortPaths(rest []*hdf5.Dataset, demos []demonstration) map[string]string {
	paths := map[string]bool{}
	for _, d := range rest {
		paths[strings.TrimPrefix(d.Path, "/")] = true
	}
	for _, demo := range demos {
		for p := range demo.sets {
			paths[p] = true
		}
	}
	times := map[string]int{}
	for p := range paths {
		times[path.Base(p)]++
	}
	names := map[string]string{}
	for p := range paths {
		name := path.Base(p)
		if times[name] > 1 {
			name = strings.ReplaceAll(p, "/", ".")
		}
		names[p], names["/"+p] = name, name
	}
	return names
}

// join makes the datasets of the runs one array each, one run after another. A dataset that a run lacks, or that has another number
// of columns there, is left out of all.
func (h *hdf5Arrays) join(demos []demonstration, names map[string]string) error {
	rows := make([]int64, len(demos))
	for i, demo := range demos { // the rows of a run are those of most of its datasets
		votes := map[int64]int{}
		for _, d := range demo.sets {
			if d.Why == "" && len(d.Dims) > 0 && d.Dims[0] > 1 {
				if votes[d.Dims[0]]++; votes[d.Dims[0]] > votes[rows[i]] || votes[d.Dims[0]] == votes[rows[i]] && d.Dims[0] > rows[i] {
					rows[i] = d.Dims[0]
				}
			}
		}
	}
	for _, p := range sortedKeys(demos[0].sets) {
		joined := ndarray{}
		parts := &chainedReader{}
		for i, demo := range demos {
			d := demo.sets[p]
			if d == nil {
				joined.why = "run " + demo.name + " has none"
				break
			}
			a, err := h.array(d)
			if err != nil {
				return h.src.locate(d.Path, err)
			}
			switch {
			case a.why != "":
				joined.why = a.why
			case len(a.fields) == 0:
				joined.why = "it is a text of each run"
			case len(a.dims) == 0 || a.dims[0] != rows[i]:
				joined.why = fmt.Sprintf("run %s has %d rows, and %v of it", demo.name, rows[i], a.dims)
			case i == 0:
				joined = a
				joined.dims = slices.Clone(a.dims)
			case !slices.Equal(a.dims[1:], joined.dims[1:]) || !slices.Equal(a.fields, joined.fields) || a.fortran != joined.fortran:
				joined.why = "its shape or its type differs between the runs"
			default:
				joined.dims[0] += a.dims[0]
			}
			if joined.why != "" {
				break
			}
			parts.add(a.r, a.base, a.elements()*a.itemSize)
		}
		if joined.r, joined.base = parts, 0; joined.why != "" {
			joined = ndarray{why: joined.why}
		}
		joined.name = names[p]
		h.arrays = append(h.arrays, joined)
	}
	runs := make([]runRows, len(demos))
	for i, demo := range demos {
		runs[i] = runRows{demo.name, int(rows[i])}
	}
	text, err := json.Marshal(runs)
	if err != nil {
		return err
	}
	h.arrays = append(h.arrays, ndarray{name: RunsKey, text: string(text)})
	return nil
}

// chainedReader reads spans of other readers as one.
type chainedReader struct {
	parts []pieceOf
	size  int64
}

type pieceOf struct {
	r        io.ReaderAt
	base     int64 // in r
	at, size int64 // in the whole
}

func (j *chainedReader) add(r io.ReaderAt, base, size int64) {
	j.parts = append(j.parts, pieceOf{r, base, j.size, size})
	j.size += size
}

// ReadAt reads from the parts that hold the bytes from byte at on.
func (j *chainedReader) ReadAt(p []byte, at int64) (n int, err error) {
	k, _ := slices.BinarySearchFunc(j.parts, at, func(part pieceOf, at int64) int {
		if part.at+part.size <= at {
			return -1
		}
		return 1
	})
	for ; k < len(j.parts) && n < len(p); k++ {
		part := j.parts[k]
		from := at + int64(n) - part.at
		want := min(int64(len(p)-n), part.size-from)
		m, err := part.r.ReadAt(p[n:n+int(want)], part.base+from)
		if n += m; int64(m) < want {
			return n, err
		}
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

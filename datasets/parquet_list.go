package datasets

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"ident/internal/parquet"
	"ident/internal/textfile"
)

// mostEntries is the longest list whose entries become channels: longer ones are images and clouds of points.
const mostEntries = 256

// listWidth is the number of entries that all lists of a column have, or the reason to skip it.
func listWidth(f *parquet.File, column int) (width int, why string) {
	const several = "lists of different lengths are no channels"
	for g, rg := range f.Groups {
		if rg.Rows <= 0 || column >= len(rg.Chunks) {
			continue
		}
		n := rg.Chunks[column].Values
		if width == 0 {
			if n < rg.Rows || n/rg.Rows > mostEntries {
				return 0, fmt.Sprintf("lists of no entry, or of more than %d", mostEntries)
			}
			width = int(n / rg.Rows)
			r, err := f.Lists(g, column)
			if err != nil {
				return 0, err.Error()
			}
			if w, err := r.Width(width); err != nil || w != width {
				return 0, several
			}
		}
		if n != rg.Rows*int64(width) {
			return 0, several
		}
	}
	if width == 0 {
		return 0, "it has no rows"
	}
	return width, ""
}

// lists are the columns of lists that a cursor reads, each once for all of its entries.
type lists struct {
	s       *parquetSource
	readers map[int]*listBlock // by the column in the file
	rows    int                // of the open block
}

// listBlock is a block of rows of a column of lists.
type listBlock struct {
	reader *parquet.ListReader
	group  int
	rows   []float64 // row after row
	fresh  bool      // rows are those of the block
}

// blockRows are the rows of a block where lists are read.
const blockRows = 4096

func (b *listBlock) opened(group int) bool { return b.group == group }

// next begins a block of rows.
func (l *lists) next(rows int) {
	l.rows = rows
	for _, b := range l.readers {
		b.fresh = false
	}
}

// open begins a row group.
func (l *lists) open(group int, col *parquetColumn) error {
	if l.readers == nil {
		l.readers = map[int]*listBlock{}
	}
	r, err := l.s.file.Lists(group, col.index)
	if err == nil {
		l.readers[col.index] = &listBlock{reader: r, group: group}
	}
	return err
}

// entry fills dst with an entry of the block's lists.
func (l *lists) entry(dst []float64, col *parquetColumn) error {
	b := l.readers[col.index]
	if !b.fresh {
		n := l.rows * col.width
		if cap(b.rows) < n {
			b.rows = make([]float64, n)
		}
		b.rows = b.rows[:n]
		if err := b.reader.Read(b.rows, col.width); err != nil {
			return err
		}
		b.fresh = true
	}
	for i := range dst {
		dst[i] = b.rows[i*col.width+col.entry]
	}
	return nil
}

// Columns of a data set of LeRobot (huggingface.co/docs/lerobot, data sets of versions 2 and 3).
const (
	stateColumn   = "observation.state"
	actionColumn  = "action"
	episodeColumn = "episode_index"
)

// Metadata of a log of LeRobot, out of the file meta/info.json beside the data.
const (
	namesKey = "lerobot.names." // and the column: a JSON list of the names of its entries
	rateKey  = "lerobot.fps"
	typeKey  = "lerobot.robot_type"
)

// episodes makes runs of the rows of an episode each.
func (s *parquetSource) episodes(t *table) error {
	k := slices.IndexFunc(t.channels, func(c Channel) bool { return c.Name == episodeColumn })
	lerobot := slices.ContainsFunc(t.channels, func(c Channel) bool {
		return strings.HasPrefix(c.Name, stateColumn+"[") || strings.HasPrefix(c.Name, actionColumn+"[")
	})
	if k < 0 || !lerobot || t.rows == 0 || t.meta[RunsKey] != "" {
		return nil
	}
	cur, err := s.open([]int{k}, 0)
	if err != nil {
		return err
	}
	var runs []runRows
	last, block := 0.0, make([]float64, blockRows)
	for at := 0; at < t.rows; at += len(block) {
		block = block[:min(len(block), t.rows-at)]
		if err := cur.read([][]float64{block}); err != nil {
			return err
		}
		for i, v := range block {
			if at+i == 0 || v != last {
				if len(runs) == mostEpisodes {
					t.notes = append(t.notes, Note{Channel: episodeColumn, Text: fmt.Sprintf("more than %d episodes: they are taken as one run", mostEpisodes)})
					return nil
				}
				runs = append(runs, runRows{Name: "episode_" + strconv.FormatFloat(v, 'g', -1, 64)})
				last = v
			}
			runs[len(runs)-1].Rows++
		}
	}
	if len(runs) > 1 {
		text, err := json.Marshal(runs)
		if err != nil {
			return err
		}
		t.meta[RunsKey] = string(text)
	}
	return nil
}

// mostEpisodes of a file that become runs.
const mostEpisodes = 10_000

// beside reads the description of a data set of LeRobot two folders above a file of its data. Without one, or with another
// file of that name, there are no metadata.
func (t *table) beside(path string) {
	text, err := textfile.Read(filepath.Join(filepath.Dir(path), "..", "..", "meta", "info.json"), 16<<20)
	if err != nil {
		return
	}
	var info struct {
		Type     *string `json:"robot_type"`
		Rate     float64 `json:"fps"`
		Features map[string]struct {
			Names json.RawMessage `json:"names"`
		} `json:"features"`
	}
	if json.Unmarshal(text, &info) != nil {
		return
	}
	if info.Rate > 0 {
		t.meta[rateKey] = strconv.FormatFloat(info.Rate, 'g', -1, 64)
	}
	if info.Type != nil && *info.Type != "" {
		t.meta[typeKey] = *info.Type
	}
	for column, f := range info.Features {
		var names []string
		if json.Unmarshal(f.Names, &names) != nil { // older ones: {"motors": [...]}
			var groups map[string][]string
			if json.Unmarshal(f.Names, &groups) != nil || len(groups) != 1 {
				continue
			}
			for _, g := range groups {
				names = g
			}
		}
		if !slices.ContainsFunc(t.channels, func(c Channel) bool { return c.Name == fmt.Sprintf("%s[%d]", column, len(names)-1) }) {
			continue
		}
		if list, err := json.Marshal(names); err == nil {
			t.meta[namesKey+column] = string(list)
			t.notes = append(t.notes, Note{Channel: column, Text: "its entries are called " + listNames(names)})
		}
	}
}

// entryNames are other names of the channels of lists whose entries are called as the joints are, in lower case.
func entryNames(l *Log, joints []string) map[string]string {
	out := map[string]string{}
	for key, text := range l.meta {
		column, ok := strings.CutPrefix(key, namesKey)
		var names []string
		if !ok || json.Unmarshal([]byte(text), &names) != nil {
			continue
		}
		for i, name := range names {
			name = strings.TrimSuffix(strings.ToLower(name), ".pos")
			if slices.ContainsFunc(joints, func(j string) bool { return strings.EqualFold(j, name) }) {
				out[fmt.Sprintf("%s[%d]", column, i)] = fmt.Sprintf("%s[%s]", column, name)
			}
		}
	}
	return out
}

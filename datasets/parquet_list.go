package datasets

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/parquet"

	"ident/internal/textfile"
)

// maxEntries is the longest list whose entries become channels: longer ones are images and clouds of points.
const maxEntries = 256

// listWidth returns the number of entries that all lists of a column have, or the reason to skip it.
func (s *parquetSource) listWidth(column int) (width int, why string) {
	const several = "lists of different lengths are no channels"
	for g := range s.meta.RowGroups {
		rows := s.meta.RowGroup(g).NumRows()
		k, err := s.place(g, column)
		if err != nil {
			return 0, err.Error()
		}
		if rows <= 0 {
			continue
		}
		if width == 0 {
			if k.values/rows > maxEntries {
				return 0, fmt.Sprintf("lists of more than %d entries", maxEntries)
			}
			width = int(k.values / rows)
			if n, err := s.firstWidth(g, column, width); err != nil {
				return 0, err.Error()
			} else if n != width {
				return 0, several
			}
		}
		if k.values != rows*int64(width) {
			return 0, several
		}
	}
	if width == 0 {
		return 0, "it has no rows"
	}
	return width, ""
}

// firstWidth returns the length of the first list of a row group that is there, at most most+1.
func (s *parquetSource) firstWidth(group, column, most int) (width int, err error) {
	err = guard(func() error {
		k, err := s.chunk(nil, group, &parquetColumn{index: column, signed: true})
		if err == nil {
			width, err = newListBlock(k).first(most)
		}
		return err
	})
	return width, err
}

// listBlock reads a column of lists of one length, block by block for all of its entries.
type listBlock struct {
	chunk  *parquetChunk
	listed int16     // definition level from which on a list has an entry
	rows   []float64 // of the block, row after row
	fresh  bool      // rows are those of the block

	at, n int // in the entries that are decoded
	head  [512]int16
	level [512]int16
	value [512]float64
}

func newListBlock(k *parquetChunk) *listBlock {
	b := &listBlock{chunk: k, listed: k.full}
	for n := k.r.Descriptor().SchemaNode(); n != nil && n.RepetitionType() != parquet.Repetitions.Repeated; n = n.Parent() {
		if n.RepetitionType() == parquet.Repetitions.Optional {
			b.listed--
		}
	}
	return b
}

// more reports whether an entry follows, and decodes it.
func (b *listBlock) more() (bool, error) {
	if b.at < b.n {
		return true, nil
	}
	if b.chunk.left == 0 {
		return false, nil
	}
	n, values, err := b.chunk.some(b.value[:], b.level[:], b.head[:])
	if err == nil {
		err = b.chunk.spread(b.value[:n], values, b.level[:])
	}
	b.at, b.n = 0, n
	return err == nil, err
}

// first returns the length of the next list that is there, at most most+1; 0 where none is left. It reads on.
func (b *listBlock) first(most int) (int, error) {
	width := 0
	for width <= most {
		ok, err := b.more()
		if err != nil || !ok {
			return width, err
		}
		if b.head[b.at] == 0 && width > 0 {
			break
		}
		if b.level[b.at] >= b.listed {
			width++
		}
		b.at++
	}
	return width, nil
}

// read fills dst with the next lists of a width, row after row. A row without a list is NaN throughout.
func (b *listBlock) read(dst []float64, width int) error {
	for ; len(dst) > 0; dst = dst[width:] {
		for i := 0; i < width; i++ {
			ok, err := b.more()
			if err != nil {
				return err
			}
			if !ok {
				return damage("lists are missing")
			}
			if (b.head[b.at] == 0) != (i == 0) {
				return foreign("lists of different lengths: one of %d in place of %d", i, width)
			}
			dst[i] = b.value[b.at]
			empty := b.level[b.at] < b.listed
			if b.at++; empty {
				for i := range width {
					dst[i] = math.NaN()
				}
				break
			}
		}
		if ok, err := b.more(); err != nil {
			return err
		} else if ok && b.head[b.at] != 0 {
			return foreign("lists of different lengths: one of more than %d", width)
		}
	}
	return nil
}

// entry fills dst with an entry of the block's lists, which the first call reads.
func (b *listBlock) entry(dst []float64, col *parquetColumn) error {
	if !b.fresh {
		b.rows = grown(b.rows, len(dst)*col.width)
		if err := b.read(b.rows, col.width); err != nil {
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
				if len(runs) == maxEpisodes {
					t.notes = append(t.notes, Note{Channel: episodeColumn, Text: fmt.Sprintf("more than %d episodes: they are taken as one run", maxEpisodes)})
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

// maxEpisodes of a file that become runs.
const maxEpisodes = 10_000

// beside reads the description of a data set of LeRobot two folders above a file of its data. Without one, or with another
// file of that name, there are no metadata.
func (t *table) beside(path string) {
	text, err := textfile.ReadDocument(filepath.Join(filepath.Dir(path), "..", "..", "meta", "info.json"), 16<<20)
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

package fleet

import (
	"bytes"
	"cmp"
	"encoding/gob"
	"encoding/json"
	"maps"
	"slices"

	"ident/estimate/summary"
)

// merged is the accumulator of a robot's parts. Summaries stay the bytes that they came as: merging computes nothing, and
// decoding waits for the work on the whole. No bit depends on the order in which a runner merges, since part orders the members.
type merged struct {
	Part
}

// mergeParts combines the parts of a robot.
type mergeParts struct{}

func (mergeParts) CreateAccumulator() *merged { return &merged{} }

func (mergeParts) AddInput(m *merged, p Part) *merged {
	if p.Robot != "" {
		m.Robot = p.Robot
		if m.File == "" || p.File < m.File {
			m.File = p.File
		}
	}
	m.Members = append(m.Members, p.Members...)
	return m
}

func (c mergeParts) MergeAccumulators(a, b *merged) *merged { return c.AddInput(a, b.Part) }

func (mergeParts) ExtractOutput(m *merged) Part { return m.part() }

// part returns the accumulator as a value, with the members in the order of the manifest.
func (m *merged) part() Part {
	p := Part{Robot: m.Robot, File: m.File, Members: slices.Clone(m.Members)}
	slices.SortFunc(p.Members, func(a, b Member) int {
		return cmp.Or(cmp.Compare(a.Log.Entry, b.Log.Entry), cmp.Compare(a.Log.Log, b.Log.Log))
	})
	return p
}

// encodeMerged and decodeMerged are the coder of accumulators: a runner moves them between machines.
func encodeMerged(m *merged) ([]byte, error) {
	var out bytes.Buffer
	err := gob.NewEncoder(&out).Encode(&m.Part)
	return out.Bytes(), err
}

func decodeMerged(text []byte) (*merged, error) {
	m := &merged{}
	err := gob.NewDecoder(bytes.NewReader(text)).Decode(&m.Part)
	return m, err
}

// kind returns the text of all that rows of one fit have in common.
func kind(s *summary.Summary) string {
	head := *s
	head.Runs = nil
	text, err := json.Marshal(&head)
	if err != nil {
		panic(err) // numbers of a signal path are finite
	}
	return string(text)
}

// kinds decodes the summaries of a part and puts those of a kind together, with their runs in the order of their keys; samples in
// common are not looked for. The kinds come in the order of their numbers of logs, the most first.
func kinds(p Part) ([]*summary.Summary, error) {
	of, logs := map[string]*summary.Summary{}, map[string]int{}
	for _, m := range p.Members {
		s, err := m.summary()
		if err != nil {
			return nil, err
		}
		k := kind(s)
		if logs[k] += m.Logs; of[k] == nil {
			of[k] = s
		} else {
			of[k].Runs = append(of[k].Runs, s.Runs...)
		}
	}
	names := slices.Sorted(maps.Keys(of))
	slices.SortStableFunc(names, func(a, b string) int { return -cmp.Compare(logs[a], logs[b]) })
	var out []*summary.Summary
	for _, name := range names {
		s := of[name]
		slices.SortStableFunc(s.Runs, func(a, b summary.Run) int { return summary.Compare(&a, &b) })
		out = append(out, s)
	}
	return out, nil
}

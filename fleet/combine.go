package fleet

import (
	"bytes"
	"cmp"
	"encoding/gob"
	"encoding/json"
	"slices"

	"ident/summary"
)

// merged is the accumulator of a robot's parts: summaries by the text of all that must be the same for their rows to go together.
// Merging puts runs in the order of their keys and computes nothing, so that no bit depends on the order in which a runner does it.
type merged struct {
	Robot, File string
	Logs        []Taken
	of          map[string]*summary.Summary // by kind
}

// kind is the text of all that rows of one fit have in common.
func kind(s *summary.Summary) string {
	head := *s
	head.Runs = nil
	text, err := json.Marshal(&head)
	if err != nil {
		panic(err) // numbers of a signal path are finite
	}
	return string(text)
}

// add adds a summary. Its runs are only put beside the others': those with common samples are found when all are there.
func (m *merged) add(s *summary.Summary) {
	if m.of == nil {
		m.of = map[string]*summary.Summary{}
	}
	k := kind(s)
	if old := m.of[k]; old != nil {
		both := *old
		both.Runs = slices.Concat(old.Runs, s.Runs)
		slices.SortStableFunc(both.Runs, func(a, b summary.Run) int { return summary.Compare(&a, &b) })
		s = &both
	}
	m.of[k] = s
}

// mergeParts combines the parts of a robot.
type mergeParts struct{}

func (mergeParts) CreateAccumulator() *merged { return &merged{} }

func (mergeParts) AddInput(m *merged, p Part) *merged {
	m.Robot, m.File = p.Robot, p.File
	m.Logs = append(m.Logs, p.Logs...)
	for _, text := range p.Summaries {
		s, err := summary.Decode(bytes.NewReader(text), int64(len(text)))
		if err != nil {
			panic(err) // this program's own bytes
		}
		m.add(s)
	}
	return m
}

func (mergeParts) MergeAccumulators(a, b *merged) *merged {
	if b.Robot != "" {
		a.Robot, a.File = b.Robot, cmp.Or(min(a.File, b.File), b.File)
	}
	a.Logs = append(a.Logs, b.Logs...)
	for _, k := range sortedKeys(b.of) {
		a.add(b.of[k])
	}
	return a
}

func (mergeParts) ExtractOutput(m *merged) (Part, error) { return m.part() }

// part is the accumulator as a value.
func (m *merged) part() (Part, error) {
	p := Part{Robot: m.Robot, File: m.File, Logs: slices.Clone(m.Logs)}
	slices.SortFunc(p.Logs, func(a, b Taken) int { return cmp.Or(cmp.Compare(a.Entry, b.Entry), cmp.Compare(a.Log, b.Log)) })
	for _, k := range sortedKeys(m.of) {
		var text bytes.Buffer
		if err := summary.Encode(&text, m.of[k]); err != nil {
			return p, err
		}
		p.Summaries = append(p.Summaries, text.Bytes())
	}
	return p, nil
}

// encodeMerged and decodeMerged are the coder of accumulators: a runner moves them between machines.
func encodeMerged(m *merged) ([]byte, error) {
	p, err := m.part()
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = gob.NewEncoder(&out).Encode(&p)
	return out.Bytes(), err
}

func decodeMerged(text []byte) (*merged, error) {
	var p Part
	if err := gob.NewDecoder(bytes.NewReader(text)).Decode(&p); err != nil {
		return nil, err
	}
	return mergeParts{}.AddInput(&merged{}, p), nil
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

package fleet

import (
	"bytes"
	"cmp"
	"encoding/gob"
	"encoding/json"
	"slices"

	"ident/summary"
)

// merged is the accumulator of a robot's parts. Summaries stay the bytes that they came as, each of one log: merging computes nothing, and
// decoding waits for the robot's fit. No bit depends on the order in which a runner merges, since part orders the logs.
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
	m.Logs = append(m.Logs, p.Logs...)
	m.Summaries = append(m.Summaries, p.Summaries...)
	return m
}

func (c mergeParts) MergeAccumulators(a, b *merged) *merged { return c.AddInput(a, b.Part) }

func (mergeParts) ExtractOutput(m *merged) Part { return m.part() }

// part is the accumulator as a value, with the logs in the order of the manifest.
func (m *merged) part() Part {
	order := make([]int, len(m.Logs))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		return cmp.Or(cmp.Compare(m.Logs[i].Entry, m.Logs[j].Entry), cmp.Compare(m.Logs[i].Log, m.Logs[j].Log))
	})
	p := Part{Robot: m.Robot, File: m.File, Logs: make([]Taken, 0, len(order)), Summaries: make([][]byte, 0, len(order))}
	for _, i := range order {
		p.Logs, p.Summaries = append(p.Logs, m.Logs[i]), append(p.Summaries, m.Summaries[i])
	}
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

// kinds decodes the summaries of a part and puts those of a kind together, with their runs in the order of their keys; samples in
// common are not looked for.
func kinds(p Part) (map[string]*summary.Summary, error) {
	of := map[string]*summary.Summary{}
	for _, text := range p.Summaries {
		s, err := summary.Decode(bytes.NewReader(text), int64(len(text)))
		if err != nil {
			return nil, err
		}
		k := kind(s)
		if all := of[k]; all != nil {
			all.Runs = append(all.Runs, s.Runs...)
		} else {
			of[k] = s
		}
	}
	for _, s := range of {
		slices.SortStableFunc(s.Runs, func(a, b summary.Run) int { return summary.Compare(&a, &b) })
	}
	return of, nil
}

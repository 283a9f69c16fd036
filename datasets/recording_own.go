package datasets

import (
	"fmt"
	"slices"
)

// ownRecording describes a log that Write has written as a recording, as JSON in a metadata record: the
// log's own metadata, and the channels of the values of each topic's message.
type ownRecording struct {
	Channels []ownSignal       `json:"channels"`
	Metadata map[string]string `json:"metadata"`
}

type ownSignal struct {
	Name  string `json:"name"`
	Unit  string `json:"unit,omitempty"`
	Topic string `json:"topic"`
	Joint string `json:"joint"`
	Field int    `json:"field"` // 0 position, 1 velocity, 2 effort
}

const (
	ownRecordingName = "ident"
	ownRecordingKey  = "log"
)

// ownLog restores the log that Write has written, message by message.
func (r *recorder) ownLog() (table, error) {
	t := table{meta: map[string]string{}}
	for k, v := range r.own.Metadata {
		t.meta[k] = v
	}
	j := &joined{}
	parts := map[*stream]int{}
	var headers, units []string
	rows := -1
	for _, c := range r.own.Channels {
		topic := r.byName[c.Topic]
		headers, units = append(headers, headerOf(c.Name)), append(units, c.Unit)
		if topic != nil && len(topic.streams) == 0 && rows <= 0 {
			rows = 0 // topic without messages
			continue
		}
		if topic == nil || len(topic.streams) != 1 {
			return table{}, fmt.Errorf("%w: channel %q: its topic %s is missing or has messages of several kinds", ErrDamaged, c.Name, c.Topic)
		}
		s := topic.streams[0]
		joint := slices.Index(s.joints, c.Joint)
		if joint < 0 || c.Field < 0 || c.Field > 2 || rows >= 0 && s.spool.rows != rows {
			return table{}, fmt.Errorf("%w: channel %q has no values in the messages of %s, or not as many as the channels of other topics: record it again, or leave it out", ErrDamaged, c.Name, c.Topic)
		}
		rows = s.spool.rows
		k, ok := parts[s]
		if !ok {
			k = len(j.parts)
			parts[s] = k
			j.parts = append(j.parts, s.src)
		}
		j.columns = append(j.columns, joinedColumn{part: k, column: s.column(c.Field, joint)})
	}
	channels, convs, err := declare(r.path, headers, units, r.opt)
	if err != nil {
		return table{}, err
	}
	for i := range j.columns {
		j.columns[i].conv = convs[i]
	}
	t.channels, t.rows, t.src = channels, max(rows, 0), j
	return t, nil
}

package datasets

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"ident/internal/hint"
)

// Channels are named after the joints, q_NAME, dq_NAME and tau_NAME, which MapChannels knows; JointState
// is in SI units by ROS' REP 103. Time is the header's stamp, or in a recording without stamps the time of
// recording. Of several topics, the first has the clock. The others are interpolated linearly to its times
// between two messages, and are NaN outside their own messages and in gaps longer than five mean
// intervals: no value is invented across a gap.

// signal holds the values of one joint in one list of a stream. It becomes a channel of the log.
type signal struct {
	stream       *stream
	field, joint int
	name         string
}

// log merges the chosen streams to a log.
func (r *recorder) log() (table, error) {
	for _, t := range r.topics {
		for _, s := range t.streams {
			var err error
			if s.src, err = s.spool.finish(); err != nil {
				return table{}, err
			}
		}
	}
	if r.own != nil {
		return r.ownLog()
	}
	topics, notes, err := r.choose()
	if err != nil {
		return table{}, err
	}
	var streams []*stream
	for _, t := range topics {
		streams = append(streams, t.streams...)
	}
	t := table{notes: notes, meta: map[string]string{"ros.topics": joinTopics(topics)}}
	clock, origin := stampColumn, r.origin
	if slices.ContainsFunc(streams, func(s *stream) bool { return s.stamps[0] == s.stamps[1] && s.spool.rows > 1 }) {
		clock, origin = loggedColumn, r.logged
		t.notes = append(t.notes, Note{Text: "the messages carry no time stamps of their own; t is when they were recorded"})
	}
	sec, nsec := floorDiv(origin, 1e9)
	t.meta["ros.start"] = fmt.Sprintf("%d.%09d", sec, nsec)

	signals := r.signals(streams, &t)
	headers := []string{"t"}
	units := []string{"s"}
	for _, g := range signals {
		headers, units = append(headers, headerOf(g.name)), append(units, "")
	}
	var convs []conversion
	if t.channels, convs, err = declare(r.path, headers, units, r.opt); err != nil {
		return table{}, err
	}
	if len(streams) == 1 {
		j := &joined{parts: []source{streams[0].src}, columns: []joinedColumn{{0, clock, convs[0]}}}
		for i, g := range signals {
			j.columns = append(j.columns, joinedColumn{0, g.stream.column(g.field, g.joint), convs[i+1]})
		}
		t.rows, t.src = streams[0].spool.rows, j
		return t, nil
	}
	m := merger{r: r, clock: clock, streams: streams, signals: signals, topics: len(topics)}
	if err := m.run(convs, &t); err != nil {
		return table{}, err
	}
	return t, r.close() // the merged spool holds all values
}

func joinTopics(topics []*topic) string {
	var names []string
	for _, t := range topics {
		names = append(names, t.name)
	}
	return strings.Join(names, ",")
}

// choose returns the topics to merge, the most informative stream of each first.
func (r *recorder) choose() (topics []*topic, notes []Note, err error) {
	var all []*topic
	for _, t := range r.topics {
		if len(t.streams) > 0 {
			all = append(all, t)
		}
		slices.SortStableFunc(t.streams, func(a, b *stream) int {
			return b.spool.rows*len(b.joints) - a.spool.rows*len(a.joints)
		})
	}
	for _, name := range r.opt.Topics {
		i := slices.IndexFunc(all, func(t *topic) bool { return t.name == name })
		if i < 0 {
			return nil, nil, fmt.Errorf("%w: topic %s has no sensor_msgs/JointState messages of one joint or more; %s", ErrNoTopic, name, r.listTopics())
		}
		if !slices.Contains(topics, all[i]) {
			topics = append(topics, all[i])
		}
	}
	switch {
	case len(topics) > 0:
		return topics, nil, nil
	case slices.ContainsFunc(all, func(t *topic) bool { return !arrayKind(t.kind) }):
		all = slices.DeleteFunc(all, func(t *topic) bool { // lists without names are read if they are asked for
			if arrayKind(t.kind) {
				notes = append(notes, Note{Text: fmt.Sprintf("%s was left aside: its numbers are channels %s[0] …, if the topic is chosen", t, t.name)})
			}
			return arrayKind(t.kind)
		})
		if len(all) == 1 {
			return all, notes, nil
		}
	case len(all) == 0:
		return nil, nil, fmt.Errorf("%w: %s", ErrNoTopic, r.listTopics())
	case len(all) == 1:
		return all, notes, nil
	}
	// The topic with the conventional name, or else the only one of joint states, or with efforts.
	for _, best := range []func(*topic) bool{
		func(t *topic) bool { return path.Base(t.name) == "joint_states" },
		func(t *topic) bool { return !isControllerState(t.kind) },
		func(t *topic) bool { return slices.ContainsFunc(t.streams, func(s *stream) bool { return s.has[2] }) },
	} {
		if i := slices.IndexFunc(all, best); i >= 0 && !slices.ContainsFunc(all[i+1:], best) {
			for k, t := range all {
				if k != i {
					notes = append(notes, Note{Text: fmt.Sprintf("%s was left aside for %s; the topics %s and %s together are read if both are chosen", t, all[i].name, all[i].name, t.name)})
				}
			}
			return all[i : i+1], notes, nil
		}
	}
	return nil, nil, hint.Errorf("topics", "", "%w: several topics hold joint states; choose with {topics}, the one whose clock counts first; %s", ErrAmbiguous, r.listTopics())
}

func (r *recorder) listTopics() string {
	if len(r.topics) == 0 {
		return "the recording has no topics"
	}
	var list []string
	for _, t := range r.topics {
		list = append(list, t.String())
	}
	return "the recording has " + listNames(list)
}

// signals lists the channels of the streams. If two topics have a signal of the same name, the later one gets its topic
// in front. If two streams of one topic have it, that of the stream with fewer messages is left out.
func (r *recorder) signals(streams []*stream, t *table) []signal {
	var out []signal
	taken := map[string]*stream{}
	for _, s := range streams {
		var left []string
		for field, prefix := range jointFields() {
			if !s.has[field] {
				continue
			}
			for joint, name := range s.joints {
				g := signal{s, field, joint, prefix + "_" + name}
				if arrayKind(s.topic.kind) {
					g.name = fmt.Sprintf("%s[%d]", s.topic.name, joint)
				}
				if first := taken[g.name]; first != nil && first.topic == s.topic {
					left = append(left, g.name)
					continue
				} else if first != nil {
					g.name = s.topic.name + ":" + g.name
				}
				taken[g.name] = s
				out = append(out, g)
			}
		}
		if len(left) > 0 {
			t.notes = append(t.notes, Note{Text: fmt.Sprintf("%d messages of %s name other joints beside %s; those values of these were left out",
				s.spool.rows, s.topic.name, listNames(left))})
		}
	}
	return out
}

// joined is a source with the columns of several sources, row by row.
type joined struct {
	parts   []source
	columns []joinedColumn
}

type joinedColumn struct {
	part, column int
	conv         conversion
}

func (j *joined) close() error {
	var err error
	for _, p := range j.parts {
		if e := p.close(); e != nil {
			err = e
		}
	}
	return err
}

func (j *joined) open(cols []int, first int) (cursor, error) {
	c := &joinedCursor{}
	for part, src := range j.parts {
		var p joinedPart
		var from []int
		for i, k := range cols {
			if j.columns[k].part == part {
				from, p.dst, p.convs = append(from, j.columns[k].column), append(p.dst, i), append(p.convs, j.columns[k].conv)
			}
		}
		if len(from) == 0 {
			continue
		}
		var err error
		if p.cur, err = src.open(from, first); err != nil {
			return nil, err
		}
		p.cols = make([][]float64, len(from))
		c.parts = append(c.parts, p)
	}
	return c, nil
}

type joinedCursor struct{ parts []joinedPart }

type joinedPart struct {
	cur   cursor
	dst   []int
	convs []conversion
	cols  [][]float64
}

func (c *joinedCursor) read(dst [][]float64) error {
	for _, p := range c.parts {
		for i, d := range p.dst {
			p.cols[i] = dst[d]
		}
		if err := p.cur.read(p.cols); err != nil {
			return err
		}
		for i, conv := range p.convs {
			conv.apply(p.cols[i])
		}
	}
	return nil
}

func (c *joinedCursor) close() error {
	var err error
	for _, p := range c.parts {
		if e := p.cur.close(); e != nil {
			err = e
		}
	}
	return err
}

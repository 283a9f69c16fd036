package datasets

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"ident/internal/hint"
)

// A recording is a file of time-stamped messages on named topics: MCAP, a ROS 1 bag or a ROS 2 bag. Only
// its sensor_msgs/JointState and control_msgs/JointTrajectoryControllerState messages are read, once, from front to back. Messages of one topic with the
// same joints, in any order, are a stream, with a clock of its own; each stream is kept as columns in a
// spool. Then topics are chosen and merged to a log, see recording_log.go.

// topic is one topic of a recording.
type topic struct {
	name, kind string     // of the messages
	encoding   string     // serialization: "cdr", "ros1", "json" and "protobuf" are read
	kinds      protoKinds // the description of messages of Protocol Buffers
	count      int        // messages read
	indexed    int        // messages in the file's index; some may be in skipped chunks
	streams    []*stream
	known      []nameOrder
}

// jointKind reports whether messages hold the states of joints.
func jointKind(kind string) bool {
	return kind == "sensor_msgs/JointState" || kind == "sensor_msgs/msg/JointState" || isControllerState(kind)
}

// arrayKind reports whether messages are lists of numbers without names.
func arrayKind(kind string) bool {
	return slices.Contains([]string{"std_msgs/Float64MultiArray", "std_msgs/msg/Float64MultiArray", "std_msgs/Float32MultiArray", "std_msgs/msg/Float32MultiArray"}, kind)
}

// readable reports whether the messages are joint states, or lists of numbers, in a known serialization.
func (t *topic) readable() bool {
	switch t.encoding {
	case "cdr", "ros1":
		return jointKind(t.kind) || arrayKind(t.kind)
	case "json":
		return namedKind(t.kind)
	case "protobuf":
		return namedKind(t.kind) && t.kinds != nil
	}
	return false
}

// decode reads a message of the topic.
func (t *topic) decode(j *jointState, data []byte) error {
	switch {
	case t.encoding == "json":
		return j.decodeJSON(data)
	case t.encoding == "protobuf":
		return j.decodeProtobuf(data, t.kind, t.kinds)
	case arrayKind(t.kind):
		return j.decodeArray(data, t.encoding == "cdr", strings.Contains(t.kind, "32"))
	}
	return j.decode(data, t.encoding == "cdr", isControllerState(t.kind))
}

func (t *topic) String() string {
	return fmt.Sprintf("%s (%s, %s, %d messages)", t.name, t.kind, t.encoding, max(t.count, t.indexed))
}

// stream is the messages of a topic with the same joints.
type stream struct {
	topic  *topic
	joints []string
	key    string // the sorted names
	spool  *spool // stampColumn, loggedColumn, then the lists one after another
	has    [4]bool
	stamps [2]int64 // least and greatest, nanoseconds
	src    source
}

const (
	stampColumn  = 0 // stamp of the header, seconds
	loggedColumn = 1 // time of recording, seconds
	valueColumns = 2
)

// column returns the spool column of a joint's value in a list.
func (s *stream) column(field, joint int) int { return valueColumns + field*len(s.joints) + joint }

// nameOrder is a message's list of names, with the index of each joint in its stream.
type nameOrder struct {
	names  []string
	stream *stream
	joint  []int
}

// recorder collects the joint states of a recording.
type recorder struct {
	path    string // of the current file
	opt     Options
	room    *int64
	topics  []*topic
	byName  map[string]*topic
	streams int
	started bool
	origin  int64 // stamp of the first message, nanoseconds
	logged  int64 // its time of recording
	own     *ownRecording
	bad     []Bad
	nBad    int

	msg     jointState
	scratch []float64
}

func newRecorder(path string, opt Options) *recorder {
	return &recorder{path: path, opt: opt, room: opt.room(), byName: map[string]*topic{}}
}

// openRecording reads the files of a recording, one after the other, as one log.
func openRecording(path string, files []string, opt Options) (table, error) {
	r := newRecorder(path, opt)
	for _, name := range files {
		if err := r.file(name); err != nil {
			return table{}, errors.Join(r.locate(err), r.close())
		}
	}
	r.path = path
	return r.finish()
}

// readRecording reads a recording of one file of the given format and size as a log.
func readRecording(name string, of format, f io.ReaderAt, size int64, opt Options) (table, error) {
	r := newRecorder(name, opt)
	if err := r.read(of, f, size, ""); err != nil {
		return table{}, errors.Join(r.locate(err), r.close())
	}
	return r.finish()
}

// finish merges the messages to a log.
func (r *recorder) finish() (t table, err error) {
	if t, err = r.log(); err != nil {
		return table{}, errors.Join(r.locate(err), r.close())
	}
	t.dropped, t.nDropped = r.bad, r.nBad
	return t, nil
}

// file reads one file.
func (r *recorder) file(name string) error {
	r.path = name
	format, err := formatOf(name)
	if err != nil {
		return err
	}
	f, size, err := r.opt.opened(name, format)
	if err != nil {
		return err
	}
	defer f.Close()
	return r.read(format, f, size, name)
}

// read collects the messages of a file of the given format and size; path is "" for a reader without one.
func (r *recorder) read(of format, f io.ReaderAt, size int64, path string) error {
	err := guard(func() error { return of.messages(r, f, size, path) })
	if errors.Is(err, ErrTruncated) && r.opt.BadRows == Drop {
		r.drop("", 0, err)
		return nil
	}
	return err
}

func (r *recorder) close() error {
	var err error
	for _, t := range r.topics {
		for _, s := range t.streams {
			err = errors.Join(err, s.spool.close())
		}
	}
	return err
}

func (r *recorder) locate(err error) error { return located(r.path, 0, "", err) }

func (r *recorder) drop(topic string, message int, err error) {
	r.nBad++
	if len(r.bad) < maxBad {
		why := err.Error()
		if topic != "" {
			why = fmt.Sprintf("message %d of %s: %s", message, topic, why)
		}
		r.bad = append(r.bad, Bad{Line: message, Why: why})
	}
}

// tolerate drops a damaged chunk of a recording under Drop: the next one can be read all the same.
func (r *recorder) tolerate(err error) error {
	switch {
	case err == nil || !errors.Is(err, ErrDamaged):
		return err
	case r.opt.BadRows == Drop:
		r.drop("", 0, err)
		return nil
	}
	return &DropError{hint.Errorf("on-bad", "drop", "%w; {on-bad} drop reads the rest", err)}
}

// topic returns the topic of this name, a new one if there is none.
func (r *recorder) topic(name, kind, encoding string) (*topic, error) {
	const most = 1 << 16
	if t := r.byName[name]; t != nil && (t.readable() || !jointKind(kind)) {
		return t, nil
	}
	if len(r.topics) == most {
		return nil, fmt.Errorf("%w: more than %d topics", ErrDamaged, most)
	}
	t := &topic{name: name, kind: kind, encoding: encoding}
	r.topics = append(r.topics, t)
	r.byName[name] = t
	return t, nil
}

// message adds a message recorded at the time logged, in nanoseconds, from byte at of the file. data is not
// kept.
func (r *recorder) message(t *topic, logged int64, data []byte, at int64) error {
	t.count++
	if !t.readable() {
		return nil
	}
	err := t.decode(&r.msg, data)
	var order nameOrder
	if err == nil {
		order, err = r.order(t)
	}
	if err == nil && order.stream != nil {
		err = r.add(order, logged)
	}
	if err != nil && r.opt.BadRows == Drop && errors.Is(err, ErrDamaged) {
		r.drop(t.name, t.count, err)
		return nil
	}
	if err != nil {
		return &FileError{Path: r.path, Topic: t.name, Row: t.count, Offset: at, Err: err}
	}
	return nil
}

// order finds the stream of the current message, none for a message without joints.
func (r *recorder) order(t *topic) (nameOrder, error) {
	const maxJoints, maxStreams, maxOrders = 2048, 32, 256
	n, err := r.msg.joints()
	if err != nil || n == 0 {
		return nameOrder{}, err
	}
	for _, o := range t.known {
		if r.msg.named(o, n) {
			return o, nil
		}
	}
	if n > maxJoints {
		return nameOrder{}, fmt.Errorf("%w: %d joints", ErrDamaged, n)
	}
	o := nameOrder{names: make([]string, len(r.msg.names))}
	for i, b := range r.msg.names {
		o.names[i] = string(b)
		if len(b) == 0 || !utf8.Valid(b) || unclean(o.names[i]) {
			return o, fmt.Errorf("%w: the name of joint %d is %s, which is no text", ErrDamaged, i+1, excerpt(b))
		}
	}
	joints := o.names
	if len(joints) == 0 {
		for i := range n {
			joints = append(joints, strconv.Itoa(i+1))
		}
	}
	sorted := slices.Sorted(slices.Values(joints))
	if len(slices.Compact(sorted)) < n {
		return o, fmt.Errorf("%w: a joint is named twice among %s", ErrDamaged, listNames(joints))
	}
	key := strings.Join(slices.Sorted(slices.Values(joints)), "\x00")
	i := slices.IndexFunc(t.streams, func(s *stream) bool { return s.key == key })
	if i < 0 {
		if r.streams++; r.streams > maxStreams {
			return o, fmt.Errorf("%w: it has more than %d different sets of joint names", ErrDamaged, maxStreams)
		}
		i = len(t.streams)
		convs := make([]conversion, valueColumns+len(r.msg.values)*n)
		for k := range convs {
			convs[k] = conversion{factor: factor{"", 1, 1}}
		}
		t.streams = append(t.streams, &stream{topic: t, joints: joints, key: key, spool: newSpool(convs, 0, r.room, r.opt.TempDir), stamps: [2]int64{math.MaxInt64, math.MinInt64}})
	}
	o.stream = t.streams[i]
	for _, name := range joints {
		o.joint = append(o.joint, slices.Index(o.stream.joints, name))
	}
	if len(t.known) == maxOrders {
		t.known = t.known[:0]
	}
	t.known = append(t.known, o)
	return o, nil
}

// named reports whether the message's n joints are those of an order, in that order; a message without names
// matches the order without names.
func (j *jointState) named(o nameOrder, n int) bool {
	if len(o.names) != len(j.names) || len(o.joint) != n {
		return false
	}
	for i, b := range j.names {
		if string(b) != o.names[i] {
			return false
		}
	}
	return true
}

// add appends the current message to its stream.
func (r *recorder) add(o nameOrder, logged int64) error {
	s, sp := o.stream, o.stream.spool
	if !r.started {
		r.started, r.origin, r.logged = true, r.msg.stamp, logged
	}
	s.stamps = [2]int64{min(s.stamps[0], r.msg.stamp), max(s.stamps[1], r.msg.stamp)}
	sp.cur[stampColumn*sp.block+sp.fill] = float64(r.msg.stamp-r.origin) / 1e9
	sp.cur[loggedColumn*sp.block+sp.fill] = float64(logged-r.logged) / 1e9
	r.scratch = grown(r.scratch, len(o.joint))
	for field, list := range r.msg.values {
		if len(list) > 0 {
			s.has[field] = true
			r.msg.number.decode(r.scratch, list, 8)
		} else {
			for i := range r.scratch {
				r.scratch[i] = math.NaN()
			}
		}
		for i, v := range r.scratch {
			sp.cur[s.column(field, o.joint[i])*sp.block+sp.fill] = v
		}
	}
	return sp.advance()
}

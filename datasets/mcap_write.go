package datasets

import (
	"encoding/binary"
	"encoding/json"

	"hash/crc32"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"
)

// mcapEncoder writes a log as ROS 2 messages: positions, velocities and torques as
// sensor_msgs/msg/JointState on /joint_states, for any tool, and the other channels, the exact clock among
// them, as positions of the same message type on /ident/channels. A metadata record holds the log's
// metadata and the map from channels to messages, so that the log is read back unchanged.
type mcapEncoder struct {
	w       io.Writer
	written uint64
	crc     uint32 // of the data section so far
	clock   int    // channel, -1 without one
	rows    int
	topics  []*mcapTopic
	meta    []byte // the metadata record's map

	zstd        *zstd.Encoder
	chunk       []byte
	index       []mcapChunkEntry
	first, last uint64 // times in the chunk
	from, to    uint64 // times in the file
	spread      [2][]byte
}

// mcapTopic is one of the two topics.
type mcapTopic struct {
	name   string
	joints []string
	list   [3][]int // [field][joint]: channel; nil for an empty list, -1 for an absent value
	values [3][]float64
	buf    []byte
}

type mcapChunkEntry struct {
	first, last    uint64
	offset, length uint64 // of the chunk's record
	packed, size   uint64
	indexes        [2]uint64 // bytes of the topics' message indexes
	indexLength    uint64
}

const (
	mcapChunkSize = 1 << 20
	jointTopic    = "/joint_states"
	otherTopic    = "/ident/channels"
)

const jointStateSchema = `std_msgs/Header header
string[] name
float64[] position
float64[] velocity
float64[] effort
================================================================================
MSG: std_msgs/Header
builtin_interfaces/Time stamp
string frame_id
================================================================================
MSG: builtin_interfaces/Time
int32 sec
uint32 nanosec
`

func newMCAPEncoder(w io.Writer, channels []Channel, meta map[string]string) (encoder, error) {
	e := &mcapEncoder{w: w, clock: slices.IndexFunc(channels, func(c Channel) bool { return isTime(c.Name) })}
	own := ownRecording{Metadata: meta}
	joints, others := &mcapTopic{name: jointTopic}, &mcapTopic{name: otherTopic}
	for i, c := range channels {
		field, joint, ok := jointSignal(c.Name)
		s := ownSignal{Name: c.Name, Unit: c.Unit, Topic: jointTopic, Joint: joint, Field: field}
		if !ok || !joints.put(field, joint, i) {
			s.Topic, s.Joint, s.Field = otherTopic, c.Name, 0
			others.put(0, c.Name, i)
		}
		own.Channels = append(own.Channels, s)
	}
	for _, t := range []*mcapTopic{joints, others} {
		if len(t.joints) == 0 {
			continue
		}
		for f, list := range t.list {
			t.values[f] = make([]float64, len(list))
		}
		e.topics = append(e.topics, t)
	}
	text, err := json.Marshal(own)
	if err != nil {
		return nil, err
	}
	e.meta = mcapText(mcapText(nil, ownRecordingKey), string(text))
	if e.zstd, err = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1)); err != nil {
		return nil, err
	}
	return e, e.begin()
}

// jointSignal splits names such as q_elbow and q1 into field and joint; q1 belongs to joint1.
func jointSignal(name string) (field int, joint string, ok bool) {
	fields := jointFields()
	for f, prefix := range fields[:commandField] {
		if rest, ok := strings.CutPrefix(name, prefix+"_"); ok && rest != "" {
			return f, rest, true
		}
		if rest, ok := strings.CutPrefix(name, prefix); ok && rest != "" && strings.Trim(rest, "0123456789") == "" {
			return f, "joint" + rest, true
		}
	}
	return 0, "", false
}

// put assigns a channel to a joint's value in a list, unless it has one.
func (t *mcapTopic) put(field int, joint string, channel int) bool {
	k := slices.Index(t.joints, joint)
	if k >= 0 && t.list[field] != nil && t.list[field][k] >= 0 {
		return false
	}
	if k < 0 {
		k = len(t.joints)
		t.joints = append(t.joints, joint)
		for f := range t.list {
			if t.list[f] != nil {
				t.list[f] = append(t.list[f], -1)
			}
		}
	}
	for len(t.list[field]) < len(t.joints) {
		t.list[field] = append(t.list[field], -1)
	}
	t.list[field][k] = channel
	return true
}

func mcapText(b []byte, s string) []byte {
	return append(binary.LittleEndian.AppendUint32(b, uint32(len(s))), s...)
}

// put writes bytes to the file.
func (e *mcapEncoder) put(b []byte) error {
	e.crc = crc32.Update(e.crc, crc32.IEEETable, b)
	n, err := e.w.Write(b)
	e.written += uint64(n)
	return err
}

// mcapRecord returns a whole record.
func mcapRecord(op byte, content []byte) []byte {
	return append(binary.LittleEndian.AppendUint64([]byte{op}, uint64(len(content))), content...)
}

func (e *mcapEncoder) begin() error {
	head := mcapRecord(mcapHeader, mcapText(mcapText(nil, "ros2"), "ident"))
	meta := append(binary.LittleEndian.AppendUint32(mcapText(nil, ownRecordingName), uint32(len(e.meta))), e.meta...)
	return e.put(slices.Concat([]byte(mcapMagic), head, e.described(), mcapRecord(mcapMetadata, meta)))
}

// described returns the schema and channel records, in front and again in the summary.
func (e *mcapEncoder) described() []byte {
	le := binary.LittleEndian
	schema := mcapText(mcapText(mcapText(le.AppendUint16(nil, 1), "sensor_msgs/msg/JointState"), "ros2msg"), jointStateSchema)
	out := mcapRecord(mcapSchema, schema)
	for i, t := range e.topics {
		b := le.AppendUint16(le.AppendUint16(nil, uint16(i)), 1)
		b = mcapText(mcapText(b, t.name), "cdr")
		out = append(out, mcapRecord(mcapChannel, le.AppendUint32(b, 0))...)
	}
	return out
}

func (e *mcapEncoder) append(cols [][]float64) error {
	if len(cols) == 0 {
		return nil
	}
	for r := range cols[0] {
		stamp := int64(e.rows) // without a clock, the row number
		if e.clock >= 0 {
			// A stamp cannot be NaN or 10³⁰ s; the clock's own channel keeps such values.
			if ns := math.Round(1e9 * cols[e.clock][r]); math.Abs(ns) < 1<<60 {
				stamp = int64(ns)
			}
		}
		for i, t := range e.topics {
			e.message(i, t.encode(stamp, cols, r), uint64(max(stamp, 0)))
		}
		e.rows++
		if len(e.chunk) >= mcapChunkSize {
			if err := e.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// encode returns the topic's message of a row.
func (t *mcapTopic) encode(stamp int64, cols [][]float64, row int) []byte {
	for f, list := range t.list {
		for k, c := range list {
			t.values[f][k] = math.NaN()
			if c >= 0 {
				t.values[f][k] = cols[c][row]
			}
		}
	}
	t.buf = encodeCDR(t.buf[:0], stamp, t.joints, t.values)
	return t.buf
}

// message adds a message to the chunk and its index.
func (e *mcapEncoder) message(topic int, data []byte, time uint64) {
	le := binary.LittleEndian
	if len(e.chunk) == 0 {
		e.first, e.last = time, time
	}
	if e.rows == 0 {
		e.from, e.to = time, time
	}
	e.first, e.last, e.from, e.to = min(e.first, time), max(e.last, time), min(e.from, time), max(e.to, time)
	e.spread[topic] = le.AppendUint64(le.AppendUint64(e.spread[topic], time), uint64(len(e.chunk)))
	b := append(e.chunk, mcapMessage)
	b = le.AppendUint64(b, uint64(22+len(data)))
	b = le.AppendUint32(le.AppendUint16(b, uint16(topic)), uint32(e.rows))
	b = le.AppendUint64(le.AppendUint64(b, time), time)
	e.chunk = append(b, data...)
}

// flush writes the chunk and the index of its messages.
func (e *mcapEncoder) flush() error {
	if len(e.chunk) == 0 {
		return nil
	}
	le := binary.LittleEndian
	packed := e.zstd.EncodeAll(e.chunk, nil)
	b := le.AppendUint64(le.AppendUint64(nil, e.first), e.last)
	b = le.AppendUint32(le.AppendUint64(b, uint64(len(e.chunk))), crc32.ChecksumIEEE(e.chunk))
	b = le.AppendUint64(mcapText(b, "zstd"), uint64(len(packed)))
	entry := mcapChunkEntry{first: e.first, last: e.last, offset: e.written, packed: uint64(len(packed)), size: uint64(len(e.chunk))}
	if err := e.put(mcapRecord(mcapChunk, append(b, packed...))); err != nil {
		return err
	}
	entry.length = e.written - entry.offset
	behind := e.written
	for i := range e.topics {
		entry.indexes[i] = e.written
		b := le.AppendUint32(le.AppendUint16(nil, uint16(i)), uint32(len(e.spread[i])))
		if err := e.put(mcapRecord(mcapMessageIndex, append(b, e.spread[i]...))); err != nil {
			return err
		}
		e.spread[i] = e.spread[i][:0]
	}
	entry.indexLength = e.written - behind
	e.index = append(e.index, entry)
	e.chunk = e.chunk[:0]
	return nil
}

// close writes the summary: descriptions, chunk indexes and counts.
func (e *mcapEncoder) close() error {
	if err := e.flush(); err != nil {
		return err
	}
	le := binary.LittleEndian
	if err := e.put(mcapRecord(mcapDataEnd, le.AppendUint32(nil, e.crc))); err != nil {
		return err
	}
	start := e.written
	e.crc = 0
	counts := le.AppendUint32(nil, uint32(10*len(e.topics)))
	for i := range e.topics {
		counts = le.AppendUint64(le.AppendUint16(counts, uint16(i)), uint64(e.rows))
	}
	b := le.AppendUint64(nil, uint64(e.rows*len(e.topics)))
	b = le.AppendUint32(le.AppendUint16(b, 1), uint32(len(e.topics)))
	b = le.AppendUint32(le.AppendUint32(b, 0), 1) // attachments, metadata records
	b = le.AppendUint32(b, uint32(len(e.index)))
	b = le.AppendUint64(le.AppendUint64(b, e.from), e.to)
	if err := e.put(append(e.described(), mcapRecord(mcapStatistics, append(b, counts...))...)); err != nil {
		return err
	}
	for _, c := range e.index {
		b := le.AppendUint64(le.AppendUint64(nil, c.first), c.last)
		b = le.AppendUint64(le.AppendUint64(b, c.offset), c.length)
		b = le.AppendUint32(b, uint32(10*len(e.topics)))
		for i := range e.topics {
			b = le.AppendUint64(le.AppendUint16(b, uint16(i)), c.indexes[i])
		}
		b = mcapText(le.AppendUint64(b, c.indexLength), "zstd")
		b = le.AppendUint64(le.AppendUint64(b, c.packed), c.size)
		if err := e.put(mcapRecord(mcapChunkIndex, b)); err != nil {
			return err
		}
	}
	foot := le.AppendUint64(le.AppendUint64([]byte{mcapFooter}, 20), start)
	if err := e.put(le.AppendUint64(foot, 0)); err != nil { // no summary offsets
		return err
	}
	if err := e.put(le.AppendUint32(nil, e.crc)); err != nil {
		return err
	}
	return e.put([]byte(mcapMagic))
}

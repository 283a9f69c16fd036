package datasets

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// testMessage is one message of a recording made for a test.
type testMessage struct {
	topic string
	stamp int64 // nanoseconds, of the header; 0 for a header without one
	late  int64 // delay of the recording
	names []string
	row   [3][]float64
	raw   []byte // replaces the fields above
}

// recordingOf is an MCAP file of these messages, without chunks or summary. Topics under /text are of
// another type.
func recordingOf(msgs []testMessage) []byte {
	le := binary.LittleEndian
	b := append([]byte(mcapMagic), mcapRecord(mcapHeader, mcapText(mcapText(nil, "ros2"), "test"))...)
	ids := map[string]uint16{}
	for k, m := range msgs {
		id, ok := ids[m.topic]
		if !ok {
			id = uint16(len(ids))
			ids[m.topic] = id
			kind := "sensor_msgs/msg/JointState"
			if strings.HasPrefix(m.topic, "/text") {
				kind = "std_msgs/msg/String"
			}
			if strings.HasPrefix(m.topic, "/controller") {
				kind = "control_msgs/msg/JointTrajectoryControllerState"
			}
			b = append(b, mcapRecord(mcapSchema, mcapText(mcapText(mcapText(le.AppendUint16(nil, id+1), kind), "ros2msg"), "..."))...)
			c := le.AppendUint16(le.AppendUint16(nil, id), id+1)
			b = append(b, mcapRecord(mcapChannel, le.AppendUint32(mcapText(mcapText(c, m.topic), "cdr"), 0))...)
		}
		data := m.raw
		if data == nil {
			data = encodeCDR(nil, m.stamp, m.names, m.row)
		}
		at := uint64(1_700_000_000_000_000_000 + m.stamp + m.late)
		c := le.AppendUint32(le.AppendUint16(nil, id), uint32(k))
		b = append(b, mcapRecord(mcapMessage, append(le.AppendUint64(le.AppendUint64(c, at), at), data...))...)
	}
	b = append(b, mcapRecord(mcapDataEnd, make([]byte, 4))...)
	return append(append(b, mcapRecord(mcapFooter, make([]byte, 20))...), mcapMagic...)
}

const ms = 1_000_000

// every returns messages of a topic at equal intervals: position, and effort where effort is not nil.
func every(topic string, from, interval, n int64, names []string, position, effort func(s float64) float64) (msgs []testMessage) {
	for k := range n {
		m := testMessage{topic: topic, stamp: from + k*interval, names: names}
		for range names {
			m.row[0] = append(m.row[0], position(float64(m.stamp)/1e9))
			if effort != nil {
				m.row[2] = append(m.row[2], effort(float64(m.stamp)/1e9))
			}
		}
		msgs = append(msgs, m)
	}
	return msgs
}

func line(a, b float64) func(float64) float64 { return func(s float64) float64 { return a + b*s } }

func TestTopicsMergeOnTheirOwnClocks(t *testing.T) {
	arm := every("/arm/joint_states", 100*ms, 10*ms, 60, []string{"a", "b"}, line(1, 2), nil)
	drive := every("/drive", 203*ms, 7*ms, 40, []string{"a", "b"}, line(-5, 1), line(3, -4))
	path := writeFile(t, "x.mcap", recordingOf(append(arm, drive...)))
	l, err := Open(path, Options{Topics: []string{"/arm/joint_states", "/drive"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(l.Names(), " "); got != "t q_a q_b /drive:q_a /drive:q_b tau_a tau_b" {
		t.Fatal(got)
	}
	cols, err := l.Columns("t", "q_a", "tau_b", "/drive:q_a")
	if err != nil {
		t.Fatal(err)
	}
	// Rows at the arm's times within the drive's, 203 ms to 476 ms: 210 … 470 ms. Interpolation of straight
	// lines errs by the rounding of stamps of about 1 s, 1e-16, times the slopes.
	if l.Rows() != 27 {
		t.Fatalf("%d rows", l.Rows())
	}
	for k, at := range cols[0] {
		s := at + 0.1 // t counts from the first message
		for i, want := range []float64{0.21 + 0.01*float64(k), 1 + 2*s, 3 - 4*s, -5 + s} {
			got := cols[i][k]
			if i == 0 {
				got = s
			}
			if math.Abs(got-want) > 1e-14 {
				t.Fatalf("row %d, column %d: %v, want %v", k, i, got, want)
			}
		}
	}
	text := fmt.Sprint(l.Notes())
	if !strings.Contains(text, "/drive (a, b) is interpolated at the times of /arm/joint_states, from messages 7 ms apart") || !strings.Contains(text, "33 rows") {
		t.Error(text)
	}
	// In the other order the drive's clock counts.
	l, err = Open(path, Options{Topics: []string{"/drive", "/arm/joint_states"}})
	if err != nil || l.Rows() != 40 || !l.Has("q_a") || !l.Has("/arm/joint_states:q_b") {
		t.Errorf("%v: %v", err, l)
	}
	// Without a choice, the conventionally named topic.
	l, err = Open(path, Options{})
	if err != nil || l.Rows() != 60 || len(l.Notes()) != 1 || !strings.Contains(l.Notes()[0].Text, "the topics /arm/joint_states and /drive") {
		t.Errorf("%v: %v", err, l.Notes())
	}
}

func TestNothingIsMadeUpAcrossAGap(t *testing.T) {
	arm := every("/joint_states", 0, 10*ms, 100, []string{"a"}, line(0, 1), nil)
	grip := every("/joint_states", 5*ms, 20*ms, 50, []string{"grip"}, line(2, 0), nil)
	grip = append(grip[:20:20], grip[35:]...) // nothing from 385 ms to 705 ms
	l, err := Open(writeFile(t, "x.mcap", recordingOf(append(arm, grip...))), Options{})
	if err != nil {
		t.Fatal(err)
	}
	cols, err := l.Columns("q_a", "q_grip")
	if err != nil {
		t.Fatal(err)
	}
	// The gripper's stream has fewer messages of the same topic: it does not shorten the arm's rows.
	if l.Rows() != 100 {
		t.Fatalf("%d rows", l.Rows())
	}
	for k, v := range cols[1] {
		gone := k == 0 || k > 38 && k < 71 || k > 98
		if math.IsNaN(v) != gone || !gone && v != 2 {
			t.Errorf("row %d is %v", k, v)
		}
	}
}

func TestTopicChoice(t *testing.T) {
	left := every("/left/joint_states", 0, ms, 5, []string{"a"}, line(0, 1), nil)
	right := every("/right/joint_states", 0, ms, 5, []string{"b"}, line(0, 1), nil)
	text := []testMessage{{topic: "/text", raw: make([]byte, 9)}}
	for _, c := range []struct {
		name   string
		msgs   []testMessage
		topics []string
		kind   error
		want   string
	}{
		{"none", text, nil, ErrNoTopic, "the recording has /text (std_msgs/msg/String, cdr, 1 messages)"},
		{"empty", nil, nil, ErrNoTopic, "the recording has no topics"},
		{"two of equal right", append(left, right...), nil, ErrAmbiguous, "choose with topics"},
		{"not there", left, []string{"/joints"}, ErrNoTopic, "/left/joint_states (sensor_msgs/msg/JointState, cdr, 5 messages)"},
		{"of another type", append(left, text...), []string{"/text"}, ErrNoTopic, "topic /text has no sensor_msgs/JointState"},
		{"no time in common", append(left, every("/x", 100*ms, ms, 5, []string{"c"}, line(0, 1), nil)...), []string{"/left/joint_states", "/x"}, ErrAmbiguous, "no time in common"},
		{"a clock that goes back", append(append(left, left[1]), right...), []string{"/left/joint_states", "/right/joint_states"}, ErrDamaged, "topic /left/joint_states, message 6"},
		{"lists of different length", []testMessage{{topic: "/j", names: []string{"a", "b"}, row: [3][]float64{{1}}}}, nil, ErrDamaged, "topic /j, message 1, byte "},
		{"a joint twice", []testMessage{{topic: "/j", names: []string{"a", "a"}, row: [3][]float64{{1, 2}}}}, nil, ErrDamaged, "named twice among a, a"},
		{"a joint without a name", []testMessage{{topic: "/j", names: []string{"a", ""}, row: [3][]float64{{1, 2}}}}, nil, ErrDamaged, "the name of joint 2 is"},
		{"cut short", []testMessage{{topic: "/j", raw: encodeCDR(nil, 0, []string{"a"}, [3][]float64{{1}, {2}, {3}})[:60]}}, nil, ErrDamaged, "shorter than its lists"},
		{"another serialization", []testMessage{{topic: "/j", raw: []byte{0, 3, 0, 0, 1, 2, 3, 4}}}, nil, ErrDamaged, "plain CDR"},
	} {
		_, err := Open(writeFile(t, "x.mcap", recordingOf(c.msgs)), Options{Topics: c.topics})
		if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "x.mcap") {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if _, err := Open(writeFile(t, "x.csv", []byte("t,q1\n0,1\n")), Options{Topics: []string{"/j"}}); !errors.Is(err, ErrNoTopic) {
		t.Errorf("a topic of a text file: %v", err)
	}
	// The topic with efforts, beside commands without.
	l, err := Open(writeFile(t, "x.mcap", recordingOf(append(every("/command", 0, ms, 9, []string{"a"}, line(0, 1), nil),
		every("/state", 0, ms, 7, []string{"a"}, line(0, 1), line(1, 1))...))), Options{})
	if err != nil || l.Rows() != 7 || !l.Has("tau_a") {
		t.Errorf("%v: %v", err, l)
	}
}

func TestBadMessagesAreDroppedWithTheirPlaces(t *testing.T) {
	good := every("/j", 0, ms, 5, []string{"a"}, line(0, 1), nil)
	good[2].row[0] = []float64{1, 2}
	data := recordingOf(good)
	l, err := Open(writeFile(t, "x.mcap", data), Options{BadRows: Drop})
	if err != nil || l.Rows() != 4 || l.DroppedRows() != 1 || l.Dropped()[0].Line != 3 || !strings.Contains(l.Dropped()[0].Why, "message 3 of /j") {
		t.Errorf("%v: %v", err, l.Dropped())
	}
	// A killed recorder leaves a file without an end.
	cut := data[:len(data)-150]
	if _, err := Open(writeFile(t, "x.mcap", cut), Options{}); !errors.Is(err, ErrTruncated) || !strings.Contains(err.Error(), "mcap recover") {
		t.Errorf("cut: %v", err)
	}
	if l, err = Open(writeFile(t, "x.mcap", cut), Options{BadRows: Drop}); err != nil || l.Rows() < 2 || l.DroppedRows() != 2 {
		t.Errorf("cut, dropped: %v", err)
	}
}

func TestRecordingsWithoutStampsOrNames(t *testing.T) {
	msgs := every("/j", 0, 0, 5, nil, line(0, 1), nil)
	for k := range msgs {
		msgs[k].late = int64(k) * 5 * ms
		msgs[k].row[0] = []float64{float64(k), 1}
		if k%2 == 0 {
			msgs[k].row[1] = []float64{2, 3} // velocities now and then
		}
	}
	l, err := Open(writeFile(t, "x.mcap", recordingOf(msgs)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	nan := math.NaN()
	wantColumns(t, "nameless", l, []string{"t", "q_1", "q_2", "dq_1"},
		[][]float64{{0, 0.005, 0.01, 0.015, 0.02}, {0, 1, 2, 3, 4}, {1, 1, 1, 1, 1}, {2, nan, 2, nan, 2}})
	if !strings.Contains(fmt.Sprint(l.Notes()), "when they were recorded") {
		t.Error(l.Notes())
	}
	roles, _, err := MapChannels(l, []string{"one", "two"}, nil)
	if err != nil || roles.Q[1] != "q_2" {
		t.Errorf("%v %v", roles, err)
	}
}

func TestBagFoldersAreOneLog(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run1")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	msgs := every("/joint_states", 0, ms, 30, []string{"a"}, line(0, 1), nil)
	for k, name := range []string{"run1_2.mcap", "run1_10.mcap", "run1_11.mcap"} {
		if err := os.WriteFile(filepath.Join(dir, name), recordingOf(msgs[10*k:10*k+10]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	l, err := Open(dir, Options{})
	if err != nil {
		t.Fatal(err)
	}
	q, err := l.Column("q_a")
	if err != nil || l.Name() != "run1" || len(q) != 30 || q[29] != 0.029 || q[10] != 0.01 {
		t.Errorf("%s: %v %v", l.Name(), q, err)
	}
	if _, err := Open(t.TempDir(), Options{}); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "no ROS 2 bag") {
		t.Errorf("a folder of nothing: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "run1_12.mcap.zstd"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, Options{}); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "zstd -d run1_12.mcap.zstd") {
		t.Errorf("compressed as a whole: %v", err)
	}
}

// TestChunksWithoutJointStatesArePassedOver has a chunk that cannot be expanded. It is skipped if a summary
// with a valid checksum lists no joint states in it, and an error otherwise.
func TestChunksWithoutJointStatesArePassedOver(t *testing.T) {
	le := binary.LittleEndian
	whole := recordingOf(append(every("/joint_states", 0, ms, 5, []string{"a"}, line(0, 1), nil), testMessage{topic: "/text/camera", raw: make([]byte, 9)}))
	var described, messages []byte // the records of the file, sorted
	for b := whole[len(mcapMagic):]; len(b) > 8; {
		n := 9 + le.Uint64(b[1:])
		switch b[0] {
		case mcapSchema, mcapChannel:
			described = append(described, b[:n]...)
		case mcapMessage:
			messages = append(messages, b[:n]...)
		}
		b = b[n:]
	}
	chunk := func(kind string, data []byte) []byte {
		c := mcapText(le.AppendUint32(le.AppendUint64(make([]byte, 16), uint64(len(data))), 0), kind)
		return mcapRecord(mcapChunk, append(le.AppendUint64(c, uint64(len(data))), data...))
	}
	for _, c := range []struct {
		name  string
		ids   []uint16 // channels of the second chunk, in its index
		spoil bool     // the summary's checksum
		kind  error
	}{{"passed over", []uint16{1}, false, nil}, {"wanted", []uint16{1, 0}, false, ErrFormat}, {"no index", nil, false, ErrFormat}, {"unknown", []uint16{7}, false, ErrFormat}, {"not to be trusted", []uint16{1}, true, ErrFormat}} {
		b := append([]byte(mcapMagic), chunk("", append(described, messages...))...)
		at := len(b)
		b = append(append(b, chunk("rot13", []byte("pictures"))...), mcapRecord(mcapDataEnd, make([]byte, 4))...)
		start := len(b)
		b = append(b, described...)
		index := le.AppendUint32(append(le.AppendUint64(make([]byte, 16), uint64(at)), make([]byte, 8)...), uint32(10*len(c.ids)))
		for _, id := range c.ids {
			index = append(le.AppendUint16(index, id), make([]byte, 8)...)
		}
		b = append(b, mcapRecord(mcapChunkIndex, index)...)
		stats := append(make([]byte, 42), le.AppendUint64(le.AppendUint16(le.AppendUint32(nil, 10), 1), 1234)...)
		b = append(b, mcapRecord(mcapStatistics, stats)...)
		b = append(le.AppendUint64(append(b, mcapFooter), 20), make([]byte, 16)...)
		le.PutUint64(b[len(b)-16:], uint64(start))
		sum := crc32.ChecksumIEEE(b[start:])
		if c.spoil {
			sum++
		}
		b = append(le.AppendUint32(b, sum), mcapMagic...)
		l, err := Open(writeFile(t, "x.mcap", b), Options{})
		if !errors.Is(err, c.kind) || err == nil && l.Rows() != 5 {
			t.Errorf("%s: %v", c.name, err)
		}
		if c.kind == nil {
			// The index has the number of messages in the skipped chunk.
			if _, err := Open(writeFile(t, "x.mcap", b), Options{Topics: []string{"/text/camera"}}); err == nil || !strings.Contains(err.Error(), "1234 messages") {
				t.Errorf("%s: %v", c.name, err)
			}
		}
	}
}

func TestDamagedChunksAreLeftOutOnRequest(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "foreign", "ros2_zstd.mcap"))
	if err != nil {
		t.Fatal(err)
	}
	data[900] ^= 1 // in the second chunk
	_, err = Open(writeFile(t, "x.mcap", data), Options{})
	if !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "record at byte") || !strings.Contains(err.Error(), "on-bad drop") {
		t.Error(err)
	}
	// The setting that helps can be matched from outside.
	var hint interface {
		error
		Hint() (setting, value string)
	}
	if !errors.As(err, &hint) {
		t.Fatalf("%v has no hint", err)
	}
	if setting, value := hint.Hint(); setting != "on-bad" || value != "drop" {
		t.Errorf("hint %s %s", setting, value)
	}
	l, err := Open(writeFile(t, "x.mcap", data), Options{BadRows: Drop})
	if err != nil || l.Rows() < 20 || l.Rows() >= 40 || l.DroppedRows() != 1 {
		t.Errorf("%v: %v", err, l)
	}
}

// TestJointStateOfAnyByteOrder decodes an encoded message, and the same message in the other byte order, in
// the second version of CDR, and as ROS 1 serializes it.
func TestJointStateOfAnyByteOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfN(rapid.StringMatching(`[a-z_0-9]{1,12}`), 0, 5).Draw(t, "names")
		var row [3][]float64
		for i := range row {
			if rapid.Bool().Draw(t, "there") {
				row[i] = rapid.SliceOfN(rapid.Float64(), len(names), len(names)).Draw(t, "values")
			}
		}
		stamp := rapid.Int64Range(-1<<30*1e9, 1<<30*1e9).Draw(t, "stamp")
		frame := rapid.StringMatching(`[a-z]{0,9}`).Draw(t, "frame")
		for name, data := range map[string][]byte{
			"own": encodeCDR(nil, stamp, names, row), "big-endian": slowCDR(binary.BigEndian, 8, stamp, frame, names, row),
			"little-endian": slowCDR(binary.LittleEndian, 8, stamp, frame, names, row),
			"version 2":     slowCDR(binary.LittleEndian, 4, stamp, frame, names, row), "version 2, big-endian": slowCDR(binary.BigEndian, 4, stamp, frame, names, row),
		} {
			var j jointState
			if err := j.decode(data, true, false); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			wantJoints(t, name, j, stamp, names, row)
		}
		var j jointState
		stamp = max(stamp, 0)
		if err := j.decode(ros1Of(stamp, frame, names, row), false, false); err != nil {
			t.Fatalf("ROS 1: %v", err)
		}
		wantJoints(t, "ROS 1", j, stamp, names, row)
	})
}

func wantJoints(t cleaner, what string, j jointState, stamp int64, names []string, row [3][]float64) {
	t.Helper()
	if j.stamp != stamp || len(j.names) != len(names) {
		t.Fatalf("%s: %d names at %d, want %d at %d", what, len(j.names), j.stamp, len(names), stamp)
	}
	for i, n := range names {
		if string(j.names[i]) != n {
			t.Fatalf("%s: name %q, want %q", what, j.names[i], n)
		}
	}
	for f, list := range row {
		got := make([]float64, len(j.values[f])/8)
		j.number.decode(got, j.values[f], 8)
		if len(got) != len(list) {
			t.Fatalf("%s: %d values, want %d", what, len(got), len(list))
		}
		for i := range list {
			if !same(got[i], list[i]) {
				t.Fatalf("%s: %v, want %v", what, got, list)
			}
		}
	}
}

// slowCDR is an independent encoder that writes value by value.
func slowCDR(order binary.AppendByteOrder, most int, stamp int64, frame string, names []string, row [3][]float64) []byte {
	var body []byte
	align := func(n int) {
		for n = min(n, most); len(body)%n != 0; {
			body = append(body, 0xee)
		}
	}
	u32 := func(v uint32) { align(4); body = order.AppendUint32(body, v) }
	text := func(s string) { u32(uint32(len(s) + 1)); body = append(append(body, s...), 0) }
	sec := stamp / 1e9
	if stamp%1e9 < 0 {
		sec--
	}
	u32(uint32(sec))
	u32(uint32(stamp - sec*1e9))
	text(frame)
	u32(uint32(len(names)))
	for _, n := range names {
		text(n)
	}
	for _, list := range row {
		u32(uint32(len(list)))
		for _, v := range list {
			align(8)
			body = order.AppendUint64(body, math.Float64bits(v))
		}
	}
	kind := map[int]byte{8: 0, 4: 6}[most]
	if order == binary.AppendByteOrder(binary.LittleEndian) {
		kind++
	}
	return append([]byte{0, kind, 0, 0}, body...)
}

func ros1Of(stamp int64, frame string, names []string, row [3][]float64) []byte {
	le := binary.LittleEndian
	b := le.AppendUint32(le.AppendUint32(le.AppendUint32(nil, 7), uint32(stamp/1e9)), uint32(stamp%1e9))
	b = mcapText(b, frame)
	b = le.AppendUint32(b, uint32(len(names)))
	for _, n := range names {
		b = mcapText(b, n)
	}
	for _, list := range row {
		b = le.AppendUint32(b, uint32(len(list)))
		for _, v := range list {
			b = le.AppendUint64(b, math.Float64bits(v))
		}
	}
	return b
}

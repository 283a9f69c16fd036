package datasets

import (
	"encoding/binary"
	"hash/crc32"
	"io"
	"maps"
	"slices"
)

// readIndex finds the chunks without joint states in the summary. A summary that is missing, damaged or
// without a checksum is not used: a wrong one would lose messages unnoticed.
func (m *mcapReader) readIndex(f io.ReaderAt) {
	const foot = 9 + 20 + 8 // record, content, magic
	le := binary.LittleEndian
	var tail [foot]byte
	if m.size < foot || readFull(f, tail[:], m.size-foot) != nil || tail[0] != mcapFooter {
		return
	}
	start, sum := le.Uint64(tail[9:]), le.Uint32(tail[25:])
	if start == 0 || sum == 0 || start > uint64(m.size-foot) || m.size-foot-int64(start) > int64(m.unpacker.limit) {
		return
	}
	b := make([]byte, m.size-12-int64(start)) // up to the checksum, which it covers
	if readFull(f, b, int64(start)) != nil || crc32.ChecksumIEEE(b) != sum {
		return
	}
	channels := map[uint16]*topic{}
	type chunk struct {
		at  int64
		ids []uint16
	}
	var chunks []chunk
	var counts []byte
	for b = b[:len(b)-(foot-12)]; len(b) >= 9; {
		op, n := b[0], le.Uint64(b[1:])
		if n > uint64(len(b)-9) {
			return
		}
		p := &mcapFields{b: b[9 : 9+n]}
		b = b[9+n:]
		switch op {
		case mcapSchema:
			if m.schema(p.u16(), p) != nil {
				return
			}
		case mcapChannel:
			id, schema := p.u16(), p.u16()
			name, encoding := string(p.text()), string(p.text())
			channels[id] = &topic{name: name, kind: m.schemas[schema], encoding: encoding, kinds: m.kinds[schema]}
		case mcapChunkIndex:
			p.take(16) // times
			c := chunk{at: int64(p.u64())}
			p.u64() // length
			for q := p.take(int(p.u32())); len(q) >= 10; q = q[10:] {
				c.ids = append(c.ids, le.Uint16(q))
			}
			chunks = append(chunks, c)
		case mcapStatistics:
			p.take(42) // other counts and times
			counts = p.text()
		}
		if p.short {
			return
		}
	}
	without := map[int64]bool{}
	for _, c := range chunks {
		joints := len(c.ids) == 0 // a chunk without an index may hold any messages
		for _, id := range c.ids {
			if channels[id] == nil {
				return // its description may be in a chunk to be skipped
			}
			joints = joints || channels[id].readable()
		}
		if !joints {
			without[c.at] = true
		}
	}
	for _, id := range slices.Sorted(maps.Keys(channels)) {
		c := channels[id]
		t, err := m.r.topic(c.name, c.kind, c.encoding)
		if err != nil {
			return
		}
		m.channels[id] = t
		if t.kinds == nil {
			t.kinds = c.kinds
		}
		for q := counts; len(q) >= 10; q = q[10:] {
			if le.Uint16(q) == id {
				t.indexed += int(le.Uint64(q[2:]))
			}
		}
	}
	m.without = without
}

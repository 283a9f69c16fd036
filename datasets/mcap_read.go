package datasets

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"

	"ident/internal/hint"
)

// MCAP is a magic word, records, each an operation code, a length and that many bytes, and the magic word
// again (mcap.dev, "MCAP Format Specification"). Messages are in the data section, most often within
// compressed chunks; channels are described before their first message. The summary behind the data
// section repeats the descriptions; here it serves only to skip chunks without joint states, above all
// the images of cameras.

const (
	mcapMagic = "\x89MCAP0\r\n"

	mcapHeader, mcapFooter, mcapSchema, mcapChannel, mcapMessage = 1, 2, 3, 4, 5
	mcapChunk, mcapMessageIndex, mcapChunkIndex                  = 6, 7, 8
	mcapStatistics, mcapMetadata, mcapDataEnd                    = 0x0b, 0x0c, 0x0f

	mcapMostSmall = 16 << 20 // bytes of a descriptive record
)

type mcapReader struct {
	r        *recorder
	in       *bufio.Reader
	at, size int64
	unpacker unpacker
	buf      []byte
	schemas  map[uint16]string
	kinds    map[uint16]protoKinds // of schemas of Protocol Buffers
	channels map[uint16]*topic
	without  map[int64]bool // bytes of chunks without joint states
}

// readMCAP collects the joint states of a file.
func readMCAP(r *recorder, f io.ReaderAt, size int64) error {
	m := &mcapReader{r: r, size: size, unpacker: newUnpacker(size), schemas: map[uint16]string{}, kinds: map[uint16]protoKinds{}, channels: map[uint16]*topic{}}
	magic := make([]byte, len(mcapMagic))
	if err := readFull(f, magic[:min(size, int64(len(magic)))], 0); err != nil {
		return err
	}
	if string(magic) != mcapMagic {
		return fmt.Errorf("%w: it does not begin like an MCAP file", ErrFormat)
	}
	if r.opt.BadRows != Drop {
		if err := readFull(f, magic, size-int64(len(magic))); err != nil {
			return err
		}
		if string(magic) != mcapMagic || size < 2*int64(len(mcapMagic)) {
			return &DropError{hint.Errorf("on-bad", "drop", "%w: the recorder did not close it; mcap recover repairs it, and {on-bad} drop reads what is there", ErrTruncated)}
		}
	}
	m.readIndex(f)
	m.at = int64(len(mcapMagic))
	m.in = bufio.NewReaderSize(io.NewSectionReader(f, m.at, size-m.at), csvChunk)
	for {
		done, err := m.record()
		if err != nil {
			return r.locate(fmt.Errorf("record at byte %d: %w", m.at, err))
		}
		if done {
			return nil
		}
	}
}

// record reads the next record of the data section.
func (m *mcapReader) record() (done bool, err error) {
	var head [9]byte
	if _, err := io.ReadFull(m.in, head[:]); err != nil {
		return false, fmt.Errorf("%w: the data section has no end", ErrTruncated)
	}
	op, n := head[0], binary.LittleEndian.Uint64(head[1:])
	if n > uint64(m.size-m.at-9) {
		return false, fmt.Errorf("%w: a record of %d bytes where %d are left", ErrTruncated, n, m.size-m.at-9)
	}
	wanted := true
	switch op {
	case mcapDataEnd, mcapFooter:
		return true, nil
	case mcapSchema, mcapChannel, mcapMetadata:
		if n > mcapMostSmall && (op != mcapMetadata || n > 2*maxText) {
			return false, fmt.Errorf("%w: a record of type %#02x of %d bytes", ErrDamaged, op, n)
		}
	case mcapMessage:
		if head, err := m.in.Peek(2); err == nil && n >= 2 {
			t := m.channels[binary.LittleEndian.Uint16(head)]
			wanted = t == nil || t.readable()
			if !wanted {
				t.count++
			}
		}
		fallthrough
	case mcapChunk:
		wanted = wanted && !m.without[m.at]
		if wanted && n > uint64(m.unpacker.limit) {
			return false, fmt.Errorf("%w: a record of type %#02x of %d bytes", ErrDamaged, op, n)
		}
	default:
		wanted = false
	}
	at := m.at
	m.at += 9 + int64(n)
	if !wanted {
		if _, err := io.CopyN(io.Discard, m.in, int64(n)); err != nil {
			return false, fmt.Errorf("%w within a record", ErrTruncated)
		}
		return false, nil
	}
	m.buf = grown(m.buf, int(n))
	if _, err := io.ReadFull(m.in, m.buf); err != nil {
		return false, fmt.Errorf("%w within a record", ErrTruncated)
	}
	if op == mcapChunk {
		return false, m.r.tolerate(m.chunk(m.buf, at))
	}
	return false, m.apply(op, m.buf, at)
}

// chunk reads the records in a chunk.
func (m *mcapReader) chunk(b []byte, at int64) error {
	p := &mcapFields{b: b}
	p.u64() // times of the first and the last message
	p.u64()
	size, sum, kind := p.u64(), p.u32(), p.text()
	records, err := m.unpacker.unpack(string(kind), p.bytes64(), size)
	if p.short {
		return fmt.Errorf("%w: a chunk of %d bytes", ErrDamaged, len(b))
	}
	if err != nil {
		return err
	}
	if got := crc32.ChecksumIEEE(records); sum != 0 && sum != got {
		return fmt.Errorf("%w: a chunk with checksum %08x instead of %08x", ErrDamaged, got, sum)
	}
	for len(records) > 0 {
		if len(records) < 9 {
			return fmt.Errorf("%w: %d bytes behind the last record of a chunk", ErrDamaged, len(records))
		}
		op, n := records[0], binary.LittleEndian.Uint64(records[1:])
		if n > uint64(len(records)-9) {
			return fmt.Errorf("%w: a record of %d bytes in the last %d of a chunk", ErrDamaged, n, len(records)-9)
		}
		if err := m.apply(op, records[9:9+n], at); err != nil {
			return err
		}
		records = records[9+n:]
	}
	return nil
}

// apply processes a record other than a chunk.
func (m *mcapReader) apply(op byte, b []byte, at int64) error {
	p := &mcapFields{b: b}
	switch op {
	case mcapSchema:
		id := p.u16()
		if err := m.schema(id, p); err != nil {
			return err
		}
	case mcapChannel:
		id, schema := p.u16(), p.u16()
		name, encoding := string(p.text()), string(p.text())
		if p.short {
			break
		}
		t, err := m.r.topic(name, m.schemas[schema], encoding)
		if err != nil {
			return err
		}
		if t.kinds == nil {
			t.kinds = m.kinds[schema]
		}
		m.channels[id] = t
	case mcapMessage:
		id := p.u16()
		p.u32() // sequence
		logged := p.u64()
		p.u64() // published
		if p.short {
			break
		}
		t := m.channels[id]
		if t == nil {
			return fmt.Errorf("%w: a message on channel %d, which was not described", ErrDamaged, id)
		}
		return m.r.message(t, int64(logged), p.b, at)
	case mcapMetadata:
		name, pairs := string(p.text()), p.take(int(p.u32()))
		if name != ownRecordingName || p.short {
			break
		}
		meta := map[string]string{}
		for q := (&mcapFields{b: pairs}); len(q.b) > 0 && !q.short; {
			key := string(q.text())
			meta[key] = string(q.text())
		}
		own := &ownRecording{}
		if err := json.Unmarshal([]byte(meta[ownRecordingKey]), own); err != nil {
			return fmt.Errorf("%w: metadata %q: %w", ErrDamaged, name, err)
		}
		m.r.own = own
	}
	if p.short {
		return fmt.Errorf("%w: a record of type %#02x of %d bytes is too short", ErrDamaged, op, len(b))
	}
	return nil
}

// schema keeps the name of a schema, and the description of messages of Protocol Buffers that hold the states of joints.
func (m *mcapReader) schema(id uint16, p *mcapFields) error {
	name, encoding, data := string(p.text()), string(p.text()), p.text()
	if p.short {
		return nil
	}
	m.schemas[id] = name
	if encoding != "protobuf" || !namedKind(name) || m.kinds[id] != nil {
		return nil
	}
	kinds, err := readProtoKinds(data)
	if err != nil {
		return fmt.Errorf("the description of %s: %w", name, err)
	}
	m.kinds[id] = kinds
	return nil
}

// mcapFields reads the fields of a record in order.
type mcapFields struct {
	b     []byte
	short bool
}

func (p *mcapFields) take(n int) []byte {
	if p.short || n < 0 || n > len(p.b) {
		p.short = true
		return nil
	}
	b := p.b[:n]
	p.b = p.b[n:]
	return b
}

func (p *mcapFields) u16() uint16 {
	if b := p.take(2); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}

func (p *mcapFields) u32() uint32 {
	if b := p.take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (p *mcapFields) u64() uint64 {
	if b := p.take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

func (p *mcapFields) text() []byte { return p.take(int(p.u32())) }

func (p *mcapFields) bytes64() []byte {
	n := p.u64()
	if n > uint64(len(p.b)) {
		p.short = true
		return nil
	}
	return p.take(int(n))
}

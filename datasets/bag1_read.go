package datasets

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"

	"ident/internal/hint"
)

// A ROS 1 bag of version 2.0 is a line of text and records, each a header of fields "name=value" and data
// (wiki.ros.org/Bags/Format/2.0). Messages are in chunks, after the descriptions of their connections. The
// index behind the chunks repeats the connections and lists the chunks; its absence shows a cut file.

const (
	bag1Magic = "#ROSBAG V2.0\n"

	bag1Message, bag1Header, bag1Index, bag1Chunk, bag1Info, bag1Connection = 2, 3, 4, 5, 6, 7

	bag1MostHeader = 1 << 20
)

type bag1Reader struct {
	r           *recorder
	unpacker    unpacker
	connections map[uint32]*topic
	infos       uint32 // chunks in the index
}

// readBag1 collects the joint states of a file.
func readBag1(r *recorder, f io.ReaderAt, size int64) error {
	magic := make([]byte, len(bag1Magic))
	if err := readFull(f, magic[:min(size, int64(len(magic)))], 0); err != nil {
		return err
	}
	switch {
	case string(magic) == bag1Magic:
	case string(magic[:8]) == bag1Magic[:8]:
		return fmt.Errorf("%w: %s; only version 2.0 is read, rosbag migrates older ones", ErrFormat, excerpt(magic))
	default:
		return fmt.Errorf("%w: it does not begin like a ROS 1 bag", ErrFormat)
	}
	b := &bag1Reader{r: r, unpacker: newUnpacker(size), connections: map[uint32]*topic{}}
	at, chunks := int64(len(bag1Magic)), uint32(0)
	in := bufio.NewReaderSize(io.NewSectionReader(f, at, size-at), csvChunk)
	var buf []byte
	for first := true; at < size; first = false {
		head, data, err := bag1Record(in, size-at, int64(b.unpacker.limit), &buf)
		if err != nil {
			return fmt.Errorf("record at byte %d: %w", at, err)
		}
		var fields bag1Fields
		err = fields.split(head)
		if err == nil && first {
			chunks, err = bag1Begin(fields, size, r.opt)
		} else if err == nil {
			err = b.apply(fields, data, at)
		}
		if err != nil {
			return r.locate(fmt.Errorf("record at byte %d: %w", at, err))
		}
		at += 8 + int64(len(head)+len(data))
	}
	if b.infos < chunks {
		return fmt.Errorf("%w: its index lists %d chunks of %d", ErrTruncated, b.infos, chunks)
	}
	return nil
}

// bag1Begin reads the bag's own header and returns the number of its chunks.
func bag1Begin(fields bag1Fields, size int64, opt Options) (chunks uint32, err error) {
	op, index, count := fields.op, fields.index, fields.chunks
	if len(op) != 1 || op[0] != bag1Header || len(index) != 8 || len(count) != 4 {
		return 0, fmt.Errorf("%w: no bag header", ErrDamaged)
	}
	if e := fields.encryptor; len(e) > 0 {
		return 0, fmt.Errorf("%w: the bag is encrypted (%s); decrypt it first", ErrFormat, excerpt(e))
	}
	at := binary.LittleEndian.Uint64(index)
	if at != 0 && at <= uint64(size) {
		return binary.LittleEndian.Uint32(count), nil
	}
	if opt.BadRows == Drop {
		return 0, nil
	}
	return 0, &DropError{hint.Errorf("on-bad", "drop", "%w: the bag has no index, its recorder did not close it; rosbag reindex repairs it, and {on-bad} drop reads what is there", ErrTruncated)}
}

// bag1Record reads a record, two strings with their lengths in front, into buf.
func bag1Record(in io.Reader, left, limit int64, buf *[]byte) (head, data []byte, err error) {
	var parts [2]int
	b := (*buf)[:0]
	for i := range parts {
		var word [4]byte
		if _, err := io.ReadFull(in, word[:]); err != nil {
			return nil, nil, fmt.Errorf("%w within a record", ErrTruncated)
		}
		n := int64(binary.LittleEndian.Uint32(word[:]))
		if left -= 4 + n; left < 0 {
			return nil, nil, fmt.Errorf("%w: %d bytes where %d are left", ErrTruncated, n, left+n)
		}
		if i == 0 && n > bag1MostHeader || n > limit {
			return nil, nil, fmt.Errorf("%w: a record with %d bytes", ErrDamaged, n)
		}
		parts[i] = int(n)
		at := len(b)
		if need := at + int(n); cap(b) < need {
			b = append(make([]byte, 0, need+need/4), b...)
		}
		b = b[:at+int(n)]
		if _, err := io.ReadFull(in, b[at:]); err != nil {
			return nil, nil, fmt.Errorf("%w within a record", ErrTruncated)
		}
	}
	*buf = b
	return b[:parts[0]], b[parts[0]:], nil
}

// bag1Fields are the relevant fields of a header, views of its bytes.
type bag1Fields struct {
	op, conn, time, topic, kind, size, compression, index, chunks, encryptor []byte
}

// split reads a header.
func (f *bag1Fields) split(b []byte) error {
	*f = bag1Fields{}
	for len(b) > 0 {
		if len(b) < 4 || binary.LittleEndian.Uint32(b) > uint32(len(b)-4) {
			return fmt.Errorf("%w: a header field that is longer than its header", ErrDamaged)
		}
		n := binary.LittleEndian.Uint32(b)
		name, value, ok := bytes.Cut(b[4:4+n], []byte{'='})
		if !ok {
			return fmt.Errorf("%w: a header field without a value", ErrDamaged)
		}
		b = b[4+n:]
		switch string(name) {
		case "op":
			f.op = value
		case "conn":
			f.conn = value
		case "time":
			f.time = value
		case "topic":
			f.topic = value
		case "type":
			f.kind = value
		case "size":
			f.size = value
		case "compression":
			f.compression = value
		case "index_pos":
			f.index = value
		case "chunk_count":
			f.chunks = value
		case "encryptor":
			f.encryptor = value
		}
	}
	return nil
}

// apply processes a record; at is the byte of it or of its chunk.
func (b *bag1Reader) apply(fields bag1Fields, data []byte, at int64) error {
	op := fields.op
	if len(op) != 1 {
		return fmt.Errorf("%w: a record without an operation", ErrDamaged)
	}
	le := binary.LittleEndian
	conn := fields.conn
	switch op[0] {
	case bag1Chunk:
		size := fields.size
		if len(size) != 4 {
			return fmt.Errorf("%w: a chunk without a size", ErrDamaged)
		}
		records, err := b.unpacker.unpack(string(fields.compression), data, uint64(le.Uint32(size)))
		if err == nil {
			err = b.chunk(records, at)
		}
		return b.r.tolerate(err)
	case bag1Connection:
		var about bag1Fields
		if err := about.split(data); err != nil {
			return err
		}
		if len(conn) != 4 {
			return fmt.Errorf("%w: a connection without a number", ErrDamaged)
		}
		t, err := b.r.topic(string(fields.topic), string(about.kind), "ros1")
		b.connections[le.Uint32(conn)] = t
		return err
	case bag1Message:
		time := fields.time
		if len(conn) != 4 || len(time) != 8 {
			return fmt.Errorf("%w: a message without a connection or time", ErrDamaged)
		}
		t := b.connections[le.Uint32(conn)]
		if t == nil {
			return fmt.Errorf("%w: a message on connection %d, which was not described", ErrDamaged, le.Uint32(conn))
		}
		return b.r.message(t, int64(le.Uint32(time))*1e9+int64(le.Uint32(time[4:])), data, at)
	case bag1Info:
		b.infos++
		return nil
	case bag1Index, bag1Header:
		return nil
	}
	return fmt.Errorf("%w: a record of operation %d", ErrDamaged, op[0])
}

// chunk reads the records in a chunk.
func (b *bag1Reader) chunk(records []byte, at int64) error {
	le := binary.LittleEndian
	var fields bag1Fields
	for len(records) > 0 {
		var parts [2][]byte
		for i := range parts {
			if len(records) < 4 || le.Uint32(records) > uint32(len(records)-4) {
				return fmt.Errorf("%w: a record that is longer than its chunk", ErrDamaged)
			}
			n := le.Uint32(records)
			parts[i], records = records[4:4+n], records[4+n:]
		}
		if err := fields.split(parts[0]); err != nil {
			return err
		}
		if op := fields.op; len(op) == 1 && op[0] == bag1Chunk {
			return fmt.Errorf("%w: a chunk within a chunk", ErrDamaged)
		}
		if err := b.apply(fields, parts[1], at); err != nil {
			return err
		}
	}
	return nil
}

package datasets

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// An Arrow IPC file is a stream of messages, each a length, a flatbuffer with its description and a body;
// the "file" format has a magic word in front and a footer behind. This file finds the messages and the
// row counts of the record batches without decoding them, and compares every length with the file before
// any allocation. The layouts are those of the Arrow columnar format, "Serialization and interprocess
// communication".

// arrowMessage is one message: bytes [offset, offset+head+body) of the file, or the bytes made in place of a
// schema that is in the footer alone.
type arrowMessage struct {
	made       []byte
	kind       byte // messageSchema, messageDictionary or messageBatch
	offset     int64
	head, body int64
	rows       int64
}

const (
	messageSchema     = 1
	messageDictionary = 2
	messageBatch      = 3

	continuation = 0xffffffff // in front of a message's length

	arrowMagic      = "ARROW1"
	arrowMaxMeta    = 64 << 20
	arrowMaxBatch   = 1 << 27 // rows in one record batch: a GiB a column
	arrowMostBlocks = 1 << 24
)

// walkArrow lists the messages of a file or stream.
func walkArrow(f io.ReaderAt, size int64) ([]arrowMessage, error) {
	at, end := int64(0), size
	var head [8]byte
	if n, err := f.ReadAt(head[:], 0); err != nil && err != io.EOF {
		return nil, err
	} else if string(head[:min(n, 4)]) == "FEA1" {
		return nil, fmt.Errorf("%w: Feather version 1; write it again as version 2, which is Arrow", ErrFormat)
	}
	file := string(head[:6]) == arrowMagic
	if file {
		at = 8
		var tail [10]byte
		if size < 18 {
			return nil, fmt.Errorf("%w: the footer is missing", ErrTruncated)
		}
		if _, err := f.ReadAt(tail[:], size-10); err != nil {
			return nil, err
		}
		if string(tail[4:]) != arrowMagic {
			return nil, fmt.Errorf("%w: the footer is missing", ErrTruncated)
		}
		footer := int64(binary.LittleEndian.Uint32(tail[:]))
		if end = size - 10 - footer; end < at {
			return nil, fmt.Errorf("%w: a footer of %d bytes in a file of %d", ErrDamaged, footer, size)
		}
	}
	var msgs []arrowMessage
	var made []arrowMessage
	for len(msgs) < arrowMostBlocks {
		m, err := readArrowMessage(f, at, end)
		if errors.Is(err, io.EOF) {
			break
		}
		if len(msgs) == 0 && !file && binary.LittleEndian.Uint32(head[:]) != continuation && errors.Is(err, ErrTruncated) {
			return nil, fmt.Errorf("%w: it does not begin like an Arrow file or stream", ErrFormat)
		}
		if err != nil {
			return nil, fmt.Errorf("message %d at byte %d: %w", len(msgs)+1, at, err)
		}
		if len(msgs) == 0 && file && m.kind != messageSchema && made == nil {
			// The JavaScript library writes the schema into the footer only.
			schema, err := footerSchema(f, end, size-10-end)
			if err != nil {
				return nil, err
			}
			made = []arrowMessage{schema}
		}
		if made == nil && (len(msgs) == 0) != (m.kind == messageSchema) {
			return nil, fmt.Errorf("message %d at byte %d: %w: a message of type %d", len(msgs)+1, at, ErrDamaged, m.kind)
		}
		msgs = append(msgs, m)
		at = m.offset + m.head + m.body
	}
	if len(msgs) == 0 {
		return nil, fmt.Errorf("%w: no Arrow schema in it", ErrFormat)
	}
	return append(made, msgs...), nil
}

// footerSchema makes a message of the schema in a file's footer, {version, schema, …}. Offsets are relative
// to their own position, so the footer follows a made Message that refers into it.
func footerSchema(f io.ReaderAt, at, size int64) (m arrowMessage, err error) {
	const front = 36
	if size < 8 || size > arrowMaxMeta {
		return m, fmt.Errorf("%w: a footer of %d bytes", ErrDamaged, size)
	}
	le := binary.LittleEndian
	buf := make([]byte, front+size)
	if err := readFull(f, buf[front:], at); err != nil {
		return m, err
	}
	// Message {version V5, header_type Schema, header, bodyLength 0}: root, table layout, table.
	le.PutUint32(buf, 16)
	for i, v := range []uint16{12, 20, 4, 6, 8, 12} { // sizes, then where the fields are
		le.PutUint16(buf[4+2*i:], v)
	}
	le.PutUint32(buf[16:], 12) // the layout is 12 bytes back
	le.PutUint16(buf[20:], 4)
	buf[22] = messageSchema
	err = guard(func() error {
		footer := flatTable{buf[front:], int(le.Uint32(buf[front:]))}
		schema, ok := footer.table(1)
		if !ok {
			return fmt.Errorf("%w: no schema in the footer", ErrDamaged)
		}
		le.PutUint32(buf[24:], uint32(front+schema.at-24))
		return m.describe(buf)
	})
	m.made = le.AppendUint32(le.AppendUint32(nil, continuation), uint32(len(buf)))
	m.made = append(m.made, buf...)
	return m, err
}

// readArrowMessage reads a message's description; io.EOF stands for the end of the stream.
func readArrowMessage(f io.ReaderAt, at, end int64) (m arrowMessage, err error) {
	var word [8]byte
	switch left := end - at; {
	case left == 0:
		return m, io.EOF
	case left < 4:
		return m, fmt.Errorf("%w within a message", ErrTruncated)
	case left < 8:
		_, err = f.ReadAt(word[:4], at)
	default:
		_, err = f.ReadAt(word[:], at)
	}
	if err != nil {
		return m, err
	}
	m.offset = at
	prefix, n := int64(4), int64(binary.LittleEndian.Uint32(word[:])) // before version 0.15 of the format
	if n == continuation {
		prefix, n = 8, int64(binary.LittleEndian.Uint32(word[4:]))
	}
	if n == 0 {
		return m, io.EOF
	}
	if n > end-at-prefix {
		return m, fmt.Errorf("%w: a description of %d bytes where %d are left", ErrTruncated, n, end-at-prefix)
	}
	if n > arrowMaxMeta {
		return m, fmt.Errorf("%w: a description of %d bytes", ErrDamaged, n)
	}
	m.head = prefix + n
	buf := make([]byte, n)
	if _, err := f.ReadAt(buf, at+prefix); err != nil {
		return m, err
	}
	if err := guard(func() error { return m.describe(buf) }); err != nil {
		return m, err
	}
	if m.body < 0 || m.body > end-at-m.head {
		return m, fmt.Errorf("%w: a body of %d bytes where %d are left", ErrTruncated, m.body, end-at-m.head)
	}
	return m, nil
}

// describe reads kind, body length and rows from a message's flatbuffer: Message is {version, header_type,
// header, bodyLength}, RecordBatch begins with {length}.
func (m *arrowMessage) describe(buf []byte) error {
	t := flatTable{buf, int(binary.LittleEndian.Uint32(buf))}
	if at := t.field(1); at != 0 {
		m.kind = buf[at]
	}
	if at := t.field(3); at != 0 {
		m.body = int64(binary.LittleEndian.Uint64(buf[at:]))
	}
	if m.kind < messageSchema || m.kind > messageBatch {
		return fmt.Errorf("%w: a message of type %d", ErrDamaged, m.kind)
	}
	if err := verifyMessage(t, m.kind); err != nil || m.kind != messageBatch {
		return err
	}
	batch, ok := t.table(2)
	if !ok {
		return fmt.Errorf("%w: a record batch without a description", ErrDamaged)
	}
	if at := batch.field(0); at != 0 {
		m.rows = int64(binary.LittleEndian.Uint64(buf[at:]))
	}
	if m.rows < 0 || m.rows > arrowMaxBatch {
		return fmt.Errorf("%w: a record batch of %d rows", ErrDamaged, m.rows)
	}
	return nil
}

// sections returns the bytes of messages as one stream.
func sections(f io.ReaderAt, msgs []arrowMessage) io.Reader {
	rs := make([]io.Reader, len(msgs))
	for i, m := range msgs {
		rs[i] = m.open(f)
	}
	return io.MultiReader(rs...)
}

func (m *arrowMessage) open(f io.ReaderAt) io.Reader {
	if m.made != nil {
		return bytes.NewReader(m.made)
	}
	return io.NewSectionReader(f, m.offset, m.head+m.body)
}

package arrow

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// This file finds the messages and the row counts of the record batches without decoding them, and compares
// every length with the file before any allocation.

// message is one message: bytes [offset, offset+head+body) of the file.
type message struct {
	kind       byte // messageSchema, messageDictionary or messageBatch
	version    int
	offset     int64
	prefix     int64 // words of length in front of the description
	head, body int64 // prefix and description, then buffers
	rows       int64
}

const (
	messageSchema     = 1
	messageDictionary = 2
	messageBatch      = 3

	metadataVersion5 = 4 // the fifth; unions of those before have a bitmap of nulls

	continuation = 0xffffffff // in front of a message's length

	magic       = "ARROW1"
	mostMeta    = 64 << 20
	mostRows    = 1 << 27 // in one record batch: a GiB a column
	mostBatches = 1 << 24
)

// walk lists the messages of a file or stream; of schemas, each checked, the first description is returned as well.
func (f *File) walk(size int64) (msgs []message, err error) {
	at, end := int64(0), size
	var head [8]byte
	if n, err := f.r.ReadAt(head[:], 0); err != nil && err != io.EOF {
		return nil, err
	} else if string(head[:min(n, 4)]) == "FEA1" {
		return nil, Foreign("Feather version 1; write it again as version 2, which is Arrow")
	}
	file := string(head[:6]) == magic
	if file {
		at = 8
		if end, err = f.footer(size); err != nil {
			return nil, err
		}
	}
	described := false
	for len(msgs) < mostBatches {
		m, description, err := f.message(at, end)
		if errors.Is(err, io.EOF) {
			break
		}
		var cut Truncation
		if len(msgs) == 0 && !file && binary.LittleEndian.Uint32(head[:]) != continuation && errors.As(err, &cut) {
			return nil, Foreign("it does not begin like an Arrow file or stream")
		}
		if err == nil && !described {
			err = f.schema(m, description, file, end, size)
			described = true
		} else if err == nil && m.kind == messageSchema {
			err = Damage("a second schema")
		}
		if err != nil {
			return nil, within(err, "message %d at byte %d", len(msgs)+1, at)
		}
		msgs = append(msgs, m)
		at = m.offset + m.head + m.body
	}
	if !described {
		return nil, Foreign("no Arrow schema in it")
	}
	return msgs, nil
}

// within adds a place to an error and keeps its type.
func within(err error, format string, args ...any) error {
	place := fmt.Sprintf(format, args...) + ": "
	switch e := err.(type) {
	case Damage:
		return Damage(place) + e
	case Truncation:
		return Truncation(place) + e
	case Foreign:
		return Foreign(place) + e
	}
	return fmt.Errorf("%s%w", place, err)
}

// footer checks the end of a file and returns the byte at which the footer begins.
func (f *File) footer(size int64) (int64, error) {
	var tail [10]byte
	if size < 18 {
		return 0, Truncation("the footer is missing")
	}
	if err := readFull(f.r, tail[:], size-10); err != nil {
		return 0, err
	}
	if string(tail[4:]) != magic {
		return 0, Truncation("the footer is missing")
	}
	n := int64(binary.LittleEndian.Uint32(tail[:]))
	at := size - 10 - n
	if at < 8 {
		return 0, damage("a footer of %d bytes in a file of %d", n, size)
	}
	return at, nil
}

// schema reads the schema of the first message, or that of the footer {version, schema, …}: the JavaScript library
// writes it there only.
func (f *File) schema(m message, description []byte, file bool, end, size int64) (err error) {
	defer contradiction(&err)
	if m.kind == messageSchema {
		schema, ok := rootTable(description).table(2)
		if !ok {
			return Damage("a message without a description")
		}
		return f.describe(schema, m.version)
	}
	if !file {
		return damage("a message of type %d before the schema", m.kind)
	}
	n := size - 10 - end
	if n < 8 || n > mostMeta {
		return damage("a footer of %d bytes", n)
	}
	buf := make([]byte, n)
	if err := readFull(f.r, buf, end); err != nil {
		return err
	}
	footer := rootTable(buf)
	schema, ok := footer.table(1)
	if !ok {
		return Damage("no schema in the footer")
	}
	return f.describe(schema, footer.int16(0, 0))
}

// message reads a message's description; io.EOF stands for the end of the stream.
func (f *File) message(at, end int64) (m message, description []byte, err error) {
	defer contradiction(&err)
	var word [8]byte
	left := end - at
	switch {
	case left == 0:
		return m, nil, io.EOF
	case left < 4:
		return m, nil, Truncation("it ends within a message")
	}
	if err := readFull(f.r, word[:min(8, left)], at); err != nil {
		return m, nil, err
	}
	m.offset, m.prefix = at, 4
	n := int64(binary.LittleEndian.Uint32(word[:])) // before version 0.15 of the format
	if n == continuation {
		m.prefix, n = 8, int64(binary.LittleEndian.Uint32(word[4:]))
	}
	switch {
	case n == 0:
		return m, nil, io.EOF
	case n > left-m.prefix:
		return m, nil, Truncation(fmt.Sprintf("a description of %d bytes where %d are left", n, left-m.prefix))
	case n > mostMeta:
		return m, nil, damage("a description of %d bytes", n)
	}
	m.head = m.prefix + n
	description = make([]byte, n)
	if err := readFull(f.r, description, at+m.prefix); err != nil {
		return m, nil, err
	}
	if err := m.describe(description); err != nil {
		return m, nil, err
	}
	if m.body < 0 || m.body > left-m.head {
		return m, nil, Truncation(fmt.Sprintf("a body of %d bytes where %d are left", m.body, left-m.head))
	}
	return m, description, nil
}

// describe reads Message {version, header_type, header, bodyLength}, and of RecordBatch its first field, length.
func (m *message) describe(description []byte) error {
	t := rootTable(description)
	m.version, m.kind, m.body = t.int16(0, 0), t.byte(1), t.int64(3)
	if m.kind < messageSchema || m.kind > messageBatch {
		return damage("a message of type %d", m.kind)
	}
	header, ok := t.table(2)
	if !ok {
		return Damage("a message without a description")
	}
	if m.kind == messageBatch {
		m.rows = header.int64(0)
	}
	if m.rows < 0 || m.rows > mostRows {
		return damage("a record batch of %d rows", m.rows)
	}
	return nil
}

package datasets

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// An Arrow IPC stream is a schema and record batches, each a message: a length, a flatbuffer that describes it, and a body of
// buffers. The "file" format has a magic word in front and a footer behind (apache/arrow: docs/source/format/Columnar.rst,
// "Serialization and Interprocess Communication"; format/Schema.fbs, Message.fbs, File.fbs). This file finds the messages and
// compares every length with the file before any allocation.

// arrowMessage is one message: bytes [offset, offset+head+body) of the file.
type arrowMessage struct {
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

	arrowMagic   = "ARROW1"
	maxMeta      = 64 << 20
	maxBatchRows = 1 << 27 // in one record batch: a GiB a column
	maxBatches   = 1 << 24
)

// arrowLayout is the messages of a file.
type arrowLayout struct {
	schema  []byte // a message with the schema
	version int
	batches []arrowMessage
	dicts   int   // dictionaries
	first   int64 // byte of the first message
	end     int64 // byte behind the last one, and the mark of the end
	file    bool
}

// walkArrow lists the messages of a file or stream.
func walkArrow(f io.ReaderAt, size int64) (l arrowLayout, err error) {
	var head [8]byte
	if n, err := f.ReadAt(head[:], 0); err != nil && err != io.EOF {
		return l, err
	} else if string(head[:min(n, 4)]) == "FEA1" {
		return l, foreign("Feather version 1; write it again as version 2, which is Arrow")
	}
	if l.file = string(head[:6]) == arrowMagic; l.file {
		return l, l.walkFile(f, size)
	}
	return l, l.walkStream(f, size, binary.LittleEndian.Uint32(head[:]) == continuation)
}

// walkStream lists messages from the first to the end. marked says that they begin as those of today do.
func (l *arrowLayout) walkStream(f io.ReaderAt, size int64, marked bool) error {
	at := int64(0)
	for n := 0; n < maxBatches; n++ {
		m, description, err := readArrowMessage(f, at, size)
		if errors.Is(err, io.EOF) {
			break
		}
		switch {
		case err != nil && n == 0 && !marked && errors.Is(err, ErrTruncated):
			return foreign("it does not begin like an Arrow file or stream")
		case err != nil:
		case n == 0 && m.kind == messageSchema:
			l.schema, l.version = description, m.version
		case n == 0:
			err = damage("a message of type %d before the schema", m.kind)
		case m.kind == messageSchema:
			err = damage("a second schema")
		case m.kind == messageDictionary:
			l.dicts++
		default:
			l.batches = append(l.batches, m)
		}
		if err != nil {
			return fmt.Errorf("message %d at byte %d: %w", n+1, at, err)
		}
		at = m.offset + m.head + m.body
	}
	if l.schema == nil {
		return foreign("no Arrow schema in it")
	}
	// They would be read as if they were not there.
	if l.end = min(at+8, size); l.end < size {
		return damage("%d bytes behind the end of the stream", size-l.end)
	}
	return nil
}

// walkFile lists the record batches that the footer {version, schema, dictionaries, recordBatches} has: some programs write the
// schema into the footer only, or in front of the batches without its length.
func (l *arrowLayout) walkFile(f io.ReaderAt, size int64) (err error) {
	l.first = 8
	if l.end, err = arrowFooter(f, size); err != nil {
		return err
	}
	n := size - 10 - l.end
	if n < 8 || n > maxMeta {
		return damage("a footer of %d bytes", n)
	}
	footer := make([]byte, n)
	if err := readFull(f, footer, l.end); err != nil {
		return err
	}
	var blocks []int64
	err = guard(func() error {
		t := rootTable(footer)
		if l.schema, l.version, err = footerSchema(footer); err != nil {
			return err
		}
		if _, l.dicts, err = t.vector(2, 24); err != nil {
			return err
		}
		at, n, err := t.vector(3, 24) // {offset, metaDataLength, bodyLength}
		for k := range n {
			blocks = append(blocks, int64(binary.LittleEndian.Uint64(footer[at+24*k:])))
		}
		return err
	})
	for n, at := range blocks {
		if err != nil {
			return err
		}
		var m arrowMessage
		if at < l.first || at >= l.end {
			err = damage("it is said to lie at byte %d of a file of %d", at, size)
		} else if m, _, err = readArrowMessage(f, at, l.end); err == nil && m.kind != messageBatch {
			err = damage("a message of type %d", m.kind)
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("record batch %d at byte %d: %w", n+1, at, err)
		} else if err != nil {
			return damage("record batch %d at byte %d is empty", n+1, at)
		}
		l.batches = append(l.batches, m)
	}
	return err
}

// checkOurs checks that the messages lie one behind the other from the first byte to the last, as we write them.
func (l *arrowLayout) checkOurs(f io.ReaderAt) error {
	m, _, err := readArrowMessage(f, l.first, l.end)
	if errors.Is(err, io.EOF) || err == nil && m.kind != messageSchema {
		err = damage("no schema in front of the record batches")
	}
	at := l.first + m.head + m.body
	for n, b := range l.batches {
		if err == nil && b.offset != at {
			err = damage("record batch %d at byte %d where byte %d is the next", n+1, b.offset, at)
		}
		at += b.head + b.body
	}
	if err == nil && l.file && at+8 != l.end {
		err = damage("record batches end at byte %d, but their part of the file at byte %d", at, l.end-8)
	}
	return err
}

// arrowFooter checks the end of a file and returns the byte at which the footer begins.
func arrowFooter(f io.ReaderAt, size int64) (int64, error) {
	var tail [10]byte
	if size < 18 {
		return 0, fmt.Errorf("%w: the footer is missing", ErrTruncated)
	}
	if err := readFull(f, tail[:], size-10); err != nil {
		return 0, err
	}
	if string(tail[4:]) != arrowMagic {
		return 0, fmt.Errorf("%w: the footer is missing", ErrTruncated)
	}
	n := int64(binary.LittleEndian.Uint32(tail[:]))
	at := size - 10 - n
	if at < 8 {
		return 0, damage("a footer of %d bytes in a file of %d", n, size)
	}
	return at, nil
}

// footerSchema makes a message of the schema in a file's footer, {version, schema, …}, and checks it. Offsets are relative to
// their own position, so the footer follows a made Message {version, header_type, header} that refers into it. It is used within
// guard.
func footerSchema(footer []byte) (message []byte, version int, err error) {
	const front = 32
	t := rootTable(footer)
	schema, ok := t.table(1)
	if !ok {
		return nil, 0, damage("no schema in the footer")
	}
	version = t.int16(0)
	le := binary.LittleEndian
	b := append(make([]byte, front), footer...)
	le.PutUint32(b, 16)                              // the root; then, from byte 4 on, the layout of the table
	for i, v := range []uint16{10, 12, 4, 6, 8, 0} { // sizes, then where the fields are
		le.PutUint16(b[4+2*i:], v)
	}
	le.PutUint32(b[16:], 12) // the layout is 12 bytes back
	le.PutUint16(b[20:], uint16(version))
	b[22] = messageSchema
	le.PutUint32(b[24:], uint32(front+schema.at-24))
	var m arrowMessage
	return b, version, m.describe(b)
}

// readArrowMessage reads a message's description; io.EOF stands for the end of the stream.
func readArrowMessage(f io.ReaderAt, at, end int64) (m arrowMessage, description []byte, err error) {
	var word [8]byte
	left := end - at
	switch {
	case left == 0:
		return m, nil, io.EOF
	case left < 4:
		return m, nil, fmt.Errorf("%w within a message", ErrTruncated)
	}
	if err := readFull(f, word[:min(8, left)], at); err != nil {
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
		return m, nil, fmt.Errorf("%w: a description of %d bytes where %d are left", ErrTruncated, n, left-m.prefix)
	case n > maxMeta:
		return m, nil, damage("a description of %d bytes", n)
	}
	m.head = m.prefix + n
	description = make([]byte, n)
	if err := readFull(f, description, at+m.prefix); err != nil {
		return m, nil, err
	}
	if err := guard(func() error { return m.describe(description) }); err != nil {
		return m, nil, err
	}
	if m.body < 0 || m.body > left-m.head {
		return m, nil, fmt.Errorf("%w: a body of %d bytes where %d are left", ErrTruncated, m.body, left-m.head)
	}
	return m, description, nil
}

// describe reads Message {version, header_type, header, bodyLength}, and of RecordBatch {length, nodes, …} the number of rows,
// which the first column must have.
func (m *arrowMessage) describe(description []byte) error {
	t := rootTable(description)
	m.version, m.kind, m.body = t.int16(0), t.byte(1), t.int64(3)
	if m.kind < messageSchema || m.kind > messageBatch {
		return damage("a message of type %d", m.kind)
	}
	header, ok := t.table(2)
	if !ok {
		return damage("a message without a description")
	}
	switch m.kind {
	case messageSchema:
		check := schemaCheck{fields: 1 << 18, texts: 2*len(description) + 1<<10}
		return check.check(header)
	case messageDictionary:
		return nil
	}
	if m.rows = header.int64(0); m.rows < 0 || m.rows > maxBatchRows {
		return damage("a record batch of %d rows", m.rows)
	}
	return header.words(1, func(k int, rows, _ int64) error {
		if k == 0 && rows != m.rows {
			return damage("%d values in a record batch of %d rows", rows, m.rows)
		}
		return nil
	})
}

package datasets

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// A message of Protocol Buffers is a list of fields, each a number with the kind of its bytes, and a value (protobuf.dev,
// "Encoding"). What the numbers mean is in a description of the messages, which is itself such a message (descriptor.proto):
// MCAP keeps it as a channel's schema.

// protoField is a field of a kind of messages.
type protoField struct {
	name     string
	number   uint64
	kind     uint64 // as in descriptor.proto: 1 double … 18 sint64
	repeated bool
	implied  bool   // 0 where it is absent
	message  string // its kind, of a message
}

// protoKinds are kinds of messages by their full names.
type protoKinds map[string][]protoField

const (
	protoString, protoMessage, protoBytes = 9, 11, 12

	protoVarint, protoFixed64, protoLength, protoFixed32 = 0, 1, 2, 5

	protoDeepest = 16
)

var errProto = fmt.Errorf("%w: a field of Protocol Buffers ends too early or has an unknown form", ErrDamaged)

// protoFields hands the fields of a message over: the number of a field, the form of its bytes, and either its value or its bytes.
func protoFields(b []byte, each func(number, form, v uint64, bytes []byte) error) error {
	for len(b) > 0 {
		key, n := binary.Uvarint(b)
		if n <= 0 {
			return errProto
		}
		b = b[n:]
		var v uint64
		var bytes []byte
		switch form := key & 7; form {
		case protoVarint:
			if v, n = binary.Uvarint(b); n <= 0 {
				return errProto
			}
			b = b[n:]
		case protoFixed64:
			if len(b) < 8 {
				return errProto
			}
			v, b = binary.LittleEndian.Uint64(b), b[8:]
		case protoFixed32:
			if len(b) < 4 {
				return errProto
			}
			v, b = uint64(binary.LittleEndian.Uint32(b)), b[4:]
		case protoLength:
			size, n := binary.Uvarint(b)
			if n <= 0 || size > uint64(len(b)-n) {
				return errProto
			}
			bytes, b = b[n:n+int(size)], b[n+int(size):]
		default:
			return errProto
		}
		if err := each(key>>3, key&7, v, bytes); err != nil {
			return err
		}
	}
	return nil
}

// readProtoKinds reads a FileDescriptorSet.
func readProtoKinds(b []byte) (protoKinds, error) {
	kinds := protoKinds{}
	err := protoFields(b, func(number, _, _ uint64, file []byte) error {
		if number != 1 {
			return nil
		}
		var scope, syntax string
		var messages [][]byte
		err := protoFields(file, func(number, _, _ uint64, b []byte) error {
			switch number {
			case 2:
				scope = string(b)
			case 4:
				messages = append(messages, b)
			case 12:
				syntax = string(b)
			}
			return nil
		})
		for _, m := range messages {
			if err == nil {
				err = kinds.describe(m, scope, syntax == "proto3", 0)
			}
		}
		return err
	})
	return kinds, err
}

// describe reads a DescriptorProto.
func (k protoKinds) describe(b []byte, scope string, implied bool, depth int) error {
	if depth > protoDeepest || len(k) > 1<<14 {
		return fmt.Errorf("%w: messages within messages", ErrDamaged)
	}
	var name string
	var nested, fields [][]byte
	err := protoFields(b, func(number, _, _ uint64, b []byte) error {
		switch number {
		case 1:
			name = string(b)
		case 2:
			fields = append(fields, b)
		case 3:
			nested = append(nested, b)
		}
		return nil
	})
	if err != nil {
		return err
	}
	if scope != "" {
		name = scope + "." + name
	}
	list := []protoField{}
	for _, b := range fields {
		f := protoField{implied: implied}
		err := protoFields(b, func(number, _, v uint64, b []byte) error {
			switch number {
			case 1:
				f.name = string(b)
			case 3:
				f.number = v
			case 4:
				f.repeated = v == 3
			case 5:
				f.kind = v
			case 6:
				f.message = strings.TrimPrefix(string(b), ".")
			case 9, 17: // one of several, or optional: its absence says something
				f.implied = false
			}
			return nil
		})
		if err != nil {
			return err
		}
		f.implied = f.implied && !f.repeated && f.kind != protoString && f.kind != protoMessage && f.kind != protoBytes
		list = append(list, f)
	}
	k[name] = list
	for _, b := range nested {
		if err := k.describe(b, name, implied, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// protoDecoder reads a message and hands its leaves over, each with its path, as jsonScanner does.
type protoDecoder struct {
	kinds  protoKinds
	path   []byte
	number func(path []byte, v float64) error
	text   func(path, s []byte) error
}

// message reads a message of a kind.
func (d *protoDecoder) message(b []byte, kind string, depth int) error {
	fields, known := d.kinds[kind]
	if !known || depth > protoDeepest {
		return fmt.Errorf("%w: the recording describes no message %s", ErrFormat, kind)
	}
	counts := make([]int64, len(fields))
	above := len(d.path)
	at := func(k int) {
		if d.path = d.path[:above]; above > 0 {
			d.path = append(d.path, '.')
		}
		d.path = append(d.path, fields[k].name...)
		if fields[k].repeated {
			d.path = append(strconv.AppendInt(append(d.path, '['), counts[k], 10), ']')
		}
		counts[k]++
	}
	err := protoFields(b, func(number, form, v uint64, bytes []byte) error {
		k := 0
		for k < len(fields) && fields[k].number != number {
			k++
		}
		if k == len(fields) {
			return nil // of a later version of the description
		}
		f := fields[k]
		switch {
		case f.kind == protoMessage && form == protoLength:
			at(k)
			return d.message(bytes, f.message, depth+1)
		case f.kind == protoString && form == protoLength:
			at(k)
			return d.text(d.path, bytes)
		case f.kind == protoBytes:
			return nil
		case form != protoLength:
			at(k)
			return d.number(d.path, f.value(v))
		}
		for len(bytes) > 0 { // packed
			size := 0
			switch f.form() {
			case protoFixed64:
				if size = 8; len(bytes) >= size {
					v = binary.LittleEndian.Uint64(bytes)
				}
			case protoFixed32:
				if size = 4; len(bytes) >= size {
					v = uint64(binary.LittleEndian.Uint32(bytes))
				}
			default:
				v, size = binary.Uvarint(bytes)
			}
			if size <= 0 || size > len(bytes) {
				return errProto
			}
			bytes = bytes[size:]
			at(k)
			if err := d.number(d.path, f.value(v)); err != nil {
				return err
			}
		}
		return nil
	})
	for k := range fields {
		if err == nil && counts[k] == 0 && fields[k].implied {
			at(k)
			err = d.number(d.path, 0)
		}
	}
	d.path = d.path[:above]
	return err
}

// form returns the form of the bytes of a field's number.
func (f protoField) form() uint64 {
	switch f.kind {
	case 1, 6, 16:
		return protoFixed64
	case 2, 7, 15:
		return protoFixed32
	}
	return protoVarint
}

// value returns the number that a field's bits stand for.
func (f protoField) value(v uint64) float64 {
	switch f.kind {
	case 1:
		return math.Float64frombits(v)
	case 2:
		return float64(math.Float32frombits(uint32(v)))
	case 3, 5, 14, 16:
		return float64(int64(v))
	case 15:
		return float64(int32(uint32(v)))
	case 17, 18:
		return float64(int64(v>>1) ^ -int64(v&1))
	}
	return float64(v)
}

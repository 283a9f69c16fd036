package gunzip

import (
	"encoding/binary"
	"errors"
)

// The widths of the first tables, bits. Two digits of four to five bits each share an entry of eleven.
const (
	symbolBits   = 11
	distanceBits = 9
	lengthBits   = 7
)

// errCode is the error of a block with codes that do not exist.
var errCode = errors.Join(ErrDamaged, errors.New("a block has no such code"))

// block reads the head of a block.
func (r *Reader) block() error {
	if r.last {
		return r.tail()
	}
	b, err := r.take(3)
	if err != nil {
		return err
	}
	r.last = b&1 != 0
	switch b >> 1 {
	case 0:
		r.align()
		n, err := r.bytes(4)
		if err != nil {
			return err
		}
		size := binary.LittleEndian.Uint16(n)
		if size != ^binary.LittleEndian.Uint16(n[2:]) {
			return errors.Join(ErrDamaged, errors.New("the length of a block that is stored"))
		}
		r.stored, r.next = int(size), (*Reader).copyStored
		return nil
	case 1:
		r.fixed()
	case 2:
		if err := r.codes(); err != nil {
			return err
		}
	default:
		return errors.Join(ErrDamaged, errors.New("a block of an unknown kind"))
	}
	r.symbols.join()
	r.next = (*Reader).expand
	return nil
}

// copyStored copies bytes of a block that is stored.
func (r *Reader) copyStored() error {
	if r.stored == 0 {
		r.next = (*Reader).block
		return nil
	}
	if r.fill(1); r.pos == len(r.in) {
		return r.ended()
	}
	n := copy(r.window[r.end:history+room], r.in[r.pos:min(len(r.in), r.pos+r.stored)])
	r.pos, r.end, r.stored = r.pos+n, r.end+n, r.stored-n
	return nil
}

// fixed makes the tables of the codes that need not be told.
func (r *Reader) fixed() {
	var lengths [288]uint8
	for i := range lengths {
		switch {
		case i < 144:
			lengths[i] = 8
		case i < 256:
			lengths[i] = 9
		case i < 280:
			lengths[i] = 7
		default:
			lengths[i] = 8
		}
	}
	r.symbols.build(symbolBits, lengths[:], symbolEntry)
	for i := range 32 {
		lengths[i] = 5
	}
	r.distances.build(distanceBits, lengths[:32], distanceEntry)
}

// codes reads the lengths of a block's codes, and makes their tables.
func (r *Reader) codes() error {
	b, err := r.take(14)
	if err != nil {
		return err
	}
	symbols, distances, own := b&31+257, b>>5&31+1, b>>10+4
	if symbols > 286 || distances > len(distanceBase) {
		return errCode
	}
	var lengths [320]uint8
	order := [19]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}
	for _, at := range order[:own] {
		n, err := r.take(3)
		if err != nil {
			return err
		}
		lengths[at] = uint8(n)
	}
	var t table
	if !t.build(lengthBits, lengths[:19], func(symbol int) entry { return single<<5 | entry(symbol)<<8 }) {
		return errCode
	}
	lengths = [320]uint8{}
	for i, all := 0, symbols+distances; i < all; {
		e, err := r.symbol(&t)
		if err != nil {
			return err
		}
		n, value := 1, uint8(e.extra())
		extra, least := uint(0), 0
		switch value {
		case 16:
			if i == 0 {
				return errCode
			}
			value, extra, least = lengths[i-1], 2, 3
		case 17:
			value, extra, least = 0, 3, 3
		case 18:
			value, extra, least = 0, 7, 11
		}
		if extra > 0 {
			if n, err = r.take(extra); err != nil {
				return err
			}
			n += least
		}
		if i+n > all {
			return errCode
		}
		for ; n > 0; n-- {
			lengths[i] = value
			i++
		}
	}
	if !r.symbols.build(symbolBits, lengths[:symbols], symbolEntry) || !r.distances.build(distanceBits, lengths[symbols:symbols+distances], distanceEntry) {
		return errCode
	}
	return nil
}

// symbol takes the next symbol with every bit counted; of a pair the first.
func (r *Reader) symbol(t *table) (entry, error) {
	for {
		hold := r.hold & (1<<r.count - 1)
		e, used := t.entries[hold&(1<<t.width-1)], uint(0)
		if e.kind() == link {
			used = e.used()
			e = t.entries[e.base()+int(hold>>used&(1<<e.extra()-1))]
		}
		if e.kind() == pair {
			e = single<<5 | e&0xff00 | entry(e.first())
		}
		switch used += e.used(); {
		case used <= r.count && e.kind() != invalid:
			r.drop(used)
			return e, nil
		case e.kind() == invalid && r.count >= long:
			return 0, errCode
		}
		if err := r.need(r.count + 1); err != nil {
			return 0, err
		}
	}
}

// expand goes on with a block of codes, to its end or until the window is full.
func (r *Reader) expand() error {
	for !r.full() {
		r.fill(chunk / 2)
		if len(r.in)-r.pos >= 16 {
			if done, err := r.fast(); done || err != nil {
				return err
			}
			continue
		}
		e, err := r.symbol(&r.symbols)
		if err != nil {
			return err
		}
		switch e.kind() {
		case single:
			r.window[r.end] = byte(e >> 8)
			r.end++
		case blockEnd:
			r.next = (*Reader).block
			return nil
		default:
			length, err := r.take(e.extra())
			if err != nil {
				return err
			}
			d, err := r.symbol(&r.distances)
			if err != nil {
				return err
			}
			distance, err := r.take(d.extra())
			if err != nil {
				return err
			}
			length, distance = length+e.base(), distance+d.base()
			if distance > r.end-r.begin {
				return errCode
			}
			repeat(r.window, r.end, distance, length)
			r.end += length
		}
	}
	return nil
}

// fast is expand while eight bytes of input lie ahead and the window has room; done tells that the block ended.
func (r *Reader) fast() (done bool, err error) {
	in, window := r.in, r.window
	pos, hold, count, end := r.pos, r.hold, r.count, r.end
	symbols, distances := r.symbols.entries[:1<<symbolBits], r.distances.entries[:1<<distanceBits]
	for pos+8 <= len(in) && end < history+room {
		hold |= binary.LittleEndian.Uint64(in[pos:]) << (count & 63)
		pos += int((63 - count) >> 3)
		count |= 56
		e := symbols[hold&(1<<symbolBits-1)]
		// Four look-ups take up to 44 of 56 bits, and leave those of a fifth.
		for range 4 {
			if !e.literal() {
				break
			}
			binary.LittleEndian.PutUint16(window[end:], uint16(e>>8))
			end += int(e.kind())
			hold >>= e.used() & 63
			count -= e.used()
			e = symbols[hold&(1<<symbolBits-1)]
		}
		if e.literal() || pos+8 > len(in) {
			continue
		}
		// A length and a distance take up to 48 bits.
		hold |= binary.LittleEndian.Uint64(in[pos:]) << (count & 63)
		pos += int((63 - count) >> 3)
		count |= 56
		if e.kind() == link {
			hold >>= e.used() & 63
			count -= e.used()
			e = r.symbols.entries[e.base()+int(hold&(1<<e.extra()-1))]
		}
		hold >>= e.used() & 63
		count -= e.used()
		switch e.kind() {
		case single:
			window[end] = byte(e >> 8)
			end++
			continue
		case blockEnd:
			r.next, done = (*Reader).block, true
		case span:
			length := e.base() + int(hold&(1<<e.extra()-1))
			hold >>= e.extra() & 63
			count -= e.extra()
			d := distances[hold&(1<<distanceBits-1)]
			if d.kind() == link {
				hold >>= d.used() & 63
				count -= d.used()
				d = r.distances.entries[d.base()+int(hold&(1<<d.extra()-1))]
			}
			hold >>= d.used() & 63
			count -= d.used()
			distance := d.base() + int(hold&(1<<d.extra()-1))
			hold >>= d.extra() & 63
			count -= d.extra()
			if d.kind() == span && distance <= end-r.begin {
				repeat(window, end, distance, length)
				end += length
				continue
			}
			err = errCode
		default:
			err = errCode
		}
		break
	}
	r.pos, r.hold, r.count, r.end = pos, hold&(1<<count-1), count, end
	return done, err
}

// repeat copies length bytes from distance bytes before end to end. Bytes up to seven behind them are written over.
func repeat(window []byte, end, distance, length int) {
	from := end - distance
	if distance < 8 {
		for i := range length {
			window[end+i] = window[from+i]
		}
		return
	}
	for i := 0; i < length; i += 8 {
		binary.LittleEndian.PutUint64(window[end+i:], binary.LittleEndian.Uint64(window[from+i:]))
	}
}

package gunzip

import "math/bits"

// entry tells what the next bits of the input are: from the low bits on, five of the bits used up, three of its kind and
//
//   - of one or two literals, which their number stands for as the kind: the bytes, eight bits each, and five bits of the first's code,
//   - of a length or a distance: eight bits of the number of bits that follow and sixteen of what these are added to,
//   - of a link: eight bits of the width of the second table and sixteen of its place.
type entry uint32

const (
	invalid = iota // no code begins so
	single         // literal
	pair           // of literals
	span           // length or distance
	blockEnd
	link
)

func (e entry) used() uint    { return uint(e & 31) }
func (e entry) kind() uint32  { return uint32(e) >> 5 & 7 }
func (e entry) extra() uint   { return uint(e >> 8 & 255) }
func (e entry) base() int     { return int(e >> 16) }
func (e entry) first() uint   { return uint(e >> 24) }
func (e entry) literal() bool { return e.kind()-single <= pair-single }

// long is the longest code, bits.
const long = 15

// table finds the entries of a Huffman code: those of its first bits, and the second tables behind.
type table struct {
	width   uint // of the first table, bits
	entries []entry
}

// build makes the table of the canonical code with the lengths given, 0 for symbols that have none; meaning is the entry of a symbol
// without the bits it uses up. It returns false where the lengths are of no complete code. One symbol may stand
// alone with one bit, and there may be none: whatever is found there is invalid.
func (t *table) build(width uint, lengths []uint8, meaning func(symbol int) entry) bool {
	var count, next [long + 1]int
	for _, n := range lengths {
		count[n]++
	}
	count[0] = 0
	code, longest := 0, 0
	for n := 1; n <= long; n++ {
		code <<= 1
		next[n] = code
		code += count[n]
		if count[n] > 0 {
			longest = n
		}
		if code > 1<<n {
			return false
		}
	}
	if code != 1<<long && longest != 0 && !(longest == 1 && count[1] == 1) {
		return false
	}
	t.width = width
	t.entries = append(t.entries[:0], make([]entry, 1<<width)...)
	for symbol, n := range lengths {
		if n == 0 {
			continue
		}
		at := bits.Reverse16(uint16(next[n])) >> (16 - n)
		next[n]++
		t.put(int(at), uint(n), uint(longest), meaning(symbol))
	}
	return true
}

// put enters a symbol whose code, with its first bit lowest, has n bits.
func (t *table) put(code int, n, longest uint, e entry) {
	if n <= t.width {
		for at := code; at < 1<<t.width; at += 1 << n {
			t.entries[at] = e | entry(n)
		}
		return
	}
	head := &t.entries[code&(1<<t.width-1)]
	if head.kind() != link {
		wide := longest - t.width
		*head = entry(t.width) | link<<5 | entry(wide)<<8 | entry(len(t.entries))<<16
		t.entries = append(t.entries, make([]entry, 1<<wide)...)
	}
	second := t.entries[head.base():][:1<<head.extra()]
	for at := code >> t.width; at < len(second); at += 1 << (n - t.width) {
		second[at] = e | entry(n-t.width)
	}
}

// join puts two literals into the entries whose bits hold both.
func (t *table) join() {
	// From the last on: the entry of the bits behind the first literal lies before, and is not joined yet.
	for at := 1<<t.width - 1; at >= 0; at-- {
		e := t.entries[at]
		if e.kind() != single {
			continue
		}
		if e2 := t.entries[at>>e.used()]; e2.kind() == single && e.used()+e2.used() <= t.width {
			t.entries[at] = entry(e.used()+e2.used()) | pair<<5 | e&0xff00 | e2&0xff00<<8 | entry(e.used())<<24
		}
	}
}

// The codes of lengths and distances: what each begins at and how many bits follow.
var (
	lengthBase    = [29]uint16{3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258}
	lengthExtra   = [29]uint8{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0}
	distanceBase  = [30]uint16{1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577}
	distanceExtra = [30]uint8{0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13}
)

func symbolEntry(symbol int) entry {
	switch at := symbol - 257; {
	case symbol < 256:
		return single<<5 | entry(symbol)<<8
	case symbol == 256:
		return blockEnd << 5
	case at < len(lengthBase):
		return span<<5 | entry(lengthExtra[at])<<8 | entry(lengthBase[at])<<16
	}
	return invalid
}

func distanceEntry(symbol int) entry {
	if symbol < len(distanceBase) {
		return span<<5 | entry(distanceExtra[symbol])<<8 | entry(distanceBase[symbol])<<16
	}
	return invalid
}

package hdf5

import (
	"fmt"
	"slices"
)

// Types of messages of an object header (IV.A.2).
const (
	msgDataspace, msgLinkInfo, msgDatatype, msgOldFill, msgFill, msgLink      = 0x01, 0x02, 0x03, 0x04, 0x05, 0x06
	msgExternal, msgLayout, msgFilters, msgAttribute, msgContinue, msgSymbols = 0x07, 0x08, 0x0b, 0x0c, 0x10, 0x11
	msgAttributeInfo                                                          = 0x15
	sharedMessage                                                             = 1 << 1 // flag of a message that stands elsewhere
)

// message is one message of an object header.
type message struct {
	kind  int
	flags byte
	block block
}

// header returns the messages of the object at an address.
func (f *File) header(address int64) ([]message, error) {
	if f.objects++; f.objects > mostObjects {
		return nil, fmt.Errorf("%w: more than %d objects", ErrFormat, mostObjects)
	}
	b, err := f.part(address, min(6+8+2+8, max(0, f.size-f.base-address)))
	if err != nil {
		return nil, err
	}
	if len(b.b) >= 4 && string(b.b[:4]) == "OHDR" {
		return f.header2(address)
	}
	if version := b.u8(); version != 1 {
		return nil, fmt.Errorf("%w: no object header at byte %d", ErrDamaged, f.base+address)
	}
	b.skip(1 + 2 + 4)
	size := int64(b.u32())
	if b.err != nil {
		return nil, b.err
	}
	h := headerReader{f: f, version: 1}
	h.blocks = append(h.blocks, span{address + 16, size})
	return h.read()
}

// span is bytes at an address.
type span struct{ address, size int64 }

// headerReader collects the messages of the blocks of a header.
type headerReader struct {
	f       *File
	version int
	ordered bool // of version 2: messages have a creation order
	blocks  []span
	out     []message
}

// header2 reads the header of version 2 at an address (IV.A.1.b).
func (f *File) header2(address int64) ([]message, error) {
	b, err := f.part(address, min(64, f.size-f.base-address))
	if err != nil {
		return nil, err
	}
	b.skip(4)
	if version := b.u8(); version != 2 {
		return nil, fmt.Errorf("%w: version %d of an object header", ErrFormat, version)
	}
	flags := b.u8()
	if flags&(1<<5) != 0 {
		b.skip(16)
	}
	if flags&(1<<4) != 0 {
		b.skip(4)
	}
	size := b.size(1 << (flags & 3))
	if b.err != nil {
		return nil, b.err
	}
	if err := f.checksum(address, int64(b.n)+size); err != nil {
		return nil, err
	}
	h := headerReader{f: f, version: 2, ordered: flags&(1<<2) != 0}
	h.blocks = append(h.blocks, span{address + int64(b.n), size})
	return h.read()
}

// checksum compares the four bytes behind n bytes at an address with the checksum of these.
func (f *File) checksum(address, n int64) error {
	b, err := f.part(address, n+4)
	if err != nil {
		return err
	}
	covered := b.take(int(n))
	if sum := b.u32(); b.err == nil && sum != lookup3(covered) {
		return fmt.Errorf("%w: the checksum of the part at byte %d does not agree", ErrDamaged, b.at)
	}
	return b.err
}

func (h *headerReader) read() ([]message, error) {
	const mostBlocks, mostMessages = 1 << 10, 1 << 16
	for i := 0; i < len(h.blocks); i++ {
		if i == mostBlocks || len(h.out) > mostMessages {
			return nil, fmt.Errorf("%w: an object header without end", ErrDamaged)
		}
		s := h.blocks[i]
		if i > 0 && h.version == 2 {
			if err := h.f.checksum(s.address, s.size-4); err != nil {
				return nil, err
			}
			s = span{s.address + 4, s.size - 8}
		}
		b, err := h.f.part(s.address, s.size)
		if err != nil {
			return nil, err
		}
		if err := h.messages(&b); err != nil {
			return nil, err
		}
	}
	return h.out, nil
}

// messages reads the messages of a block.
func (h *headerReader) messages(b *block) error {
	for {
		m := message{}
		size := 0
		switch h.version {
		case 1:
			if b.left() < 8 {
				return b.err
			}
			m.kind, size, m.flags = int(b.u16()), int(b.u16()), b.u8()
			b.skip(3)
		default:
			need := 4
			if h.ordered {
				need += 2
			}
			if b.left() < need {
				return b.err
			}
			m.kind, size, m.flags = int(b.u8()), int(b.u16()), b.u8()
			b.skip(need - 4)
		}
		at := b.at + int64(b.n)
		m.block = block{f: h.f, b: b.take(size), at: at}
		if b.err != nil {
			return b.err
		}
		if m.kind == msgContinue {
			h.blocks = append(h.blocks, span{m.block.offset(), m.block.length()})
			if m.block.err != nil {
				return m.block.err
			}
			continue
		}
		h.out = append(h.out, m)
	}
}

// find returns the first message of a kind.
func find(messages []message, kind int) (block, bool) {
	i := slices.IndexFunc(messages, func(m message) bool { return m.kind == kind })
	if i < 0 {
		return block{}, false
	}
	return messages[i].block, true
}

// link is an entry of a group.
type link struct {
	name    string
	address int64 // undefined for links to names and to other files
}

// links returns the entries of the group with these messages, in the order of the file; ok is false if it is no group.
func (f *File) links(messages []message) (out []link, ok bool, err error) {
	if b, found := find(messages, msgSymbols); found {
		tree, heap := b.offset(), b.offset()
		if b.err != nil {
			return nil, true, b.err
		}
		out, err = f.symbols(tree, heap)
		return out, true, err
	}
	for _, m := range messages {
		switch m.kind {
		case msgLinkInfo:
			b := m.block
			b.skip(1)
			if flags := b.u8(); flags&1 != 0 {
				b.skip(8)
			}
			if heap := b.offset(); b.err == nil && heap != undefined {
				return nil, true, fmt.Errorf("%w: a group keeps its links in a fractal heap, which is not read; copy the file without libver='latest', or with h5repack -L 0", ErrFormat)
			}
			ok = true
		case msgLink:
			l, err := readLink(m.block)
			if err != nil {
				return nil, true, err
			}
			out, ok = append(out, l), true
		}
	}
	return out, ok, nil
}

// readLink reads a link message (IV.A.2.g).
func readLink(b block) (link, error) {
	l := link{address: undefined}
	b.skip(1)
	flags, kind := b.u8(), byte(0)
	if flags&(1<<3) != 0 {
		kind = b.u8()
	}
	if flags&(1<<2) != 0 {
		b.skip(8)
	}
	if flags&(1<<4) != 0 {
		b.skip(1)
	}
	n := b.size(1 << (flags & 3))
	l.name = string(b.take(int(min(n, mostBlock))))
	if kind == 0 {
		l.address = b.offset()
	}
	return l, b.err
}

// symbols reads the names and addresses of a symbol table: a tree of nodes over a heap of names (III.A.1, III.B, III.D).
func (f *File) symbols(tree, heap int64) ([]link, error) {
	h, err := f.part(heap, int64(8+2*f.lengths+f.offsets))
	if err != nil {
		return nil, err
	}
	h.expect("HEAP")
	h.skip(4)
	size := h.length()
	h.length()
	at := h.offset()
	if h.err != nil {
		return nil, h.err
	}
	names, err := f.part(at, size)
	if err != nil {
		return nil, err
	}
	var out []link
	leaves, err := f.nodes(tree, 0, f.lengths)
	if err != nil {
		return nil, err
	}
	for _, leaf := range leaves {
		n, err := f.part(leaf.child, 8)
		if err != nil {
			return nil, err
		}
		n.expect("SNOD")
		n.skip(2)
		count := int64(n.u16())
		if n.err != nil {
			return nil, n.err
		}
		entry := int64(2*f.offsets + 8 + 16)
		b, err := f.part(leaf.child+8, count*entry)
		if err != nil {
			return nil, err
		}
		for range count {
			from := b.offset()
			l := link{address: b.offset()}
			if cache := b.u32(); cache == 2 { // a link to a name
				l.address = undefined
			}
			b.skip(4 + 16)
			if b.err != nil {
				return nil, b.err
			}
			if from < 0 || from >= int64(len(names.b)) {
				return nil, fmt.Errorf("%w: a name at byte %d of a heap of %d", ErrDamaged, from, len(names.b))
			}
			l.name = terminated(names.b[from:])
			if out = append(out, l); len(out) > mostObjects {
				return nil, fmt.Errorf("%w: a group of more than %d entries", ErrFormat, mostObjects)
			}
		}
	}
	return out, nil
}

// terminated returns a text up to its first zero.
func terminated(b []byte) string {
	if i := slices.Index(b, 0); i >= 0 {
		b = b[:i]
	}
	return string(b)
}

// treeEntry is a child of a leaf of a tree, with the key before it.
type treeEntry struct {
	key   []byte
	child int64
}

// nodes returns the entries of all leaves of a tree of version 1 whose keys have keyBytes bytes (III.A.1).
func (f *File) nodes(address int64, kind byte, keyBytes int) ([]treeEntry, error) {
	const mostEntries = 1 << 22
	var out []treeEntry
	nodes := 0
	var walk func(address int64, level int) error
	walk = func(address int64, level int) error {
		if nodes++; nodes > mostObjects || len(out) > mostEntries {
			return fmt.Errorf("%w: a tree without end", ErrDamaged)
		}
		b, err := f.part(address, int64(8+2*f.offsets))
		if err != nil {
			return err
		}
		b.expect("TREE")
		if got := b.u8(); got != kind && b.err == nil {
			b.fail("a tree of kind %d, not %d", got, kind)
		}
		own := int(b.u8())
		count := int64(b.u16())
		if b.err == nil && level >= 0 && own != level {
			b.fail("a node of level %d below one of level %d", own, level+1)
		}
		if b.err != nil {
			return b.err
		}
		entries, err := f.part(address+int64(8+2*f.offsets), count*int64(keyBytes+f.offsets))
		if err != nil {
			return err
		}
		for range count {
			e := treeEntry{key: entries.take(keyBytes), child: entries.offset()}
			if entries.err != nil {
				return entries.err
			}
			if own == 0 {
				out = append(out, e)
			} else if err := walk(e.child, own-1); err != nil {
				return err
			}
		}
		return nil
	}
	if address == undefined { // nothing was written yet
		return nil, nil
	}
	err := walk(address, -1)
	return out, err
}

package hdf5

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
)

// Layout of a dataset's elements (IV.A.2.i).
type layout int

const (
	compact layout = iota
	contiguous
	chunked
)

// Dataset is an array of a file.
type Dataset struct {
	Path       string // from the root, for example /data/demo_0/obs/joint_positions
	Dims       []int64
	Type       Type
	Attributes map[string]string // texts, and numbers of one element as text

	// Why says why the elements are not read, for example that a filter is not known; "" if they are.
	Why string

	f       *File
	layout  layout
	inline  []byte // elements of a compact dataset
	address int64  // of contiguous elements, or of the tree of chunks
	size    int64  // bytes of contiguous elements
	chunk   []int64
	single  *chunkEntry // the only chunk, of a layout of version 4
	filters []filter
	fill    []byte
}

// Group is what a group says of itself.
type Group struct {
	Path       string
	Attributes map[string]string
}

// Read returns all datasets of a file, and the groups, in the order of their paths. An object that several links name has the first
// of their paths. Links to other files and to names are left out.
func (f *File) Read() ([]*Dataset, []Group, error) {
	var datasets []*Dataset
	var groups []Group
	seen := map[int64]bool{}
	var walk func(address int64, at string, depth int) error
	walk = func(address int64, at string, depth int) error {
		if seen[address] {
			return nil
		}
		if seen[address] = true; depth > 64 {
			return fmt.Errorf("%w: groups are nested more than 64 deep below %s", ErrDamaged, at)
		}
		wrap := func(err error) error {
			if err == nil {
				return nil
			}
			return fmt.Errorf("%s: %w", at, err)
		}
		messages, err := f.header(address)
		if err != nil {
			return wrap(err)
		}
		attributes, err := f.attributes(messages)
		if err != nil {
			return wrap(err)
		}
		links, isGroup, err := f.links(messages)
		if err != nil {
			return wrap(err)
		}
		if isGroup || address == f.root {
			groups = append(groups, Group{at, attributes})
			slices.SortStableFunc(links, func(a, b link) int { return natural(a.name, b.name) })
			for _, l := range links {
				if l.address == undefined {
					continue
				}
				if err := walk(l.address, path.Join(at, path.Clean("/"+l.name)), depth+1); err != nil {
					return err
				}
			}
			return nil
		}
		d, err := f.dataset(messages)
		if err != nil {
			return wrap(err)
		}
		if d != nil {
			d.Path, d.Attributes = at, attributes
			datasets = append(datasets, d)
		}
		return nil
	}
	if err := walk(f.root, "/", 0); err != nil {
		return nil, nil, err
	}
	return datasets, groups, nil
}

// natural compares names with numbers in them by these numbers, so that demo_10 follows demo_9.
func natural(a, b string) int {
	digits := func(s string) int {
		n := 0
		for n < len(s) && s[n]-'0' < 10 {
			n++
		}
		return n
	}
	for a != "" && b != "" {
		m, n := digits(a), digits(b)
		if m > 0 && n > 0 {
			x, _ := strconv.ParseUint(a[:m], 10, 64)
			y, _ := strconv.ParseUint(b[:n], 10, 64)
			if c := cmp.Compare(x, y); c != 0 {
				return c
			}
			a, b = a[m:], b[n:]
			continue
		}
		if c := cmp.Compare(a[0], b[0]); c != 0 {
			return c
		}
		a, b = a[1:], b[1:]
	}
	return cmp.Compare(len(a), len(b))
}

// dataset reads the messages of a dataset; nil if it is none, for example a named type.
func (f *File) dataset(messages []message) (*Dataset, error) {
	space, ok := find(messages, msgDataspace)
	kind, typed := find(messages, msgDatatype)
	if !ok || !typed {
		return nil, nil
	}
	d := &Dataset{f: f}
	for _, m := range messages {
		if m.kind == msgDatatype && m.flags&sharedMessage != 0 {
			d.Why = "its type is a named type of the file, which is not read"
		}
	}
	dims, null := readSpace(&space)
	if space.err != nil {
		return nil, space.err
	}
	d.Dims = dims
	if d.Why != "" {
		return d, nil
	}
	d.Type = readType(&kind, 0)
	if kind.err != nil {
		return nil, kind.err
	}
	if d.Type.Class == Other {
		d.Why = "its elements are " + d.Type.Why
	}
	if null {
		d.Why = cmp.Or(d.Why, "it is empty")
	}
	if _, external := find(messages, msgExternal); external {
		d.Why = "its elements are in another file, which is not read"
		return d, nil
	}
	if _, err := count(dims, int64(d.Type.Size)); err != nil {
		return nil, err
	}
	if b, ok := find(messages, msgFill); ok {
		d.fill = readFill(b)
	} else if b, ok := find(messages, msgOldFill); ok {
		d.fill = slices.Clone(b.take(int(b.u32())))
	}
	if b, ok := find(messages, msgFilters); ok {
		var err error
		if d.filters, err = readFilters(b); err != nil {
			return nil, err
		}
	}
	b, ok := find(messages, msgLayout)
	if !ok {
		return nil, fmt.Errorf("%w: a dataset without a layout", ErrDamaged)
	}
	d.readLayout(&b)
	if b.err != nil {
		return nil, b.err
	}
	for _, fl := range d.filters {
		if why := fl.unknown(); d.layout == chunked && why != "" {
			d.Why = cmp.Or(d.Why, why)
		}
	}
	if d.layout == chunked && d.Why == "" {
		if err := d.checkChunk(); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// readFill returns the value of elements that were never written, nil for zero (IV.A.2.f).
func readFill(b block) []byte {
	switch version := b.u8(); version {
	case 1, 2:
		b.skip(2)
		if defined := b.u8(); version == 2 && defined == 0 {
			return nil
		}
	default:
		if flags := b.u8(); flags&(1<<5) == 0 {
			return nil
		}
	}
	n := int(b.u32())
	return slices.Clone(b.take(n))
}

// readLayout reads where the elements stand.
func (d *Dataset) readLayout(b *block) {
	refuse := func(why string) { d.Why = cmp.Or(d.Why, why) }
	version := b.u8()
	switch version {
	case 1, 2:
		rank, class := int(b.u8()), b.u8()
		b.skip(5)
		if class != 0 {
			d.address = b.offset()
		}
		dims := make([]int64, 0, 33)
		for range min(rank, 33) {
			dims = append(dims, int64(b.u32()))
		}
		switch class {
		case 0:
			d.layout, d.inline = compact, b.take(int(b.u32()))
		case 1:
			n, err := count(d.Dims, int64(d.Type.Size))
			if err == nil {
				d.layout, d.size = contiguous, n*int64(d.Type.Size)
			}
		case 2:
			d.layout, d.chunk = chunked, dims // the last is the size of an element
			b.u32()
		default:
			b.fail("a layout of class %d", class)
		}
	case 3, 4:
		switch class := b.u8(); {
		case class == 0:
			d.layout, d.inline = compact, b.take(int(b.u16()))
		case class == 1:
			d.layout, d.address, d.size = contiguous, b.offset(), b.length()
		case class == 2 && version == 3:
			d.layout = chunked
			rank := int(b.u8())
			d.address = b.offset()
			for range min(rank, 33) {
				d.chunk = append(d.chunk, int64(b.u32()))
			}
		case class == 2:
			d.layout = chunked
			flags, rank, width := b.u8(), int(b.u8()), int(b.u8())
			if width > 8 {
				b.fail("dimensions of %d bytes", width)
				return
			}
			for range min(rank, 33) {
				d.chunk = append(d.chunk, b.size(width))
			}
			d.readIndex(b, flags, refuse)
		case class == 3:
			refuse("it is a virtual dataset, made of others, which is not read; copy it into an ordinary one")
		default:
			b.fail("a layout of class %d", class)
		}
	default:
		refuse(fmt.Sprintf("its layout is of version %d, of HDF5 2 with libver='latest', which is not read; write the file without it", version))
	}
}

// readIndex reads how the chunks of a layout of version 4 are found.
func (d *Dataset) readIndex(b *block, flags byte, refuse func(string)) {
	switch index := b.u8(); index {
	case 1:
		d.single = &chunkEntry{at: make([]int64, max(len(d.chunk)-1, 0)), size: undefined}
		if flags&(1<<1) != 0 {
			d.single.size, d.single.mask = b.length(), b.u32()
		}
		d.single.address = b.offset()
	case 2, 3, 4, 5:
		refuse(map[byte]string{2: "its chunks have an implicit index", 3: "its chunks are in a fixed array", 4: "its chunks are in an extensible array", 5: "its chunks are in a tree of version 2"}[index] +
			", which is not read; write the file without libver='latest', or repack it with h5repack -H 0")
	default:
		b.fail("an index of chunks of kind %d", index)
	}
}

// attributes returns the attributes of an object that are texts, or numbers of one element.
func (f *File) attributes(messages []message) (map[string]string, error) {
	out := map[string]string{}
	for _, m := range messages {
		if m.kind != msgAttribute || m.flags&sharedMessage != 0 {
			continue
		}
		name, text, ok, err := f.attribute(m.block)
		if err != nil {
			return nil, err
		}
		if ok {
			out[name] = text
		}
	}
	return out, nil
}

// attribute reads an attribute message (IV.A.2.m).
func (f *File) attribute(b block) (name, text string, ok bool, err error) {
	version := b.u8()
	flags := b.u8()
	n, kindSize, spaceSize := int(b.u16()), int(b.u16()), int(b.u16())
	pad := func(n int) int { return n }
	switch version {
	case 1:
		pad = func(n int) int { return (n + 7) &^ 7 }
	case 2:
	case 3:
		b.skip(1)
	default:
		return "", "", false, fmt.Errorf("%w: an attribute of version %d", ErrDamaged, version)
	}
	name = terminated(b.take(pad(n)))
	kind := block{f: f, b: b.take(pad(kindSize)), at: b.at}
	space := block{f: f, b: b.take(pad(spaceSize)), at: b.at}
	if b.err != nil {
		return "", "", false, b.err
	}
	if version > 1 && flags&3 != 0 { // its type or its space is a named one
		return name, "", false, nil
	}
	t := readType(&kind, 0)
	dims, null := readSpace(&space)
	if kind.err != nil {
		return "", "", false, kind.err
	}
	if space.err != nil {
		return "", "", false, space.err
	}
	elements, err := count(dims, int64(t.Size))
	if err != nil || null || elements != 1 {
		return name, "", false, err
	}
	value := b.take(t.Size)
	if b.err != nil {
		return "", "", false, b.err
	}
	text, ok, err = f.scalar(t, value)
	return name, text, ok, err
}

// scalar returns one element as text.
func (f *File) scalar(t Type, b []byte) (string, bool, error) {
	switch {
	case t.Class == Text && t.Variable:
		text, err := f.heapText(b)
		return text, err == nil, err
	case t.Class == Text:
		return terminated(b), true, nil
	case t.Class == Float || t.Class == Int || t.Class == Bool:
		return strconv.FormatFloat(t.number(b), 'g', -1, 64), true, nil
	}
	return "", false, nil
}

// number decodes one number.
func (t Type) number(b []byte) float64 {
	var u uint64
	for i := range t.Size {
		k := i
		if !t.Big {
			k = t.Size - 1 - i
		}
		u = u<<8 | uint64(b[k])
	}
	switch {
	case t.Class == Float && t.Size == 8:
		return math.Float64frombits(u)
	case t.Class == Float && t.Size == 4:
		return float64(math.Float32frombits(uint32(u)))
	case t.Class == Float:
		return half(uint16(u))
	case t.Signed:
		return float64(int64(u<<(64-8*t.Size)) >> (64 - 8*t.Size))
	}
	return float64(u)
}

// half decodes a number of two bytes.
func half(u uint16) float64 {
	sign := 1.0
	if u>>15 != 0 {
		sign = -1
	}
	e, m := int(u>>10&31), float64(u&1023)
	switch e {
	case 0:
		return sign * math.Ldexp(m, -24)
	case 31:
		if m == 0 {
			return sign * math.Inf(1)
		}
		return math.NaN()
	}
	return sign * math.Ldexp(m+1024, e-25)
}

// heapText reads a text of any length: its length, the address of a collection, and a number in it (III.E).
func (f *File) heapText(ref []byte) (string, error) {
	b := block{f: f, b: ref}
	n := int64(b.u32())
	address, index := b.offset(), b.u32()
	if b.err != nil {
		return "", b.err
	}
	if n == 0 || index == 0 {
		return "", nil
	}
	if address == undefined {
		return "", fmt.Errorf("%w: a text without a heap", ErrDamaged)
	}
	head, err := f.part(address, int64(8+f.lengths))
	if err != nil {
		return "", err
	}
	head.expect("GCOL")
	head.skip(4)
	size := head.length()
	if head.err != nil {
		return "", head.err
	}
	c, err := f.part(address, size)
	if err != nil {
		return "", err
	}
	c.skip(8 + f.lengths)
	for c.left() >= 8+f.lengths {
		k := c.u16()
		c.skip(6)
		length := c.length()
		if c.err != nil || length < 0 || length > int64(c.left()) {
			break
		}
		data := c.take(int(length))
		c.skip(min(int((8-length%8)%8), c.left()))
		if uint32(k) == index {
			if n > length {
				break
			}
			return string(data[:n]), nil
		}
		if k == 0 { // the rest is free
			break
		}
	}
	return "", fmt.Errorf("%w: the text %d is not in the heap at byte %d", ErrDamaged, index, f.base+address)
}

// Contiguous returns the byte of the file at which the elements stand one after another, and how many bytes they are. It reports
// false if they are chunked, compact, or were never written: use Elements.
func (d *Dataset) Contiguous() (at, size int64, ok bool) {
	n, err := count(d.Dims, int64(d.Type.Size))
	if err != nil || d.layout != contiguous || d.address == undefined || len(d.filters) > 0 && d.size != n*int64(d.Type.Size) {
		return 0, 0, false
	}
	at = d.f.base + d.address
	return at, n * int64(d.Type.Size), n*int64(d.Type.Size) <= d.size && at >= 0 && d.size <= d.f.size && at <= d.f.size-d.size
}

// Bytes returns the number of bytes of all elements.
func (d *Dataset) Bytes() int64 {
	n, _ := count(d.Dims, int64(d.Type.Size)) // checked when the dataset was read
	return n * int64(d.Type.Size)
}

// ReadText returns the text of a dataset of one element, or of characters of two bytes, as MATLAB keeps them; ok is false if it holds
// none.
func (d *Dataset) ReadText() (text string, ok bool, err error) {
	if d.Why != "" || d.Bytes() > mostBlock {
		return "", false, nil
	}
	matlab := d.Attributes["MATLAB_class"] == "char" && d.Type.Class == Int && d.Type.Size == 2
	one, _ := count(d.Dims, 1)
	if !matlab && (d.Type.Class != Text || one != 1) {
		return "", false, nil
	}
	b, err := d.all()
	if err != nil {
		return "", false, err
	}
	if matlab {
		runes := make([]rune, 0, len(b)/2)
		for i := 0; i+1 < len(b); i += 2 {
			u := binary.LittleEndian.Uint16(b[i:])
			if d.Type.Big {
				u = binary.BigEndian.Uint16(b[i:])
			}
			runes = append(runes, rune(u))
		}
		return string(runes), true, nil
	}
	return d.f.scalar(d.Type, b)
}

package triangle

import "unsafe"

// The block of rows that is being reduced lies in a tile: its columns in
// groups of four, a group cut into strips of eight rows, a strip holding its
// four columns one after the other, eight contiguous rows each. A kernel then
// walks a group with one pointer, whole vectors at a time, and a last strip
// is filled up with zero rows, which change no sum.
const (
	lanes = 8             // rows of a strip
	width = 4             // columns of a group
	cell  = lanes * width // numbers in a strip

	// blockRows is the number of rows reduced at once: a multiple of lanes.
	// Longer blocks spend less on the serial part of a reflector, shorter ones
	// stay in nearer caches: from 64 up the time of a seven-joint arm falls
	// slowly until 256 and is level after it.
	blockRows   = 256
	blockStrips = blockRows / lanes
	groupSize   = blockStrips * cell
)

// Work is the memory that a reduction needs beyond its operands. The zero
// Work is ready to use, grows to the largest number of columns it has met,
// and serves any number of factors, one call at a time.
type Work struct {
	kern   kernel
	groups int       // groups of columns laid out, y and padding included
	tile   []float64 // groups × groupSize
	top    []float64 // the factor in 4×4 squares, see square
	refl   reflectors
	coef   [width]float64
	dots   [width]float64

	fresh *Factor // of AddNested

	all []int // 0, 1, …, of Merge

	left, sums []float64 // of Dots: a group of the vectors on the left, and the products in squares
}

// reflectors are the four reflectors of a group, as the kernels read them. The
// assembly relies on the order of the fields. A reflector that is left out has
// zeros everywhere.
type reflectors struct {
	top  [width]float64        // v₀
	inv  [width]float64        // 1/β
	gain [width]float64        // −(α + β)/(β·σ²)
	gram [width][width]float64 // gram[i][j] = bᵢᵀbⱼ for i < j
}

// layout prepares w for n columns and one right-hand side.
func (w *Work) layout(n int) {
	if w.kern == unset {
		w.kern = bestKernel()
	}
	w.groups = n/width + 1
	if need := w.groups * groupSize; cap(w.tile) < need {
		w.tile = aligned(need)
	} else {
		w.tile = w.tile[:need]
	}
	if need := w.square(w.groups, w.groups); cap(w.top) < need {
		w.top = aligned(need)
	} else {
		w.top = w.top[:need]
	}
}

// aligned returns n numbers that start at a cache line, so that no vector
// straddles two. The values computed do not depend on it.
func aligned(n int) []float64 {
	const line = 64
	s := make([]float64, n+line/8-1)
	off := -uintptr(unsafe.Pointer(unsafe.SliceData(s))) % line / 8
	return s[off:][:n]
}

// group returns the first strips of group p of the tile.
func (w *Work) group(p, strips int) []float64 {
	return w.tile[p*groupSize:][:strips*cell]
}

// square returns where in w.top the 4×4 square of rows of group q and columns
// of group p ≥ q starts. Squares of one row of groups follow each other.
func (w *Work) square(q, p int) int {
	return width * width * (q*w.groups - q*(q-1)/2 + p - q)
}

// load lays the rows of [R Z] out in squares. Rows from N on and columns past
// Z are padding and zero. A row whose diagonal is negative, which only numbers
// of a caller's own can be, first changes its sign: that is orthogonal too.
func (w *Work) load(f *Factor) {
	n := f.N
	for j := range width * w.groups {
		q := j / width
		o := w.square(q, q) + width*(j%width)
		if j >= n {
			*(*[width]float64)(w.top[o:]) = [width]float64{}
			continue
		}
		row := f.R[j*n : j*n+n]
		if row[j] < 0 {
			for k := range row {
				row[k] = -row[k]
			}
			f.Z[j] = -f.Z[j]
		}
		k := width * q
		for ; k+width <= n; k += width {
			*(*[width]float64)(w.top[o:]) = *(*[width]float64)(row[k:])
			o += width * width
		}
		last := (*[width]float64)(w.top[o:])
		*last = [width]float64{}
		last[copy(last[:], row[k:])] = f.Z[j]
	}
}

// store is the inverse of load.
func (w *Work) store(f *Factor) {
	n := f.N
	for j := range n {
		q := j / width
		o := w.square(q, q) + width*(j%width)
		row := f.R[j*n : j*n+n]
		k := width * q
		for ; k+width <= n; k += width {
			*(*[width]float64)(row[k:]) = *(*[width]float64)(w.top[o:])
			o += width * width
		}
		last := w.top[o : o+width]
		f.Z[j] = last[copy(row[k:], last)]
	}
}

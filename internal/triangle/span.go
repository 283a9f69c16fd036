package triangle

// Span is an orthonormal basis of a space of columns. It lies in tiles, so that four columns at a time are projected on
// four vectors of the basis at a time, by the kernel that applies reflectors. The zero Span holds no vectors; it serves one
// goroutine.
type Span struct {
	kern   kernel
	rows   int
	n      int
	groups [][]float64 // four vectors each, the last filled up with zeros
	used   []int       // for each group, the number of strips beyond which its vectors are zero
	tile   []float64   // the columns that are projected, four in each of its parts
	coef   []float64
}

// Together is the number of columns that Project processes at once.
const Together = 16

// Len returns the number of vectors.
func (s *Span) Len() int { return s.n }

// Append adds a vector of norm one that is orthogonal to the others, which is copied. All vectors have one length.
func (s *Span) Append(q []float64) {
	if s.n == 0 {
		s.kern, s.rows = bestKernel(), len(q)
	}
	if len(q) != s.rows {
		panic("triangle: a vector of another length than those of its basis")
	}
	strips := (s.rows + lanes - 1) / lanes
	if s.n%width == 0 {
		s.groups, s.used = append(s.groups, aligned(strips*cell)), append(s.used, 0)
	}
	last := len(s.groups) - 1
	s.kern.fill(s.groups[last], s.n%width, q)
	end := len(q)
	for end > 0 && q[end-1] == 0 {
		end--
	}
	s.used[last] = max(s.used[last], (end+lanes-1)/lanes)
	s.n++
}

// Project subtracts from every column its projection on the basis. It adds the coordinates to coef, one slice per column, unless
// coef is nil. The remainder is orthogonal to the basis up to rounding of the column. If one of four columns keeps less than the
// share again of its length, the four are projected a second time, after which they are orthogonal to working precision
// (Giraud, Langou, Rozložník and van den Eshof, Numerische Mathematik 101, 2005).
func (s *Span) Project(cols, coef [][]float64, again float64) {
	s.ProjectFrom(0, cols, coef, again)
}

// ProjectFrom does what Project does, but only for the vectors from the given one on (and up to three before it).
func (s *Span) ProjectFrom(vector int, cols, coef [][]float64, again float64) {
	if vector >= s.n {
		return
	}
	stride := s.strips() * cell
	for at := 0; at < len(cols); at += Together {
		some := cols[at:min(at+Together, len(cols))]
		tiles := s.load(some)
		var before [Together]float64
		s.squares(before[:tiles*width])
		part := func(first, tiles int) {
			s.project(vector/width, first, tiles)
			for k := first * width; coef != nil && k < min((first+tiles)*width, len(some)); k++ {
				for i := vector / width * width; i < s.n; i++ {
					coef[at+k][i] -= s.coef[((i/width-vector/width)*tiles+k/width-first)*width*width+i%width*width+k%width]
				}
			}
		}
		part(0, tiles)
		var after [Together]float64
		s.squares(after[:tiles*width])
		for first := range tiles {
			for k := first * width; k < min((first+1)*width, len(some)); k++ {
				if after[k] < again*again*before[k] {
					part(first, 1)
					break
				}
			}
		}
		for k := range some {
			s.kern.unfill(some[k], s.tile[k/width*stride:][:stride], k%width)
		}
	}
}

// load copies up to Together columns into tiles and returns the number of tiles.
func (s *Span) load(cols [][]float64) (tiles int) {
	stride := s.strips() * cell
	tiles = (len(cols) + width - 1) / width
	if len(s.tile) < tiles*stride {
		s.tile = aligned(tiles * stride)
	}
	for k := range tiles * width {
		tile := s.tile[k/width*stride:][:stride]
		if k < len(cols) {
			s.kern.fill(tile, k%width, cols[k])
		} else {
			wipe(tile, k%width)
		}
	}
	return tiles
}

// Within adds to sums the squares of the norms of the columns' parts within the basis.
func (s *Span) Within(sums []float64, cols [][]float64) {
	for at := 0; s.n > 0 && at < len(cols); at += Together {
		some := cols[at:min(at+Together, len(cols))]
		tiles := s.load(some)
		s.products(0, 0, tiles)
		for i, c := range s.coef {
			if k := i/(width*width)%tiles*width + i%width; k < len(some) {
				sums[at+k] += c * c
			}
		}
	}
}

// Products stores the products of all vectors with every column in coef, one slice per column.
func (s *Span) Products(coef, cols [][]float64) {
	for at := 0; s.n > 0 && at < len(cols); at += Together {
		some := cols[at:min(at+Together, len(cols))]
		tiles := s.load(some)
		s.products(0, 0, tiles)
		for k := range some {
			for i := range s.n {
				coef[at+k][i] = s.coef[place(i, k, tiles)]
			}
		}
	}
}

// Subtract takes from every column the vectors times its coefficients, one slice per column.
func (s *Span) Subtract(cols, coef [][]float64) {
	stride := s.strips() * cell
	for at := 0; s.n > 0 && at < len(cols); at += Together {
		some := cols[at:min(at+Together, len(cols))]
		tiles := s.load(some)
		s.square(len(s.groups) * tiles)
		for k := range some {
			for i := range s.n {
				s.coef[place(i, k, tiles)] = -coef[at+k][i]
			}
		}
		s.pass(0, 0, tiles, s.kern.combine)
		for k := range some {
			s.kern.unfill(some[k], s.tile[k/width*stride:][:stride], k%width)
		}
	}
}

// place returns the index of the coordinate of column k along vector i in the squares of so many tiles.
func place(i, k, tiles int) int {
	return (i/width*tiles+k/width)*width*width + i%width*width + k%width
}

// square clears so many squares of coordinates.
func (s *Span) square(n int) {
	if need := n * width * width; cap(s.coef) < need {
		s.coef = make([]float64, need, need+need/4)
	} else {
		s.coef = s.coef[:need]
		clear(s.coef)
	}
}

// strips returns the number of strips of a column.
func (s *Span) strips() int { return (s.rows + lanes - 1) / lanes }

// squares are the sums of squares of the columns in the tiles.
func (s *Span) squares(sum []float64) {
	stride := s.strips() * cell
	for k := range sum {
		var dots [width]float64
		s.kern.dots(s.tile[k/width*stride:][:stride], k%width, &dots)
		sum[k] = dots[k%width]
	}
}

// nearStrips of four vectors and as many of some columns are together in the nearest cache.
const nearStrips = 32

// project takes from the columns of some tiles their parts along the vectors from a group on. It leaves in s.coef a square of
// their coordinates, with the other sign, for every group and tile. All coordinates are those of the columns as they come
// (classical Gram-Schmidt), so that the vectors pass through the caches twice for all tiles.
func (s *Span) project(group, first, tiles int) {
	s.products(group, first, tiles)
	for i := range s.coef {
		s.coef[i] = -s.coef[i]
	}
	s.pass(group, first, tiles, s.kern.combine)
}

// products leaves in s.coef the coordinates of the columns of some tiles along the vectors from a group on.
func (s *Span) products(group, first, tiles int) {
	s.square((len(s.groups) - group) * tiles)
	s.pass(group, first, tiles, s.kern.products)
}

// pass takes a kernel through the vectors from a group on, and through the columns of some tiles.
func (s *Span) pass(group, first, tiles int, kernel func(v, c []float64, stride int, squares []float64)) {
	const square = width * width
	stride := s.strips() * cell
	columns := s.tile[first*stride:]
	for from := 0; from < stride; from += nearStrips * cell {
		for g := group; g < len(s.groups); g++ {
			if to := min(s.used[g]*cell, from+nearStrips*cell); to > from {
				kernel(s.groups[g][from:to], columns[from:], stride, s.coef[(g-group)*tiles*square:][:tiles*square])
			}
		}
	}
}

// Coordinates stores in coef the products of all vectors with x, which stands for a column that is x from a row on and zero
// elsewhere.
func (s *Span) Coordinates(coef []float64, from int, x []float64) {
	first := from / lanes
	need := ((from+len(x)+lanes-1)/lanes - first) * cell
	if len(s.tile) < need {
		s.tile = aligned(max(need, s.strips()*cell))
	}
	part := s.tile[:need]
	clear(part)
	for k, v := range x {
		at := from - first*lanes + k
		part[at/lanes*cell+at%lanes] = v
	}
	for g, group := range s.groups {
		var square [width * width]float64
		if end := min(s.used[g]-first, len(part)/cell); end > 0 {
			s.kern.products(group[first*cell:(first+end)*cell], part, len(part), square[:])
		}
		for i := range min(width, s.n-g*width) {
			coef[g*width+i] = square[i*width]
		}
	}
}

// wipe sets column c of a group to zero.
func wipe(group []float64, c int) {
	for o := c * lanes; o < len(group); o += cell {
		clear(group[o : o+lanes])
	}
}

// unfill copies column c of a group to x.
func (k kernel) unfill(x, group []float64, c int) {
	whole := len(x) / lanes
	k.strips(x, lanes, group[c*lanes:], cell, whole)
	if x = x[whole*lanes:]; len(x) > 0 {
		copy(x, group[whole*cell+c*lanes:])
	}
}

package triangle

// Span is an orthonormal basis of a space of columns. It lies in tiles, so that four columns at a time are projected on
// four vectors of the basis at a time, by the kernel that applies reflectors. The zero Span holds no vectors; it serves one
// goroutine.
type Span struct {
	kern   kernel
	rows   int
	n      int
	groups [][]float64 // four vectors each, the last filled up with zeros
	used   []int       // strips of each group above which its vectors are zero
	tile   []float64   // of the columns that are projected
	coef   [width * width]float64
}

// Len is the number of vectors.
func (s *Span) Len() int { return s.n }

// Clone returns a copy to which vectors can be appended without a change of s.
func (s *Span) Clone() *Span {
	c := &Span{kern: s.kern, rows: s.rows, n: s.n, groups: append([][]float64(nil), s.groups...), used: append([]int(nil), s.used...)}
	if last := len(s.groups) - 1; s.n%width != 0 {
		c.groups[last] = aligned(len(s.groups[last]))
		copy(c.groups[last], s.groups[last])
	}
	return c
}

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
	fill(s.groups[last], s.n%width, q)
	end := len(q)
	for end > 0 && q[end-1] == 0 {
		end--
	}
	s.used[last] = max(s.used[last], (end+lanes-1)/lanes)
	s.n++
}

// Project takes from every column its part within the basis, and adds its coordinates to coef, one slice a column, where
// that is not nil. The remainder is orthogonal to the basis up to rounding of the column. Where it is less than the part
// again of it for one of four columns, these are projected a second time, after which it is orthogonal to working precision
// (Giraud, Langou, Rozložník and van den Eshof, Numerische Mathematik 101, 2005).
func (s *Span) Project(cols, coef [][]float64, again float64) {
	if s.n == 0 {
		return
	}
	strips := (s.rows + lanes - 1) / lanes
	if len(s.tile) < strips*cell {
		s.tile = aligned(strips * cell)
	}
	for at := 0; at < len(cols); at += width {
		four := cols[at:min(at+width, len(cols))]
		for k := range width {
			if k < len(four) {
				fill(s.tile, k, four[k])
			} else {
				wipe(s.tile, k)
			}
		}
		before := s.squares()
		s.projectTile(four, coef, at)
		after := s.squares()
		for k := range four {
			if after[k] < again*again*before[k] {
				s.projectTile(four, coef, at)
				break
			}
		}
		for k := range four {
			unfill(four[k], s.tile, k)
		}
	}
}

// squares are the sums of squares of the columns of the tile.
func (s *Span) squares() (sum [width]float64) {
	tile := s.tile[:(s.rows+lanes-1)/lanes*cell]
	for l := range width {
		var dots [width]float64
		s.kern.dots(tile, l, &dots)
		sum[l] = dots[l]
	}
	return sum
}

// projectTile takes the parts of four columns, which lie in the tile, along all vectors, and adds their coordinates to those
// of the columns from at on.
func (s *Span) projectTile(four, coef [][]float64, at int) {
	for g, group := range s.groups {
		s.project(group[:s.used[g]*cell])
		for i := 0; coef != nil && i < min(width, s.n-g*width); i++ {
			for k := range four {
				coef[at+k][g*width+i] += s.coef[i*width+k]
			}
		}
	}
}

// Coordinates stores in coef the products of all vectors with x, which stands for a column that is x from a row on and zero
// elsewhere.
func (s *Span) Coordinates(coef []float64, from int, x []float64) {
	first := from / lanes
	part := make([]float64, ((from+len(x)+lanes-1)/lanes-first)*cell)
	for k, v := range x {
		at := from - first*lanes + k
		part[at/lanes*cell+at%lanes] = v
	}
	h := reflectors{inv: [width]float64{1, 1, 1, 1}} // without a gain it leaves the column
	for g, group := range s.groups {
		s.coef = [width * width]float64{}
		if end := min(s.used[g]-first, len(part)/cell); end > 0 {
			s.kern.apply(group[first*cell:(first+end)*cell], part, len(part), &h, s.coef[:])
		}
		for i := range min(width, s.n-g*width) {
			coef[g*width+i] = s.coef[i*width]
		}
	}
}

// project takes from the columns of the tile their parts along four vectors, whose coordinates are then in s.coef.
// An orthogonal reflector without a top that is to take all of b from a column, and not twice of it, has the gain -1.
func (s *Span) project(group []float64) {
	s.coef = [width * width]float64{}
	if len(group) == 0 {
		return
	}
	h := reflectors{inv: [width]float64{1, 1, 1, 1}, gain: [width]float64{-1, -1, -1, -1}}
	s.kern.apply(group, s.tile, len(s.tile), &h, s.coef[:])
}

// wipe sets column c of a group to zero.
func wipe(group []float64, c int) {
	for o := c * lanes; o < len(group); o += cell {
		clear(group[o : o+lanes])
	}
}

// unfill copies column c of a group to x.
func unfill(x, group []float64, c int) {
	for o := c * lanes; len(x) > 0; o += cell {
		x = x[copy(x, group[o:o+lanes]):]
	}
}

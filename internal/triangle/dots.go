package triangle

// Dots stores in dst, at i·stride + j, the product of the vectors a[i] and b[j], all of one length: the matrix A·Bᵀ, where they
// are the rows of A and B.
func (w *Work) Dots(dst []float64, stride int, a, b [][]float64) {
	if len(a) == 0 || len(b) == 0 {
		return
	}
	w.layout(len(b) - 1) // no right-hand side
	squares := width * width * w.groups
	if need := (len(a) + width - 1) / width * squares; cap(w.sums) < need {
		w.sums = aligned(need)
	} else {
		w.sums = w.sums[:need]
	}
	if w.left == nil {
		w.left = aligned(groupSize)
	}
	clear(w.sums)
	clear(w.left)
	clear(w.group(w.groups-1, blockStrips))
	for from := 0; from < len(a[0]); from += blockRows {
		rows := min(blockRows, len(a[0])-from)
		strips := (rows + lanes - 1) / lanes
		for j, x := range b {
			w.kern.fill(w.group(j/width, strips), j%width, x[from:from+rows])
		}
		left := w.left[:strips*cell]
		for i := 0; i < len(a); i += width {
			for k, x := range a[i:min(i+width, len(a))] {
				w.kern.fill(left, k, x[from:from+rows])
			}
			w.kern.products(left, w.tile, groupSize, w.sums[i/width*squares:][:squares])
		}
	}
	for i := range a {
		sums := w.sums[i/width*squares+width*(i%width):]
		for j := range b {
			dst[i*stride+j] = sums[width*width*(j/width)+j%width]
		}
	}
}

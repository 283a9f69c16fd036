package triangle

// kernel is one implementation of the inner loops over a tile. All work
// on whole strips and agree to rounding.
type kernel int

const (
	unset kernel = iota
	portable
	avx2
)

// dots sets out[k] to the product of columns l and k of a group.
func (k kernel) dots(group []float64, l int, out *[width]float64) {
	if !k.dotsAsm(group, l, out) {
		dotsGo(group, l, out)
	}
}

// step adds coef[k] times column l of a group to each column k > l and sets
// out[k] to the product of columns l+1 and k afterwards.
func (k kernel) step(group []float64, l int, coef, out *[width]float64) {
	if !k.stepAsm(group, l, coef, out) {
		stepGo(group, l, coef, out)
	}
}

// apply applies the reflectors h, whose vectors are the columns of group v, to
// the groups that start every stride numbers in c, as many rows of each as v
// has, and to the squares in top, one for each group.
func (k kernel) apply(v, c []float64, stride int, h *reflectors, top []float64) {
	if !k.applyAsm(v, c, stride, h, top) {
		applyGo(v, c, stride, h, top)
	}
}

// products multiplies group v with groups of columns of c: group i of c starts at number i·stride and has as many rows as
// v. It adds v's columns times those of group i to the square block i of sums.
func (k kernel) products(v, c []float64, stride int, sums []float64) {
	if !k.productsAsm(v, c, stride, sums) {
		productsGo(v, c, stride, sums)
	}
}

// combine adds the columns of v, times the square block i of multiples, to group i of c. Groups are placed as in products.
func (k kernel) combine(v, c []float64, stride int, multiples []float64) {
	if !k.combineAsm(v, c, stride, multiples) {
		combineGo(v, c, stride, multiples)
	}
}

// strips copies some strips of one column, which begin every fromStep numbers, to others every toStep numbers.
func (k kernel) strips(to []float64, toStep int, from []float64, fromStep, strips int) {
	if strips > 0 && !k.stripsAsm(to, toStep, from, fromStep, strips) {
		stripsGo(to, toStep, from, fromStep, strips)
	}
}

func stripsGo(to []float64, toStep int, from []float64, fromStep, strips int) {
	for i := range strips {
		copy(to[i*toStep:][:lanes], from[i*fromStep:])
	}
}

func dotsGo(group []float64, l int, out *[width]float64) {
	var s0, s1, s2, s3 float64
	for ; len(group) >= cell; group = group[cell:] {
		g := (*[cell]float64)(group)
		b := (*[lanes]float64)(g[l*lanes:])
		for i, x := range b {
			s0 += x * g[i]
			s1 += x * g[lanes+i]
			s2 += x * g[2*lanes+i]
			s3 += x * g[3*lanes+i]
		}
	}
	*out = [width]float64{s0, s1, s2, s3}
}

func stepGo(group []float64, l int, coef, out *[width]float64) {
	for k := l + 1; k < width; k++ {
		a := coef[k]
		for o := 0; o < len(group); o += cell {
			b := (*[lanes]float64)(group[o+l*lanes:])
			c := (*[lanes]float64)(group[o+k*lanes:])
			for i, x := range b {
				c[i] += a * x
			}
		}
	}
	dotsGo(group, l+1, out)
}

func applyGo(v, c []float64, stride int, h *reflectors, top []float64) {
	for ; len(top) > 0; top = top[width*width:] {
		for k := range width {
			var u [width]float64
			for o := 0; o < len(v); o += cell {
				g := (*[cell]float64)(v[o:])
				for i, x := range (*[lanes]float64)(c[o+k*lanes:]) {
					u[0] += x * g[i]
					u[1] += x * g[lanes+i]
					u[2] += x * g[2*lanes+i]
					u[3] += x * g[3*lanes+i]
				}
			}
			// Reflector i adds a multiple of bᵢ to the column before reflector j is
			// applied, which changes the product with bⱼ by that multiple of bᵢᵀbⱼ.
			for i := range width {
				r := &top[i*width+k]
				d := u[i] + h.top[i]**r
				*r += d * h.inv[i]
				d *= h.gain[i]
				for j := i + 1; j < width; j++ {
					u[j] += d * h.gram[i][j]
				}
				u[i] = d
			}
			for o := 0; o < len(v); o += cell {
				g := (*[cell]float64)(v[o:])
				x := (*[lanes]float64)(c[o+k*lanes:])
				for i := range x {
					x[i] += u[0]*g[i] + u[1]*g[lanes+i] + u[2]*g[2*lanes+i] + u[3]*g[3*lanes+i]
				}
			}
		}
		if len(c) > stride {
			c = c[stride:]
		}
	}
}

func productsGo(v, c []float64, stride int, sums []float64) {
	for ; len(sums) > 0; sums = sums[width*width:] {
		for k := range width {
			var u [width]float64
			for o := 0; o < len(v); o += cell {
				g := (*[cell]float64)(v[o:])
				for i, x := range (*[lanes]float64)(c[o+k*lanes:]) {
					u[0] += x * g[i]
					u[1] += x * g[lanes+i]
					u[2] += x * g[2*lanes+i]
					u[3] += x * g[3*lanes+i]
				}
			}
			for i := range u {
				sums[i*width+k] += u[i]
			}
		}
		if len(c) > stride {
			c = c[stride:]
		}
	}
}

func combineGo(v, c []float64, stride int, multiples []float64) {
	for ; len(multiples) > 0; multiples = multiples[width*width:] {
		for k := range width {
			m0, m1, m2, m3 := multiples[k], multiples[width+k], multiples[2*width+k], multiples[3*width+k]
			for o := 0; o < len(v); o += cell {
				g := (*[cell]float64)(v[o:])
				x := (*[lanes]float64)(c[o+k*lanes:])
				for i := range x {
					x[i] += m0*g[i] + m1*g[lanes+i] + m2*g[2*lanes+i] + m3*g[3*lanes+i]
				}
			}
		}
		if len(c) > stride {
			c = c[stride:]
		}
	}
}

package flexible

// inertiaMatrix fills w.mass from the tip to the base (equations 66 to 81).
func (w *Work) inertiaMatrix() {
	c, n := &w.ops, len(w.arm.links)
	at := func(j, h int) int { return j*n + h }
	for h := n - 1; h >= 0; h-- {
		f := w.inertia[h]
		if h < n-1 {
			outer := c.momentT(&w.composite[at(h, h+1)], &w.step[h])
			c.sum(&f, &outer)
		}
		w.composite[at(h, h)] = f
		for j := h - 1; j >= 0; j-- {
			w.composite[at(j, h)] = c.moment(&w.step[j], &w.composite[at(j+1, h)])
		}
	}
	w.carry()
	for j := range n {
		w.byJoint[at(j, j)] = w.turn[j]
		for h := j + 1; h < n; h++ {
			w.byJoint[at(j, h)] = c.place(&w.byJoint[at(j, h-1)], &w.step[h-1])
		}
		if len(w.arm.links[j].First) > 0 && j+1 < n {
			w.byTip[at(j, j+1)] = w.place[j+1]
			for h := j + 2; h < n; h++ {
				w.byTip[at(j, h)] = c.place(&w.byTip[at(j, h-1)], &w.step[h-1])
			}
		}
		for k := range w.cross[j] {
			d := transpose(&w.cross[j][k])
			w.own[j][k] = c.moment(&w.w[j], &d)
		}
	}
	w.jointRows()
	w.deflectionRows()
}

// carry makes ʲF_h and ʲΦ_h of the links that bend.
func (w *Work) carry() {
	c, n := &w.ops, len(w.arm.links)
	for h := range n - 1 {
		if len(w.arm.links[h].First) == 0 {
			continue
		}
		for j := range n {
			f := &w.composite[min(j, h+1)*n+max(j, h+1)]
			if j > h+1 {
				other := transpose(f)
				f = &other
			}
			w.carried[j*n+h] = c.momentT(f, &w.place[h+1])
		}
		for j := range h + 1 {
			if len(w.arm.links[j].First) > 0 {
				w.twice[j*n+h] = c.moment(&w.place[j+1], &w.carried[(j+1)*n+h])
			}
		}
	}
}

func (w *Work) set(a, b int, v float64) {
	w.mass[a*w.arm.size+b], w.mass[b*w.arm.size+a] = 2*v, 2*v
}

// jointRows are the entries of joints with joints and with amplitudes (equations 66 and 68 to 70).
func (w *Work) jointRows() {
	c, n, index := &w.ops, len(w.arm.links), w.arm.at
	for j := range n {
		for h := j; h < n; h++ {
			m := c.moment(&w.turn[j], &w.composite[j*n+h])
			w.set(index[j], index[h], c.trace(&m, &w.turn[h]))
		}
		for h := range n {
			if len(w.arm.links[h].First) == 0 {
				continue
			}
			var beyond Matrix // of the links behind h
			if h < n-1 {
				beyond = c.moment(&w.turn[j], &w.carried[j*n+h])
			}
			for k := range w.arm.links[h].First {
				sum := 0.0
				if h < n-1 {
					sum = c.trace(&beyond, &w.lean[h][k])
				}
				if j <= h {
					sum += c.trace(&w.byJoint[j*n+h], &w.own[h][k])
				}
				w.set(index[j], index[h]+1+k, sum)
			}
		}
	}
}

// deflectionRows are the entries of amplitudes with amplitudes (equations 72 to 75).
func (w *Work) deflectionRows() {
	c, n, index := &w.ops, len(w.arm.links), w.arm.at
	for j := range n {
		l := &w.arm.links[j]
		for f := range l.First {
			for k := f; k < len(l.First); k++ {
				sum := 0.0
				if w.Variant == Printed {
					s := &l.Second[k][f]
					sum = s[1][1] + s[2][2] + s[3][3]
				} else {
					m := c.moment(&w.w[j], &l.Second[k][f])
					sum = c.trace(&m, &w.w[j])
				}
				if j < n-1 {
					left, right := w.lean[j][f], w.lean[j][k]
					if w.Variant == Printed {
						left, right = tip(&l.Tip[f]), tip(&l.Tip[k])
					}
					m := c.moment(&left, &w.twice[j*n+j])
					sum += c.trace(&m, &right)
				}
				w.set(index[j]+1+f, index[j]+1+k, sum)
			}
			for h := j + 1; h < n; h++ {
				if len(w.arm.links[h].First) == 0 {
					continue
				}
				by := c.place(&w.lean[j][f], &w.byTip[j*n+h])
				var beyond Matrix
				if h < n-1 {
					beyond = c.moment(&w.lean[j][f], &w.twice[j*n+h])
				}
				for k := range w.arm.links[h].First {
					sum := c.trace(&by, &w.own[h][k])
					if h < n-1 {
						sum += c.trace(&beyond, &w.lean[h][k])
					}
					w.set(index[j]+1+f, index[h]+1+k, sum)
				}
			}
		}
	}
}

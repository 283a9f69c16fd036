package regressor

// Part sets b to the samples [from, to) of another batch, without copying them.
func (b *Batch) Part(of *Batch, from, to int) {
	b.Each(of, func(x []float64) []float64 { return slice(x, from, to) })
}

// Each sets b to the signals of another batch after signal, which gets nil for absent ones.
func (b *Batch) Each(of *Batch, signal func(x []float64) []float64) {
	each := func(dst *[][]float64, src [][]float64) {
		*dst = (*dst)[:0]
		for _, x := range src {
			*dst = append(*dst, signal(x))
		}
	}
	each(&b.Q, of.Q)
	each(&b.DQ, of.DQ)
	each(&b.DDQ, of.DDQ)
	each(&b.Load, of.Load)
	each(&b.Current, of.Current)
	each(&b.Heat, of.Heat)
	each(&b.Temperature, of.Temperature)
	each(&b.Presliding, of.Presliding)
	for k := range of.Wrench {
		b.Wrench[k] = signal(of.Wrench[k])
	}
	for k := range of.Contact {
		b.Contact[k] = signal(of.Contact[k])
	}
	b.Time = signal(of.Time)
	b.PayloadAttached = signal(of.PayloadAttached)
}

// slice returns x[from:to], or nil for an absent channel.
func slice(x []float64, from, to int) []float64 {
	if x == nil {
		return nil
	}
	return x[from:to]
}

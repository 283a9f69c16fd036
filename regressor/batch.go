package regressor

// Part sets b to the samples [from, to) of another batch, in the memory of its own
// lists of slices.
func (b *Batch) Part(of *Batch, from, to int) {
	cut := func(dst *[][]float64, src [][]float64) {
		*dst = (*dst)[:0]
		for _, x := range src {
			*dst = append(*dst, stretch(x, from, to))
		}
	}
	cut(&b.Q, of.Q)
	cut(&b.DQ, of.DQ)
	cut(&b.DDQ, of.DDQ)
	cut(&b.Load, of.Load)
	cut(&b.Current, of.Current)
	cut(&b.Heat, of.Heat)
	cut(&b.Temperature, of.Temperature)
	cut(&b.Presliding, of.Presliding)
	for k := range of.Wrench {
		b.Wrench[k] = stretch(of.Wrench[k], from, to)
	}
	for k := range of.Contact {
		b.Contact[k] = stretch(of.Contact[k], from, to)
	}
	b.Time = stretch(of.Time, from, to)
	b.PayloadAttached = stretch(of.PayloadAttached, from, to)
}

// stretch is x[from:to], nil of an absent channel.
func stretch(x []float64, from, to int) []float64 {
	if x == nil {
		return nil
	}
	return x[from:to]
}

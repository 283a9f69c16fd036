package observation

// BlockSamples is the length of the time blocks of a segment whose rows f filters, in samples. Correlation
// of residuals should seldom reach beyond a block's neighbour: four periods of
// the cut-off, in hertz, but at least eight blocks where the segment is short; a
// hundredth of the segment where that is longer, since more blocks add little to
// the covariance; and no less than least.
func (f *RowFilter) BlockSamples(cutoff float64, seg *Segment, least int) int {
	every := f.Every()
	n := max(seg.N/100, least)
	if f.Thins() {
		cutoff = 1 / (2 * seg.DT * float64(every))
	}
	if cutoff > 0 {
		n = max(n, min(int(4/(cutoff*seg.DT)), seg.N/8))
	}
	n = max(n, 8*every)
	return n + (every-n%every)%every
}

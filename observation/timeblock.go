package observation

// BlockSamples returns the length, in samples, of the time blocks of a segment whose rows f filters. Residuals should be
// correlated within a block and with the next block, hardly any further. The length is therefore four periods of the
// cut-off (Hz), but at most an eighth of a short segment, at least a hundredth of a long one (more blocks hardly improve
// the covariance), and never below least.
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

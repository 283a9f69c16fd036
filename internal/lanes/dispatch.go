package lanes

// RotateT is dst = Rz(q)ᵀ·rᵀ·src with c = cos q and s = sin q: a vector of the
// antecedent frame seen in a frame that r·Rz(q) places in it.
func RotateT(dst, src *Vec, r *[3][3]float64, c, s []float64) { rotateTGo(dst, src, r, c, s) }

// CrossAddConst is dst = m + a × p for a constant p.
func CrossAddConst(dst, m, a *Vec, p *[3]float64) { crossAddConstGo(dst, m, a, p) }

// Dot3 is dst = x·y.
func Dot3(dst []float64, x, y *Vec) { dot3Go(dst, x, y) }

// Dot5 is dst = Σ x[k]·y[k] over five terms.
func Dot5(dst []float64, x, y *[5][]float64) { dot5Go(dst, x, y) }

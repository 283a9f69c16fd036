package tool

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// noise is the error of a channel: white, by the block's number of rows and by rest or motion, and a walk.
type noise struct {
	rest, motion float64 // variance of one row, squared units
	walk         float64 // variance of a walk after a second
}

// of returns the white variance of a block.
func (n *noise) of(b *block) float64 {
	if b.rest < 0 {
		return n.motion / b.length
	}
	return n.rest / b.length
}

// whiten runs the filter of a walk, which is zero at the last block of each tare, over a column, backward in time, and
// divides by the standard deviations of the innovations: the errors of what is left are independent, with variance 1.
// column and out may be one slice. It returns the sum of the logarithms of the variances.
func (n *noise) whiten(blocks []block, column, out []float64) (logs float64) {
	state, spread := 0.0, 0.0
	for k := len(blocks) - 1; k >= 0; k-- {
		b := &blocks[k]
		if k == len(blocks)-1 || blocks[k+1].tare != b.tare {
			state, spread = 0, 0
		} else {
			spread += n.walk * math.Abs(blocks[k+1].t-b.t)
		}
		variance := spread + n.of(b)
		gain := spread / variance
		error := column[k] - state
		state += gain * error
		spread *= 1 - gain
		out[k] = error / math.Sqrt(variance)
		logs += math.Log(variance)
	}
	return logs
}

// walked returns the walk at the first block of the last tare, from residuals without bias, with its standard
// deviation.
func (n *noise) walked(blocks []block, residual []float64) (at, sigma float64) {
	state, spread := 0.0, 0.0
	last := len(blocks) - 1
	for k := last; k >= 0 && blocks[k].tare == blocks[last].tare; k-- {
		if k < last {
			spread += n.walk * math.Abs(blocks[k+1].t-blocks[k].t)
		}
		variance := spread + n.of(&blocks[k])
		gain := spread / variance
		state += gain * (residual[k] - state)
		spread *= 1 - gain
	}
	return state, math.Sqrt(spread)
}

// series is a channel with what explains it: the columns of its parameters, and those of its biases.
type series struct {
	blocks  []block
	y       []float64
	columns [][]float64
}

// with returns a series of blocks whose columns are some and a bias for each tare.
func with(blocks []block, y []float64, columns ...[]float64) *series {
	s := &series{blocks: blocks, y: y}
	for _, c := range columns {
		size := 0.0
		for _, v := range c {
			size += v * v
		}
		if size = math.Sqrt(size); size == 0 {
			continue
		}
		unit := make([]float64, len(c))
		for k := range c {
			unit[k] = c[k] / size
		}
		s.columns = append(s.columns, unit)
	}
	for from := 0; from < len(blocks); {
		end := from
		for end < len(blocks) && blocks[end].tare == blocks[from].tare {
			end++
		}
		own := make([]float64, len(blocks))
		for k := from; k < end; k++ {
			own[k] = 1 / math.Sqrt(float64(end-from))
		}
		s.columns = append(s.columns, own)
		from = end
	}
	return s
}

// free returns the number of values less that of unknowns.
func (s *series) free() float64 { return max(float64(len(s.y)-len(s.columns)), 1) }

// level returns minus twice the restricted likelihood under a noise, split in a sum of logarithms and one of squares (Patterson and Thompson 1971).
func (s *series) level(n noise) (logs, squares float64) {
	u := make([]float64, len(s.y))
	logs = n.whiten(s.blocks, s.y, u)
	for _, v := range u {
		squares += v * v
	}
	// Gram and Schmidt, twice, on the whitened columns.
	var basis [][]float64
	for _, c := range s.columns {
		w := make([]float64, len(c))
		n.whiten(s.blocks, c, w)
		size := orthogonal(basis, w)
		if size == 0 {
			continue // another column says the same
		}
		logs += 2 * math.Log(size)
		along := floats.Dot(w, u)
		squares -= along * along
		basis = append(basis, w)
	}
	return logs, max(squares, 1e-300)
}

// orthogonal makes a column orthogonal to a basis, and of unit length. It returns its length before that; 0 if the basis says the same.
func orthogonal(basis [][]float64, w []float64) (size float64) {
	whole := floats.Norm(w, 2)
	for range 2 {
		for _, q := range basis {
			floats.AddScaled(w, -floats.Dot(q, w), q)
		}
	}
	if size = floats.Norm(w, 2); size <= 1e-9*whole {
		return 0
	}
	floats.Scale(1/size, w)
	return size
}

// Ratios of a walk's variance after a second to that of a row, as powers of ten.
const (
	leastRatio, mostRatio = -8.0, 3.0
	ratioStep             = 0.25
)

// likely finds the white noise and the walk of a channel, whatever its parameters and biases: the mean variances of
// both over their posterior, by the restricted likelihood, a flat prior of the walk's standard deviation and one of the
// white noise's logarithm (Gelman 2006). The likeliest walk itself is often zero where a small one cannot be seen, and
// intervals would be too narrow. level is minus twice the greatest likelihood.
func likely(s *series) (found noise, level float64) {
	free := s.free()
	moving := 1.0 // variance of a row in motion over that at rest
	search := func() (mean noise, least float64) {
		var ratios, values, variances []float64
		least = math.Inf(1)
		for e := leastRatio; e <= mostRatio; e += ratioStep {
			ratio := math.Pow(10, e)
			logs, squares := s.level(noise{rest: 1, motion: moving, walk: ratio})
			value := logs + free*math.Log(squares/free) + free
			least = min(least, value)
			ratios, values, variances = append(ratios, ratio), append(values, value), append(variances, squares/free)
		}
		whole := 0.0
		for i, ratio := range ratios {
			// With the ratio given, the posterior of the variance is an inverse gamma one, of shape (free−1)/2.
			w := math.Exp((least-values[i])/2) * math.Sqrt(ratio*variances[i]/variances[0])
			v := variances[i] * free / max(free-3, 1)
			whole += w
			mean.rest += w * v
			mean.walk += w * v * ratio
		}
		mean.rest /= whole
		mean.walk /= whole
		mean.motion = moving * mean.rest
		return mean, least
	}
	found, level = search()
	var rest, motion int
	for k := range s.blocks {
		if s.blocks[k].rest < 0 {
			motion++
		} else {
			rest++
		}
	}
	if rest < 10 || motion < 10 {
		return found, level
	}
	for step := 4.0; step > 1.1; { // rows in motion have errors of their own
		better := false
		for _, by := range []float64{step, 1 / step} {
			moving *= by
			if n, v := search(); v < level-1e-6 {
				found, level, better = n, v, true
				break
			}
			moving /= by
		}
		if !better {
			step = math.Sqrt(step)
		}
	}
	return found, level
}

// atRest returns the blocks at rest with a bias for each rest: then nothing between rests counts.
func atRest(blocks []block, y []float64) *series {
	last, biases := -1, 0
	var own []block
	var of []float64
	for k, b := range blocks {
		if b.rest < 0 {
			continue
		}
		if b.rest != last {
			last = b.rest
			biases++
		}
		b.tare = biases - 1
		own, of = append(own, b), append(of, y[k])
	}
	return with(own, of)
}

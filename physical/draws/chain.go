package draws

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"

	"gonum.org/v1/gonum/floats"

	"ident/robot"
)

// Numbers of the chains.
const (
	chains  = 4
	burnIn  = 150 // sweeps before the first draw
	thin    = 5   // sweeps from draw to draw
	longest = 8   // times that thin doubles

	// MostReduction is the largest R̂ of a chain that counts as mixed.
	MostReduction = 1.02
	leastChecked  = 1000 // draws on which the check looks; fewer are taken from as many
)

// Mixing is how well the chains agree.
type Mixing struct {
	Chains    int     `json:"chains"`
	Sweeps    int     `json:"sweeps"` // number of sweeps of each chain between two draws
	Reduction float64 `json:"r_hat"`  // largest R̂
	Effective float64 `json:"effective_draws"`
	Checked   int     `json:"checked"` // number of draws that the check used
	Worst     string  `json:"worst"`   // quantity with the largest R̂
}

// Draws are robots of a posterior.
type Draws struct {
	Standard [][]float64 // by draw: standard parameters in the order of the set's columns
	Base     [][]float64 // by draw: base parameters
	Mixing   Mixing
}

// chain is a state with what its lines need.
type chain struct {
	d      *density
	lines  []line
	rng    *rand.Rand
	x      []float64
	white  []float64 // U·K·(x − mean)
	bodies [][4][4]float64
	order  []int
}

// line is a line through the parameters along v, with what a step along it changes.
type line struct {
	v      []float64
	white  []float64
	bodies [][4][4]float64
	prior  float64 // derivative of the linear part of the log prior
	curve  float64 // half the second derivative of the data's part
	moves  []bool  // whether a body changes
	drives []int   // positives that change
}

func (d *density) line(v []float64) line {
	l := line{v: v, white: d.whiten(v)}
	for i := range d.bodies {
		b := &d.bodies[i]
		change := b.pseudo(v)
		l.bodies = append(l.bodies, change)
		l.moves = append(l.moves, change != [4][4]float64{})
		l.prior -= d.nu / 2 * traceOf(b.inverse, change)
	}
	for i, x := range d.positives {
		if v[x.column] != 0 {
			l.drives = append(l.drives, i)
			l.prior -= d.shape * v[x.column] / x.mean
		}
	}
	l.curve = -floats.Dot(l.white, l.white) / 2
	return l
}

func (d *density) start(lines []line, rng *rand.Rand) *chain {
	c := &chain{d: d, lines: lines, rng: rng, x: append([]float64(nil), d.mean...), white: make([]float64, len(d.k))}
	for i := range d.bodies {
		c.bodies = append(c.bodies, d.bodies[i].value.PseudoInertia())
	}
	c.order = make([]int, len(lines))
	for i := range c.order {
		c.order[i] = i
	}
	// Overdispersed: half way to the edge along a few random lines.
	for range 3 * len(lines) {
		l := &lines[rng.IntN(len(lines))]
		first, second := c.slope(l)
		step := 3 * (2*rng.Float64() - 1)
		for range 20 {
			if !math.IsInf(c.at(l, step, first, second), -1) {
				break
			}
			step /= 2
		}
		if !math.IsInf(c.at(l, step, first, second), -1) {
			c.move(l, step/2)
		}
	}
	return c
}

// slope returns the derivative of the data's and the linear part of the log density along a line, and half the second one.
func (c *chain) slope(l *line) (first, second float64) {
	return l.prior - floats.Dot(l.white, c.white), l.curve
}

// at returns the log density at a step along a line, whose slopes are given, less that of the state's data and linear part.
func (c *chain) at(l *line, t, first, second float64) float64 {
	d := c.d
	sum := t * (first + t*second)
	half := (d.nu - 5) / 2
	for i := range c.bodies {
		if !l.moves[i] {
			continue
		}
		j := &c.bodies[i]
		v := &l.bodies[i]
		var at [4][4]float64
		for a := range 4 {
			for b := 0; b <= a; b++ {
				at[a][b] = j[a][b] + t*v[a][b]
			}
		}
		sum += half * logDet(&at)
		if math.IsInf(sum, -1) {
			return sum
		}
	}
	for _, i := range l.drives {
		x := d.positives[i]
		v := c.x[x.column] + t*l.v[x.column]
		if !(v > 0) {
			return math.Inf(-1)
		}
		sum += (d.shape - 1) * math.Log(v)
	}
	return sum
}

func (c *chain) move(l *line, t float64) {
	for i, v := range l.v {
		c.x[i] += t * v
	}
	for i, w := range l.white {
		c.white[i] += t * w
	}
	for i := range c.bodies {
		if l.moves[i] {
			for a := range 4 {
				for b := range 4 {
					c.bodies[i][a][b] += t * l.bodies[i][a][b]
				}
			}
		}
	}
}

const (
	sliceWidth = 3 // first interval of a slice, standard deviations
	// mostSteps bounds the steps out of a slice. Lines are scaled to the standard deviation of a normal density, and that of the
	// bodies only narrows it: a density that is as high a thousand intervals away is flat, and has no draws.
	mostSteps = 1000
)

// errFlat is the error of a density that does not fall along a line.
var errFlat = errors.New("the covariance of the base parameters bounds them so badly that draws run away: a diagonal of zeros, or numbers of very different sizes; fit again")

// sweep goes along every line once.
func (c *chain) sweep() error {
	c.rng.Shuffle(len(c.order), func(i, j int) { c.order[i], c.order[j] = c.order[j], c.order[i] })
	for _, k := range c.order {
		l := &c.lines[k]
		first, second := c.slope(l)
		level := c.at(l, 0, first, second) - c.rng.ExpFloat64()
		low := -sliceWidth * c.rng.Float64()
		high := low + sliceWidth
		for n := 0; c.at(l, low, first, second) > level; n++ {
			if low -= sliceWidth; n > mostSteps {
				return errFlat
			}
		}
		for n := 0; c.at(l, high, first, second) > level; n++ {
			if high += sliceWidth; n > mostSteps {
				return errFlat
			}
		}
		for {
			t := low + (high-low)*c.rng.Float64()
			if c.at(l, t, first, second) > level {
				c.move(l, t)
				break
			}
			if t < 0 {
				low = t
			} else {
				high = t
			}
			if high-low < 1e-14 {
				break
			}
		}
	}
	return nil
}

// Draw draws n robots by a seed. Draws with the same seed begin alike only for the same n. The context ends the chains with its error.
func Draw(ctx context.Context, p *Posterior, n int, seed uint64) (*Draws, error) {
	if n < 1 {
		return nil, fmt.Errorf("%d draws: give 1 or more", n)
	}
	d, err := newDensity(p)
	if err != nil {
		return nil, err
	}
	if p.Flat {
		return drawFlat(ctx, p, d, n, seed)
	}
	directions, err := d.directions()
	if err != nil {
		return nil, err
	}
	lines := make([]line, len(directions))
	for i, v := range directions {
		lines[i] = d.line(v)
	}
	// The check needs as many draws whatever is asked for.
	each := (max(n, leastChecked) + chains - 1) / chains
	for sweeps, try := thin, 0; ; sweeps, try = 2*sweeps, try+1 {
		samples := make([][][]float64, chains) // by chain, by draw
		failed := make([]error, chains)
		var group sync.WaitGroup
		for k := range chains {
			group.Go(func() {
				c := d.start(lines, rand.New(rand.NewPCG(seed, uint64(1+k+chains*try))))
				for range burnIn * sweeps / thin {
					if ctx.Err() != nil {
						return
					}
					if failed[k] = c.sweep(); failed[k] != nil {
						return
					}
				}
				for range each {
					for range sweeps {
						if failed[k] = c.sweep(); failed[k] != nil {
							return
						}
					}
					if ctx.Err() != nil {
						return
					}
					samples[k] = append(samples[k], append([]float64(nil), c.x...))
				}
			})
		}
		group.Wait()
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if slices.Contains(failed, errFlat) {
			return nil, errFlat
		}
		mixing := d.mixing(p, samples)
		mixing.Sweeps = sweeps
		if mixing.Reduction > MostReduction && try < longest {
			continue
		}
		if mixing.Reduction > MostReduction {
			return nil, fmt.Errorf("the chains do not mix: R̂ of %s is %.3f after %d sweeps a draw", mixing.Worst, mixing.Reduction, sweeps)
		}
		out := &Draws{Mixing: mixing}
		for i := range n { // in turn from the chains, spread over their length
			x := samples[i%chains][(i/chains)*each/((n+chains-1)/chains)]
			out.Standard, out.Base = append(out.Standard, x), append(out.Base, p.Set.FromStandard(x))
		}
		return out, nil
	}
}

// mixing compares the chains.
func (d *density) mixing(p *Posterior, samples [][][]float64) Mixing {
	m := Mixing{Chains: len(samples), Effective: math.Inf(1), Checked: len(samples) * len(samples[0])}
	check := func(name string, value func(x []float64) float64) {
		series := make([][]float64, len(samples))
		for k := range samples {
			for _, x := range samples[k] {
				series[k] = append(series[k], value(x))
			}
		}
		r, effective := reduction(series)
		if r > m.Reduction {
			m.Reduction, m.Worst = r, name
		}
		m.Effective = min(m.Effective, effective)
	}
	for i, row := range d.k {
		check(p.Set.Name(i), func(x []float64) float64 {
			sum := 0.0
			for c, v := range row {
				sum += v * x[c]
			}
			return sum
		})
	}
	for i := range d.bodies {
		b := &d.bodies[i]
		for k, c := range b.columns {
			if b.params[k] == robot.M {
				check("the mass of "+b.name, func(x []float64) float64 { return x[c] })
			}
		}
		check("the size of "+b.name, func(x []float64) float64 {
			j := b.pseudo(x)
			return logDet(&j)
		})
	}
	return m
}

// reduction returns the split R̂ of chains and their effective number by Geyer's initial positive sequence.
func reduction(series [][]float64) (r, effective float64) {
	var halves [][]float64
	for _, s := range series {
		h := len(s) / 2
		halves = append(halves, s[:h], s[h:2*h])
	}
	n, m := float64(len(halves[0])), float64(len(halves))
	var means, variances []float64
	whole := 0.0
	for _, h := range halves {
		mean, sum := 0.0, 0.0
		for _, v := range h {
			mean += v / n
		}
		for _, v := range h {
			sum += (v - mean) * (v - mean)
		}
		means, variances = append(means, mean), append(variances, sum/(n-1))
		whole += mean / m
	}
	within, between := 0.0, 0.0
	for i := range halves {
		within += variances[i] / m
		between += (means[i] - whole) * (means[i] - whole) / (m - 1)
	}
	if !(within > 1e-30*whole*whole) {
		return 1, n * m
	}
	total := within*(n-1)/n + between
	r = math.Sqrt(total / within)
	sum := 0.0
	for lag := 1; lag+1 < int(n); lag += 2 {
		pair := 0.0
		for _, at := range []int{lag, lag + 1} {
			rho := 0.0
			for i, h := range halves {
				cov := 0.0
				for k := at; k < len(h); k++ {
					cov += (h[k] - means[i]) * (h[k-at] - means[i])
				}
				rho += cov / n / m
			}
			pair += 1 - (within-rho)/total
		}
		if pair < 0 {
			break
		}
		sum += pair
	}
	return r, n * m / (1 + 2*sum)
}

package observation

import (
	"context"
	"math"
	"slices"

	"ident/regressor"
)

// Terms with memory, such as heat and presliding, follow the run from its first row on, in order. The reader of a
// segment evaluates them, from measured positions and torques, before its chunks are distributed to workers.

// rateSpan is half the window, in seconds, of the cubics whose slopes are the velocities in a joint's power: at a thousand samples
// a second noise of 0.1 mrad becomes 1.2 mrad/s, and a motion of 3 Hz loses 0.1 % of its velocity.
const rateSpan = 0.04

// states holds the states at the samples of a chunk.
type states struct {
	buffer           matrix
	heat, presliding [][]float64
	time             []float64
}

// memory is the state of a run before one sample.
type memory struct {
	of      *regressor.States
	gains   []float64
	dt      float64
	slope   []float64   // weights of the positions before and behind a sample, by their distance; slope[0] is 0
	warm    bool        // there is a sample before
	last    []float64   // positions
	before  [][]float64 // the last positions, by joint, as many as slope reaches
	pending [2][][]float64
	heat    []float64
	way     [][]float64 // of presliding: -w … w
}

func newMemory(run *Run, dt float64) *memory {
	n := len(run.Roles.Q)
	m := &memory{of: &run.States, gains: run.Gains, dt: dt, last: make([]float64, n), before: make([][]float64, n), heat: make([]float64, n),
		slope: cubicSlope(min(max(2, int(math.Round(rateSpan/dt))), scanRows/4), dt)}
	for i := range m.pending {
		m.pending[i] = make([][]float64, n)
	}
	for k := range m.of.Widths {
		m.way = append(m.way, make([]float64, len(m.of.Widths[k])))
	}
	return m
}

// cubicSlope returns the weights of x(t+i·dt) − x(t−i·dt), i = 0 … m, in the slope at t of the cubic that is nearest to 2m+1 samples
// (Savitzky and Golay 1964).
func cubicSlope(m int, dt float64) []float64 {
	x := float64(m)
	a, b := 3*x*x*x*x+6*x*x*x-3*x+1, 3*x*x+3*x-1
	scale := dt * (2*x + 3) * (2*x + 1) * (2*x - 1) * (x + 2) * (x + 1) * x * (x - 1)
	w := make([]float64, m+1)
	for i := range w {
		at := float64(i)
		w[i] = (25*a*at - 35*b*at*at*at) / scale
	}
	return w
}

// rate returns the velocity at place i of positions, that of the nearest place with a whole window at their ends, and
// zero where there is none.
func (m *memory) rate(x []float64, i int) float64 {
	reach := len(m.slope) - 1
	if len(x) <= 2*reach {
		return 0
	}
	i = min(max(i, reach), len(x)-1-reach)
	sum := 0.0
	for d := 1; d <= reach; d++ {
		sum += m.slope[d] * (x[i+d] - x[i-d])
	}
	return sum
}

// copy returns an independent copy.
func (m *memory) copy() *memory {
	c := *m
	c.last, c.heat, c.way, c.before = slices.Clone(m.last), slices.Clone(m.heat), nil, nil
	for _, w := range m.way {
		c.way = append(c.way, slices.Clone(w))
	}
	for _, x := range m.before {
		c.before = append(c.before, slices.Clone(x))
	}
	for i, columns := range m.pending {
		c.pending[i] = nil
		for _, x := range columns {
			c.pending[i] = append(c.pending[i], slices.Clone(x))
		}
	}
	return &c
}

// add holds sample i of the positions and of the torques or currents back until the samples behind it are there.
func (m *memory) add(q, torque [][]float64, i int) {
	for k := range q {
		m.pending[0][k] = append(m.pending[0][k], q[k][i])
		m.pending[1][k] = append(m.pending[1][k], torque[k][i])
	}
	if len(m.pending[0][0]) >= scanRows {
		m.follow(m.pending[0], m.pending[1], scanRows-len(m.slope)+1, nil)
		for i := range m.pending {
			for k, x := range m.pending[i] {
				m.pending[i][k] = append(x[:0], x[scanRows-len(m.slope)+1:]...)
			}
		}
	}
}

// follow advances over the first count samples, and calls visit behind each; those beyond count only tell the velocities.
func (m *memory) follow(q, torque [][]float64, count int, visit func(i int)) {
	rates := make([][]float64, len(q))
	for k, time := range m.of.Heating {
		if time == 0 {
			continue
		}
		x := append(slices.Clone(m.before[k]), q[k]...)
		rates[k] = make([]float64, count)
		for i := range rates[k] {
			rates[k][i] = m.rate(x, len(m.before[k])+i)
		}
	}
	for i := range count {
		m.step(q, torque, rates, i)
		if visit != nil {
			visit(i)
		}
	}
	reach := len(m.slope) - 1
	for k := range q {
		m.before[k] = append(m.before[k], q[k][:count]...)
		m.before[k] = slices.Clone(m.before[k][max(0, len(m.before[k])-reach):])
	}
}

// step advances to sample i of the positions and of the torques or currents.
func (m *memory) step(q, torque, rates [][]float64, i int) {
	if !m.warm {
		for k := range q {
			m.last[k] = q[k][i]
		}
		m.warm = true
		return
	}
	for k, time := range m.of.Heating {
		if time == 0 {
			continue
		}
		tau := torque[k][i]
		if m.gains != nil {
			tau *= m.gains[k]
		}
		m.heat[k] += (math.Abs(tau*rates[k][i]) - m.heat[k]) * -math.Expm1(-m.dt/time)
	}
	for k, widths := range m.of.Widths {
		for w, width := range widths {
			m.way[k][w] = min(max(m.way[k][w]+q[k][i]-m.last[k], -width), width)
		}
	}
	for k := range q {
		m.last[k] = q[k][i]
	}
}

// settle advances over the samples that were held back; those given come behind them.
func (m *memory) settle(q, torque [][]float64) {
	held := len(m.pending[0][0])
	if held == 0 {
		return
	}
	var both [2][][]float64
	for i, behind := range [2][][]float64{q, torque} {
		for k, x := range m.pending[i] {
			both[i] = append(both[i], append(slices.Clone(x), behind[k]...))
			m.pending[i][k] = nil
		}
	}
	m.follow(both[0], both[1], held, nil)
}

// fill follows the samples of a chunk. It returns the memory before the first sample of the next chunk, or nil if there
// is none.
func (c *Chunk) fill(m *memory, next int) (after *memory) {
	layout := &c.Source.Layout
	q, torque := layout.position.of(c.Columns), layout.torque.of(c.Columns)
	joints, n := len(q), len(q[0])
	rows := c.states.buffer.resize(joints*(1+regressor.MaxWidths), n)
	for _, x := range rows {
		clear(x)
	}
	c.states.heat, c.states.presliding = rows[:joints], rows[joints:]
	m.settle(q, torque)
	if next-c.Start >= 0 && next-c.Start < n { // before the sample at which the next chunk begins
		after = m.copy()
		after.follow(q, torque, next-c.Start, nil)
	}
	m.follow(q, torque, n, func(i int) {
		for k := range m.of.Heating {
			c.states.heat[k][i] = m.heat[k]
		}
		for k, widths := range m.of.Widths {
			for w, width := range widths {
				c.states.presliding[k*regressor.MaxWidths+w][i] = m.way[k][w] / width
			}
		}
	})
	return after
}

// following returns put preceded by filling in the run's states. It returns put itself if the terms have no states or
// the layout is not that of a fit.
func (s *Source) following(ctx context.Context, put func(*Chunk) error) (func(*Chunk) error, error) {
	if !s.Run.States.Any() || !s.Layout.position.present() || !s.Layout.torque.present() {
		return put, nil
	}
	m := newMemory(s.Run, s.Segment.DT)
	if s.Samples == nil && s.Segment.First > 0 {
		names := append(append([]string{}, s.Run.Roles.Q...), s.Run.Torques()...)
		n := len(s.Run.Roles.Q)
		err := s.Run.Log.Slice(0, s.Segment.First).Scan(names, scanRows, func(_ int, cols [][]float64) error {
			for i := range cols[0] {
				usable := true
				for _, x := range cols {
					usable = usable && !math.IsNaN(x[i]) && !math.IsInf(x[i], 0)
				}
				if usable {
					m.add(cols[:n], cols[n:], i)
				}
			}
			return ctx.Err()
		})
		if err != nil {
			return nil, err
		}
	}
	return func(c *Chunk) error {
		m = c.fill(m, max(0, c.Last-s.Plan.Overlap))
		return put(c)
	}, nil
}

// Supply adds to a batch, of as many of the chunk's first samples as it has positions, the inputs of terms other than
// motion and torques: time since the start of the run, temperatures and states.
func (c *Chunk) Supply(in *regressor.Batch, needs regressor.Need) {
	n := len(in.Q[0])
	if needs&regressor.NeedTime != 0 {
		c.states.time = grown(c.states.time, n)
		for i := range c.states.time {
			c.states.time[i] = max(0, c.Time(i)-c.Source.Segment.Began)
		}
		in.Time = c.states.time
	}
	if needs&regressor.NeedTemperature != 0 {
		if !c.Source.Layout.temperature.present() {
			panic("observation: the model has a term of temperature, and the run names no temperature channels")
		}
		in.Temperature = c.Source.Layout.temperature.of(c.Columns)
	}
	if needs&(regressor.NeedHeat|regressor.NeedPresliding) == 0 {
		return
	}
	if !c.Source.Run.States.Any() {
		panic("observation: the model has terms with states, and the run does not name them (regressor.StatesOf)")
	}
	if needs&regressor.NeedHeat != 0 {
		in.Heat = c.states.heat
	}
	if needs&regressor.NeedPresliding != 0 {
		in.Presliding = c.states.presliding
	}
}

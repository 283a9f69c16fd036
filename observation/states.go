package observation

import (
	"context"
	"math"

	"ident/regressor"
)

// Terms with memory, such as heat and presliding, follow the run from its first row on, in order. The reader of a
// segment evaluates them, from measured positions and torques, before its chunks are distributed to workers.

// rateSpan is the time constant, in seconds, of the velocities in a joint's power: noise of 0.1 mrad then becomes 2
// mrad/s.
const rateSpan = 0.05

// states holds the states at the samples of a chunk.
type states struct {
	buffer           matrix
	heat, presliding [][]float64
	time             []float64
}

// memory is the state of a run at one sample.
type memory struct {
	of     *regressor.States
	gains  []float64
	dt     float64
	warm   bool      // there is a sample before
	last   []float64 // positions
	behind []float64 // positions that lag by rateSpan
	heat   []float64
	way    [][]float64 // of presliding: -w … w
}

func newMemory(run *Run, dt float64) *memory {
	n := len(run.Roles.Q)
	m := &memory{of: &run.States, gains: run.Gains, dt: dt, last: make([]float64, n), behind: make([]float64, n), heat: make([]float64, n)}
	for k := range m.of.Widths {
		m.way = append(m.way, make([]float64, len(m.of.Widths[k])))
	}
	return m
}

// copy returns an independent copy.
func (m *memory) copy() *memory {
	c := *m
	c.last, c.behind, c.heat, c.way = append([]float64{}, m.last...), append([]float64{}, m.behind...), append([]float64{}, m.heat...), nil
	for _, w := range m.way {
		c.way = append(c.way, append([]float64{}, w...))
	}
	return &c
}

// step advances to sample i of the positions and of the torques or currents.
func (m *memory) step(q, torque [][]float64, i int) {
	if !m.warm {
		for k := range q {
			m.last[k], m.behind[k] = q[k][i], q[k][i]
		}
		m.warm = true
		return
	}
	for k, time := range m.of.Heating {
		if time == 0 {
			continue
		}
		rate := (q[k][i] - m.behind[k]) / rateSpan
		m.behind[k] += (q[k][i] - m.behind[k]) * -math.Expm1(-m.dt/rateSpan)
		tau := torque[k][i]
		if m.gains != nil {
			tau *= m.gains[k]
		}
		m.heat[k] += (math.Abs(tau*rate) - m.heat[k]) * -math.Expm1(-m.dt/time)
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
	for i := range n {
		if c.Start+i == next {
			after = m.copy()
		}
		m.step(q, torque, i)
		for k := range m.of.Heating {
			c.states.heat[k][i] = m.heat[k]
		}
		for k, widths := range m.of.Widths {
			for w, width := range widths {
				c.states.presliding[k*regressor.MaxWidths+w][i] = m.way[k][w] / width
			}
		}
	}
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
					m.step(cols[:n], cols[n:], i)
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
			panic("observation: a term of temperature, and a run whose channels of it are not named")
		}
		in.Temperature = c.Source.Layout.temperature.of(c.Columns)
	}
	if needs&(regressor.NeedHeat|regressor.NeedPresliding) == 0 {
		return
	}
	if !c.Source.Run.States.Any() {
		panic("observation: terms with states, and a run that does not name them (regressor.StatesOf)")
	}
	if needs&regressor.NeedHeat != 0 {
		in.Heat = c.states.heat
	}
	if needs&regressor.NeedPresliding != 0 {
		in.Presliding = c.states.presliding
	}
}

package flexible

import (
	"context"
	"fmt"
)

// Run describes a motion that Simulate integrates: the state at its begin, the clock and the torques.
type Run struct {
	Z, DZ []float64 // coordinates and their rates at the beginning
	Rate  float64   // rows per second
	Rows  int
	// Torques of the joints; smooth between rows. Nil is none.
	Torques func(t float64, z, dz, torques []float64)
	// Tolerance of a step, as a share of the largest values so far; 0 is 1e-10.
	Tolerance float64
}

// Row is a sample; its slices are those of the next one too.
type Row struct {
	Time                float64
	Z, DZ, DDZ, Torques []float64
}

// Simulate integrates the exact variant and hands on every row.
func (a *Arm) Simulate(ctx context.Context, run Run, visit func(Row) error) error {
	n := a.size
	if len(run.Z) != n || len(run.DZ) != n {
		return fmt.Errorf("the start of a flexible arm has %d positions and %d velocities, and the arm %d coordinates", len(run.Z), len(run.DZ), n)
	}
	if !(run.Rate > 0) || run.Rows < 1 {
		return fmt.Errorf("a run of %d rows at %.4g Hz", run.Rows, run.Rate)
	}
	if run.Tolerance == 0 {
		run.Tolerance = 1e-10
	}
	w := a.NewWork()
	torques := make([]float64, a.Joints())
	motion := func(t float64, y, dy []float64) error {
		clear(torques)
		if run.Torques != nil {
			run.Torques(t, y[:n], y[n:], torques)
		}
		copy(dy, y[n:])
		if err := w.ForwardDynamics(dy[n:], y[:n], y[n:], torques); err != nil {
			return fmt.Errorf("at %.6g s: %w", t, err)
		}
		return nil
	}
	x := newExtrapolation(2*n, run.Tolerance, motion)
	y, dy := append(append([]float64{}, run.Z...), run.DZ...), make([]float64, 2*n)
	for i := range run.Rows {
		t := float64(i) / run.Rate
		if i > 0 {
			if err := x.to(ctx, float64(i-1)/run.Rate, t, y); err != nil {
				return err
			}
		}
		if err := motion(t, y, dy); err != nil {
			return err
		}
		if err := visit(Row{Time: t, Z: y[:n], DZ: y[n:], DDZ: dy[n:], Torques: torques}); err != nil {
			return err
		}
	}
	return nil
}

// Gauge measures strain at the surface of a link.
type Gauge struct {
	Name   string
	Link   int
	ByMode []float64 // strain at unit amplitude, by mode of the link; Beam.Strain gives it
}

// Strain is that along x at the point (x, y, z) of the beam's surface by unit amplitude of each mode: −y·∂²v/∂x² − z·∂²w/∂x² for
// deflections v along y and w along z.
func (b Beam) Strain(x, y, z float64) []float64 {
	out := make([]float64, len(b.Modes))
	for k, m := range b.Modes {
		rates, _ := m.at(x, b.Length)
		out[k] = -y*rates[2] + z*rates[1]
	}
	return out
}

// Recording is a simulated run: columns with their names and units.
type Recording struct {
	Names, Units []string
	Columns      [][]float64
	Beyond       string // where deflections leave small angles, "" if they do not
}

// Record simulates a run as a recording: t in s, for each joint j from 1 qj, dqj and tauj, for each link that bends the deflection of
// its tip along y and z, tipj_y and tipj_z in m, and a column for each gauge.
func (a *Arm) Record(ctx context.Context, run Run, gauges []Gauge) (*Recording, error) {
	out := new(Recording)
	add := func(unit, name string, of ...any) {
		out.Names, out.Units = append(out.Names, fmt.Sprintf(name, of...)), append(out.Units, unit)
	}
	add("s", "t")
	for j := range a.links {
		add("rad", "q%d", j+1)
		add("rad/s", "dq%d", j+1)
		add("N.m", "tau%d", j+1)
		if len(a.links[j].First) > 0 {
			add("m", "tip%d_y", j+1)
			add("m", "tip%d_z", j+1)
		}
	}
	for _, g := range gauges {
		if g.Link < 0 || g.Link >= len(a.links) || len(g.ByMode) != a.Modes(g.Link) {
			return nil, fmt.Errorf("gauge %s: %d modes of link %d", g.Name, len(g.ByMode), g.Link+1)
		}
		add("", "%s", g.Name)
	}
	out.Columns = make([][]float64, len(out.Names))
	worst := 0.0
	err := a.Simulate(ctx, run, func(r Row) error {
		i := 0
		put := func(v float64) { out.Columns[i] = append(out.Columns[i], v); i++ }
		put(r.Time)
		for j := range a.links {
			at := a.at[j]
			put(r.Z[at])
			put(r.DZ[at])
			put(r.Torques[j])
			if len(a.links[j].First) > 0 {
				var y, z float64
				for k, t := range a.links[j].Tip {
					y, z = y+r.Z[at+1+k]*t[1], z+r.Z[at+1+k]*t[2]
				}
				put(y)
				put(z)
			}
		}
		for _, g := range gauges {
			sum := 0.0
			for k, s := range g.ByMode {
				sum += s * r.Z[a.at[g.Link]+1+k]
			}
			put(sum)
		}
		if link, angle := a.Beyond(r.Z); angle > worst {
			worst = angle
			out.Beyond = fmt.Sprintf("the tip of link %s turns by %.2g rad at %.4g s: the model is one of small deflections, up to %g rad, without the stiffening of fast rotations", link, angle, r.Time, smallAngle)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

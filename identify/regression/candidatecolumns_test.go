package regression

import (
	"math"
	"slices"
	"testing"

	"ident/filter"
	"ident/identify/regression/internal/frictionterms"
	"ident/observation"
	"ident/regressor"
)

// candidatesOf returns all candidates of a robot with so many joints: every kind of torque column of each joint, one of a neighbour.
func candidatesOf(joints int, estimate []float64) Candidates {
	c := Candidates{Friction: true, Laws: []regressor.Term{regressor.Quadratic}, Coupled: true, Estimate: estimate}
	for k := range joints {
		for _, kind := range regressor.TorqueKinds() {
			c.Torque = append(c.Torque, regressor.TorqueColumn{Kind: kind, Joint: k, Of: k})
		}
		c.Torque = append(c.Torque, regressor.TorqueColumn{Kind: regressor.Scaled, Joint: k, Of: (k + 1) % joints})
	}
	return c
}

// directly returns the normal matrix of each joint's rows, with the measured torque last, from columns that are written down here.
func directly(t *testing.T, runs []Run, cfg Config, c Candidates) [][][]float64 {
	t.Helper()
	r := arm(3)
	e, _, err := begin(t.Context(), r, regressor.DefaultTerms(), runs, nil, cfg)
	if err != nil {
		t.Fatal(err)
	}
	sources, err := e.trainingSources(0)
	if err != nil {
		t.Fatal(err)
	}
	observer := e.observer()
	out := make([][][]float64, 3)
	err = observation.Pass(t.Context(), sources, 1, func(_ int, chunk *observation.Chunk) (bool, error) {
		v, err := observer.Observe(chunk)
		if err != nil {
			t.Fatal(err)
		}
		source := chunk.Source
		span := e.span(source.Segment.Run)
		n := len(v.Torque[0])
		predicted := make([][]float64, 3) // before the rows are filtered in place
		for k := range predicted {
			predicted[k] = make([]float64, n)
			for i, col := range e.model.Mask(k) {
				for s, y := range v.Regressor.Joint[k][i] {
					predicted[k][s] += c.Estimate[col] * y
				}
			}
		}
		for k := range v.Torque {
			var further [][]float64
			add := func(at func(i int) float64) {
				col := make([]float64, n)
				for i := range col {
					col[i] = at(i)
				}
				further = append(further, col)
			}
			rate := v.Motion.DQ[k]
			add(func(i int) float64 { return max(rate[i], 0) })
			for s := range frictionterms.OfferedSpeeds {
				speed := frictionterms.OfferedSpeed(s)
				add(func(i int) float64 { return math.Copysign(math.Exp(-rate[i]*rate[i]/speed/speed), rate[i]) })
			}
			add(func(i int) float64 { return rate[i] * math.Abs(rate[i]) })
			for _, o := range []int{k - 1, k + 1} {
				if o >= 0 && o < 3 {
					add(func(i int) float64 { return v.Motion.DQ[o][i] })
					add(func(i int) float64 { return v.Motion.DDQ[o][i] })
					add(func(i int) float64 { return math.Copysign(1, v.Motion.DQ[o][i]) })
				}
			}
			dt := source.Segment.DT
			tau, slopes, bends := predicted[k], make([]float64, n), make([]float64, n)
			filter.Differentiate4(slopes, tau, dt)
			filter.Differentiate4(bends, slopes, dt)
			at := func(i int) float64 { return v.Chunk.Time(i) - (span[0]+span[1])/2 }
			add(func(i int) float64 { return tau[i] })
			add(func(i int) float64 { return math.Abs(tau[i]) * math.Copysign(1, rate[i]) })
			add(func(i int) float64 { return at(i) * tau[i] })
			add(func(i int) float64 { return slopes[i] })
			add(func(i int) float64 { return at(i) * slopes[i] })
			add(func(i int) float64 { return bends[i] })
			add(func(i int) float64 { return math.Max(tau[i], 0) })
			add(func(i int) float64 { return math.Abs(tau[i]) })
			add(func(i int) float64 { return tau[i] * tau[i] * tau[i] })
			add(func(i int) float64 { return predicted[(k+1)%3][i] })
			rows := v.Extended(k, further, v.Extent)
			if out[k] == nil {
				out[k] = table(len(rows.Columns), len(rows.Columns))
			}
			for a, x := range rows.Columns {
				for b, y := range rows.Columns {
					for i := rows.Lo; i < rows.Hi; i++ {
						out[k][a][b] += x[i] * y[i]
					}
				}
			}
		}
		return true, nil
	}, func(bool) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func candidateRuns(t testing.TB) []Run {
	a, b := noisy(t, arm(3), 100, 7, true), noisy(t, arm(3), 80, 6, true)
	a.Name, b.Name = "a", "b"
	return []Run{a, b}
}

func TestCandidatesDirectly(t *testing.T) {
	runs := candidateRuns(t)
	cfg := Config{Path: observation.Path{Cutoff: 5, MotionCutoff: 20}, Rest: RestKeep, KeepRows: KeepAll, Plain: true}
	plain, err := Reduce(t.Context(), arm(3), regressor.DefaultTerms(), runs, cfg, Candidates{})
	if err != nil {
		t.Fatal(err)
	}
	sol, err := plain.Rows.Solve("wls", false)
	if err != nil {
		t.Fatal(err)
	}
	c := candidatesOf(3, sol.X)
	f, err := Reduce(t.Context(), arm(3), regressor.DefaultTerms(), runs, cfg, c)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Names) != f.Rows.Columns() {
		t.Fatalf("%d names of %d columns", len(f.Names), f.Rows.Columns())
	}
	for i, name := range f.Names {
		if slices.Index(f.Names, name) != i {
			t.Fatalf("two columns have the name %s", name)
		}
	}
	want := directly(t, runs, cfg, c)
	for k, mask := range f.Rows.Masks() {
		n := len(mask)
		if n+1 != len(want[k]) {
			t.Fatalf("joint %d has %d columns, want %d", k+1, n, len(want[k])-1)
		}
		got := table(n+1, n+1)
		for _, b := range f.Rows.Blocks() {
			j := b.Joints[k]
			for a := range n {
				for c := range n {
					for i := range min(a, c) + 1 {
						got[a][c] += j.R[i*n+a] * j.R[i*n+c]
					}
				}
				for i := range a + 1 {
					got[a][n] += j.R[i*n+a] * j.Z[i]
				}
			}
			got[n][n] += j.YY
		}
		for a := range n {
			got[n][a] = got[a][n]
		}
		for a := range n + 1 {
			for b := range n + 1 {
				if scale := math.Sqrt(want[k][a][a] * want[k][b][b]); math.Abs(got[a][b]-want[k][a][b]) > 1e-8*scale {
					name := func(i int) string {
						if i == n {
							return "torque"
						}
						return f.Names[mask[i]]
					}
					t.Errorf("joint %d: %s with %s is %g, want %g", k+1, name(a), name(b), got[a][b], want[k][a][b])
				}
			}
		}
	}
}

func TestCandidatesSameBits(t *testing.T) {
	runs := candidateRuns(t)
	var first *Factors
	for _, workers := range []int{1, 2, 8} {
		cfg := Config{Path: observation.Path{Cutoff: 5}, Workers: workers, chunk: 100}
		if first == nil {
			plain, err := Reduce(t.Context(), arm(3), regressor.DefaultTerms(), runs, cfg, Candidates{})
			if err != nil {
				t.Fatal(err)
			}
			first = plain
		}
		x := make([]float64, first.Set.Count())
		for i := range x {
			x[i] = 0.1 * float64(i+1)
		}
		f, err := Reduce(t.Context(), arm(3), regressor.DefaultTerms(), runs, cfg, candidatesOf(3, x))
		if err != nil {
			t.Fatal(err)
		}
		if workers == 1 {
			first = f
			continue
		}
		for i, b := range f.Rows.Blocks() {
			for k, j := range b.Joints {
				if o := first.Rows.Blocks()[i].Joints[k]; !slices.Equal(j.R, o.R) || !slices.Equal(j.Z, o.Z) || j.RSS != o.RSS || j.Rows != o.Rows {
					t.Fatalf("%d workers: block %d of joint %d differs", workers, i, k+1)
				}
			}
		}
		if len(f.Rows.Blocks()) != len(first.Rows.Blocks()) {
			t.Fatalf("%d workers: %d blocks, not %d", workers, len(f.Rows.Blocks()), len(first.Rows.Blocks()))
		}
	}
}

// A torque that comes late, and friction that grows with the load, are the parameters of their columns.
func TestCandidatesFindEffects(t *testing.T) {
	const late, growing = 0.005, 0.08 // the delay is one sample: a step of dry friction between samples would have another
	r, x := arm(3), newTrajectory(3, 1, 0.1)
	at := steady(200, 12)
	rec := simulate(t, r, x, at)
	before := make([]float64, len(at))
	for i, s := range at {
		before[i] = s - late
	}
	delayed := simulate(t, r, x, before)
	for i := range at {
		rec.tau[0][i] = delayed.tau[0][i]
		rec.tau[1][i] += growing * math.Abs(rec.tau[1][i]) * signAt(rec.dq[1][i])
	}
	cfg := Config{Path: observation.Path{Cutoff: 8, Velocity: "measured", Acceleration: "measured", MotionCutoff: NoFilter}}
	sound := simulate(t, r, x, at).run("sound")
	plain, err := Reduce(t.Context(), r, regressor.DefaultTerms(), []Run{sound}, cfg, Candidates{})
	if err != nil {
		t.Fatal(err)
	}
	sol, err := plain.Rows.Solve("wls", false)
	if err != nil {
		t.Fatal(err)
	}
	f, err := Reduce(t.Context(), r, regressor.DefaultTerms(), []Run{rec.run("faults")}, cfg, Candidates{Estimate: sol.X,
		Torque: []regressor.TorqueColumn{{Kind: regressor.Late}, {Kind: regressor.LoadedSlip, Joint: 1, Of: 1}}})
	if err != nil {
		t.Fatal(err)
	}
	n := f.Set.Count()
	whole, err := f.Rows.Solve("wls", false)
	if err != nil {
		t.Fatal(err)
	}
	// The delay to second order is late²/2 of τ̂″, a hundredth of it.
	if d := whole.X[n]; math.Abs(d+late) > 0.02*late {
		t.Errorf("the delay is %.3g s, want %g", -d, late)
	}
	if g := whole.X[n+1]; math.Abs(g-growing) > 1e-3 {
		t.Errorf("friction grows by %.3g of the load, want %g", g, growing)
	}
}

// The columns of a chunk are computed in the memory of the one before.
func TestCandidatesAllocateNothing(t *testing.T) {
	r, runs := arm(3), candidateRuns(t)
	e, set, err := begin(t.Context(), r, regressor.DefaultTerms(), runs, nil, Config{Path: observation.Path{Cutoff: 5}})
	if err != nil {
		t.Fatal(err)
	}
	c := candidatesOf(3, make([]float64, set.Count()))
	f, err := e.frictionColumns(r, c.Laws)
	if err != nil {
		t.Fatal(err)
	}
	w := &wide{model: set.Count(), friction: &f, beside: neighbours(3), torque: c.Torque, estimate: c.Estimate}
	sources, err := e.trainingSources(0)
	if err != nil {
		t.Fatal(err)
	}
	observer, m := e.observer(), new(wideWork)
	if err := observation.Pass(t.Context(), sources, 1, func(_ int, chunk *observation.Chunk) (bool, error) {
		v, err := observer.Observe(chunk)
		if err != nil {
			return false, err
		}
		if a := testing.AllocsPerRun(5, func() {
			if err := m.begin(w, &v, e.span(chunk.Source.Segment.Run)); err != nil {
				t.Fatal(err)
			}
			for k := range v.Torque {
				m.of(w, &v, k)
			}
		}); a > 0 {
			t.Errorf("%g allocations for the columns of a chunk of %d samples", a, len(v.Torque[0]))
		}
		return true, nil
	}, func(bool) error { return nil }); err != nil {
		t.Fatal(err)
	}
}

func TestCandidatesRefused(t *testing.T) {
	runs := candidateRuns(t)
	for name, c := range map[string]Candidates{
		"no estimate": {Torque: []regressor.TorqueColumn{{}}},
		"no joint":    {Torque: []regressor.TorqueColumn{{Joint: 3}}, Estimate: make([]float64, 24)},
		"no law":      {Friction: true, Laws: []regressor.Term{regressor.Links}},
	} {
		if _, err := Reduce(t.Context(), arm(3), regressor.DefaultTerms(), runs, Config{}, c); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	if _, err := Reduce(t.Context(), arm(3), regressor.DefaultTerms(), runs, Config{Model: Energy}, Candidates{}); err == nil {
		t.Error("energy: accepted")
	}
}

// BenchmarkReduceCandidates is the pass of a fit with all candidates, on one core.
func BenchmarkReduceCandidates(b *testing.B) {
	r := arm(7)
	run := simulate(b, r, newTrajectory(7, 1, 0.1), steady(500, 20)).run("bench")
	cfg := Config{Path: observation.Path{Cutoff: 10, MotionCutoff: 20}, Workers: 1}
	plain, err := Reduce(b.Context(), r, regressor.DefaultTerms(), []Run{run}, cfg, Candidates{})
	if err != nil {
		b.Fatal(err)
	}
	for name, c := range map[string]Candidates{"none": {}, "friction": {Friction: true}, "coupled": {Coupled: true}, "all": candidatesOf(7, make([]float64, plain.Set.Count()))} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Reduce(b.Context(), r, regressor.DefaultTerms(), []Run{run}, cfg, c); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

package mjcf_test

import (
	"bytes"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"ident/internal/mujocotest"
	"ident/robot"
	"ident/robot/format"
	"ident/robot/format/mjcf"
	"ident/simulate/plant"
)

// The robots of the reference data, with bodies that can be, rotors and viscous friction, moved by the same torques from the same state, are after
// half a second where MuJoCo has them. Torques are held for 25 ms each: those of a smooth motion at its middle, so that the arms stay near it.
//
// MuJoCo's steps are of fourth order: with rates λ of the motion of at most 60 1/s (damping by inertia, and the square root of gravity by
// length are below that) one of 0.25 ms leaves (λh)⁵/120 = 6e-12 of the state, and 2,000 of them 1e-8 at most where nothing of it decays.
func TestMuJoCoForward(t *testing.T) {
	dir := os.Getenv("IDENT_DATA")
	var paths []string
	for _, pattern := range []string{"data/*/model/*.urdf", "cases/par_samples/*.par"} {
		found, _ := filepath.Glob(filepath.Join(dir, pattern))
		paths = append(paths, found...)
	}
	if dir == "" || len(paths) < 10 {
		t.Skip("IDENT_DATA names no folder with reference robots")
	}
	const hold, holds, step = 0.025, 20, 0.25e-3
	rng := rand.New(rand.NewPCG(21, 9))
	var questions []mujocotest.Question
	var names []string
	var want [][]mujocotest.State
	for _, path := range paths {
		name := filepath.Base(path)
		r, err := openWithSymbols(rng, path)
		if err != nil || len(r.Loops) > 0 || len(r.Mimics) > 0 || len(r.Drives) > 0 {
			continue
		}
		for i := range r.Links {
			l := &r.Links[i]
			if !l.Massless {
				l.Own = possibleBody(rng)
				l.Inertial, l.HasInertial = l.Own, true
				for _, m := range r.Lumped {
					if m.Into == i && m.HasInertial {
						l.Inertial = l.Inertial.Add(m.Inertial)
					}
				}
			}
			l.Joint.Ia, l.Joint.Fv, l.Joint.Fs = 0.1+rng.Float64(), rng.Float64(), 0
		}
		var b bytes.Buffer
		if err := mjcf.Write(&b, r); err != nil {
			t.Logf("%s: %v", name, err)
			continue
		}
		back, err := format.Read(b.Bytes(), "mjcf", name, robot.ReadOptions{NoSnap: true})
		if err != nil {
			t.Fatal(err)
		}
		p, err := plant.New(r, plant.Options{Tolerance: 1e-12})
		if err != nil {
			t.Fatal(err)
		}
		order := places(r, back)
		n := len(order)
		phase, speed := make([]float64, n), make([]float64, n)
		for k := range n {
			phase[k], speed[k] = 6*rng.Float64(), 2+3*rng.Float64()
		}
		planned := func(at float64) mujocotest.State {
			s := mujocotest.State{}
			for k := range n {
				sin, cos := math.Sincos(speed[k]*at + phase[k])
				s.Q, s.DQ, s.DDQ = append(s.Q, 0.5*sin), append(s.DQ, 0.5*speed[k]*cos), append(s.DDQ, -0.5*speed[k]*speed[k]*sin)
			}
			return s
		}
		start := planned(0)
		replay := &mujocotest.Replay{Q: pick(start.Q, order), DQ: pick(start.DQ, order), Step: step, Steps: int(math.Round(hold / step))}
		m := p.Start(0, start.Q, start.DQ)
		var path []mujocotest.State
		for k := range holds {
			tau := torques(t, r, planned(hold*(float64(k)+0.5)))
			replay.Torques = append(replay.Torques, pick(tau, order))
			if err := m.Advance(t.Context(), hold*float64(k+1), plant.Constant(tau)); err != nil {
				t.Fatal(err)
			}
			path = append(path, mujocotest.State{Q: pick(m.Q(), order), DQ: pick(m.DQ(), order)})
		}
		questions, names, want = append(questions, mujocotest.Question{Model: b.String(), Replay: replay}), append(names, name), append(want, path)
	}
	if len(questions) < 10 {
		t.Fatalf("%d robots", len(questions))
	}
	worstQ, worstDQ, moved := 0.0, 0.0, 0.0
	for i, a := range mujocotest.Inverse(t, questions) {
		if a.Error != "" || len(a.Path) != holds {
			t.Errorf("%s: MuJoCo: %s, %d states", names[i], a.Error, len(a.Path))
			continue
		}
		q, dq := 0.0, 0.0
		for s, got := range a.Path {
			for k := range got.Q {
				q, dq = max(q, abs(got.Q[k]-want[i][s].Q[k])), max(dq, abs(got.DQ[k]-want[i][s].DQ[k]))
				moved = max(moved, abs(got.Q[k]-questions[i].Replay.Q[k]))
			}
		}
		if !(q <= 1e-8 && dq <= 1e-6) {
			t.Errorf("%s: positions differ by %.2g, rates by %.2g", names[i], q, dq)
		}
		worstQ, worstDQ = max(worstQ, q), max(worstDQ, dq)
	}
	t.Logf("%d robots over %g s, which move by up to %.2g rad or m: positions agree to %.1e, rates to %.1e", len(questions), hold*holds, moved, worstQ, worstDQ)
}

package simulate

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ident/internal/testrobot"
	"ident/mechanics/dynamics"
	"ident/robot"
)

// columns64 compares columns at once, and not value by value.
var columns64 = cmp.FilterValues(func(a, b []float64) bool { return len(a)+len(b) > 0 }, cmp.Comparer(slices.Equal[[]float64]))

// A record in blocks is the record in one piece, noise and lags and all, and a
// block does not depend on the length of the record.
func TestBlocksAreTheRecord(t *testing.T) {
	opt := Options{Rate: 2000, Seed: 5, VelocityLag: 2e-4, TorqueLag: 0.0013, Encoder: []float64{1e-4},
		Noise: Noise{Position: []float64{1e-4}, Velocity: []float64{1e-3, 2e-3, 0}, Torque: []float64{0.1, 0.2, 0.3}}}
	whole := run(t, opt)
	if len(whole.T) < 3*blockRows {
		t.Fatalf("%d samples are too few to cross blocks of %d", len(whole.T), blockRows)
	}
	x, err := New(arm(), wave(3), opt)
	if err != nil {
		t.Fatal(err)
	}
	if outline := x.Outline(); len(outline.T) != 0 || !cmp.Equal(outline.Joints, whole.Joints) || x.Samples() != len(whole.T) {
		t.Errorf("outline %v of %d samples", outline.Joints, x.Samples())
	}
	at := 0
	err = x.Blocks(t.Context(), func(e *Record) error {
		if d := cmp.Diff(whole.slice(at, at+len(e.T)), e, cmpopts.IgnoreUnexported(Record{}), cmpopts.EquateEmpty(), columns64); d != "" {
			t.Fatalf("from sample %d: %s", at, d)
		}
		at += len(e.T)
		return nil
	})
	if err != nil || at != len(whole.T) {
		t.Errorf("%d samples of %d, %v", at, len(whole.T), err)
	}
	opt.Duration = 0.7
	short := run(t, opt)
	if d := cmp.Diff(whole.slice(0, len(short.T)).Measured, short.Measured, columns64); d != "" {
		t.Errorf("a shorter record begins otherwise: %s", d)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := 0
	if err := x.Blocks(ctx, func(*Record) error { done++; cancel(); return nil }); !errors.Is(err, context.Canceled) || done != 1 {
		t.Errorf("%v after %d blocks, the first of which ended the context", err, done)
	}
	if _, err := Run(ctx, arm(), wave(3), opt); !errors.Is(err, context.Canceled) {
		t.Errorf("a run with a context that is done: %v", err)
	}
	broken := errors.New("the disk is full")
	visits := 0
	if err := x.Blocks(t.Context(), func(*Record) error { visits++; return broken }); !errors.Is(err, broken) || visits != 1 {
		t.Errorf("%v after %d visits", err, visits)
	}
}

// The compiled torques against the numeric recursion of package dynamics, which
// shares no code with it, rotors and a mimic joint included.
func TestCompiledTorquesAreNewtonEulers(t *testing.T) {
	for seed := range uint64(20) {
		r := testrobot.Random(rand.New(rand.NewPCG(seed, 3)), 6, true)
		if moving := r.Moving(); len(moving) > 1 && seed%2 == 1 {
			r.Mimics = []robot.Mimic{{Joint: moving[len(moving)-1], Of: moving[0], Multiplier: -1.7, Offset: 0.4}}
		}
		for j := range r.Links {
			n := &r.Links[j].Joint
			n.Fv, n.Fs, n.Fo = 0, 0, 0
			if n.Kind != robot.Fixed {
				n.Ia = 0.3 + float64(j)
			}
		}
		tree, err := dynamics.New(r)
		if err != nil {
			t.Fatal(err)
		}
		e, err := Run(t.Context(), r, wave(tree.DOF()), Options{Rate: 37})
		if err != nil {
			t.Fatal(err)
		}
		n := tree.DOF()
		s, tau := newSample(n), make([]float64, n)
		for k := range e.T {
			for i := range n {
				s.q[i], s.dq[i], s.ddq[i] = e.Exact.Q[i][k], e.Exact.DQ[i][k], e.Exact.DDQ[i][k]
			}
			tree.InverseDynamics(tau, s.q, s.dq, s.ddq)
			for i, want := range tau {
				// Some 10³ roundings of torques of some 10² N·m: 1e-11.
				if got := e.Exact.Tau[i][k]; math.Abs(got-want) > 1e-11*(100+math.Abs(want)) {
					t.Fatalf("robot %d, joint %d, sample %d: %g, by Newton and Euler %g", seed, i+1, k, got, want)
				}
			}
		}
	}
}

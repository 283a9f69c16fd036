package causes_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"ident/baseparams"
	"ident/doctor/causes"
	draws "ident/internal/long"
	"ident/regressor"
	"ident/robot"
)

// knownOf returns what a result would know of a robot: its base parameters to one per cent.
func knownOf(t *testing.T, r *robot.Robot) *causes.Known {
	set, err := baseparams.NullSpace(r, regressor.DefaultTerms(), baseparams.Options{})
	if err != nil {
		t.Fatal(err)
	}
	chi := make([]float64, len(set.Columns))
	for i, c := range set.Columns {
		chi[i], _ = regressor.ValueOf(r, c)
	}
	k := &causes.Known{Columns: set.Columns, Values: set.FromStandard(chi)}
	for i, c := range set.Base {
		of, row := make([]float64, len(set.Columns)), make([]float64, set.Count())
		of[c], row[i] = 1, math.Pow(0.01*k.Values[i], 2)+1e-8
		for d, x := range set.Beta[i] {
			of[set.Dependent[d]] = x
		}
		k.Of, k.Covariance = append(k.Of, of), append(k.Covariance, row)
	}
	return k
}

// Beside the bodies of a result a load of the whole log, which a free fit takes for a part of the robot, is found with its mass; a zero has
// more evidence; and neither a sound log nor one with another friction has a cause.
func TestKnown(t *testing.T) {
	for seed := range uint64(draws.Of(20, 1)) {
		rng := rand.New(rand.NewPCG(seed, 59))
		r, _ := swing(t, 0)
		for i := range r.Links {
			for p := range r.Links[i].Inertial {
				r.Links[i].Inertial[p] *= 0.7 + 0.6*rng.Float64()
			}
		}
		known := knownOf(t, r)
		judged := func(l causes.Log, k *causes.Known) *causes.Report {
			rep, err := causes.Judge(context.Background(), r, []causes.Log{l}, causes.Options{Gravity: r.Gravity, Known: k})
			if err != nil {
				t.Fatal(err)
			}
			return rep
		}
		if rep := judged(swung(t, r, 0, 100+seed), known); rep.Named {
			t.Errorf("%d: a sound log: %+v", seed, rep.Causes[0])
		}
		other := swung(t, r, 0, 200+seed)
		for j, q := range other.Segments[0].Q {
			for k := range q {
				if k > 0 {
					other.Segments[0].Effort[j][k] += 0.3 * (q[k] - q[k-1]) / other.Interval
				}
			}
		}
		if rep := judged(other, known); rep.Named {
			t.Errorf("%d: another friction: %+v", seed, rep.Causes[0])
		}
		carries := r.Clone()
		mass := 0.3 + 0.4*rng.Float64()
		tip := &carries.Links[1].Inertial
		tip[robot.M] += mass
		tip[robot.MX] += 0.4 * mass
		tip[robot.YY] += 0.16 * mass
		tip[robot.ZZ] += 0.16 * mass
		l := swung(t, carries, 0, 300+seed)
		if rep := judged(l, known); !rep.Named || rep.Causes[0].Kind != causes.PayloadOfLog || !(math.Abs(rep.Causes[0].Length/mass-1) < 0.2) {
			t.Errorf("%d: a load of %.3f kg: %v %+v", seed, mass, rep.Named, rep.Causes[:min(len(rep.Causes), 3)])
		}
		if rep := judged(l, nil); rep.Named {
			t.Errorf("%d: a load of the whole log, without a result: %+v", seed, rep.Causes[0])
		}
		off := swung(t, r, 0, 400+seed)
		for k := range off.Segments[0].Q[1] {
			off.Segments[0].Q[1][k] += 0.2
		}
		of := func(rep *causes.Report) float64 {
			for _, c := range rep.Causes {
				if c.Kind == causes.Zero {
					return c.Nats
				}
			}
			return math.Inf(-1)
		}
		if free, fixed := of(judged(off, nil)), of(judged(off, known)); !(fixed > free+5) {
			t.Errorf("%d: a zero has %.1f nats beside a result, %.1f without", seed, fixed, free)
		}
	}
}

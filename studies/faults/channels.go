package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"

	"ident/doctor"
	"ident/robot"
	"ident/studies/records"
)

// transform makes another kind of channel of all joints; it returns false where a robot cannot have it.
type transform struct {
	quantity, kind string
	make           func(d *run, rng *rand.Rand) bool
}

// transforms returns the kinds of channel, eight of torques and eight of positions.
func transforms() []transform {
	fault := func(name string) func(d *run, rng *rand.Rand) bool {
		ks := kinds()
		return ks[slices.IndexFunc(ks, func(k kind) bool { return k.name == name })].make
	}
	factors := func(of func(d *run, j int, rng *rand.Rand) float64) func(d *run, rng *rand.Rand) bool {
		return func(d *run, rng *rand.Rand) bool {
			for j := range d.tau {
				by := of(d, j, rng)
				d.tau[j] = mapped(d.tau[j], func(v float64) float64 { return v * by })
			}
			return true
		}
	}
	unit := func(by float64, of func(v float64) float64) func(d *run, rng *rand.Rand) bool {
		return func(d *run, rng *rand.Rand) bool {
			for j := range d.q {
				if d.robot.Links[d.robot.Moving()[j]].Joint.Kind == robot.Prismatic {
					continue
				}
				d.q[j] = mapped(d.q[j], func(v float64) float64 { return of(by * v) })
				for k := range d.dq[j] {
					d.dq[j][k] *= by
				}
			}
			return true
		}
	}
	same := func(v float64) float64 { return v }
	ahead := func(by float64) func(d *run, rng *rand.Rand) bool {
		return func(d *run, rng *rand.Rand) bool {
			for j := range d.tau {
				d.tau[j] = late(d, d.tau[j], by)
			}
			return true
		}
	}
	return []transform{
		{"torque", doctor.KindJoint, func(d *run, rng *rand.Rand) bool { return true }},
		{"torque", doctor.KindGravityCompensated, fault("gravity-compensated")},
		{"torque", doctor.KindFrictionCompensated, fault("friction-compensated")},
		{"torque", doctor.KindExternal, fault("external only")},
		{"torque", doctor.KindCommanded, ahead(-0.05)},
		{"torque", doctor.KindCurrent, factors(func(d *run, j int, rng *rand.Rand) float64 { return math.Exp(-1.5 - 1.5*rng.Float64()) })},
		{"torque", doctor.KindPercent, func(d *run, rng *rand.Rand) bool {
			for j := range d.tau {
				rated := 2.5 * most(d.tau[j]) * math.Exp(0.3*rng.NormFloat64())
				d.robot.Links[d.robot.Moving()[j]].Joint.Effort = rated
				d.tau[j] = mapped(d.tau[j], func(v float64) float64 { return 100 * v / rated })
			}
			return true
		}},
		{"torque", doctor.KindMotorSide, factors(func(d *run, j int, rng *rand.Rand) float64 { return 1 / (50 + 110*rng.Float64()) })},
		{"position", doctor.KindDegrees, unit(180/math.Pi, same)},
		{"position", doctor.KindTurns, unit(0.5/math.Pi, same)},
		{"position", doctor.KindCounts, unit(4096/2/math.Pi, math.Round)},
		{"position", doctor.KindNormalised, func(d *run, rng *rand.Rand) bool {
			for j := range d.q {
				at := &d.robot.Links[d.robot.Moving()[j]].Joint
				if at.Kind == robot.Prismatic {
					return false
				}
				if at.Continuous || !(at.Upper > at.Lower) || at.Upper-at.Lower > 50 {
					at.Continuous, at.Lower, at.Upper = false, -math.Pi, math.Pi
				}
				by := 200 / (at.Upper - at.Lower)
				d.q[j] = mapped(d.q[j], func(v float64) float64 { return by * (v - (at.Lower+at.Upper)/2) })
				for k := range d.dq[j] {
					d.dq[j][k] *= by
				}
			}
			return true
		}},
		{"position", doctor.KindWrapped, fault("wrapped at a half turn, shifted")},
		{"position", doctor.KindCommanded, ahead(0.05)},
		{"position", doctor.KindMotorSide, func(d *run, rng *rand.Rand) bool {
			for j := range d.q {
				if d.robot.Links[d.robot.Moving()[j]].Joint.Kind == robot.Prismatic {
					continue
				}
				by := 50 + 110*rng.Float64()
				for _, x := range [][]float64{d.q[j], d.dq[j]} {
					for k := range x {
						x[k] *= by
					}
				}
			}
			return true
		}},
	}
}

// channelRecord is what the doctor tells of the channels of one log, after a transform of them.
type channelRecord struct {
	Subject, Channel string // the log, and the transform
	Right, Pair, All int
	Others           []string // what is told otherwise
}

// channelStudy counts whether the doctor tells what the channels hold: right, in a pair with the right kind, or not. The robots are
// drawn from the six, each with so many motions. With out, a study that was interrupted goes on.
func channelStudy(data, only, out string, robots, seeds int) error {
	subjects, err := allSubjects(data)
	if err != nil {
		return err
	}
	subjects = slices.DeleteFunc(subjects, func(s subject) bool { return s.run.simulated })
	base := arms()
	for i := range robots {
		r := base[i%len(base)]
		rng := rand.New(rand.NewPCG(uint64(i), 16))
		if i >= len(base) {
			r = drawn(r, rng)
		}
		for seed := range seeds {
			d, err := simulated(r, uint64(100*i+seed), 16)
			if err != nil {
				return err
			}
			subjects = append(subjects, subject{fmt.Sprintf("arm %d.%d %s", i+1, seed+1, r.Name), d})
		}
	}
	like, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	done, known, keep, err := records.Open(cmp.Or(out, os.DevNull), func(r *channelRecord) string { return r.Subject + r.Channel })
	if err != nil {
		return err
	}
	defer keep.Close()
	for i, s := range subjects {
		for _, tr := range transforms() {
			r := channelRecord{Subject: s.name, Channel: fmt.Sprintf("%s %s, %s", tr.quantity, tr.kind, pick(s.run.simulated, "simulated", "measured"))}
			if !like.MatchString(tr.kind) || known[r.Subject+r.Channel] {
				continue
			}
			d := s.run.clone()
			if !tr.make(d, rand.New(rand.NewPCG(uint64(i), 8))) {
				continue
			}
			r.Right, r.Pair, r.All, r.Others = channels(d, tr)
			done = append(done, r)
			if err := json.NewEncoder(keep).Encode(r); err != nil {
				return err
			}
		}
	}
	sums := map[string]*channelRecord{}
	var order []string
	for _, r := range done {
		if sums[r.Channel] == nil {
			sums[r.Channel] = new(channelRecord)
			order = append(order, r.Channel)
		}
		c := sums[r.Channel]
		c.Right, c.Pair, c.All = c.Right+r.Right, c.Pair+r.Pair, c.All+r.All
		if len(r.Others) > 0 {
			fmt.Printf("%s, %s: %s\n", r.Subject, r.Channel, strings.Join(r.Others, "; "))
		}
	}
	fmt.Printf("\n| channel | right | in a pair | otherwise |\n|---|---|---|---|\n")
	for _, key := range order {
		fmt.Printf("| %s | %d | %d | %d |\n", key, sums[key].Right, sums[key].Pair, sums[key].All-sums[key].Right-sums[key].Pair)
	}
	return nil
}

// channels counts the channels of a run that are told right.
func channels(d *run, tr transform) (right, pair, all int, others []string) {
	l, roles := d.log()
	e, err := doctor.Examine(context.Background(), d.robot, l, roles, doctor.Options{})
	if err != nil {
		return 0, 0, 1, []string{err.Error()}
	}
	alone := loaded(d)
	for _, c := range e.Channels {
		j := slices.Index(roles.Q, c.Channel)
		if c.Quantity != "torque" && j < 0 {
			continue
		}
		want := doctor.KindJoint
		if c.Quantity == tr.quantity && (tr.kind != doctor.KindWrapped || j == alone) && (j < 0 || d.robot.Links[d.robot.Moving()[j]].Joint.Kind != robot.Prismatic || tr.kind == doctor.KindCommanded) {
			want = tr.kind
		}
		switch all++; {
		case c.Kind == want:
			right++
		case c.NextKind == want && tr.kind != doctor.KindJoint:
			pair++
		default:
			others = append(others, fmt.Sprintf("%s is %s (%.1f), next %s (%.1f)", c.Channel, c.Kind, c.Evidence, c.NextKind, c.NextEvidence))
		}
	}
	return right, pair, all, others
}

// drawn is another robot of the same build: lengths by up to a fifth, masses by e^0.3N.
func drawn(r *robot.Robot, rng *rand.Rand) *robot.Robot {
	r = r.Clone()
	for i := range r.Links {
		by := 0.8 + 0.4*rng.Float64()
		for a := range 3 {
			r.Links[i].Placement.P[a] *= by
		}
		roughen(&r.Links[i], rng)
	}
	return r
}

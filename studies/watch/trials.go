package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"ident/mechanics/kinematics"
	"ident/robot"
	"ident/watch"
)

// alarms counts the events of quiet hours at three speeds, behind the first hours of all that another call watches.
func (w *watched) alarms(ctx context.Context, hours, first float64) error {
	fmt.Printf("%-22s %8s %8s %s\n", "speed", "hours", "events", "95 % interval of the rate an hour")
	total, all := 0, 0.0
	for i, speed := range []float64{0.4, 1, 1.5} {
		events, passed := 0, 0.0
		minute := uint64(math.Round(20 * first)) // of a speed
		s := w.sensors(1000 + uint64(i) + 3*minute)
		watcher, err := watch.New(w.model, w.noise, watch.Options{})
		if err != nil {
			return err
		}
		for turn := 0; passed < hours/3-1e-9; turn++ {
			if turn%6 == 0 { // a new motion every minute
				watcher.Reset()
				s.turn = 0
			}
			e, err := exact(ctx, w.robot, motion(w.robot, 5000+uint64(i)*100000+minute+uint64(turn/6), speed), w.rate)
			if err != nil {
				return err
			}
			var turns []watch.Columns
			turns = append(turns, s.record(e))
			for range 5 {
				turns = append(turns, s.record(e))
				turn++
			}
			for _, c := range turns {
				passed += period / 3600.
				if err := watcher.Add(c, func(row *watch.Row) error {
					for _, ev := range row.Events {
						if ev.Type != watch.End {
							events++
							fmt.Printf("  %s\n", ev.Text)
						}
					}
					return nil
				}); err != nil {
					return err
				}
			}
		}
		fmt.Printf("%-22g %8.2f %8d %s\n", speed, passed, events, poisson(events, passed))
		total, all = total+events, all+passed
	}
	fmt.Printf("%-22s %8.2f %8d %s\n", "all", all, total, poisson(total, all))
	return nil
}

// poisson returns the exact 95 % interval of a rate.
func poisson(n int, hours float64) string {
	tail := func(mean float64, upTo int) float64 { // P(N ≤ upTo)
		term, sum := math.Exp(-mean), 0.0
		for k := 0; k <= upTo; k++ {
			sum += term
			term *= mean / float64(k+1)
		}
		return sum
	}
	solve := func(f func(m float64) bool) float64 {
		lo, hi := 0.0, 3*float64(n)+20
		for range 100 {
			if m := (lo + hi) / 2; f(m) {
				lo = m
			} else {
				hi = m
			}
		}
		return lo
	}
	low := 0.0
	if n > 0 {
		low = solve(func(m float64) bool { return 1-tail(m, n-1) < 0.025 })
	}
	high := solve(func(m float64) bool { return tail(m, n) > 0.025 })
	return fmt.Sprintf("%.3f … %.3f", low/hours, high/hours)
}

// warm is how long a trial lasts before something happens, s.
const warm = 3

// trial watches two turns of a motion, in which change makes something happen from the time at on.
func (w *watched) trial(ctx context.Context, opt watch.Options, seed uint64, turns int, change func(c *watch.Columns, from float64) error, each func(row *watch.Row)) error {
	e, err := exact(ctx, w.robot, motion(w.robot, 900000+seed, 1), w.rate)
	if err != nil {
		return err
	}
	watcher, err := watch.New(w.model, w.noise, opt)
	if err != nil {
		return err
	}
	s := w.sensors(900000 + seed) // none of the training's, whose noise the model knows
	for range turns {
		from := float64(s.turn) * period
		c := s.record(e)
		if err := change(&c, from); err != nil {
			return err
		}
		if err := watcher.Add(c, func(row *watch.Row) error { each(row); return nil }); err != nil {
			return err
		}
	}
	return nil
}

// handRate is the rate of false alarms, an hour, of thresholds that twenty quiet minutes reach once.
const handRate = 3

// hand are thresholds set by hand: for each joint the largest value of the observer on quiet motions, so that neither has a false alarm there.
func (w *watched) hand(ctx context.Context) ([]float64, error) {
	limit := make([]float64, len(w.white))
	for seed := range uint64(60) {
		if err := w.trial(ctx, watch.Options{}, 70000+seed, 2, func(*watch.Columns, float64) error { return nil }, func(row *watch.Row) {
			if row.T > 0.2 {
				for j, r := range row.Observer {
					limit[j] = max(limit[j], math.Abs(r))
				}
			}
		}); err != nil {
			return nil, err
		}
	}
	return limit, nil
}

// contacts pushes half a second with a force in a drawn direction.
func (w *watched) contacts(ctx context.Context, trials int) error {
	limit, err := w.hand(ctx)
	if err != nil {
		return err
	}
	tree, err := kinematics.New(w.robot)
	if err != nil {
		return err
	}
	pose, jac := tree.NewPose(), make(kinematics.Jacobian, tree.DOF())
	n := tree.DOF()
	fmt.Printf("%-10s %6s | %8s %10s %10s | %s\n", "point", "force", "missed", "median ms", "95 % ms", "thresholds by hand: missed, median ms, 95 % ms | contact or friction")
	for _, at := range []struct {
		name string
		link int
	}{{"tip", n - 1}, {"link 5", 4}, {"link 3", 2}} {
		for _, force := range []float64{5, 10, 20, 40} {
			var ours, theirs []float64
			either := 0
			for k := range trials {
				rng := rand.New(rand.NewPCG(uint64(k), uint64(force)))
				start := warm + 5*rng.Float64()
				var dir [3]float64
				size := 0.0
				for i := range dir {
					dir[i] = rng.NormFloat64()
					size += dir[i] * dir[i]
				}
				for i := range dir {
					dir[i] *= force / math.Sqrt(size)
				}
				us, they := math.Inf(1), math.Inf(1)
				err := w.trial(ctx, watch.Options{FalseAlarms: handRate}, uint64(k), 1, func(c *watch.Columns, from float64) error {
					q, tau := make([]float64, n), make([]float64, n)
					for i, t := range c.T {
						if t < start || t > start+0.5 {
							continue
						}
						for j := range q {
							q[j], tau[j] = c.Q[j][i], 0
						}
						pose.Place(q)
						pose.Jacobian(jac, kinematics.Point{Link: at.link, At: [3]float64{0.05, 0, 0.1}})
						jac.Torques(tau, dir, [3]float64{})
						for j := range tau {
							c.Tau[j][i] -= tau[j]
						}
					}
					return nil
				}, func(row *watch.Row) {
					if row.T < start || row.T > start+0.5 {
						return
					}
					for _, e := range row.Events {
						if e.Type == watch.Contact || e.Type == watch.Collision {
							if math.IsInf(us, 1) && e.Or != "" {
								either++
							}
							us = min(us, row.T-start)
						}
					}
					for j, r := range row.Observer {
						if math.Abs(r) > limit[j] {
							they = min(they, row.T-start)
						}
					}
				})
				if err != nil {
					return err
				}
				ours, theirs = append(ours, us), append(theirs, they)
			}
			fmt.Printf("%-10s %4.0f N | %s | %s | %d\n", at.name, force, delays(ours), delays(theirs), either)
		}
	}
	return nil
}

// delays tells how many were missed, and the quantiles of the others.
func delays(x []float64) string {
	var seen []float64
	for _, v := range x {
		if !math.IsInf(v, 1) {
			seen = append(seen, v)
		}
	}
	if len(seen) == 0 {
		return fmt.Sprintf("%6.0f %% %10s %10s", 100., "–", "–")
	}
	slices.Sort(seen)
	return fmt.Sprintf("%6.0f %% %10.0f %10.0f", 100*float64(len(x)-len(seen))/float64(len(x)), 1000*seen[len(seen)/2], 1000*seen[len(seen)*95/100])
}

// drawsOfAFit is how many payloads are weighed with the model of one fit: its errors are the same for all of them.
const drawsOfAFit = 4

// payloads puts bodies on the tip.
func (c class) payloads(ctx context.Context, trials int) error {
	masses := []float64{0.5, 1, 2}
	weighings := make([]weighing, len(masses))
	for k := range trials {
		if k%drawsOfAFit == 0 {
			w, err := c.watched(ctx, uint64(k/drawsOfAFit), 2)
			if err != nil {
				return err
			}
			for n := range drawsOfAFit {
				for i, mass := range masses {
					if err := w.payload(ctx, uint64(len(masses)*(k+n)+i), mass, &weighings[i]); err != nil {
						return err
					}
				}
			}
			w.close()
		}
	}
	fmt.Printf("%-8s %8s %12s %14s %16s %12s %12s\n", "payload", "found", "median s to", "median s to 5 %", "error at 10 s %", "σ at 10 s %", "held by 95 %")
	for i, x := range weighings {
		told := len(x.errors)
		fmt.Printf("%4.1f kg  %6.0f %% %12.2f %14.2f %16.2f %12.2f %10.1f %% of %d\n", masses[i], 100*float64(told)/float64(len(x.found)), median(x.found), median(x.within), median(x.errors), median(x.sigmas), 100*float64(x.held)/float64(max(told, 1)), told)
	}
	return nil
}

// weighing is what draws of a payload gave: seconds until it was told and until it stayed within 5 %, errors and deviations in per cent.
type weighing struct {
	found, within, errors, sigmas []float64
	held                          int // by 95 % intervals
}

// payload puts a body of a mass on the tip.
func (w *watched) payload(ctx context.Context, k uint64, mass float64, x *weighing) error {
	rng := rand.New(rand.NewPCG(k, uint64(1000*mass)))
	start := warm + 3*rng.Float64()
	loaded := w.robot.Clone()
	tip := &loaded.Links[len(loaded.Links)-1]
	centre := [3]float64{0.05 * rng.NormFloat64(), 0.05 * rng.NormFloat64(), 0.08}
	body := robot.InertialFromCentral(mass, centre, [3][3]float64{{0.001 * mass, 0, 0}, {0, 0.001 * mass, 0}, {0, 0, 0.001 * mass}})
	for i := range tip.Inertial {
		tip.Inertial[i] += body[i]
		tip.Own[i] += body[i]
	}
	heavy, err := exact(ctx, loaded, motion(w.robot, 900000+k, 1), w.rate)
	if err != nil {
		return err
	}
	light, err := exact(ctx, w.robot, motion(w.robot, 900000+k, 1), w.rate)
	if err != nil {
		return err
	}
	first, good := math.Inf(1), math.Inf(1)
	var last watch.Body
	err = w.trial(ctx, watch.Options{}, k, 2, func(c *watch.Columns, from float64) error {
		for i, t := range c.T {
			if t >= start {
				for j := range c.Tau {
					c.Tau[j][i] += heavy.Tau[j][i] - light.Tau[j][i]
				}
			}
		}
		return nil
	}, func(row *watch.Row) {
		if row.Payload == nil || row.T > start+10 {
			return
		}
		first = min(first, row.T-start)
		last = *row.Payload
		if math.Abs(last.Mass-mass) <= 0.05*mass {
			good = min(good, row.T-start)
		} else {
			good = math.Inf(1)
		}
	})
	if err != nil {
		return err
	}
	x.found, x.within = append(x.found, first), append(x.within, good)
	if !math.IsInf(first, 1) {
		x.errors, x.sigmas = append(x.errors, 100*math.Abs(last.Mass-mass)/mass), append(x.sigmas, 100*last.Sigma/mass)
		if math.Abs(last.Mass-mass) <= 1.96*last.Sigma {
			x.held++
		}
	}
	return nil
}

func median(x []float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	slices.Sort(x)
	return x[len(x)/2]
}

// leastGrowth is, by joint, the part by which friction must grow for the test of a mean with the sign of the velocity to pass its threshold:
// limit·σ/F, with σ the mean's deviation, of noise and of the parameters, and F the mean friction in units of the noise.
func (w *watched) leastGrowth(ctx context.Context) ([]float64, error) {
	watcher, err := watch.New(w.model, w.noise, watch.Options{})
	if err != nil {
		return nil, err
	}
	joints := len(w.white)
	friction, share := make([]float64, joints), make([]float64, joints)
	rows := 0.0
	e, err := exact(ctx, w.robot, motion(w.robot, 900000, 1), w.rate)
	if err != nil {
		return nil, err
	}
	if err := watcher.Add(w.sensors(1).record(e), func(row *watch.Row) error {
		k := int(rows)
		rows++
		for j := range joints {
			x, v := w.robot.Links[j].Joint, math.Abs(e.DQ[j][k])
			bin := 0
			for bin < len(w.noise.Edges[j]) && v > w.noise.Edges[j][bin] {
				bin++
			}
			f := w.noise.Floor[j][bin]
			friction[j] += (x.Fs + x.Fv*v) / f
			share[j] += max(0, row.Sigma[j]*row.Sigma[j]/(f*f)-1)
		}
		return nil
	}); err != nil {
		return nil, err
	}
	least := make([]float64, joints)
	for i, t := range w.noise.Tests {
		if t.Drift && t.Signed {
			least[t.Joint] = watcher.Limits()[i] * math.Sqrt(t.Gain*t.Gain+share[t.Joint]/rows) / (friction[t.Joint] / rows)
		}
	}
	return least, nil
}

// drift lets the friction of a drawn joint grow over ten seconds.
func (w *watched) drift(ctx context.Context, trials int) error {
	least, err := w.leastGrowth(ctx)
	if err != nil {
		return err
	}
	fmt.Printf("least growth that shows, by joint, %%:")
	for _, x := range least {
		fmt.Printf(" %.1f", 100*x)
	}
	fmt.Printf("\n%-8s %10s %14s %16s %16s %s\n", "friction", "found", "median s to", "taken for another", "contact or drift", "found of draws beyond the least, and below it")
	trials = max(1, trials/5)
	for _, growth := range []float64{0.1, 0.25} {
		var found []float64
		var seenBy, drawnBy [2]int
		other, either := 0, 0
		for k := range trials {
			rng := rand.New(rand.NewPCG(uint64(k), uint64(1000*growth)))
			joint := rng.IntN(len(w.white))
			fs, fv := w.robot.Links[joint].Joint.Fs, w.robot.Links[joint].Joint.Fv
			name := w.robot.JointNames()[joint]
			first, wrong := math.Inf(1), ""
			err := w.trial(ctx, watch.Options{}, uint64(k), 12, func(c *watch.Columns, from float64) error {
				for i, t := range c.T {
					if part := min(1, max(0, (t-warm)/10)); part > 0 {
						v := c.DQ[joint][i]
						c.Tau[joint][i] += growth * part * (fs*math.Copysign(1, v) + fv*v)
					}
				}
				return nil
			}, func(row *watch.Row) {
				for _, e := range row.Events {
					if e.Type == watch.Drift && e.Joint == name {
						first = min(first, row.T-warm)
					} else if e.Type != watch.End && math.IsInf(first, 1) && wrong == "" {
						wrong = string(e.Type) + string(e.Or)
					}
				}
			})
			if err != nil {
				return err
			}
			found = append(found, first)
			below := 0
			if growth < least[joint] {
				below = 1
			}
			drawnBy[below]++
			if !math.IsInf(first, 1) {
				seenBy[below]++
			}
			switch wrong {
			case "":
			case string(watch.Contact + watch.Drift):
				either++
			default:
				other++
			}
		}
		seen := 0
		for _, f := range found {
			if !math.IsInf(f, 1) {
				seen++
			}
		}
		fmt.Printf("%5.0f %%  %8.0f %% %14.1f %14.0f %% %14.0f %%   %d of %d, %d of %d\n", 100*growth, 100*float64(seen)/float64(trials), median(found), 100*float64(other)/float64(trials),
			100*float64(either)/float64(trials), seenBy[0], drawnBy[0], seenBy[1], drawnBy[1])
	}
	return nil
}

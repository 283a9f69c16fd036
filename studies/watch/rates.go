package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"ident/watch"
)

// quietMinutes is the length of the quiet logs of a draw, and ratesRate the rate of their rows, Hz.
const quietMinutes, ratesRate = 10, 125

// rates counts the events of quiet hours at two stated rates. Each draw has a result, quiet logs of ten minutes and motions of its own: quiet logs
// are the training logs, or new motions: one of each minute, or one or two that come again.
func rates(ctx context.Context, first, draws int, hours float64) error {
	stated := []float64{30, 1}
	events, passed, high := make([]int, len(stated)), make([]float64, len(stated)), make([]int, len(stated))
	for k := first; k < first+draws; k++ {
		c := classes()[k%6]
		c.rate = ratesRate
		c.heavy = k/6%2 == 1
		trained := (k+k/12)%2 == 1 // with each class and each kind of noise
		motions := 2
		if trained {
			motions = quietMinutes
		}
		w, err := c.watched(ctx, uint64(1000+2*k), motions)
		if err != nil {
			return err
		}
		defer w.close()
		quiet := "trained"
		if !trained {
			different := []int{quietMinutes, 2, 1}[k/2%3]
			if w.noise, err = w.quiet(ctx, uint64(k), different); err != nil {
				return err
			}
			quiet = fmt.Sprintf("%d new", different)
		}
		fmt.Printf("%3d %-28s %-8s heavy %-5v quiet %-8s", k, c.name, c.noise, c.heavy, quiet)
		for i, rate := range stated {
			watcher, err := watch.New(w.model, w.noise, watch.Options{FalseAlarms: rate})
			if err != nil {
				return err
			}
			least, most := math.Inf(1), 0.0
			for _, l := range watcher.Limits() {
				least, most = min(least, l), max(most, l)
			}
			n, h := 0, 0.0
			for m := uint64(0); h < hours*[]float64{1. / 3, 1}[i]-1e-9; m++ {
				found, err := w.events(ctx, watcher, uint64(k)*1000+m)
				if err != nil {
					return err
				}
				n, h = n+found, h+1./60
			}
			fmt.Printf(" | %2g/h: limits %.1f to %.1f, %3d in %.2f h", rate, least, most, n, h)
			events[i], passed[i] = events[i]+n, passed[i]+h
			if float64(n) > 5*rate*h {
				high[i]++
			}
		}
		fmt.Println()
	}
	for i, rate := range stated {
		fmt.Printf("%g/h: %d events in %.1f h, %.2f an hour (95 %%: %s); more than five times the rate in %d of %d draws\n", rate, events[i], passed[i], float64(events[i])/passed[i], poisson(events[i], passed[i]), high[i], draws)
	}
	return nil
}

// speed is drawn from half to once that of the training.
func speed(seed uint64) float64 { return 0.5 + 0.5*rand.New(rand.NewPCG(seed, 46)).Float64() }

// quiet measures the noise on minutes of new motions, of which some are different.
func (w *watched) quiet(ctx context.Context, draw uint64, different int) (*watch.Noise, error) {
	c := watch.NewCalibrator(w.model, 0)
	s := w.sensors(600_000 + draw)
	for i := range quietMinutes {
		seed := 600_000 + 100*draw + uint64(i%different)
		m, err := w.minute(ctx, seed, speed(seed), s)
		if err != nil {
			return nil, err
		}
		c.Add(m)
	}
	return c.Noise()
}

// minute is what the sensors log of six turns of a motion.
func (w *watched) minute(ctx context.Context, seed uint64, speed float64, s *sensors) (out watch.Columns, err error) {
	e, err := exact(ctx, w.robot, motion(w.robot, seed, speed), w.rate)
	if err != nil {
		return out, err
	}
	s.turn = 0
	out.Q, out.DQ, out.Tau = make([][]float64, len(e.Q)), make([][]float64, len(e.Q)), make([][]float64, len(e.Q))
	for range 6 {
		c := s.record(e)
		out.T = append(out.T, c.T...)
		for j := range c.Q {
			out.Q[j], out.DQ[j], out.Tau[j] = append(out.Q[j], c.Q[j]...), append(out.DQ[j], c.DQ[j]...), append(out.Tau[j], c.Tau[j]...)
		}
	}
	return out, nil
}

// events counts the events of a quiet minute.
func (w *watched) events(ctx context.Context, watcher *watch.Watcher, seed uint64) (n int, err error) {
	m, err := w.minute(ctx, 800_000+seed, speed(seed), w.sensors(700_000+seed))
	if err != nil {
		return 0, err
	}
	watcher.Reset()
	err = watcher.Add(m, func(row *watch.Row) error {
		for _, e := range row.Events {
			if e.Type != watch.End {
				n++
			}
		}
		return nil
	})
	return n, err
}

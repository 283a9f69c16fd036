package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"ident/identify"
	"ident/identify/project"
	"ident/robot"
	"ident/watch"
)

// change is what is different on a robot since it was identified.
type change struct {
	kind string
	ids  []string // findings that name it
	late bool     // it happens in the middle of the log
	do   func(r *robot.Robot, rng *rand.Rand) (columns func(c *watch.Columns), what string)
}

func changes() []change {
	position := func(least, most float64) func(r *robot.Robot, rng *rand.Rand) (func(c *watch.Columns), string) {
		return func(r *robot.Robot, rng *rand.Rand) (func(c *watch.Columns), string) {
			j, by := 1+rng.IntN(len(r.Links)-2), (least+(most-least)*rng.Float64())*math.Pi/180
			if rng.IntN(2) == 0 {
				by = -by
			}
			return func(c *watch.Columns) {
				c.Q = slices.Clone(c.Q)
				c.Q[j] = slices.Clone(c.Q[j])
				for k := range c.Q[j] {
					c.Q[j][k] += by
				}
			}, fmt.Sprintf("%s %.3f rad", r.Links[j].Joint.Name, by)
		}
	}
	body := func(r *robot.Robot, rng *rand.Rand) (func(c *watch.Columns), string) {
		m := 0.5 + 2*rng.Float64()
		at := [3]float64{0.1 * rng.NormFloat64(), 0.1 * rng.NormFloat64(), 0.1 * rng.NormFloat64()}
		b := robot.InertialFromCentral(m, at, [3][3]float64{{0.002 * m, 0, 0}, {0, 0.002 * m, 0}, {0, 0, 0.002 * m}})
		tip := &r.Links[len(r.Links)-1].Inertial
		for i, v := range b {
			tip[i] += v
		}
		return nil, fmt.Sprintf("%.2f kg", m)
	}
	return []change{
		{"nothing", nil, false, func(*robot.Robot, *rand.Rand) (func(c *watch.Columns), string) { return nil, "" }},
		{"zero", []string{"offset"}, false, position(2, 6)},
		{"slip", []string{"offset"}, true, position(3, 12)},
		{"tilt", []string{"gravity"}, false, func(r *robot.Robot, rng *rand.Rand) (func(c *watch.Columns), string) {
			a, b := (1.5+3*rng.Float64())*math.Pi/180, 2*math.Pi*rng.Float64()
			g := r.Gravity[2]
			r.Gravity = [3]float64{g * math.Sin(a) * math.Cos(b), g * math.Sin(a) * math.Sin(b), g * math.Cos(a)}
			return nil, fmt.Sprintf("%.1f°", a*180/math.Pi)
		}},
		{"tool", []string{"payload"}, false, body},
		{"payload", []string{"payload"}, true, body},
	}
}

// changed draws changes of a robot whose friction has drifted by a fifth, and counts how ident watch names them at the end of a log of a minute.
func (w *watched) changed(ctx context.Context, trials int) error {
	dir, err := os.MkdirTemp("", "changed")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	watching, err := w.saved.Watch(ctx, "log", identify.WatchOptions{Quiet: w.logs}, func(*identify.Watching, *watch.Row) error { return nil })
	if err != nil {
		return err
	}
	defer watching.Close()
	for _, c := range changes() {
		named, nearest, other := 0, 0, 0
		for trial := range trials {
			what, found, err := w.after(ctx, c, trial, watching, dir)
			if err != nil {
				return err
			}
			right, near, wrong := false, false, false
			text := ""
			for _, f := range found {
				text += fmt.Sprintf(" | %s %s %s", f.ID, f.Joint, f.Why)
				switch {
				case slices.Contains(c.ids, f.ID):
					right = true
				case f.ID == "unexplained":
					near = near || len(f.Nearest) > 0 && slices.Contains(c.ids, f.Nearest[0].ID)
				default:
					wrong = true
				}
			}
			fmt.Printf("  %s (%s) trial %d: right %v nearest %v other %v%s\n", c.kind, what, trial, right, near, wrong, text)
			if right {
				named++
			} else if near {
				nearest++
			}
			if wrong {
				other++
			}
		}
		fmt.Printf("%s: named %d, nearest %d, of %d; another cause %d\n", c.kind, named, nearest, trials, other)
	}
	return nil
}

// after returns what is different in a trial, and what ident watch finds in its log.
func (w *watched) after(ctx context.Context, c change, trial int, watching *identify.Watching, dir string) (what string, found []project.Finding, err error) {
	rng := rand.New(rand.NewPCG(uint64(trial), 61))
	r := w.robot.Clone()
	for j := range r.Links {
		x := &r.Links[j].Joint
		x.Fv, x.Fs, x.Fo = x.Fv*(1+0.2*rng.NormFloat64()), x.Fs*(1+0.2*rng.NormFloat64()), x.Fo*(1+0.2*rng.NormFloat64())
	}
	before := r.Clone()
	columns, what := c.do(r, rng)
	tr := motion(w.robot, 5000+uint64(trial), 1)
	e, err := exact(ctx, r, tr, w.rate)
	if err != nil {
		return "", nil, err
	}
	early := e
	if columns != nil {
		columns(&e)
	}
	if c.late {
		if early, err = exact(ctx, before, tr, w.rate); err != nil {
			return "", nil, err
		}
	}
	path := filepath.Join(dir, fmt.Sprint(c.kind, trial, ".parquet"))
	if err := w.write(path, func(turn int) watch.Columns {
		if c.late && turn < 3 {
			return early
		}
		return e
	}, 9000+uint64(trial)); err != nil {
		return "", nil, err
	}
	found, err = watching.Changed(ctx, path)
	return what, found, err
}

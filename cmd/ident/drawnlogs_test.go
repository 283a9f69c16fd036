package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ident/datasets"
	"ident/internal/testrobot"
	"ident/mechanics/dynamics"
	"ident/result"
	"ident/robot"
	"ident/robot/format/yaml"
)

var (
	drawnLogs  = flag.Int("drawn-logs", 0, "clean logs of robots, drives, motions and recorders drawn at random that fit and check judge; a second each")
	drawnFirst = flag.Int("drawn-first", 0, "seed of the first drawn log")
	drawnFault = flag.String("drawn-faults", "", "part of the names of the faults of drawn logs, or all; none: clean ones alone")
	drawnKeep  = flag.String("drawn-keep", "", "folder that keeps the drawn logs")
)

// drawnLog is a robot with real drives, under a motion and a recorder.
type drawnLog struct {
	text  string // of its draws
	r     *robot.Robot
	rate  float64
	rows  int
	names []string // of the channels, in order
	args  []string // of fit and check
	bare  bool
	csv   bool
	speed bool
	gains []float64
	epoch float64
	drops float64
	jit   float64
	c     map[string][]float64
	clean map[string][]float64 // of another motion
}

// drawnMotion is a sum of sines, or quintic or trapezoidal moves with rests.
type drawnMotion struct {
	kind   string
	size   []float64
	speed  float64
	waves  [][][3]float64
	points [][]float64
	move   float64
	rest   float64
	ramp   float64 // part of a move in which a trapezoid gains speed
}

func newDrawnMotion(kind string, size []float64, speed, seconds float64, rng *rand.Rand) *drawnMotion {
	m := &drawnMotion{kind: kind, size: size, speed: speed, move: 1.2 / speed, rest: 0.1 + 0.5*rng.Float64(), ramp: 0.2 + 0.25*rng.Float64()}
	base := 0.1 * speed * (0.8 + 0.4*rng.Float64())
	for j := range size {
		var w [][3]float64
		for h := range 5 {
			f := base * float64(1+h)
			if kind != "periodic" {
				f *= 1 + 0.15*rng.Float64()
			}
			w = append(w, [3]float64{size[j] * (0.4 + rng.Float64()) / (1 + 0.7*float64(h)), 2 * math.Pi * f, 2 * math.Pi * rng.Float64()})
		}
		m.waves = append(m.waves, w)
		var p []float64
		for range int(seconds/(m.move+m.rest)) + 3 {
			p = append(p, 1.6*size[j]*(2*rng.Float64()-1))
		}
		m.points = append(m.points, p)
	}
	if kind == "single" { // one joint after the other
		for k := range m.points[0] {
			for j := range size {
				if k > 0 && (k-1)%len(size) != j {
					m.points[j][k] = m.points[j][k-1]
				}
			}
		}
	}
	return m
}

func (m *drawnMotion) at(j int, t float64) float64 {
	switch m.kind {
	case "quintic", "trapezoid", "single":
		t = max(t, 0)
		k := int(t / (m.move + m.rest))
		s := min(max(t-float64(k)*(m.move+m.rest)-m.rest, 0)/m.move, 1)
		if m.kind != "trapezoid" {
			s = s * s * s * (10 + s*(6*s-15))
		} else {
			a := m.ramp
			v := 1 / (1 - a)
			switch {
			case s < a:
				s = v * s * s / (2 * a)
			case s < 1-a:
				s = v * (s - a/2)
			default:
				s = 1 - v*(1-s)*(1-s)/(2*a)
			}
		}
		return m.points[j][k] + (m.points[j][k+1]-m.points[j][k])*s
	}
	sum := 0.0
	for _, w := range m.waves[j] {
		sum += w[0] * math.Sin(w[1]*t+w[2])
	}
	return sum
}

// drawnDrive is a joint's friction, with memory, and the faults of its sensors that every real one has.
type drawnDrive struct {
	fv, fs, fo, stribeck, vs, load, presliding float64
	ripple, teeth, warming                     float64
	noise, colour, quantum                     float64
}

func drawLog(t *testing.T, seed int) *drawnLog {
	t.Helper()
	rng := rand.New(rand.NewPCG(uint64(seed), 77))
	pick := func(list ...string) string { return list[rng.IntN(len(list))] }
	d := &drawnLog{c: map[string][]float64{}, clean: map[string][]float64{}}
	name := pick("planar2r_vertical", "scara_rrpr", "gantry_ppp", "cylindrical_rpp", "rx90", "stanford", "wam7", "puma560_akb", "ur10", "panda", "puma560_akb", "rx90", "wam7", "special", "special", "special")
	if name == "special" {
		d.r = testrobot.RandomSpecial(rng, 2+rng.IntN(6), false)
		d.r.Gravity = [3]float64{0, 0, -9.81}
	} else {
		d.r = testrobot.CaseOf(t, name).Robot(t)
	}
	d.r.Drives = nil
	reach := 0.0
	for _, l := range d.r.Links {
		reach += math.Sqrt(l.Placement.P[0]*l.Placement.P[0] + l.Placement.P[1]*l.Placement.P[1] + l.Placement.P[2]*l.Placement.P[2])
		if l.Joint.Kind == robot.Prismatic {
			reach += 0.3
		}
	}
	reach = min(max(reach, 0.4), 2)
	for k := range d.r.Links {
		l := &d.r.Links[k]
		// Clouds of point masses of a tenth of the reach, lighter and lighter.
		var in robot.Inertial
		for range 6 {
			var c [3]float64
			for i := range c {
				c[i] = 0.12 * reach * rng.NormFloat64()
			}
			in = in.Add(robot.InertialFromCentral(4*reach*reach*math.Exp(-0.3*float64(k))*(0.2+rng.Float64()), c, [3][3]float64{}))
		}
		l.Inertial, l.Own, l.HasInertial = in, in, true
		j := &l.Joint
		j.Ia, j.Fv, j.Fs, j.Fo = 0, 0, 0, 0
		j.Velocity, j.Effort = math.NaN(), math.NaN()
		j.Lower, j.Upper = math.NaN(), math.NaN()
	}
	n := d.r.DOF()
	rates := []float64{50, 100, 125, 200, 250, 500, 1000, 2000}
	d.rate = rates[rng.IntN(len(rates))]
	seconds := []float64{8, 12, 20, 30, 60}[rng.IntN(5)]
	if d.rate*seconds > 40000 {
		seconds = 40000 / d.rate
	}
	kind := pick("fourier", "fourier", "periodic", "quintic", "trapezoid", "single")
	if kind == "single" {
		seconds = max(seconds, 6*float64(n))
	}
	speed := 0.5 + 1.5*rng.Float64()
	var size []float64
	for _, k := range d.r.Moving() {
		s := 0.3 + 0.5*rng.Float64()
		if d.r.Links[k].Joint.Kind == robot.Prismatic {
			s *= 0.25
		}
		size = append(size, s)
	}
	d.rows = int(d.rate * seconds)
	level := pick("ideal", "fine", "real", "real", "poor")
	scaleOf := map[string]float64{"ideal": 0, "fine": 0.3, "real": 1, "poor": 2}[level]
	d.bare = rng.IntN(2) == 0
	d.speed = rng.IntN(3) > 0
	d.csv = rng.IntN(3) == 0
	if rng.IntN(4) == 0 {
		d.epoch = 1.75e9
	}
	if rng.IntN(5) == 0 {
		d.drops = 0.005
	}
	if rng.IntN(4) == 0 {
		d.jit = 0.05
	}
	if rng.IntN(4) == 0 {
		for range n {
			d.gains = append(d.gains, math.Round(100*(5+20*rng.Float64()))/10)
		}
	}
	quantum := []float64{2 * math.Pi / (1 << 20), 2 * math.Pi / (1 << 17), 2 * math.Pi / (1 << 14)}[rng.IntN(3)]
	speedNoise := []float64{2e-4, 1e-3, 5e-3}[rng.IntN(3)]
	frictional := 0.1 + 0.4*rng.Float64()
	d.text = fmt.Sprintf("%s %d joints, %s at speed %.2f, %g Hz %g s, %s, friction %.2f, bare %v, velocities %v (%.0e), quantum %.0e, gains %v, drops %g, jitter %g, epoch %v", name, n, kind, speed, d.rate, seconds, level, frictional, d.bare, d.speed, speedNoise, quantum, d.gains != nil, d.drops, d.jit, d.epoch > 0)
	tree, err := dynamics.New(d.r)
	if err != nil {
		t.Fatal(err)
	}
	motion := newDrawnMotion(kind, size, speed, seconds+1, rng)
	other := newDrawnMotion("fourier", size, speed, seconds+1, rng)
	q, dq, ddq, tau := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	move := func(m *drawnMotion, t float64) {
		const step = 2e-4
		for j := range n {
			before, now, after := m.at(j, t-step), m.at(j, t), m.at(j, t+step)
			q[j], dq[j], ddq[j] = now, (after-before)/(2*step), (after-2*now+before)/(step*step)
		}
		tree.InverseDynamics(tau, q, dq, ddq)
	}
	rms, fast := make([]float64, n), make([]float64, n)
	for k := range 400 {
		move(motion, seconds*float64(k)/400)
		for j := range n {
			rms[j] += tau[j] * tau[j] / 400
			fast[j] += dq[j] * dq[j] / 400
		}
	}
	most := 0.0
	for j := range n {
		rms[j], fast[j] = math.Sqrt(rms[j]), math.Sqrt(fast[j])
		most = max(most, rms[j])
	}
	var drives []drawnDrive
	var ia []float64
	for j := range n {
		u := max(rms[j], 0.02*most)
		x := drawnDrive{
			fs: frictional * u * (0.5 + rng.Float64()), fv: 0.6 * frictional * u / fast[j] * (0.5 + rng.Float64()), fo: 0.05 * u * rng.NormFloat64(),
			stribeck: 0.3 * scaleOf * rng.Float64() * 0.5, vs: 0.1 * fast[j], load: 0.04 * scaleOf * rng.Float64(),
			presliding: 0.005 * scaleOf * rng.Float64(), ripple: 0.01 * scaleOf * rng.Float64(), teeth: 50 + 100*rng.Float64(),
			warming: 0.06 * scaleOf * rng.Float64(), noise: (0.003 + 0.01*scaleOf*rng.Float64()) * u, colour: rng.Float64(), quantum: 0.004 * scaleOf * rng.Float64() * u,
		}
		if d.r.Links[d.r.Moving()[j]].Joint.Kind == robot.Prismatic {
			x.presliding, x.teeth = x.presliding/4, x.teeth*4
		}
		drives = append(drives, x)
		ia = append(ia, 0.2*u/(fast[j]*2*math.Pi*0.3*speed)*rng.Float64())
	}
	record := func(m *drawnMotion, sensors bool) map[string][]float64 {
		c := map[string][]float64{"t": nil}
		elements := make([][3]float64, n)
		stick, color := make([]float64, n), make([]float64, n)
		fine := max(int(math.Ceil(2000/d.rate)), 1) // steps of the friction between samples
		last := slices.Clone(q)
		for j := range n {
			last[j] = m.at(j, 0)
			stick[j] = math.Copysign(1, m.at(j, 1e-4)-m.at(j, -1e-4))
			elements[j] = [3]float64{stick[j], stick[j], stick[j]}
		}
		for k := range d.rows {
			at := float64(k) / d.rate
			for s := 1; s <= fine; s++ { // presliding friction follows the position
				for j := range n {
					x := m.at(j, at-(1-float64(s)/float64(fine))/d.rate)
					step := x - last[j]
					last[j] = x
					if p := drives[j].presliding; p > 0 {
						stick[j] = 0
						for i, part := range []float64{p / 3, p, 3 * p} { // elements that yield one after the other
							elements[j][i] = max(-1, min(1, elements[j][i]+step/part))
							stick[j] += elements[j][i] / 3
						}
					} else if math.Abs(step) > 1e-9 {
						stick[j] = math.Copysign(1, step)
					}
				}
			}
			move(m, at)
			c["t"] = append(c["t"], at+d.epoch+d.jit/d.rate*rng.NormFloat64()*0.5)
			for j := range n {
				x := drives[j]
				fs := (x.fs + x.load*math.Abs(tau[j])) * (1 + x.stribeck*math.Exp(-math.Pow(dq[j]/x.vs, 2)))
				friction := (1 - x.warming*(1-math.Exp(-2*at/seconds))) * (fs*stick[j] + x.fv*dq[j])
				a := math.Exp(-60 / d.rate)
				color[j] = a*color[j] + math.Sqrt(1-a*a)*rng.NormFloat64()
				y := tau[j] + ia[j]*ddq[j] + friction + x.fo + x.ripple*rms[j]*math.Sin(x.teeth*q[j]) + x.noise*(x.colour*color[j]+(1-x.colour)*rng.NormFloat64())
				if x.quantum > 0 {
					y = x.quantum * math.Round(y/x.quantum)
				}
				name := fmt.Sprint("tau", j+1)
				if d.gains != nil {
					name, y = fmt.Sprint("i", j+1), y/d.gains[j]
				}
				c[name] = append(c[name], y)
				c[fmt.Sprint("q", j+1)] = append(c[fmt.Sprint("q", j+1)], quantum*math.Round(q[j]/quantum))
				if d.speed {
					c[fmt.Sprint("dq", j+1)] = append(c[fmt.Sprint("dq", j+1)], dq[j]+speedNoise*rng.NormFloat64())
				}
			}
		}
		if sensors && d.drops > 0 {
			keep := make([]bool, d.rows)
			for k := range keep {
				keep[k] = rng.Float64() > d.drops
			}
			for name, x := range c {
				y := x[:0]
				for k, v := range x {
					if keep[k] {
						y = append(y, v)
					}
				}
				c[name] = y
			}
		}
		return c
	}
	d.c = record(motion, true)
	d.clean = record(other, false)
	d.names = []string{"t"}
	for j := range n {
		for _, p := range []string{"q", "dq", "tau", "i"} {
			if name := fmt.Sprint(p, j+1); d.c[name] != nil {
				d.names = append(d.names, name)
			}
		}
	}
	if d.gains != nil {
		var text []string
		for _, g := range d.gains {
			text = append(text, fmt.Sprint(g))
		}
		d.args = append(d.args, "--gains", strings.Join(text, ","))
	}
	return d
}

// write writes the robot's file and a log.
func (d *drawnLog) write(t *testing.T, dir, name string, c map[string][]float64) string {
	t.Helper()
	var channels []datasets.Channel
	var cols [][]float64
	for _, n := range d.names {
		if c[n] != nil {
			channels, cols = append(channels, datasets.Channel{Name: n}), append(cols, c[n])
		}
	}
	path := filepath.Join(dir, name+".parquet")
	if d.csv {
		path = filepath.Join(dir, name+".csv")
	}
	if err := datasets.Write(path, channels, nil, func(w *datasets.Writer) error { return w.Append(cols) }); err != nil {
		t.Fatal(err)
	}
	return path
}

func (d *drawnLog) robotFile(t *testing.T, dir string) string {
	t.Helper()
	if d.bare {
		for k := range d.r.Links {
			l := &d.r.Links[k]
			l.Inertial, l.Own, l.HasInertial = robot.Inertial{}, robot.Inertial{}, false
		}
	}
	var text bytes.Buffer
	if err := yaml.Write(&text, d.r); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "robot.yaml")
	if err := os.WriteFile(file, text.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// Logs of random robots, drives, motions and recorders, with the judgement of each, for a reader who tells true reasons from
// false ones: an error on the other motion far above that of the fit makes any doubt true.
func TestDrawnLogs(t *testing.T) {
	if *drawnLogs == 0 {
		t.Skip("-drawn-logs gives their number")
	}
	list := append(faults(), faultsOfParts()...)
	for seed := *drawnFirst; seed < *drawnFirst+*drawnLogs; seed++ {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			f := fault{name: "clean"}
			if *drawnFault != "" {
				rng := rand.New(rand.NewPCG(uint64(seed), 5))
				for f.name == "clean" || f.otherRobot || *drawnFault != "all" && !strings.Contains(f.name, *drawnFault) {
					f = list[rng.IntN(len(list))]
				}
			}
			d := drawLog(t, seed)
			dir := t.TempDir()
			if *drawnKeep != "" {
				dir = filepath.Join(*drawnKeep, fmt.Sprint(seed))
				os.MkdirAll(dir, 0o755)
			}
			if f.do != nil {
				func() {
					defer func() {
						if recover() != nil {
							f.name += " (not on this robot)"
						}
					}()
					f.do(d.c, d.r.DOF())
				}()
			}
			file, log, clean := d.robotFile(t, dir), d.write(t, dir, "log", d.c), d.write(t, dir, "other", d.clean)
			args := append([]string{log, "--robot", file}, d.args...)
			folder := filepath.Join(t.TempDir(), "r")
			j := gradedInto(t, folder, args...)
			if j.grade != "" {
				var stdout, stderr bytes.Buffer
				run(t.Context(), []string{"validate", folder, clean, "--json"}, streams{out: &stdout, err: &stderr})
				doc := struct {
					Validation struct {
						RelativeError struct{ Stacked float64 } `json:"relative_error_percent"`
					}
				}{}
				if err := json.Unmarshal(stdout.Bytes(), &doc); err != nil {
					t.Fatalf("%v: %s", err, stderr.String())
				}
				j.unseen = doc.Validation.RelativeError.Stacked
			}
			found, _ := findingsOf(t, args...)
			ids := append(slices.Clone(j.reasons), found...)
			flag := ""
			if f.name == "clean" && (j.grade != string(result.Sound) || len(ids) > 0) {
				flag = "<<<"
			}
			if j.grade == string(result.Sound) && j.unseen > j.error+2 {
				// Sound, but another motion is predicted badly, where that is not its own friction.
				if own := graded(t, append([]string{clean}, args[1:]...)...); j.unseen > 3*own.error+2 {
					flag = "!!!"
				}
			}
			t.Logf("%d %s| %s | %s | exit %d %s %.2f %% then %.2f %% | %s | %s | %s", seed, flag, f.name, d.text, j.code, j.grade, j.error, j.unseen, strings.Join(ids, " "), j.terms, strings.Split(j.message+"\n", "\n")[0])
		})
	}
}

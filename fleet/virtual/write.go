package virtual

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"ident/datasets"
	"ident/simulate"
)

// Options are the size of a fleet. The zero value has 10 robots with a log each.
type Options struct {
	Robots  int           // 0 for 10
	Logs    int           // number of logs of all robots together; 0 means one for each
	Seconds float64       // length of a log; 0 for 10
	Damaged float64       // fraction of the logs that are damaged
	Changed float64       // fraction of the robots that change
	Span    time.Duration // from the first log to the last; 0 for a year
	Seed    uint64
}

// A Change is one of a robot. At most one of Joint and Payload is not zero.
type Change struct {
	Robot   string    `json:"robot"`
	Joint   int       `json:"joint,omitempty"`      // whose friction rises, from 1
	Payload float64   `json:"payload_kg,omitempty"` // mass added to the last link, kg
	From    time.Time `json:"from"`                 // start of the change; the first log's start if the change is always there
}

// A Spoilt log is one with a damage.
type Spoilt struct {
	Log    string `json:"log"` // as the manifest names it
	Damage Damage `json:"damage"`
}

// TruthSchema is the schema of truth.json, which marks a folder as a virtual fleet.
const TruthSchema = "ident-fleet.truth/1"

// Truth is the answer: the logs that are damaged and the robots that change.
type Truth struct {
	Schema  string   `json:"schema"` // TruthSchema
	Logs    int      `json:"logs"`
	Robots  int      `json:"robots"`
	Damaged []Spoilt `json:"damaged"`
	Changed []Change `json:"changed"`
}

// settings are those of every fit of the fleet.
const settings = `# Every log goes through the same signal path; nothing is chosen on the data.
plain: true
cutoff: 8
estimator: wls
terms: [links, Fv, Fs]
`

// begin is the start of the first log.
var begin = time.Date(2025, time.January, 6, 6, 0, 0, 0, time.UTC)

// Write writes a fleet into a folder: manifest.csv, ident.yaml, robots/, logs/ and truth.json.
func Write(ctx context.Context, folder string, o Options) (*Truth, error) {
	if o.Robots == 0 {
		o.Robots = 10
	}
	if o.Seconds == 0 {
		o.Seconds = 10
	}
	if o.Span == 0 {
		o.Span = 364 * 24 * time.Hour
	}
	o.Logs = max(o.Logs, o.Robots)
	kinds := models()
	if err := os.MkdirAll(filepath.Join(folder, "robots"), 0o777); err != nil {
		return nil, err
	}
	for _, m := range kinds {
		if err := os.WriteFile(filepath.Join(folder, "robots", m.name+".urdf"), m.urdf(), 0o666); err != nil {
			return nil, err
		}
	}
	if err := os.WriteFile(filepath.Join(folder, "ident.yaml"), []byte(settings), 0o666); err != nil {
		return nil, err
	}
	truth := &Truth{Schema: TruthSchema, Logs: o.Logs, Robots: o.Robots}
	damage := map[int]Damage{} // by the number of the log
	draw := rand.New(rand.NewPCG(o.Seed, 0))
	for i, log := range draw.Perm(o.Logs)[:int(math.Round(o.Damaged*float64(o.Logs)))] {
		damage[log] = Damages()[i%len(Damages())]
	}
	change := map[int]Change{} // by the number of the robot
	for i, n := range draw.Perm(o.Robots)[:int(math.Round(o.Changed*float64(o.Robots)))] {
		m := kinds[n%len(kinds)]
		c := Change{Robot: name(m, n), From: begin.Add(time.Duration((0.35 + 0.3*draw.Float64()) * float64(o.Span))).Truncate(time.Second)}
		switch i % 3 {
		case 0:
			c.Joint = 1 + draw.IntN(len(m.bodies))
		case 1:
			c.Payload = payloadPart * m.mass()
		case 2:
			c.Payload, c.From = payloadPart*m.mass(), begin
		}
		change[n] = c
		truth.Changed = append(truth.Changed, c)
	}
	rows := make([][]string, o.Logs)
	spoilt := make([]*Spoilt, o.Logs)
	work, ctx := errgroup.WithContext(ctx)
	work.SetLimit(runtime.GOMAXPROCS(0))
	for n := range o.Robots {
		work.Go(func() error {
			m := kinds[n%len(kinds)]
			w := writer{Options: o, folder: folder, kinds: kinds, model: m, change: change[n], number: n}
			w.unit = m.unit(rand.New(rand.NewPCG(o.Seed, 1+uint64(n))))
			of := (o.Logs - n + o.Robots - 1) / o.Robots // logs n, n+Robots, … are the robot's
			for k := range of {
				log := n + k*o.Robots
				at := begin.Add(time.Duration(float64(o.Span) * float64(k) / float64(max(1, of-1)))).Truncate(time.Second)
				path, err := w.log(ctx, log, k, at, damage[log])
				if err != nil {
					return err
				}
				rows[log] = []string{name(m, n), path, filepath.Join("robots", m.name+".urdf"), at.Format(time.RFC3339)}
				if d := damage[log]; d != "" {
					spoilt[log] = &Spoilt{path, d}
				}
			}
			return nil
		})
	}
	if err := work.Wait(); err != nil {
		return nil, err
	}
	for _, s := range spoilt {
		if s != nil {
			truth.Damaged = append(truth.Damaged, *s)
		}
	}
	var s strings.Builder
	table := csv.NewWriter(&s)
	table.Write([]string{"robot", "log", "file", "start"})
	if err := table.WriteAll(rows); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(folder, "manifest.csv"), []byte(s.String()), 0o666); err != nil {
		return nil, err
	}
	text, err := json.MarshalIndent(truth, "", "\t")
	if err != nil {
		return nil, err
	}
	return truth, os.WriteFile(filepath.Join(folder, "truth.json"), append(text, '\n'), 0o666)
}

// name returns the key of a robot.
func name(m model, n int) string { return fmt.Sprintf("%s-%05d", m.name, n) }

// A writer writes the logs of one robot.
type writer struct {
	Options
	folder string
	kinds  []model
	model  model // as its file says
	unit   model // as it is
	change Change
	number int
}

// log writes the k-th log of the robot, and returns its path in the folder.
func (w *writer) log(ctx context.Context, number, k int, at time.Time, d Damage) (string, error) {
	draw := rand.New(rand.NewPCG(w.Seed, uint64(1<<40)+uint64(number)))
	unit, changed := w.unit, w.change.Robot != "" && !at.Before(w.change.From)
	if d == WrongRobot {
		unit, changed = w.kinds[(w.number+1)%len(w.kinds)].unit(draw), false
	}
	r, err := unit.robot(w.change, changed)
	if err != nil {
		return "", err
	}
	motion := unit.motion(w.Seconds, draw)
	torques, err := simulate.Run(ctx, r, motion, simulate.Options{Rate: 20})
	if err != nil {
		return "", err
	}
	noise := make([]float64, len(r.Links))
	for j, x := range torques.Exact.Tau {
		for _, v := range x {
			noise[j] += v * v / float64(len(x))
		}
		noise[j] = 0.01 * math.Sqrt(noise[j])
	}
	record, err := simulate.Run(ctx, r, motion, simulate.Options{Rate: rate, Duration: w.Seconds - 1/rate, Seed: draw.Uint64(),
		Noise: simulate.Noise{Velocity: []float64{2e-4}, Torque: noise}, Encoder: []float64{2 * math.Pi / (1 << 20)}})
	if err != nil {
		return "", err
	}
	channels, cols := record.Channels()
	channels, cols = d.spoil(channels, cols, len(r.Links), draw.IntN(len(r.Links)))
	form := "parquet"
	if d == TruncatedCSV {
		form = "csv"
	}
	folder := filepath.Join("logs", name(w.model, w.number))
	if err := os.MkdirAll(filepath.Join(w.folder, folder), 0o777); err != nil {
		return "", err
	}
	path := filepath.Join(folder, fmt.Sprintf("%04d.%s", k, form))
	whole := filepath.Join(w.folder, path)
	if err := datasets.Write(whole, channels, nil, func(to *datasets.Writer) error { return to.Append(cols) }); err != nil {
		return "", err
	}
	return path, d.cut(whole)
}

package main

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ident/identify/project"
	"ident/studies/records"
)

// machine is a robot with logs of its own.
type machine struct {
	name, robot string
	logs        []string
	set         func(*project.Settings)
}

// machines returns the robots of a folder whose logs have torques.
func machines(dir string) ([]machine, error) {
	none := func(*project.Settings) {}
	all := []machine{
		{"KUKA", "kuka_lwr4/model/kuka_lwr4.urdf", []string{"kuka_lwr4/*.csv.gz"}, none},
		{"Panda", "panda/model/panda_mdh_kinematics.urdf", []string{"panda/gaz*.csv.gz"}, none},
		{"TX40", "tx40/model/tx40_mdh_modified.urdf", []string{"tx40/tx40_joint*.csv.gz"}, none},
		{"EMPS", "emps/model/emps.urdf", []string{"emps/*.csv.gz"}, func(s *project.Settings) { s.Map = map[string]string{"tau1": "force"} }},
		{"UR10e", "ur10e/model/ur10e.urdf", []string{"ur10e/identification/*.csv.gz", "ur10e/validation/*ptp*.csv.gz"}, func(s *project.Settings) {
			s.Gains = []float64{10, 10.6956, 8.4566, 9.0029, 9.48, 10.1232}
		}},
	}
	for i := range all {
		m := &all[i]
		m.robot = filepath.Join(dir, m.robot)
		patterns := m.logs
		m.logs = nil
		for _, p := range patterns {
			found, err := filepath.Glob(filepath.Join(dir, p))
			if err != nil {
				return nil, err
			}
			m.logs = append(m.logs, found...)
		}
	}
	return all, nil
}

// rowsOf counts the rows of a log in text.
func rowsOf(path string) (int, error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	text, err := gzip.NewReader(file)
	if err != nil {
		return 0, err
	}
	rows := -1 // the header
	lines := bufio.NewScanner(text)
	for lines.Scan() {
		rows++
	}
	return rows, lines.Err()
}

// drawn returns split number i of a log: a part of it of 40 to 100 %, and what is predicted. That is the rest of the
// part, behind its first 30 to 70 %, or, every second time where the robot has several logs, a part of another log.
func (m *machine) drawn(log string, i int, seed uint64) (subject, error) {
	name := fmt.Sprintf("%s %s #%d", m.name, strings.TrimSuffix(filepath.Base(log), ".csv.gz"), i)
	hash := fnv.New64()
	hash.Write([]byte(name))
	rng := rand.New(rand.NewPCG(seed, hash.Sum64()))
	part := func(log string) (string, error) {
		n, err := rowsOf(log)
		if err != nil {
			return "", err
		}
		size := int(float64(n) * (0.4 + 0.6*rng.Float64()))
		first := 1 + rng.IntN(n-size+1)
		return fmt.Sprintf("%d-%d", first, first+size-1), nil
	}
	rows := map[string]string{}
	s := subject{name: name, robot: m.robot, train: []string{log}}
	var err error
	if rows[filepath.Base(log)], err = part(log); err != nil {
		return s, err
	}
	fraction := 0.3 + 0.4*rng.Float64()
	if len(m.logs) > 1 && i%2 == 1 {
		other := log
		for other == log {
			other = m.logs[rng.IntN(len(m.logs))]
		}
		if rows[filepath.Base(other)], err = part(other); err != nil {
			return s, err
		}
		fraction, s.validate = 0, []string{other}
	}
	s.set = func(to *project.Settings) {
		m.set(to)
		to.Rows, to.TrainFraction = rows, fraction
	}
	return s, nil
}

// splits fits drawn parts of every log by itself, by --plain and by least squares, and compares the errors on what was left.
func splits(w io.Writer, path, dir, only string, cutoff float64, seed uint64, each int, simulated, estimators bool) error {
	done, known, file, err := records.Open(path, (*fitted).key)
	if err != nil {
		return err
	}
	defer file.Close()
	to := json.NewEncoder(file)
	all, err := machines(dir)
	if err != nil {
		return err
	}
	ways := []option{{"automatic", func(*project.Settings) {}}, {"plain", func(s *project.Settings) { s.Plain = true }},
		{"least squares", func(s *project.Settings) { s.Plain, s.Estimator = true, "ols" }}}
	if estimators {
		ways = append(ways[:1:1], decisions()[1]...)
	}
	place, err := os.MkdirTemp("", "worth")
	if err != nil {
		return err
	}
	defer os.RemoveAll(place)
	for i := range each { // all logs before the next split: an unfinished study says something of each
		var of []subject
		for _, m := range all {
			for _, log := range m.logs {
				s, err := m.drawn(log, i, seed)
				if err != nil {
					return err
				}
				of = append(of, s)
			}
		}
		if simulated {
			drawn, err := simulatedSplits(dir, place, seed+uint64(i))
			if err != nil {
				return err
			}
			of = append(of, drawn...)
		}
		for _, s := range of {
			if !strings.HasPrefix(s.name, only) {
				continue
			}
			for _, o := range ways {
				at := fitted{Subject: s.name, Choice: o.name}
				if known[at.key()] {
					continue
				}
				if err := at.run(context.Background(), s, o, cutoff); err != nil {
					at.Refused = err.Error()
				}
				if err := to.Encode(at); err != nil {
					return err
				}
				done = append(done, at)
			}
		}
	}
	if estimators {
		estimatorTable(w, done)
		return nil
	}
	splitTable(w, done)
	return nil
}

// splitTable states, by robot and for all, the automatic error over that of the others, and names the splits that lose
// more than 5 %.
func splitTable(w io.Writer, done []fitted) {
	errors, refused := map[string]map[string]float64{}, 0
	for _, f := range done {
		if f.Refused != "" || f.Unseen <= 0 {
			refused++
			continue
		}
		if errors[f.Subject] == nil {
			errors[f.Subject] = map[string]float64{}
		}
		errors[f.Subject][f.Choice] = f.Unseen
	}
	type lost struct {
		name  string
		ratio float64
	}
	for _, other := range []string{"plain", "least squares"} {
		ratios, worse := map[string][]float64{}, []lost(nil)
		for name, e := range errors {
			if e["automatic"] > 0 && e[other] > 0 {
				r := e["automatic"] / e[other]
				robot, _, _ := strings.Cut(name, " ")
				ratios[robot], ratios["all"] = append(ratios[robot], r), append(ratios["all"], r)
				if r > 1.05 {
					worse = append(worse, lost{name, r})
				}
			}
		}
		fmt.Fprintf(w, "| automatic over %s | splits | geometric mean | median | 95th percentile | worst | over 1.05 |\n|---|---|---|---|---|---|---|\n", other)
		names := make([]string, 0, len(ratios))
		for name := range ratios {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			r := ratios[name]
			slices.Sort(r)
			sum, over := 0.0, 0
			for _, v := range r {
				sum += math.Log(v)
				if v > 1.05 {
					over++
				}
			}
			at := func(part float64) float64 { return r[int(part*float64(len(r)-1)+0.5)] }
			fmt.Fprintf(w, "| %s | %d | %.3f | %.3f | %.3f | %.3f | %d |\n", name, len(r), math.Exp(sum/float64(len(r))), at(0.5), at(0.95), at(1), over)
		}
		slices.SortFunc(worse, func(a, b lost) int { return cmp.Compare(b.ratio, a.ratio) })
		for _, l := range worse {
			fmt.Fprintf(w, "%.3f %s: %.4g for %.4g %%\n", l.ratio, l.name, errors[l.name]["automatic"], errors[l.name][other])
		}
	}
	fmt.Fprintf(w, "%d fits refused\n", refused)
}

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"ident/identify"
	"ident/identify/project"
	"ident/studies/records"
)

// subject is a split of measured logs: what a fit is made of, and motion that it does not see.
type subject struct {
	name     string
	robot    string
	train    []string
	validate []string
	set      func(s *project.Settings)
	raw      bool // the error is that of the raw torque
}

// subjects returns the splits of the logs in a folder.
func subjects(dir string) []subject {
	at := func(parts ...string) string { return filepath.Join(append([]string{dir}, parts...)...) }
	kuka := func(runs ...string) (out []string) {
		for _, r := range runs {
			out = append(out, at("kuka_lwr4", "measurements_"+r+".csv.gz"))
		}
		return out
	}
	lwr := at("kuka_lwr4", "model", "kuka_lwr4.urdf")
	none := func(*project.Settings) {}
	part := func(s *project.Settings) { s.TrainFraction = 0.6 }
	return []subject{
		{name: "KUKA 1 → 2+3", robot: lwr, train: kuka("1"), validate: kuka("2", "3"), set: none},
		{name: "KUKA 1 → 3", robot: lwr, train: kuka("1"), validate: kuka("3"), set: none},
		{name: "KUKA 2 → 3", robot: lwr, train: kuka("2"), validate: kuka("3"), set: none},
		{name: "KUKA 3 → 1", robot: lwr, train: kuka("3"), validate: kuka("1"), set: none},
		{name: "KUKA 2+3 → 1", robot: lwr, train: kuka("2", "3"), validate: kuka("1"), set: none},
		{name: "Panda 60 → 40", robot: at("panda", "model", "panda_mdh_kinematics.urdf"), train: []string{at("panda", "gaz_exciting_traj_1.csv.gz")}, set: part},
		{name: "TX40 60 → 40", robot: at("tx40", "model", "tx40_mdh_modified.urdf"), train: []string{at("tx40", "tx40_joint_side_5kHz.csv.gz")}, set: part},
		{name: "EMPS 60 → 40", robot: at("emps", "model", "emps.urdf"), train: []string{at("emps", "emps_training.csv.gz")}, set: func(s *project.Settings) {
			part(s)
			s.Map = map[string]string{"tau1": "force"}
		}},
		{name: "UR10e", robot: at("ur10e", "model", "ur10e.urdf"), train: []string{at("ur10e", "identification", "ur-20_02_10-30sec_12harm.csv.gz")},
			validate: []string{at("ur10e", "validation", "ur-20_01_17-ptp_10_points.csv.gz")}, raw: true, set: func(s *project.Settings) {
				s.Gains = []float64{10, 10.6956, 8.4566, 9.0029, 9.48, 10.1232}
				s.Rows = map[string]string{"ur-20_02_10-30sec_12harm.csv.gz": "635-3510", "ur-20_01_17-ptp_10_points.csv.gz": "700-4200"}
			}},
	}
}

// option is one way to take a decision; its settings pin it.
type option struct {
	name string
	set  func(*project.Settings)
}

// decisions are those whose candidates are judged on the same rows, the simplest option of each first.
func decisions() [][]option {
	terms := func(name string) option {
		return option{name, func(s *project.Settings) { s.Terms = strings.Split(name, ",") }}
	}
	return [][]option{
		{{"free", func(s *project.Settings) { s.Consistent = project.No }}, {"feasible, weight 1", func(s *project.Settings) { s.Consistent, s.PriorWeight = project.Yes, "1" }},
			{"feasible", func(s *project.Settings) { s.Consistent = project.Yes }}},
		{{"wls", func(s *project.Settings) { s.Estimator = "wls" }}, {"ols", func(s *project.Settings) { s.Estimator = "ols" }}},
		{terms("links,Ia,Fs,Fo"), terms("links,Ia,Fv,Fs,Fo"), terms("links,Ia,Fv,Fs,Fo,Fa"), terms("links,Ia,Fv,Fs,Fo,Fst"), terms("links,Ia,Fv,Fs,Fo,Fa,Fst")},
	}
}

// fitted is one fit of a subject under pinned choices; Choice is "automatic", "plain" or the options of all decisions.
type fitted struct {
	Subject string  `json:"subject"`
	Choice  string  `json:"choice"`
	Percent float64 `json:"percent"` // on rows left out
	// Folds are the relative errors of the parts that were left out, per cent.
	Folds   []float64 `json:"folds"`
	Joints  []float64 `json:"joints"`        // of each joint on rows left out, per cent
	Apart   []float64 `json:"unseen_joints"` // of each joint on motion that was not seen, per cent
	Train   float64   `json:"train"`         // per cent
	Unseen  float64   `json:"unseen"`        // per cent
	Chosen  string    `json:"chosen"`
	Grade   string    `json:"grade"`
	Mass    float64   `json:"mass"` // kg, all moving links; 0 where unknown
	Sigma   float64   `json:"sigma"`
	Refused string    `json:"refused,omitempty"`
}

func (f *fitted) key() string { return f.Subject + "|" + f.Choice }

// choices fits every subject in three ways: with all combinations of pinned choices (if combine is set), with automatic
// choices, and with --plain.
func choices(w io.Writer, path, dir, only string, cutoff float64, combine bool) error {
	done, known, file, err := records.Open(path, (*fitted).key)
	if err != nil {
		return err
	}
	defer file.Close()
	to := json.NewEncoder(file)
	all := []option{{"automatic", func(*project.Settings) {}}, {"plain", func(s *project.Settings) { s.Plain = true }}}
	if combine {
		all = append(all, combinations(decisions())...)
	}
	for _, s := range subjects(dir) {
		if !strings.HasPrefix(s.name, only) {
			continue
		}
		for _, o := range all {
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
	choiceTable(w, done)
	return nil
}

// combinations are all ways to take decisions together.
func combinations(of [][]option) []option {
	out := []option{{"", func(*project.Settings) {}}}
	for _, d := range of {
		var more []option
		for _, o := range d {
			for _, before := range out {
				name := o.name
				if before.name != "" {
					name = before.name + "; " + o.name
				}
				more = append(more, option{name, func(s *project.Settings) { before.set(s); o.set(s) }})
			}
		}
		out = more
	}
	return out
}

func (f *fitted) run(ctx context.Context, s subject, o option, cutoff float64) error {
	p, err := identify.Open(s.robot, s.train...)
	if err != nil {
		return err
	}
	s.set(p.Settings)
	p.Settings.Validate, p.Settings.OnBad = s.validate, "drop"
	if cutoff > 0 {
		p.Settings.Cutoff = &cutoff
	}
	o.set(p.Settings)
	got, err := p.Fit(ctx, identify.FitOptions{})
	if err != nil {
		return err
	}
	res := got.Result
	if d := res.Diagnosis; d != nil && d.CrossValidation != nil {
		f.Percent, f.Joints = d.CrossValidation.Percent, d.CrossValidation.Joints
		for _, x := range d.CrossValidation.Folds {
			f.Folds = append(f.Folds, x.Percent)
		}
	}
	f.Train, f.Grade = res.Fit.RelativeError.Stacked, res.Grade.Parts()
	if v := res.Validation; v != nil {
		f.Unseen, f.Apart = v.RelativeError.Stacked, v.RelativeError.Joints
		if s.raw {
			f.Unseen, f.Apart = v.RelativeErrorRaw.Stacked, v.RelativeErrorRaw.Joints
		}
	}
	var chosen []string
	for _, d := range res.Selection {
		chosen = append(chosen, d.Decision+" "+d.Chosen)
	}
	f.Chosen = strings.Join(chosen, "; ")
	if b := res.Grade.Bodies; b != nil {
		f.Mass, f.Sigma = b.Kg, b.Sigma
	}
	return nil
}

// choiceTable states, by subject, the automatic choice beside the best of all combinations, and beside --plain on
// motion that was not seen.
func choiceTable(w io.Writer, done []fitted) {
	fmt.Fprintln(w, "| logs | left out, automatic, % | best combination | its, % | over it, % | standard errors | unseen: automatic | plain | best left out | least of all |\n|---|---|---|---|---|---|---|---|---|---|")
	var names []string
	for i := range done {
		if !slices.Contains(names, done[i].Subject) {
			names = append(names, done[i].Subject)
		}
	}
	for _, name := range names {
		var auto, plain, best *fitted
		least := math.Inf(1)
		for i := range done {
			f := &done[i]
			switch {
			case f.Subject != name || f.Refused != "":
			case f.Choice == "automatic":
				auto = f
			case f.Choice == "plain":
				plain = f
			default:
				if f.Percent > 0 && (best == nil || f.Percent < best.Percent) {
					best = f
				}
				if f.Unseen > 0 {
					least = min(least, f.Unseen)
				}
			}
		}
		if auto == nil || plain == nil {
			continue
		}
		if best == nil {
			fmt.Fprintf(w, "| %s | %.3g | | | | | %.3g | %.3g | | |\n", name, auto.Percent, auto.Unseen, plain.Unseen)
			continue
		}
		fmt.Fprintf(w, "| %s | %.3g | %s | %.3g | %.1f | %.1f | %.3g | %.3g | %.3g | %.3g |\n", name, auto.Percent, best.Choice, best.Percent, 100*(auto.Percent/best.Percent-1), excess(auto.Folds, best.Folds),
			auto.Unseen, plain.Unseen, best.Unseen, least)
	}
}

// excess returns the mean difference of the squares of two fits' errors over the parts that were left out, in its
// standard errors. The parts of a log count alike.
func excess(a, b []float64) float64 {
	n := float64(len(a))
	if len(a) != len(b) || len(a) < 2 {
		return math.NaN()
	}
	mean, square := 0.0, 0.0
	for i := range a {
		mean += (a[i]*a[i] - b[i]*b[i]) / n
	}
	for i := range a {
		d := a[i]*a[i] - b[i]*b[i] - mean
		square += d * d
	}
	if square == 0 {
		return 0
	}
	return mean / math.Sqrt(square/(n-1)/n)
}

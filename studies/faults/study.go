package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"sync"
	"time"

	"ident/doctor"
	"ident/studies/records"
)

// record is the outcome of one run of the study.
type record struct {
	Subject, Family, Kind string // Family and Kind are "" for a sound log
	Harmful               bool
	Class, Text           string // of the judgement
	Grade                 string // of a fit, of harmful faults that are silent; refused where the doctor has an error
	Mendable              bool   // values can mend it
	// Errors on the sound log of free fits: of itself, of the faulty log, and of that log with its repairs; 0 without a repair.
	Clean, Faulty, Mended float64
	Own                   float64 // error of the faulty log's free fit on itself, with a grade: at Clean nothing in the log contradicts
	Seconds               float64 // of judging
}

// restored and spoilt are the limits on the error after a repair, of that of the sound log and of that before the repair.
const restored, spoilt = 1.2, 1.02

// options of the study.
type options struct {
	data, only, which, out  string
	verbose, direct, grades bool
	part, deal, workers     int
}

// job is a fault in a log that is to be judged; k is nil of the sound log.
type job struct {
	s int
	k *kind
}

// jobs lists what the options ask for.
func jobs(subjects []subject, ks []kind, o options) ([]job, error) {
	subjectLike, err := regexp.Compile(o.only)
	if err != nil {
		return nil, err
	}
	kindLike, err := regexp.Compile(o.which)
	if err != nil {
		return nil, err
	}
	var out []job
	for i := range subjects {
		if !subjectLike.MatchString(subjects[i].name) {
			continue
		}
		if kindLike.MatchString("clean") {
			out = append(out, job{s: i})
		}
		for k := range ks {
			// Neighbours in the list are of one subject: a step that shares no factor with the kinds deals all of both.
			at := i*(len(ks)+1) + k + 1
			if (kindLike.MatchString(ks[k].name) || kindLike.MatchString(ks[k].family)) && (at*31+at/(len(ks)+1))%o.part == o.deal {
				out = append(out, job{i, &ks[k]})
			}
		}
	}
	return out, nil
}

func study(o options) error {
	subjects, err := allSubjects(o.data)
	if err != nil {
		return err
	}
	ks := kinds()
	todo, err := jobs(subjects, ks, o)
	if err != nil {
		return err
	}
	known, _, keep, err := records.Open(cmp.Or(o.out, os.DevNull), func(r *record) string { return r.Subject + r.Kind })
	if err != nil {
		return err
	}
	defer keep.Close()
	var all []record
	todo = slices.DeleteFunc(todo, func(j job) bool {
		i := slices.IndexFunc(known, func(r record) bool {
			return r.Subject == subjects[j.s].name && (j.k == nil && r.Kind == "" || j.k != nil && r.Kind == j.k.name)
		})
		if i >= 0 {
			all = append(all, known[i])
		}
		return i >= 0
	})
	var mutex sync.Mutex
	done := func(r record) error {
		mutex.Lock()
		defer mutex.Unlock()
		all = append(all, r)
		if o.verbose && (r.Kind == "" || r.Harmful) {
			fmt.Println(r.line())
		}
		return json.NewEncoder(keep).Encode(r)
	}
	if err := runAll(subjects, todo, o, done); err != nil {
		return err
	}
	print(all, len(ks))
	return nil
}

// runAll judges the jobs, several at once.
func runAll(subjects []subject, todo []job, o options, done func(record) error) error {
	var mutex sync.Mutex
	sound := map[int]float64{} // errors of the sound logs' own fits
	clean := func(s int) float64 {
		mutex.Lock()
		defer mutex.Unlock()
		if _, ok := sound[s]; !ok {
			sound[s] = errorOn(subjects[s].run, subjects[s].run)
		}
		return sound[s]
	}
	next := make(chan job, len(todo))
	for _, j := range todo {
		next <- j
	}
	close(next)
	failed := make(chan error, o.workers)
	var wg sync.WaitGroup
	for range o.workers {
		wg.Go(func() {
			for j := range next {
				s := subjects[j.s]
				d := s.run.clone()
				r := record{Subject: s.name, Clean: clean(j.s)}
				if j.k != nil {
					if r.Family, r.Kind = j.k.family, j.k.name; !j.k.make(d, rand.New(rand.NewPCG(uint64(j.s), 7))) {
						continue
					}
				}
				r.judge(s.run, d, j.k, o)
				if err := done(r); err != nil {
					failed <- err
					return
				}
			}
		})
	}
	wg.Wait()
	close(failed)
	return <-failed
}

// judge fills the record of a fault d in a sound log.
func (r *record) judge(sound, d *run, k *kind, o options) {
	var want []string
	if k != nil {
		want, r.Mendable = k.want, k.values()
		r.Faulty = errorOn(sound, d)
		r.Harmful = r.Faulty > 1.5*r.Clean+0.01
	}
	began := time.Now()
	if o.direct {
		v := judgeCauses(d, want)
		r.Class, r.Text, r.Seconds = v.class, v.text, time.Since(began).Seconds()
		return
	}
	found, err := examine(d)
	v := judgeFindings(found, err, want)
	r.Class, r.Text, r.Seconds = v.class, v.text, time.Since(began).Seconds()
	if m := d.mended(found); m != nil {
		r.Mended = errorOn(sound, m)
	}
	if o.grades && r.Harmful && r.Class == "silent" {
		r.Grade, r.Own = grade(d), errorOn(d, d)
	}
}

func (r *record) line() string {
	text := fmt.Sprintf("%-22s %-32s %-8s %-8s %s", r.Subject, r.Kind, pick(r.Harmful, "harmful", "harmless"), r.Class, r.Text)
	if r.Mended > 0 {
		text += fmt.Sprintf(" [%.1f %% → %.1f %%, sound %.1f %%]", 100*r.Faulty, 100*r.Mended, 100*r.Clean)
	}
	if r.Grade != "" {
		text += fmt.Sprintf(" graded %s, own error %.2f %%, sound %.2f %%", r.Grade, 100*r.Own, 100*r.Clean)
	}
	return text
}

// examine asks the doctor.
func examine(d *run) ([]doctor.Finding, error) {
	l, roles := d.log()
	return doctor.Check(context.Background(), d.robot, l, roles, doctor.Options{Gravity: d.gravity})
}

// mended returns a run with the repairs that hold; nil without one.
func (r *run) mended(found []doctor.Finding) *run {
	l, roles := r.log()
	m, err := doctor.MendLog(context.Background(), r.robot, l, roles, found, doctor.Options{Gravity: r.gravity})
	if err != nil || m.Columns == nil {
		return nil
	}
	out := r.clone()
	at := func(name string) []float64 {
		if i := slices.Index(l.Names(), name); name != "" && i >= 0 {
			return m.Columns[i]
		}
		return nil
	}
	out.t = at(roles.T)
	for j := range out.q {
		out.q[j], out.dq[j], out.tau[j] = at(roles.Q[j]), at(roles.DQ[j]), at(roles.Tau[j])
	}
	return out
}

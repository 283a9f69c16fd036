// Command faults puts known faults into sound logs and counts whether their cause is named: alone, in a group, not at all, or
// another in its place, or that no known cause explains it. A fault is harmful where a free fit of the faulty log predicts the sound one worse by half and one per
// cent of the torque more than a fit of the sound one.
//
// Repairs are tried as ident check --fix does, and judged by the error on the sound log of a free fit of the repaired one.
//
// With -channels it counts instead whether the doctor tells what the channels hold.
//
// With -causes -held the families of the true cause are left out of the list: what is named then is wrong, but for causes that are
// the same transformation in other words.
//
//	go run -C studies ./faults [-data DIR] [-only NAME] [-kind NAME] [-part N] [-deal K] [-out FILE] [-grades] [-v]
package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"ident/doctor"
	"ident/doctor/causes"
	"ident/robot"
)

func main() {
	data := flag.String("data", os.Getenv("IDENT_DATA"), "folder with the measured logs")
	only := flag.String("only", "", "subjects whose names match this expression")
	which := flag.String("kind", "", "kinds whose names or families match this expression")
	verbose := flag.Bool("v", false, "a line for each run")
	flag.BoolVar(&held, "held", false, "with -causes: leave the families of the true cause out of the list")
	direct := flag.Bool("causes", false, "ask package causes alone, without the doctor")
	rough := flag.Int("rough", 0, "instead, draw so many rough files of each robot (masses e^0.3N, centres ±20 mm) and count what the doctor says of the sound log")
	part := flag.Int("part", 1, "one run in so many, dealt evenly over subjects and kinds")
	deal := flag.Int("deal", 0, "which of the parts: take one that the rules were not made with")
	out := flag.String("out", "", "file of the records, a line each; with it a study that was interrupted goes on")
	grades := flag.Bool("grades", false, "fit the harmful faults that nothing names, and say how the fit is graded")
	workers := flag.Int("j", 1, "runs at once")
	flag.IntVar(&show, "show", 4, "with -v: causes to print a run")
	kindsOf := flag.Int("channels", 0, "instead, transform the channels of so many simulated robots and of the measured logs into each kind, and count what the doctor calls them")
	seeds := flag.Int("seeds", 1, "motions of each robot of -channels")
	flag.Parse()
	if *kindsOf > 0 {
		if err := channelStudy(*data, *which, *out, *kindsOf, *seeds); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if *rough > 0 {
		if err := roughFiles(*data, *only, *rough); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if err := study(options{*data, *only, *which, *out, *verbose, *direct, *grades, *part, *deal, *workers}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// allSubjects returns the measured logs, where they are at hand, and those of the simulated arms.
func allSubjects(data string) ([]subject, error) {
	var subjects []subject
	if data != "" {
		s, err := measured(filepath.Join(data, "data"))
		if err != nil {
			return nil, err
		}
		subjects = s
	}
	for i, r := range arms() {
		d, err := simulated(r, uint64(i+1), 24)
		if err != nil {
			return nil, err
		}
		subjects = append(subjects, subject{"simulated " + r.Name, d})
	}
	return subjects, nil
}

// roughFiles counts what the doctor says of sound logs whose robot files have rough bodies.
func roughFiles(data, only string, draws int) error {
	subjects, err := allSubjects(data)
	if err != nil {
		return err
	}
	like, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	logs, errors, warnings := 0, 0, 0
	for i, s := range subjects {
		if !like.MatchString(s.name) {
			continue
		}
		said := map[string]bool{}
		for _, f := range gravest(s.run) {
			said[f.ID+f.Channel] = true // of the file as it is
		}
		for n := range draws {
			d := s.run.clone()
			rng := rand.New(rand.NewPCG(uint64(i), uint64(n)))
			for l := range d.robot.Links {
				roughen(&d.robot.Links[l], rng)
			}
			logs++
			for _, f := range gravest(d) {
				if said[f.ID+f.Channel] {
					continue
				}
				fmt.Printf("%s: %s %s %s: %s\n", s.name, f.Severity, f.ID, f.Channel, f.Why)
				if f.Severity == doctor.Error {
					errors++
				} else {
					warnings++
				}
			}
		}
	}
	fmt.Printf("%d sound logs with rough files: %d errors, %d warnings that the file as it is does not have\n", logs, errors, warnings)
	return nil
}

// gravest returns the errors and warnings about a run.
func gravest(d *run) []doctor.Finding {
	l, roles := d.log()
	f, err := doctor.Check(context.Background(), d.robot, l, roles, doctor.Options{})
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(f, func(f doctor.Finding) bool { return f.Severity == doctor.Info })
}

// roughen draws the mass of a link from e^0.3N of its own, and moves its centre by up to 20 mm.
func roughen(l *robot.Link, rng *rand.Rand) {
	by := math.Exp(0.3 * rng.NormFloat64())
	m := by * l.Inertial[robot.M]
	for i := range l.Inertial {
		l.Inertial[i] *= by
	}
	for _, i := range []int{robot.MX, robot.MY, robot.MZ} {
		l.Inertial[i] += m * 0.02 * (2*rng.Float64() - 1)
	}
	l.Own = l.Inertial
}

func pick(c bool, a, b string) string {
	if c {
		return a
	}
	return b
}

// errorOn returns the error on a sound run of a free fit of another.
func errorOn(sound, train *run) float64 {
	gravity := train.robot.Gravity
	if train.gravity != nil {
		gravity = *train.gravity
	}
	e, err := causes.Validate(context.Background(), train.robot, []causes.Log{train.segments()}, []causes.Log{sound.segments()}, causes.Options{Gravity: gravity})
	if err != nil {
		return 10
	}
	return e
}

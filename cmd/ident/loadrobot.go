package main

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"ident/datasets"
	"ident/regressor"
	"ident/robot"
)

// Metadata keys of a log that name its robot.
const (
	metaRobot  = "ident.robot"
	metaSHA    = "ident.robot.sha256"
	metaFormat = "ident.robot.format"
)

// findRobot reads the robot that a command works on: --robot, else the log's
// own metadata, else ident.yaml, whose settings are in the project already.
func findRobot(p *project, fromFlag bool, logs ...*datasets.Log) (*robot.Robot, error) {
	opt := robot.ReadOptions{NoSnap: p.NoSnap, Set: p.Set, Loops: true}
	if p.Robot != "" && fromFlag {
		return openRobot(p, opt)
	}
	for _, l := range logs {
		if text := l.Meta()[metaRobot]; text != "" {
			r, err := robot.Read([]byte(text), l.Meta()[metaFormat], l.Name()+" (embedded robot)", opt)
			if err != nil {
				return nil, err
			}
			return adjust(r, p)
		}
	}
	if p.Robot != "" {
		return openRobot(p, opt)
	}
	where := "the input"
	if len(logs) > 0 {
		where = logs[0].Name()
	}
	return nil, usagef("no robot: give --robot FILE, or a log that carries its robot (metadata key %s; %s has none), or an ident.yaml beside it with a line \"robot: FILE\"", metaRobot, where)
}

func openRobot(p *project, opt robot.ReadOptions) (*robot.Robot, error) {
	r, err := robot.Open(p.Robot, opt)
	if err != nil {
		return nil, err
	}
	return adjust(r, p)
}

// adjust applies the settings that change the robot: gravity, couplings, limits.
// Locks come later, when the log is known.
func adjust(r *robot.Robot, p *project) (*robot.Robot, error) {
	if len(p.Gravity) > 0 {
		if len(p.Gravity) != 3 {
			return nil, usagef("gravity has %d numbers; it has three", len(p.Gravity))
		}
		copy(r.Gravity[:], p.Gravity)
	}
	if p.Loops != "" {
		var err error
		if r, err = r.WithLoops([]byte(p.Loops)); err != nil {
			return nil, fmt.Errorf("the loops of the robot: %w", err)
		}
	}
	if len(p.Assembly) > 0 {
		r.Assembly = maps.Clone(p.Assembly)
	}
	for _, c := range p.Couplings {
		if err := addCoupling(r, c); err != nil {
			return nil, usageError{err}
		}
	}
	return r, applyLimits(r, p.Limits)
}

// addCoupling reads "joint_6=joint_5+joint_6": the drive at joint 6 turns with
// the sum of joints 5 and 6. Weights are written as 2*joint_5.
func addCoupling(r *robot.Robot, text string) error {
	name, sum, ok := strings.Cut(text, "=")
	at, found := jointIndex(r, strings.TrimSpace(name))
	if !ok || !found {
		return fmt.Errorf("coupling %q: want DRIVE=JOINT+JOINT with joints of the robot: %s", text, strings.Join(r.JointNames(), ", "))
	}
	d := robot.Drive{Number: at, Weights: map[int]float64{}}
	for term := range strings.SplitSeq(strings.ReplaceAll(sum, "-", "+-"), "+") {
		if term = strings.TrimSpace(term); term == "" {
			continue
		}
		w := 1.0
		if rest, neg := strings.CutPrefix(term, "-"); neg {
			w, term = -1, rest
		}
		if factor, joint, product := strings.Cut(term, "*"); product {
			v, err := strconv.ParseFloat(strings.TrimSpace(factor), 64)
			if err != nil {
				return fmt.Errorf("coupling %q: %q is not a number", text, factor)
			}
			w, term = w*v, joint
		}
		k, found := jointIndex(r, strings.TrimSpace(term))
		if !found {
			return fmt.Errorf("coupling %q: the robot has no moving joint %q; it has %s", text, strings.TrimSpace(term), strings.Join(r.JointNames(), ", "))
		}
		d.Weights[k] += w
	}
	if len(d.Weights) < 2 {
		return fmt.Errorf("coupling %q: a shared drive acts on at least two joints", text)
	}
	r.Drives = append(r.Drives, d)
	return nil
}

func jointIndex(r *robot.Robot, name string) (int, bool) {
	for _, i := range r.Moving() {
		if r.Links[i].Joint.Name == name {
			return i, true
		}
	}
	return 0, false
}

// applyLimits writes the project's limits over the robot file's, joint by
// joint in order.
func applyLimits(r *robot.Robot, l limits) error {
	joints := r.Independent()
	check := func(what string, n int) error {
		if n != 0 && n != len(joints) {
			return usagef("%d %s limits for %d joints (%s)", n, what, len(joints), strings.Join(independentNames(r), ", "))
		}
		return nil
	}
	for what, n := range map[string]int{"position": len(l.Position), "velocity": len(l.Velocity), "acceleration": len(l.Acceleration), "jerk": len(l.Jerk), "torque": len(l.Torque)} {
		if err := check(what, n); err != nil {
			return err
		}
	}
	for k, i := range joints {
		j := &r.Links[i].Joint
		if len(l.Position) > 0 {
			if len(l.Position[k]) != 2 || !(l.Position[k][0] <= l.Position[k][1]) {
				return usagef("position limits of joint %q: %v is not [lower, upper]", j.Name, l.Position[k])
			}
			j.Lower, j.Upper = l.Position[k][0], l.Position[k][1]
		}
		for _, v := range []struct {
			from []float64
			to   *float64
			what string
		}{{l.Velocity, &j.Velocity, "velocity"}, {l.Acceleration, &j.Accel, "acceleration"}, {l.Jerk, &j.Jerk, "jerk"}, {l.Torque, &j.Effort, "torque"}} {
			if len(v.from) == 0 {
				continue
			}
			if !(v.from[k] > 0) || math.IsInf(v.from[k], 0) {
				return usagef("%s limit of joint %q is %g; it must be positive", v.what, j.Name, v.from[k])
			}
			*v.to = v.from[k]
		}
	}
	return nil
}

func independentNames(r *robot.Robot) []string {
	var names []string
	for _, i := range r.Independent() {
		names = append(names, r.Links[i].Joint.Name)
	}
	return names
}

// parseTerms reads the model's terms, or gives the default.
func parseTerms(p *project, def []regressor.Term) ([]regressor.Term, error) {
	if len(p.Terms) == 0 {
		return def, nil
	}
	t, err := regressor.ParseTerms(strings.Join(p.Terms, ","))
	if err != nil {
		return nil, usageError{err}
	}
	return t, nil
}

// requireNumeric refuses a robot whose geometry still has symbols.
func requireNumeric(r *robot.Robot) error {
	if len(r.Unset) > 0 {
		return usagef("robot %q: geometry symbols without a value: %s; give them with --set %s=VALUE", r.Name, strings.Join(r.Unset, ", "), r.Unset[0])
	}
	return nil
}

// lockJoints fixes joints at the given values, in the joints' order.
func lockJoints(r *robot.Robot, values map[string]float64) (*robot.Robot, error) {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		var err error
		if r, err = r.Lock(name, values[name]); err != nil {
			return nil, fmt.Errorf("--lock %s: %w", name, err)
		}
	}
	return r, nil
}

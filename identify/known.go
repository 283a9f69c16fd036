package identify

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ident/internal/spelling"
	"ident/regressor"
	"ident/robot"
)

// ModelOf builds the model of a robot's unknown parameters, and, where some are
// known, that of those with their values: their torques go over to the known side
// of every row. A name that no column has is an error.
func ModelOf(r *robot.Robot, terms []regressor.Term, known map[string]float64) (unknown, fixed *regressor.Model, values []float64, err error) {
	full, err := regressor.NewDynamic(r, terms)
	if err != nil || len(known) == 0 {
		return full, nil, nil, err
	}
	names := full.Names()
	var open, given []int
	for c, name := range names {
		if v, ok := known[name]; ok {
			given, values = append(given, c), append(values, v)
		} else {
			open = append(open, c)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(known)) {
		if !slices.Contains(names, name) {
			near := slices.MinFunc(names, func(a, b string) int { return spelling.Distance(name, a) - spelling.Distance(name, b) })
			return nil, nil, nil, fmt.Errorf("the model has no parameter %q whose value could be known; the nearest is %q, its terms are %s", name, near, termList(terms))
		}
	}
	if len(open) == 0 {
		return nil, nil, nil, errors.New("all parameters of the model are known: nothing is left to identify")
	}
	return full.Select(open), full.Select(given), values, nil
}

func termList(terms []regressor.Term) string {
	var s []string
	for _, t := range terms {
		s = append(s, string(t))
	}
	return strings.Join(s, ", ")
}

// NeedError says that a run lacks what a term needs.
type NeedError struct {
	Log, What, Remedy string
}

func (e *NeedError) Error() string { return fmt.Sprintf("%s: %s; %s", e.Log, e.What, e.Remedy) }

// needs are what the unknown and the known parameters want of a run.
func (e *experiment) needs() regressor.Need {
	n := e.model.Needs()
	if e.fixed != nil {
		n |= e.fixed.Needs()
	}
	return n
}

// checkNeeds refuses runs that lack what the model's terms need.
func (e *experiment) checkNeeds() error {
	need := e.needs()
	carried := 0
	for i := range e.runs {
		run := &e.runs[i]
		switch {
		case need&regressor.NeedWrench != 0 && run.Wrench[0] == "":
			return &NeedError{run.Name, "a measured wrench is part of the model, and the log has none", "name its six channels with --wrench LINK=FX,FY,FZ,TX,TY,TZ, or leave out the term wrench"}
		case e.model.Needs()&regressor.NeedCurrent != 0 && !run.UnknownGains:
			return &NeedError{run.Name, "drive gains are unknowns of the model, and the log has no motor currents for some joints", "map them with --map i1=CHANNEL, or leave out the term gain"}
		}
		if i < e.training && run.Carried {
			carried++
		}
	}
	if both := regressor.NeedCurrent | regressor.NeedLoad; e.model.Needs()&both == both {
		return &NeedError{e.runs[0].Name, "friction of the load needs the torque, which is unknown while drive gains are unknowns", "leave out the term Fl or the term gain"}
	}
	if e.model.Needs()&regressor.NeedCurrent != 0 && e.cfg.Model.ofEnergy() {
		return &NeedError{e.runs[0].Name, fmt.Sprintf("the rows of the %s model add up what the currents of all joints do, so the errors of each cannot be told apart", e.cfg.Model),
			"estimate drive gains by --model dynamic, filtered or momentum"}
	}
	if e.training == 0 {
		return nil
	}
	if e.model.Needs()&regressor.NeedPayload != 0 {
		links := slices.ContainsFunc(e.model.Columns(), func(c regressor.Column) bool { return c.Term == regressor.Links })
		if carried == 0 || carried == e.training && links {
			return &NeedError{e.runs[0].Name, fmt.Sprintf("%d of %d training logs carry the payload, so it cannot be told from the link", carried, e.training),
				"fit logs with and without it together, and name those with it by --carries LOG"}
		}
	}
	if e.model.Needs()&regressor.NeedCurrent != 0 && e.fixed == nil {
		return &NeedError{e.runs[0].Name, "with drive gains as unknowns and no known torque, all parameters could be multiplied by any number",
			"say what is known, as the mass of a weighed payload: --terms …,payload:LINK --carries LOG --known PM7=3.2"}
	}
	return nil
}

// knownSide evaluates the torques of known parameters.
type knownSide struct {
	model  *regressor.Model
	values []float64
	block  *regressor.Block
	ws     *regressor.Workspace
	tau    [][]float64
}

func (e *experiment) newKnown() *knownSide {
	if e.fixed == nil {
		return nil
	}
	return &knownSide{model: e.fixed, values: e.fixedValues, ws: e.fixed.NewWorkspace()}
}

// subtract takes the torques of the known parameters from raw.
func (s *knownSide) subtract(raw [][]float64, in regressor.Batch) {
	n := len(raw[0])
	if s.block == nil || len(s.tau[0]) < n {
		s.block = s.model.NewBlock(n)
		s.tau = make([][]float64, len(raw))
		for k := range s.tau {
			s.tau[k] = make([]float64, n)
		}
	}
	s.block.Resize(n)
	s.model.EvalBatch(s.block, in, s.ws)
	s.model.Predict(s.tau, s.block, s.values)
	for k := range raw {
		for i := range raw[k] {
			raw[k][i] -= s.tau[k][i]
		}
	}
}

// extend adds to a chunk's motion what terms need beside it, and moves what is
// known to the known side.
func (w *worker) extend(in *regressor.Batch, c *chunk, ch layout) {
	run := &w.runs[c.seg.run]
	n := len(in.Q[0])
	need := w.needs
	if need&regressor.NeedLoad != 0 {
		for k := range w.raw {
			w.load[k] = append(w.load[k][:0], w.raw[k]...)
		}
		in.Load = w.load
	}
	if need&regressor.NeedCurrent != 0 {
		in.Current = c.data[ch.tau : ch.tau+w.joints]
		for k := range w.raw {
			clear(w.raw[k])
		}
	}
	if need&regressor.NeedWrench != 0 {
		for k := range in.Wrench {
			in.Wrench[k] = c.data[ch.wrench+k]
		}
	}
	if need&regressor.NeedContact != 0 {
		w.touch(in, c, ch)
	}
	if need&regressor.NeedPayload != 0 {
		w.carried = slices.Grow(w.carried[:0], n)[:n]
		on := 0.0
		if run.Carried {
			on = 1
		}
		for i := range w.carried {
			w.carried[i] = on
		}
		in.PayloadAttached = w.carried
	}
	if w.known != nil {
		w.known.subtract(w.raw, *in)
	}
}

// driven turns both sides of a comparison into the torques of drives whose gains
// were estimated: gain times current, against what the other parameters predict.
// Without such gains it leaves them as they are.
func (w *worker) driven(x []float64) {
	if w.model.Needs()&regressor.NeedCurrent == 0 {
		return
	}
	for k := range w.joints {
		mask := w.model.Mask(k)
		for c, col := range mask {
			if w.model.Columns()[col].Term != regressor.Gain {
				continue
			}
			for i, v := range w.block.Joint[k][c][:len(w.raw[k])] {
				torque := -v * x[col]
				w.pred[k][i] += torque - w.raw[k][i]
				w.raw[k][i] = torque
			}
		}
	}
}

package experiment

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"ident/datasets"
	"ident/identify"
	"ident/identify/project"
	"ident/robot"
	"ident/simulate"
	"ident/simulate/servo"
)

// Virtual is a robot with a motion and the options of its experiment.
type Virtual struct {
	Source, Robot     *robot.Robot // Source is the robot as the file says; Robot has its joints locked and its loops assembled
	Motion            simulate.Sampler
	Run               simulate.Options
	Notes             []string
	Controller, Model string // as options give them; no controller follows the motion exactly
	Sensors           Sensors
	Seals             project.Seals       // of a result that is the model
	Friction          string              // of the plant under a controller, beside the robot file's
	Commanded         *simulate.Commanded // torques that move the robot instead of the motion; nil for none
}

// Prepare builds the experiment for repeated runs, whose options differ only in their seed.
func (v *Virtual) Prepare(run simulate.Options) (*simulate.Simulation, error) {
	if v.Commanded != nil {
		c := *v.Commanded
		var err error
		if c.Plant, err = Friction(v.Friction, len(v.Robot.Independent())); err != nil {
			return nil, err
		}
		return simulate.NewCommanded(v.Robot, c, run)
	}
	if v.Controller == "" {
		if v.Friction != "" {
			return nil, wrongf("--friction is that of a robot moved by a --controller or by --torques")
		}
		return simulate.New(v.Robot, v.Motion, run)
	}
	c, err := Controlled(v.Controller, v.Model, v.Robot, run.Rate, v.Seals)
	if err != nil {
		return nil, err
	}
	if c.Plant, err = Friction(v.Friction, len(v.Robot.Independent())); err != nil {
		return nil, err
	}
	return simulate.NewControlled(v.Robot, v.Motion, c, run)
}

// Trials repeats the experiment with other draws and fits each record by each estimator.
func (v *Virtual) Trials(ctx context.Context, p *project.Settings, n int, estimators []string) (*identify.TrialsReport, error) {
	fits := *p
	fits.Plain = true
	if law, _, _ := strings.Cut(v.Controller, " "); slices.Contains(servo.JointLaws(), law) {
		// Estimators that simulate the controller are told its law and gains, but not its rate and delay; they cannot
		// take the torques of a model.
		words := strings.Fields(v.Controller)
		fits.Controller = strings.Join(slices.DeleteFunc(words, func(w string) bool { return strings.HasPrefix(w, "rate=") || strings.HasPrefix(w, "delay=") }), " ")
		for i := range v.Robot.Independent() {
			fits.Reference = append(fits.Reference, fmt.Sprintf("q_ref%d", i+1))
		}
	}
	report := &identify.TrialsReport{Schema: "ident.trials/1", Robot: v.Robot.Name, Trials: n, Seed: p.Seed, Experiment: "followed exactly"}
	if v.Controller != "" {
		report.Experiment = v.Controller
	}
	if v.Sensors.Faults != "" {
		report.Experiment += ", " + v.Sensors.Faults
	}
	var err error
	report.Estimators, err = identify.RunTrials(ctx, identify.TrialsPlan{Settings: &fits, Estimators: estimators, Trials: n,
		Record: func(ctx context.Context, trial int) (*datasets.Log, error) {
			run := v.Run
			run.Seed = p.Seed + uint64(trial)
			x, err := v.Prepare(run)
			if err != nil {
				return nil, err
			}
			stage, err := v.Sensors.Stage(ctx, v.Robot, v.Motion, x)
			if err != nil {
				return nil, err
			}
			return Record(ctx, x, stage, fmt.Sprintf("trial %d", trial+1), x.Outline().Meta())
		}})
	return report, err
}

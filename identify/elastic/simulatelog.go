package elastic

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"ident/datasets"
	"ident/identify/project"
	"ident/robot"
	"ident/simulate"
)

// HasElasticJoint reports whether a robot has an elastic joint.
func HasElasticJoint(r *robot.Robot) bool {
	for j := range r.Links {
		if r.Links[j].Joint.Elastic {
			return true
		}
	}
	return false
}

// controlBandwidth, Hz, of the motors' position loops: below the resonances of arms, so that the law neither
// damps nor excites them.
const controlBandwidth = 2

// SimulateLog moves a robot with elastic joints along a motion of its motors, with a multisine on their torques that
// shakes the springs, and writes its log. It uses these options: rate, duration, noise of positions and torques,
// encoder, torque quantum, acceleration and seed. Without given noise, torques have noise of 1 % of their root mean
// square and encoders 20 bits a turn; ideal sensors have neither.
func SimulateLog(ctx context.Context, r *robot.Robot, motion simulate.Sampler, opt simulate.Options, ideal bool, meta map[string]string, out string) (*Simulation, error) {
	m, err := New(r)
	if err != nil {
		return nil, err
	}
	law, err := m.Gains(controlBandwidth)
	if err != nil {
		return nil, err
	}
	duration := opt.Duration
	if duration == 0 {
		duration = motion.Duration()
	}
	if law.Dither, err = m.Shake(motion, duration); err != nil {
		return nil, err
	}
	rec, err := m.Simulate(ctx, motion, law, opt.Rate, duration)
	if err != nil {
		return nil, err
	}
	doc := &Simulation{Joints: project.JointNames(r), Samples: len(rec.T)}
	for q := range m.Links {
		i := m.DriveOf(q)
		if i < 0 {
			doc.RMSTorque = append(doc.RMSTorque, 0)
			continue
		}
		doc.RMSTorque = append(doc.RMSTorque, rootMeanSquareOf(rec.Tau[i]))
	}
	for i, s := range m.Springs {
		doc.Springs = append(doc.Springs, SimulatedSpring{Joint: s.Joint, RMSTorque: rootMeanSquareOf(rec.Spring[i])})
	}
	w := &sensorChannels{m: m, rec: rec, opt: opt, ideal: ideal}
	w.channels()
	doc.Channels = w.names
	return doc, datasets.Write(out, w.list, meta, func(f *datasets.Writer) error { return f.Append(w.cols) })
}

// Simulation tells of a written log.
type Simulation struct {
	Joints    []string
	Channels  []string
	Samples   int
	RMSTorque []float64 // root mean square of the drives' torques
	Springs   []SimulatedSpring
}

// SimulatedSpring is one elastic joint of a simulation.
type SimulatedSpring struct {
	Joint     string  `json:"joint"`
	RMSTorque float64 `json:"rms_torque"` // root mean square of the spring's torque on its link, N·m or N
}

func rootMeanSquareOf(x []float64) float64 { return math.Sqrt(meanSquare(x)) }

// sensorChannels make the channels of a log.
type sensorChannels struct {
	m     *Machine
	rec   *Record
	opt   simulate.Options
	ideal bool
	names []string
	list  []datasets.Channel
	cols  [][]float64
}

func (w *sensorChannels) channels() {
	w.add("t", "s", w.rec.T, 0, 0)
	moving := w.m.Robot.Moving()
	coordinates := func(prefix string, of [][]float64, turning, sliding string, measured bool) {
		for i := range w.m.Coordinates() {
			q, name := w.jointOf(i), prefix
			if i >= w.m.Links {
				name += "m"
			}
			unit, noise, step := turning, eachOf(w.opt.Noise.Position, q), project.TurningStep
			if w.m.Robot.Links[moving[q]].Joint.Kind == robot.Prismatic {
				unit, step = sliding, project.SlidingStep
			}
			if len(w.opt.Encoder) > 0 {
				step = eachOf(w.opt.Encoder, q)
			}
			if !measured || w.ideal {
				noise, step = 0, 0
			}
			w.add(fmt.Sprintf("%s%d", name, q+1), unit, of[i], noise, step)
		}
	}
	coordinates("q", w.rec.X, "rad", "m", true)
	if w.opt.Acceleration || w.ideal {
		coordinates("dq", w.rec.DX, "rad/s", "m/s", false)
		coordinates("ddq", w.rec.DDX, "rad/s^2", "m/s^2", false)
	}
	torque := func(name string, q int, x []float64) {
		unit := "N.m"
		if w.m.Robot.Links[moving[q]].Joint.Kind == robot.Prismatic {
			unit = "N"
		}
		noise, step := project.TorqueNoise*rootMeanSquareOf(x), eachOf(w.opt.TorqueQuantum, q)
		if len(w.opt.Noise.Torque) > 0 {
			noise = eachOf(w.opt.Noise.Torque, q)
		}
		if w.ideal {
			noise, step = 0, 0
		}
		w.add(fmt.Sprintf("%s%d", name, q+1), unit, x, noise, step)
	}
	for q := range w.m.Links {
		if i := w.m.DriveOf(q); i >= 0 {
			torque("tau", q, w.rec.Tau[i])
		}
	}
	for i, s := range w.m.Springs {
		torque("tauj", s.Q, w.rec.Spring[i])
	}
}

// jointOf returns the joint of a coordinate of x.
func (w *sensorChannels) jointOf(i int) int {
	for _, s := range w.m.Springs {
		if s.Motor == i {
			return s.Q
		}
	}
	return i
}

// add adds a channel with noise from its own random stream, rounded to its quantum.
func (w *sensorChannels) add(name, unit string, exact []float64, sigma, step float64) {
	x := append([]float64(nil), exact...)
	stream := rand.New(rand.NewPCG(w.opt.Seed, uint64(len(w.cols))))
	for k := range x {
		if sigma > 0 {
			x[k] += sigma * stream.NormFloat64()
		}
		if step > 0 {
			x[k] = math.Round(x[k]/step) * step
		}
	}
	w.names, w.list, w.cols = append(w.names, name), append(w.list, datasets.Channel{Name: name, Unit: unit}), append(w.cols, x)
}

// eachOf returns a joint's entry of a list with one for all or one for each; 0 for none.
func eachOf(list []float64, i int) float64 {
	switch len(list) {
	case 0:
		return 0
	case 1:
		return list[0]
	}
	return list[i]
}

package replay

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"ident/mechanics/dynamics"
	"ident/robot"
	"ident/simulate/plant"
	"ident/simulate/servo"
)

// Tracking is the error with which a control law follows the motion of a record.
type Tracking struct {
	Law    string
	Joints []float64 // root mean square of the position error, rad or m
	RMS    float64   // root mean square over all joints
}

// Loop is the joint controller that all models are compared under.
type Loop struct {
	Kp, Kd []float64 // N·m/rad and N·m·s/rad; nil for those of Bandwidth
	// Bandwidth, rad/s, of the position loop of each joint with its largest inertia, critically damped; 0 for 20: a joint of
	// an industrial arm.
	Bandwidth float64
	Period    float64 // sampling period, s; 0 means 1 ms
	Seconds   float64 // length of the record that is followed, s; 0 means 10
}

// A Candidate is a law of the comparison. It has the feed-forward of a model, or only its gravity compensation.
type Candidate struct {
	Name    string
	Robot   *robot.Robot // nil for no model
	Gravity bool         // the model is used for gravity compensation only
}

// Track lets the robot of a record follow the record's motion under each of the laws. The simulated robot is model, with the
// torques added by which the recorded ones exceed those of model.
func Track(ctx context.Context, model *robot.Robot, rec *Record, loop Loop, laws []Candidate) ([]Tracking, error) {
	p, err := plant.New(model, plant.Options{Tolerance: 1e-7, MaxSteps: maxSteps})
	if err != nil {
		return nil, err
	}
	own, err := plant.NewModel(model)
	if err != nil {
		return nil, err
	}
	if loop.Period == 0 {
		loop.Period = 1e-3
	}
	if loop.Seconds == 0 {
		loop.Seconds = 10
	}
	if loop.Bandwidth == 0 {
		loop.Bandwidth = 20
	}
	n := len(rec.Q)
	if loop.Kp == nil {
		if err := loop.fromInertia(model, rec); err != nil {
			return nil, err
		}
	}
	left := unexplained(own, rec)
	samples := int(math.Min(loop.Seconds, float64(rec.Samples()-1)*rec.Interval) / loop.Period)
	gain := make([]float64, n)
	for k := range gain {
		gain[k] = 1
	}
	ref := &between{rec: rec}
	var out []Tracking
	for _, c := range laws {
		var law servo.Law = servo.PD(loop.Kp, loop.Kd, gain)
		if c.Robot != nil {
			m, err := plant.NewModel(c.Robot)
			if err != nil {
				return nil, err
			}
			if c.Gravity {
				law = servo.NewGravity(law, m)
			} else {
				law = servo.NewFeedForward(law, m)
			}
		}
		law = &disturbed{Law: law, rec: rec, left: left}
		sum, count := make([]float64, n), 0
		err := p.Follow(ctx, ref, plant.Control{Law: law, Period: loop.Period}, plant.Run{Every: 1, Samples: samples}, func(row plant.Row) error {
			if row.Time < settling/loop.Bandwidth {
				return nil
			}
			for k := range n {
				d := row.QR[k] - row.Q[k]
				sum[k] += d * d
			}
			count++
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("%s, under %s: %w", rec.Name, c.Name, err)
		}
		t := Tracking{Law: c.Name}
		total := 0.0
		for _, v := range sum {
			t.Joints = append(t.Joints, math.Sqrt(v/float64(max(count, 1))))
			total += v
		}
		t.RMS = math.Sqrt(total / float64(max(count*n, 1)))
		out = append(out, t)
	}
	return out, nil
}

// settling is the number of time constants of the loop that are left out at the start: exp(−8) of the error is left.
const settling = 8

// fromInertia sets the gains of the bandwidth. Where a joint's inertia with the others free, 1/(M⁻¹)ₖₖ, is so small
// somewhere that the sampled loop could not hold it, the gains are those that hold it with a margin of six.
func (l *Loop) fromInertia(r *robot.Robot, rec *Record) error {
	tree, err := dynamics.New(r)
	if err != nil {
		return err
	}
	n := len(rec.Q)
	most, least := make([]float64, n), make([]float64, n)
	for k := range least {
		least[k] = math.Inf(1)
	}
	mass, q := mat.NewSymDense(n, nil), make([]float64, n)
	const states = 50
	for s := range states {
		for k := range q {
			q[k] = rec.Q[k][(rec.Samples()-1)*s/(states-1)]
		}
		tree.InertiaMatrix(mass.RawSymmetric().Data, q)
		var chol mat.Cholesky
		if !chol.Factorize(mass) {
			return &plant.InertiaError{}
		}
		var inverse mat.SymDense
		if err := chol.InverseTo(&inverse); err != nil {
			return &plant.InertiaError{}
		}
		for k := range most {
			most[k], least[k] = math.Max(most[k], mass.At(k, k)), math.Min(least[k], 1/inverse.At(k, k))
		}
	}
	for k, m := range most {
		d := math.Min(2*m*l.Bandwidth, least[k]/(3*l.Period)) // a sampled rate is stable below 2·m/h
		l.Kp, l.Kd = append(l.Kp, d*l.Bandwidth/2), append(l.Kd, d)
	}
	return nil
}

// unexplained returns the torques of a record less those of a model, averaged over stepSeconds: noise of single samples
// moves no robot.
func unexplained(m *plant.Model, rec *Record) [][]float64 {
	n := len(rec.Q)
	out := make([][]float64, n)
	for k := range out {
		out[k] = make([]float64, rec.Samples())
	}
	q, dq, ddq, tau := make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range rec.Samples() {
		for k := range n {
			q[k], dq[k], ddq[k] = rec.Q[k][i], rec.DQ[k][i], rec.DDQ[k][i]
		}
		m.InverseDynamics(tau, q, dq, ddq)
		m.AddFriction(tau, dq)
		for k := range n {
			out[k][i] = rec.Tau[k][i] - tau[k]
		}
	}
	half := int(math.Round(stepSeconds / rec.Interval / 2))
	for k, x := range out {
		sums := make([]float64, len(x)+1)
		for i, v := range x {
			sums[i+1] = sums[i] + v
		}
		for i := range x {
			lo, hi := max(0, i-half), min(len(x), i+half+1)
			out[k][i] = (sums[hi] - sums[lo]) / float64(hi-lo)
		}
	}
	return out
}

// disturbed is a law on a robot that takes the unexplained torques of a record beside its model's.
type disturbed struct {
	servo.Law
	rec  *Record
	left [][]float64
}

func (d *disturbed) Fresh() servo.Law { return &disturbed{d.Law.Fresh(), d.rec, d.left} }

func (d *disturbed) Torque(at servo.Sample, tau []float64) {
	d.Law.Torque(at, tau)
	i := min(max(int(at.Time/d.rec.Interval), 0), d.rec.Samples()-1)
	for k := range tau {
		tau[k] -= d.left[k][i]
	}
}

// between is a record as a reference: cubic polynomials between the samples' positions and velocities.
type between struct{ rec *Record }

func (b *between) Eval(t float64, q, dq, ddq []float64) {
	r := b.rec
	at := math.Min(math.Max(t/r.Interval, 0), float64(r.Samples()-1))
	i := min(int(at), r.Samples()-2)
	s, h := at-float64(i), r.Interval
	for k := range q {
		x0, x1, v0, v1 := r.Q[k][i], r.Q[k][i+1], h*r.DQ[k][i], h*r.DQ[k][i+1]
		c2, c3 := 3*(x1-x0)-2*v0-v1, v0+v1-2*(x1-x0)
		q[k] = x0 + s*(v0+s*(c2+s*c3))
		dq[k] = (v0 + s*(2*c2+3*s*c3)) / h
		ddq[k] = r.DDQ[k][i] + s*(r.DDQ[k][i+1]-r.DDQ[k][i])
	}
}

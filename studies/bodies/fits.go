package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"gonum.org/v1/gonum/mat"

	"ident/baseparams"
	"ident/estimate"
	"ident/internal/triangle"
	"ident/physical"
	"ident/regressor"
	"ident/robot"
	"ident/studies/arms"
)

// fit is one estimate.
type fit struct {
	Arm   string `json:"arm"`
	Kind  string `json:"kind"`
	Total bool   `json:"total"`
	Seed  uint64 `json:"seed"`

	Mass          float64 `json:"mass"`     // total over the true one
	FileLog       float64 `json:"file_log"` // rms of log m/true over the links but the first
	Log           float64 `json:"log"`
	Thin          float64 `json:"thin"` // thickness over length of the thinnest body
	Torque        float64 `json:"torque"`
	Free          float64 `json:"free"` // errors of torques on unseen motion
	NearestTorque float64 `json:"nearest_torque"`
	Nearest       float64 `json:"nearest"` // total of the nearest feasible estimate, over the true one
	TotalInside   bool    `json:"total_inside"`
	Links         int     `json:"links"`
	LinksInside   int     `json:"links_inside"`
	Factor        float64 `json:"factor"`
	Weight        float64 `json:"weight"`
}

func (o *fit) key() string {
	return fmt.Sprintf("%s, file %s, total %v, seed %d", o.Arm, o.Kind, o.Total, o.Seed)
}

// determined returns what makes the torques determine the total, "" where nothing does.
func (o *fit) determined() string {
	for _, by := range []string{"rail", "floating"} {
		if strings.HasPrefix(o.Arm, by) {
			return by
		}
	}
	return ""
}

// experiment is the estimate of an arm's log, and an unseen motion.
type experiment struct {
	arm    *robot.Robot
	seed   uint64
	set    *baseparams.Set
	model  *regressor.Model
	truth  []float64 // base parameters
	sol    *estimate.Solution
	unseen *regressor.Block
	noise  []float64 // of the joints
}

const (
	rate    = 20.0 // rows per second: as many as correlated noise leaves of a log
	seconds = 20.0
	block   = 20 // rows
)

// levels are the classes of noise, parts of each joint's torque.
var levels = []float64{0.02, 0.05, 0.15}

// newExperiment moves an arm along a Fourier series under torque noise of one of the levels, and along another one.
func newExperiment(r *robot.Robot, seed uint64) (*experiment, error) {
	full, err := regressor.NewDynamic(r, regressor.DefaultTerms())
	if err != nil {
		return nil, err
	}
	set := baseparams.QR(full, baseparams.Options{})
	e := &experiment{arm: r, seed: seed, set: set, model: full.Select(set.Base)}
	chi := make([]float64, len(set.Columns))
	for i, c := range set.Columns {
		chi[i], _ = regressor.ValueOf(r, c)
	}
	e.truth = set.FromStandard(chi)
	rng := rand.New(rand.NewPCG(seed, 37))
	rows := e.motion(rng)
	tau := e.predict(rows, e.truth)
	masks := make([][]int, len(tau))
	for k := range tau {
		sum := 0.0
		for _, v := range tau[k] {
			sum += v * v
		}
		e.noise = append(e.noise, levels[seed%3]*math.Sqrt(sum/float64(len(tau[k]))))
		for i := range tau[k] {
			tau[k][i] += e.noise[k] * rng.NormFloat64()
		}
		masks[k] = e.model.Mask(k)
	}
	sum := estimate.NewReduction(len(e.truth), masks)
	var work triangle.Work
	for lo := 0; lo < rows.Rows; lo += block {
		b := sum.NewBlock(0)
		for k := range masks {
			cols := make([][]float64, len(masks[k]))
			for c, col := range rows.Joint[k] {
				cols[c] = col[lo:min(lo+block, rows.Rows)]
			}
			b.Joints[k].Add(cols, tau[k][lo:min(lo+block, rows.Rows)], &work)
		}
		sum.Append(b)
	}
	if e.sol, err = sum.Solve(estimate.WLS, true); err != nil {
		return nil, err
	}
	e.unseen = e.motion(rng)
	return e, nil
}

// motion evaluates the base regressor along a Fourier series of five harmonics.
func (e *experiment) motion(rng *rand.Rand) *regressor.Block {
	n := int(rate * seconds)
	var motion [3][][]float64
	for d := range motion {
		for range e.model.Joints() {
			motion[d] = append(motion[d], make([]float64, n))
		}
	}
	for k := range e.model.Joints() {
		size := 0.6
		if j := &e.arm.Links[e.arm.Moving()[k]].Joint; j.Kind == robot.Prismatic || j.Virtual {
			size = 0.15
		}
		for h := 1; h <= 5; h++ {
			w, a, p := 2*math.Pi*0.1*float64(h), size*rng.NormFloat64()/float64(h), 2*math.Pi*rng.Float64()
			for i := range n {
				s, c := math.Sincos(w*float64(i)/rate + p)
				motion[0][k][i] += a * s
				motion[1][k][i] += a * w * c
				motion[2][k][i] -= a * w * w * s
			}
		}
	}
	b := e.model.NewBlock(n)
	e.model.Eval(b, motion[0], motion[1], motion[2], e.model.NewWorkspace())
	return b
}

func (e *experiment) predict(rows *regressor.Block, x []float64) [][]float64 {
	tau := make([][]float64, e.model.Joints())
	for k := range tau {
		tau[k] = make([]float64, rows.Rows)
	}
	e.model.Predict(tau, rows, x)
	return tau
}

// error returns the root mean square, in units of each joint's noise, of the torques of an estimate against measured
// ones of the unseen motion.
func (e *experiment) error(x []float64) float64 {
	d := make([]float64, len(x))
	for i := range d {
		d[i] = x[i] - e.truth[i]
	}
	sum, n := 0.0, 0
	for k, tau := range e.predict(e.unseen, d) {
		for _, v := range tau {
			sum += v * v / (e.noise[k] * e.noise[k])
			n++
		}
	}
	return math.Sqrt(1 + sum/float64(n)) // the noise of the measured torques is one
}

// fit estimates with a file of a kind.
func (e *experiment) fit(ctx context.Context, k arms.Kind, total bool) (*fit, error) {
	rng := rand.New(rand.NewPCG(e.seed, 371))
	file := k.File(e.arm, rng)
	truth, fileLog, links := 0.0, 0.0, 0
	for j := range e.arm.Links {
		m := e.arm.Links[j].Inertial.Mass()
		truth += m
		if m > 0 {
			links++
		}
		if j > 0 && !k.None && m > 0 {
			l := math.Log(file.Links[j].Inertial.Mass() / m)
			fileLog += l * l
		}
	}
	var opt physical.BodyOptions
	if total {
		opt.Total, opt.TotalDeviation = truth*(1+0.05*rng.NormFloat64()), 0.05*truth
	}
	b, err := physical.Bodies(ctx, e.sol, file, e.set, opt)
	if err != nil {
		return nil, err
	}
	o := &fit{Arm: e.arm.Name, Kind: k.Name, Total: total, Seed: e.seed, Mass: b.Total.Mass / truth, Thin: math.Inf(1), Factor: b.Factor, Weight: b.Weight,
		Torque: e.error(b.Base), Free: e.error(e.sol.X), NearestTorque: e.error(b.Nearest.Base)}
	o.FileLog = math.Sqrt(fileLog / float64(links-1))
	o.TotalInside = math.Abs(b.Total.Mass-truth) <= 1.96*b.Total.Deviation
	for _, m := range b.Masses {
		if m.Link == 0 {
			continue
		}
		of := e.arm.Links[m.Link].Inertial.Mass()
		l := math.Log(m.Mass / of)
		o.Log += l * l
		o.Links++
		if math.Abs(m.Mass-of) <= 1.96*m.Deviation {
			o.LinksInside++
		}
	}
	o.Log = math.Sqrt(o.Log / float64(max(o.Links, 1)))
	for i, c := range e.set.Columns {
		if c.Term != regressor.Links || c.Param != robot.M {
			continue
		}
		var body robot.Inertial
		copy(body[:], b.Standard[i-robot.M:i+1])
		o.Thin = min(o.Thin, thinness(body))
		o.Nearest += b.Nearest.Standard[i] / truth
	}
	return o, nil
}

// thinness returns the least over the largest gyration radius of a body.
func thinness(p robot.Inertial) float64 {
	c, _ := p.Central()
	s := mat.NewSymDense(3, nil)
	half := (c[0][0] + c[1][1] + c[2][2]) / 2
	for a := range 3 {
		for b := a; b < 3; b++ {
			s.SetSym(a, b, -c[a][b])
		}
		s.SetSym(a, a, half-c[a][a])
	}
	var e mat.EigenSym
	if !e.Factorize(s, false) {
		return math.NaN()
	}
	v := e.Values(nil)
	return math.Sqrt(max(v[0], 0) / v[2])
}

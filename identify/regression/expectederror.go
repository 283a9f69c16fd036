package regression

import (
	"math"
	"math/rand/v2"

	"ident/internal/lanes"
	"ident/internal/triangle"
	"ident/observation"
	"ident/regressor"
	"ident/result"
	"ident/robot"
)

// trainingReach is the range of the training motion, by joint: rad or m, and their rates.
type trainingReach struct {
	lowest, highest []float64 // positions
	dq2, ddq2       []float64 // sums of squares
	samples         int
}

func newReach(joints int) trainingReach {
	r := trainingReach{lowest: make([]float64, joints), highest: make([]float64, joints), dq2: make([]float64, joints), ddq2: make([]float64, joints)}
	for k := range joints {
		r.lowest[k], r.highest[k] = math.Inf(1), math.Inf(-1)
	}
	return r
}

// reachOf returns the reach of an observation's own samples.
func reachOf(v *observation.Observation) trainingReach {
	r := newReach(len(v.Motion.Q))
	r.samples = v.Hi - v.Lo
	if r.samples == 0 {
		return r
	}
	for k, q := range v.Motion.Q {
		r.lowest[k], r.highest[k] = lanes.Range(q[v.Lo:v.Hi])
		r.dq2[k], r.ddq2[k] = lanes.SumSquares(v.Motion.DQ[k][v.Lo:v.Hi]), lanes.SumSquares(v.Motion.DDQ[k][v.Lo:v.Hi])
	}
	return r
}

// Add extends the reach by that of another chunk.
func (r *trainingReach) Add(o *trainingReach) {
	if o.samples == 0 {
		return
	}
	if r.samples == 0 {
		*r = newReach(len(o.lowest))
	}
	r.samples += o.samples
	for k := range o.lowest {
		r.lowest[k], r.highest[k] = min(r.lowest[k], o.lowest[k]), max(r.highest[k], o.highest[k])
		r.dq2[k] += o.dq2[k]
		r.ddq2[k] += o.ddq2[k]
	}
}

// amplitude returns the amplitude of a uniform distribution with a root mean square.
func (r *trainingReach) amplitude(squares float64) float64 {
	return math.Sqrt(3 * squares / float64(r.samples))
}

// otherMotions is the number of random states that stand for motions other than the training motion. The
// figures are root mean squares over them: with 400 states of several joints each they scatter by a few
// per cent, against limits that differ by a factor.
const otherMotions = 400

// expectedError returns the error, from the standard deviations of the estimate alone, of torques on motions other than
// the training motion: random states between the joints' limits (where the file gives none, between the ends of the
// training motion; a joint that stands in all runs stays where it was, because nothing tells what it would show), with
// the velocities and accelerations of the training motion in the root mean square. At such a state the error of a
// torque has the variance w·C·wᵀ, w being the state's row of the regressor and C the covariance of the estimate. Data
// that determine only combinations of parameters which the training motion happened to need show here, though the fit
// and its cross-validation on repetitions of one motion do not. It is nil for closed robots, whose random states do not
// close, and for models that need further channels. The torque that the error is a per cent of includes that of the
// known parameters.
func expectedError(m *regressor.Model, known observation.Known, seed uint64, r *robot.Robot, motion *trainingReach, still []bool, x []float64, covariance [][]float64) *result.Relative {
	if m.Tree() != nil || m.Needs() != 0 || motion.samples == 0 {
		return nil
	}
	joints := m.Joints()
	rng := rand.New(rand.NewPCG(seed, 0x07e4))
	var q, dq, ddq [][]float64
	for k, l := range m.JointLinks() {
		low, high := motion.lowest[k], motion.highest[k]
		if j := &r.Links[l].Joint; !still[k] && !math.IsNaN(j.Lower) && !math.IsNaN(j.Upper) {
			low, high = min(low, max(j.Lower, low-math.Pi)), max(high, min(j.Upper, high+math.Pi))
		}
		q = append(q, uniformDraws(rng, low, high))
		fastest, hardest := motion.amplitude(motion.dq2[k]), motion.amplitude(motion.ddq2[k])
		dq = append(dq, uniformDraws(rng, -fastest, fastest))
		ddq = append(ddq, uniformDraws(rng, -hardest, hardest))
	}
	states := regressor.Batch{Q: q, DQ: dq, DDQ: ddq}
	block, ws := m.NewBlock(otherMotions), m.NewWorkspace()
	m.EvalBatch(block, states, ws)
	given := knownTorques(known, states)
	err2, tau2 := make([]float64, joints), make([]float64, joints)
	var work triangle.Work
	torque := make([]float64, otherMotions)
	for k := range joints {
		mask, columns := m.Mask(k), make([][]float64, len(m.Mask(k)))
		own, at := make([]float64, len(mask)), make([]int, len(mask))
		for a, c := range mask {
			columns[a], own[a], at[a] = block.Joint[k][a][:otherMotions], x[c], a
		}
		clear(torque)
		lanes.Combine(torque, own, columns)
		if given != nil {
			for i, v := range given[k] {
				torque[i] += v
			}
		}
		tau2[k] = lanes.SumSquares(torque)
		// The sum over the states of w·C·wᵀ is that of the entries of C times those of Σ wᵀw.
		products := make([]float64, len(mask)*len(mask))
		work.Gram(products, len(mask), at, columns)
		for a, c := range mask {
			row := products[a*len(mask):]
			err2[k] += covariance[c][c] * row[a]
			for b, d := range mask[a+1:] {
				err2[k] += 2 * covariance[c][d] * row[a+1+b]
			}
		}
		err2[k] = max(err2[k], 0) // of a covariance that is positive semidefinite to rounding
	}
	out := result.RelativeOf(err2, tau2)
	return &out
}

// knownTorques returns the torques of known parameters at states, by joint; nil where there are none, or where they need
// further channels.
func knownTorques(known observation.Known, states regressor.Batch) [][]float64 {
	if known.Model == nil || known.Model.Needs() != 0 {
		return nil
	}
	out := table(known.Model.Joints(), len(states.Q[0]))
	block := known.Model.NewBlock(len(states.Q[0]))
	known.Model.EvalBatch(block, states, known.Model.NewWorkspace())
	known.Model.Predict(out, block, known.Values)
	return out
}

// uniformDraws draws otherMotions values between two ends.
func uniformDraws(rng *rand.Rand, low, high float64) []float64 {
	out := make([]float64, otherMotions)
	for i := range out {
		out[i] = low + (high-low)*rng.Float64()
	}
	return out
}

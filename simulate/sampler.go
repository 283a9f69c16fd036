package simulate

// Sampler is a motion with exact derivatives.
type Sampler interface {
	// DOF is the number of independent joints.
	DOF() int
	// Duration is the time in seconds from 0 for which the motion is defined,
	// one period if it is periodic.
	Duration() float64
	// Periodic reports whether the motion repeats after Duration.
	Periodic() bool
	// Eval stores the motion at time t in seconds, one entry per joint.
	Eval(t float64, q, dq, ddq []float64)
}

// BatchSampler is a Sampler that evaluates many times at once, to the same values
// as Eval.
type BatchSampler interface {
	Sampler
	// EvalBatch stores the motion at times t, in any order: one slice per joint, one
	// entry per time.
	EvalBatch(t []float64, q, dq, ddq [][]float64)
}

// batched returns the sampler itself or, where it knows single times only, one
// that evaluates them one by one.
func batched(s Sampler) BatchSampler {
	if b, ok := s.(BatchSampler); ok {
		return b
	}
	n := s.DOF()
	return &oneByOne{s, make([]float64, n), make([]float64, n), make([]float64, n)}
}

type oneByOne struct {
	Sampler
	q, dq, ddq []float64
}

// EvalBatch stores the motion at times t.
func (s *oneByOne) EvalBatch(t []float64, q, dq, ddq [][]float64) {
	for k, at := range t {
		s.Eval(at, s.q, s.dq, s.ddq)
		for i := range s.q {
			q[i][k], dq[i][k], ddq[i][k] = s.q[i], s.dq[i], s.ddq[i]
		}
	}
}

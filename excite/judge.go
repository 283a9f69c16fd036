package excite

import "math"

// judgedRate is a fourth of the least sampling rate of Judge's figures, in Hz, as in a design.
const judgedRate = 50

// Judge evaluates a given motion: it makes the final check and computes the information figures of a design, without a
// search. It ignores the problem's fields for search, start and end. Errors are those of Design.
func Judge(p Problem, m Motion) (*Result, error) {
	p.Shape, p.Harmonics, p.Start, p.End, p.Via, p.Base, p.Period = "", 0, nil, nil, nil, nil, m.Duration()
	if p.SampleRate == 0 {
		p.SampleRate = judgedRate
	}
	p.SampleRate = math.Max(p.SampleRate, 200/p.Period)
	d, err := prepare(&p)
	if err != nil {
		return nil, err
	}
	r := (&Space{d: d}).Check(m)
	r.Criterion, r.Unexcited = p.Criterion, d.unexcited
	d.assess(r, m)
	return r, nil
}

package excite

import "math"

// judgedRate is the least rate of the samples of Judge's figures, Hz, a fourth of theirs, as in a design.
const judgedRate = 50

// Judge measures a motion that is given: the final check and the figures of information of a design, without a search. Of the
// problem's fields those of the search, the start and the end do not count. Errors are those of Design.
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

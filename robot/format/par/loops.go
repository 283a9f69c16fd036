package par

import (
	"slices"

	"ident/robot"
)

// closeLoops pairs the extra frames at the cuts.
func (p *reader) closeLoops() error {
	if !p.opt.Loops {
		return nil
	}
	for n := 1; n <= p.nj-p.nl; n++ {
		of := func(f robot.ExtraFrame) bool { return f.Loop == n }
		first := slices.IndexFunc(p.r.Extra, of)
		second := first + 1 + slices.IndexFunc(p.r.Extra[first+1:], of)
		if second == first {
			return robot.Fault(p.entries["ant"].line, "ant", "loop %d: frame %d has no frame %d to meet; NF = %d must be NJ + (NJ - NL) = %d",
				n, p.nl+n, p.nj+n, p.nf, 2*p.nj-p.nl)
		}
		if f := p.r.Extra[second]; f.Kind != robot.Fixed {
			return robot.Fault(p.entries["sigma"].line, "sigma", "loop %d: frame %s, which frame %d meets, is %s; it must be fixed (2)", n, f.Name, p.nl+n, f.Kind)
		}
		p.r.Loops = append(p.r.Loops, robot.Loop{Frame: first, Meets: second})
	}
	if err := p.r.ValidateStructure(); err != nil {
		return &robot.FileError{Line: p.entries["ant"].line, Where: "ant", Err: err}
	}
	return nil
}

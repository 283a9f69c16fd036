package regressor

import (
	"fmt"

	"ident/robot"
)

// MaxWidths is the largest number of presliding widths of a joint.
const MaxWidths = 3

// preslidingTerm declares friction with a memory: before a joint slides, its friction is that of a spring with play at its
// end, which yields at the width w (the stop operator of Prandtl and Ishlinskii, the element of Iwan 1966),
//
//	τ = Fh·z,  w·ż = ṡ while |z| < 1, and z = ±1 beyond
//
// so that after a reversal friction turns over the way 2·w and not at once: hysteresis in the position, whatever the rate. Beside Fs, which turns at
// once, and with several widths, it is any friction of presliding that falls along convex curves (Al-Bender, Lampaert and Swevers 2005).
// Fh is linear for widths that are given: the term's argument, rad or m, "Fh:0.002+0.01", a list for each joint
// "Fh:0.002/0.01/0". The state begins at zero with the run, and is known after a way of 2·w.
func preslidingTerm() declaration {
	unit := [2]string{"N·m", "N"}
	d := declaration{name: Presliding, about: "friction with a memory of the last reversals", of: ofJoint, needs: NeedPresliding, part: newPresliding, says: answers{friction: yes, dry: no, filtered: yes, driven: yes, perJoint: no, offered: yes, file: no, form: yes},
		check: func(r *robot.Robot, t Term) error { _, err := preslidingWidths(r, t); return err },
		count: countOf(preslidingWidths, 1)}
	for i := range MaxWidths {
		kind := "Fh" + string(rune('a'+i))
		d.params = append(d.params, parameter{kind: kind, formula: fmt.Sprintf("%s·z%d", kind, i+1), unit: unit, signed: true, form: oneForm,
			law: dissipative(func(float64) float64 { return 1 })})
	}
	return d
}

// preslidingWidths returns the widths in the argument, by link.
func preslidingWidths(r *robot.Robot, t Term) ([][]float64, error) {
	if t.Argument() == "" {
		return nil, fmt.Errorf("term %q: give the width at which a joint slides, rad or m, as in %s:0.005, or one for each joint, %s:0.005/0.01", t, Presliding, Presliding)
	}
	return byJoint(r, t, 0, MaxWidths, "width of presliding, rad or m")
}

// newPresliding returns the part for one width.
func newPresliding(c *chain, r *robot.Robot, col Column, t Term) (part, error) {
	return newState(c, r, col, t, func(in *Batch) [][]float64 { return in.Presliding }, MaxWidths, col.Param, 0)
}

package observation

import (
	"fmt"

	"ident/filter"
	"ident/internal/digits"
)

// Bounds of the cut-off that a motion needs.
const (
	// UsualCutoff is the cut-off, in Hz, if the motion needs only a lower one: the bandwidth of industrial arms' drives. On
	// motions of 0.1 to 0.4 Hz a cut-off of 2 Hz predicts unseen torques 4 to 15 % worse (KUKA LWR, Panda), because
	// there are fewer rows.
	UsualCutoff = 10.0
	// rowHarmonics is the number of harmonics of the motion's band that rows keep. Friction that reverses with the
	// motion makes odd ones, and the fifth still distinguishes viscous from Coulomb friction.
	rowHarmonics = 5.0
	// RateShare is the largest cut-off as a part of the sampling rate: differences allow no more.
	RateShare = 0.2
)

// DefaultCutoff returns the cut-off, in Hz, for a log of which only the sampling rate is known: UsualCutoff, but at most
// a fifth of the rate. An unknown rate is 0.
func DefaultCutoff(rate float64) float64 {
	if rate <= 0 {
		return UsualCutoff
	}
	return min(UsualCutoff, RateShare*rate)
}

// RowCutoff is the cut-off of a fit's rows that a motion needs.
type RowCutoff struct {
	Cutoff float64 // Hz
	Band   float64 // frequency below which 98 % of the velocity's power lies, Hz, for the joint with the highest one
	// TooNear says that the motion needs a higher cut-off than the sampling rate allows.
	TooNear bool
}

// ChooseCutoff returns the cut-off of the rows for a motion. positions are those of the moving joints, samples at a
// rate in hertz; every channel must be one gap-free piece of 131 samples or more, otherwise it does not count. White
// noise on the positions does not change the choice: its floor is measured on third differences, and only what stands
// out of it is motion. Nor do the steps of positions that are held between the values of a slower source. The check, init, the default and the setting auto must all use this function.
func ChooseCutoff(positions [][]float64, rate float64) RowCutoff {
	c := RowCutoff{}
	var spectra filter.MotionSpectra
	for _, x := range positions {
		x, own := ofSource(x, rate)
		s := spectra.Of(x, own)
		c.Band = max(c.Band, s.Band(filter.NoiseOf(x, s).Sigma))
	}
	most := RateShare * rate
	c.TooNear = rowHarmonics*c.Band > most
	c.Cutoff = DefaultCutoff(rate)
	if asked := rowHarmonics * c.Band; asked > c.Cutoff {
		c.Cutoff = min(digits.Two(asked), most)
	}
	return c
}

// Reason returns the reason for the cut-off.
func (c RowCutoff) Reason() string {
	switch {
	case c.TooNear:
		return fmt.Sprintf("a fifth of the sampling rate is the highest cut-off for differences of positions; five times the %.3g Hz of the motion would be %.3g Hz", c.Band, rowHarmonics*c.Band)
	case c.Cutoff < UsualCutoff:
		return fmt.Sprintf("a fifth of the sampling rate is the highest cut-off for differences of positions; the motion has %.3g Hz", c.Band)
	case c.Cutoff == UsualCutoff:
		return fmt.Sprintf("the bandwidth of drives, above five times the %.3g Hz of the motion", c.Band)
	}
	return fmt.Sprintf("five times the %.3g Hz of the motion, for the harmonics of friction", c.Band)
}

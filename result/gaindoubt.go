package result

import "fmt"

// GainDoubt is the doubt of a drive gain that was given, or of the calibration of a
// torque sensor, in per cent of it.
type GainDoubt struct {
	Joint        string  `json:"joint"`
	SigmaPercent float64 `json:"sigma_percent"`
	// FoundPercent is the difference of the gain from the given one by the other joints'
	// torques, which show the same bodies, and FoundSigmaPercent its deviation, at most the
	// given one; zeros where it was not sought.
	FoundPercent      float64 `json:"found_percent,omitempty"`
	FoundSigmaPercent float64 `json:"found_sigma_percent,omitempty"`
}

// DescribeGainDoubts states the doubt of the drive gains, and notes on it: relative deviations sigma by joint, the
// relative errors found with their deviations, nil where none were sought, and the part of each parameter's
// variance that the gains make.
func DescribeGainDoubts(joints []string, sigma, found, deviation, part []float64, covariance [][]float64) (doubts []GainDoubt, notes []string) {
	most := 0
	for i, v := range part {
		if 2*v > covariance[i][i] {
			most++
		}
	}
	notes = append(notes, fmt.Sprintf("the doubt of the drive gains is in the deviations: it is the greater part of %d of %d", most, len(part)))
	for k, s := range sigma {
		g := GainDoubt{Joint: joints[k], SigmaPercent: 100 * s}
		if found != nil {
			g.FoundPercent, g.FoundSigmaPercent = 100*found[k], 100*deviation[k]
		}
		doubts = append(doubts, g)
		// Below half of its given doubt a gain is decided by the rows, not by its prior.
		if found != nil && g.SigmaPercent > 0 && g.FoundSigmaPercent < 0.5*g.SigmaPercent {
			notes = append(notes, fmt.Sprintf("by the torques of the other joints the gain of %s differs from the given one by %+.2g ± %.2g %%", g.Joint, g.FoundPercent, g.FoundSigmaPercent))
		}
	}
	return doubts, notes
}

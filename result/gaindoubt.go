package result

import "fmt"

// GainDoubt is the uncertainty of a given drive gain, or of a torque sensor's calibration, in per cent.
type GainDoubt struct {
	Joint        string  `json:"joint"`
	SigmaPercent float64 `json:"sigma_percent"`
	// FoundPercent is the difference of the gain from the given one according to the other joints' torques, which show
	// the same bodies. FoundSigmaPercent is its standard deviation, at most the given one. Both are zero if it was not
	// sought.
	FoundPercent      float64 `json:"found_percent,omitempty"`
	FoundSigmaPercent float64 `json:"found_sigma_percent,omitempty"`
}

// DescribeGainDoubts returns the uncertainty of the drive gains, and notes on it. sigma are relative standard
// deviations by joint; found and deviation are the relative errors found and their standard deviations, or nil; part is
// the part of each parameter's variance due to the gains.
func DescribeGainDoubts(joints []string, sigma, found, deviation, part []float64, covariance [][]float64) (doubts []GainDoubt, notes []string) {
	most := 0
	for i, v := range part {
		if 2*v > covariance[i][i] {
			most++
		}
	}
	notes = append(notes, fmt.Sprintf("standard deviations contain the uncertainty of the drive gains, which is the larger part for %d of %d", most, len(part)))
	for k, s := range sigma {
		g := GainDoubt{Joint: joints[k], SigmaPercent: 100 * s}
		if found != nil {
			g.FoundPercent, g.FoundSigmaPercent = 100*found[k], 100*deviation[k]
		}
		doubts = append(doubts, g)
		// Below half of its given uncertainty, the rows determine a gain rather than its prior.
		if found != nil && g.SigmaPercent > 0 && g.FoundSigmaPercent < 0.5*g.SigmaPercent {
			notes = append(notes, fmt.Sprintf("by the torques of the other joints the gain of %s differs from the given one by %+.2g ± %.2g %%", g.Joint, g.FoundPercent, g.FoundSigmaPercent))
		}
	}
	return doubts, notes
}

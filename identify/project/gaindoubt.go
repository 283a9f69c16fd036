package project

import (
	"strconv"
	"strings"

	"ident/internal/rowlist"
)

// gainSigma is one entry of the setting gain-sigma: the standard deviation of a drive gain, relative or in the gain's
// unit.
type gainSigma struct {
	value    float64
	relative bool
}

// gainSigmas reads the setting gain-sigma: one standard deviation a joint, or one relative
// standard deviation for all.
func (s *Settings) gainSigmas() ([]gainSigma, error) {
	var out []gainSigma
	for i, text := range s.GainSigma {
		number, percent := strings.CutSuffix(strings.TrimSpace(text), "%")
		v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err != nil || !(v >= 0) || !usable(v) {
			return nil, wrong("gain-sigma", text, "{gain-sigma} %s (number %d): a standard deviation in the unit of the gain, as 0.2, or relative to it, as 2%%, and not negative", text, i+1)
		}
		if percent {
			v /= 100
		}
		out = append(out, gainSigma{v, percent})
	}
	return out, nil
}

func checkGainSigma(s *Settings) error {
	_, err := s.gainSigmas()
	return err
}

// gainDoubts returns the relative standard deviations of the gains of the kept joints, nil if all are exact. pick holds
// these joints' positions among all joints as the setting numbers them. Torques without a gain count as gain 1: their
// sensor's calibration.
func (s *Settings) gainDoubts(pick []int, all int, gains []float64) ([]float64, error) {
	sigmas, err := s.gainSigmas()
	if err != nil || len(sigmas) == 0 {
		return nil, err
	}
	out := make([]float64, len(pick))
	for i, k := range pick {
		var sigma gainSigma
		switch {
		case len(sigmas) == all:
			sigma = sigmas[k]
		case len(sigmas) == len(pick):
			sigma = sigmas[i]
		case len(sigmas) == 1 && sigmas[0].relative:
			sigma = sigmas[0]
		default:
			return nil, wrong("gain-sigma", "", "{gain-sigma} has %s for %s; one in per cent is for all", rowlist.Plural(len(sigmas), "number"), rowlist.Plural(all, "joint"))
		}
		if out[i] = sigma.value; !sigma.relative && gains != nil {
			out[i] /= max(gains[i], -gains[i])
		}
	}
	return out, nil
}

package result

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"ident/baseparams"
	"ident/estimate"
	"ident/regressor"
)

// DriveGain is an estimated gain of a drive.
type DriveGain struct {
	Joint                string  `json:"joint"`
	Name                 string  `json:"name"`
	Unit                 string  `json:"unit"`
	Value                float64 `json:"value"`
	Sigma                float64 `json:"sigma"`
	RelativeSigmaPercent float64 `json:"relative_sigma_percent"`
	Low95                float64 `json:"low95"`
	High95               float64 `json:"high95"`
	// LoadTorque is the root mean square torque, N·m or N, of known parameters and payloads on this joint in the runs
	// with them; Noise is that of the residuals there. Their ratio is the signal to noise of the gain.
	LoadTorque float64 `json:"load_torque"`
	Noise      float64 `json:"noise"`
	Determined bool    `json:"determined"`
	Why        string  `json:"why"`
}

// gainPercent is the largest deviation, in per cent of the value, of a determined gain. A gain is a quotient of a known
// torque and a current. If the denominator has the relative standard deviation ρ, the mean of the quotient is off by
// ρ², a bias of ρ standard deviations, and its distribution is equally skew: up to ρ = 0.1 the symmetric interval holds
// the truth in 94 % of cases.
const gainPercent = 10

// DescribeGains fills the table of drive gains from a solution over set.Base. r must be the rows as measured; carried
// reports which runs have the payload.
func (res *Result) DescribeGains(set *baseparams.Set, sol *estimate.Solution, r *estimate.Reduction, carried func(run int) bool) {
	res.Gains = nil
	payload := make([]float64, len(set.Base))
	for k, c := range set.Base {
		if set.Columns[c].Term == regressor.Payload {
			payload[k] = sol.X[k]
		}
	}
	for k, c := range set.Base {
		col := set.Columns[c]
		if col.Term != regressor.Gain {
			continue
		}
		g := DriveGain{Joint: col.Owner, Name: col.Name, Unit: col.Unit, Value: sol.X[k], Sigma: math.Sqrt(sol.Covariance[k][k])}
		g.RelativeSigmaPercent = relativePercent(g.Sigma, g.Value)
		t := estimate.StudentQuantile(sol.DegreesOfFreedom[k])
		g.Low95, g.High95 = g.Value-t*g.Sigma, g.Value+t*g.Sigma
		for joint, mask := range r.Masks() {
			for _, at := range mask {
				if at == k {
					g.LoadTorque = r.RMSTorque(joint, payload, carried)
					g.Noise = sol.Sigma[joint]
				}
			}
		}
		res.Gains = append(res.Gains, g)
	}
}

// judgeGains decides which gains the data determine and names the others.
func (res *Result) judgeGains(l Limits, add func(id string, value, limit float64, why string) *Verdict) {
	if len(res.Gains) == 0 {
		return
	}
	worst := 0.0
	first := "" // undetermined gain
	var open []string
	for i := range res.Gains {
		g := &res.Gains[i]
		worst = max(worst, g.RelativeSigmaPercent)
		g.Determined = g.RelativeSigmaPercent <= l.GainPercent
		shows := "the load does not show on this joint"
		if g.LoadTorque > 0 {
			shows = fmt.Sprintf("the load makes %.3g times as much torque on it as the model leaves", g.LoadTorque/g.Noise)
		}
		g.Why = fmt.Sprintf("known to %.2g %%: %s", g.RelativeSigmaPercent, shows)
		if !g.Determined {
			if g.RelativeSigmaPercent > l.UnusableFactor*l.GainPercent {
				g.Why = "not determined, " + g.Why
			}
			if first == "" {
				first = g.Name
			}
			open = append(open, fmt.Sprintf("%s of %s (%.2g %%)", g.Name, g.Joint, g.RelativeSigmaPercent))
		}
	}
	v := add("drive-gains", worst, l.GainPercent, fmt.Sprintf("all %d drive gains are known to %.2g %% or better", len(res.Gains), worst))
	if len(open) == 0 {
		return
	}
	v.Why = "not determined by these runs: " + strings.Join(open, ", ")
	v.Fix = fmt.Sprintf("take them from elsewhere ({known} %s=VALUE), or add runs in which the load moves these joints", first)
	if worst <= l.UnusableFactor*l.GainPercent {
		v.Why, v.Makes = fmt.Sprintf("less certain than %g %%: %s", l.GainPercent, strings.Join(open, ", ")), Doubtful
	}
}

// GainSettings returns the gains in the form of a setting for other fits, in the order of the joints; "" if none is
// estimated. GAIN stands for a gain that was given.
func (res *Result) GainSettings() string {
	if len(res.Gains) == 0 {
		return ""
	}
	var list []string
	for _, joint := range res.Joints {
		at := slices.IndexFunc(res.Gains, func(g DriveGain) bool { return g.Joint == joint })
		if at < 0 {
			list = append(list, "GAIN")
			continue
		}
		list = append(list, strconv.FormatFloat(res.Gains[at].Value, 'g', 5, 64))
	}
	return "{gains} " + strings.Join(list, ",")
}

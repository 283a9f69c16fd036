package baseparams

import (
	"math"
	"math/rand/v2"

	"ident/regressor"
)

// Range of times since a run began, in seconds; it covers the time constants of warming.
const soonest, latest = 0.1, 1e5

// hottest is the size of random temperatures, so large that reference temperatures of rooms do not matter.
const hottest = 100

// extend draws the channels that the model's terms need besides the motion: measured torques, currents and wrenches of
// any value, and payloads attached in half of the samples. In half of the samples, rates of joints with Stribeck
// friction are of the size of its velocity, because far above it the column is zero. Times are drawn evenly in their
// logarithms between soonest and latest.
func extend(m *regressor.Model, in *regressor.Batch, samples int, rng *rand.Rand) {
	numbers := func() []float64 {
		v := make([]float64, samples)
		for i := range v {
			v[i] = 2*rng.Float64() - 1
		}
		return v
	}
	columns := func() [][]float64 {
		v := make([][]float64, m.Joints())
		for k := range v {
			v[k] = numbers()
		}
		return v
	}
	for k, speed := range m.StribeckVelocities() {
		if speed == 0 {
			continue
		}
		for i := range in.DQ[k] {
			if rng.IntN(2) == 0 {
				in.DQ[k][i] *= speed / fastest
			}
		}
	}
	need := m.Needs()
	if need&regressor.NeedLoad != 0 {
		in.Load = columns()
	}
	if need&regressor.NeedCurrent != 0 {
		in.Current = columns()
	}
	if need&regressor.NeedWrench != 0 {
		for k := range in.Wrench {
			in.Wrench[k] = numbers()
		}
	}
	if need&regressor.NeedContact != 0 {
		for k := range in.Contact {
			in.Contact[k] = numbers()
		}
	}
	if need&regressor.NeedHeat != 0 {
		in.Heat = columns()
	}
	if need&regressor.NeedTemperature != 0 {
		in.Temperature = columns()
		for k := range in.Temperature {
			for i := range in.Temperature[k] {
				in.Temperature[k][i] *= hottest
			}
		}
	}
	if need&regressor.NeedPresliding != 0 {
		for range regressor.MaxWidths {
			in.Presliding = append(in.Presliding, columns()...)
		}
	}
	if need&regressor.NeedTime != 0 {
		in.Time = numbers()
		for i, v := range in.Time {
			in.Time[i] = soonest * math.Pow(latest/soonest, math.Abs(v))
		}
	}
	if need&regressor.NeedPayload != 0 {
		in.PayloadAttached = numbers()
		several := regressor.PayloadNumbers(m.Columns())
		for i, v := range in.PayloadAttached {
			if in.PayloadAttached[i] = math.Ceil(v); len(several) > 0 { // none or one of several, alike
				in.PayloadAttached[i] = float64(append([]int{0}, several...)[min(int((v+1)/2*float64(len(several)+1)), len(several))])
			}
		}
	}
}

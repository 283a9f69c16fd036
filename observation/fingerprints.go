package observation

import (
	"context"
	"math"
	"slices"
)

// printedValues is the least number of values in a fingerprint. Sensors have steps, and
// a joint alone passes the same position and torque often; sixteen values
// that agree to twelve digits have been copied.
const printedValues = 16

// Fingerprints are the distinct fingerprints of a run that are below the bound, in
// ascending order. A fingerprint is a hash of positions and torques of some rows in succession, rounded to
// twelve digits, which survive every way of printing that keeps fifteen. Where the
// robot stands, none is taken.
func Fingerprints(ctx context.Context, run *Run, bound uint64) ([]uint64, error) {
	channels := append(append([]string(nil), run.Roles.Q...), run.Torques()...)
	joints := len(run.Roles.Q)
	rows := max(1, (printedValues+len(channels)-1)/len(channels))
	hashes := make([]uint64, 0, rows) // of the last rows
	var out []uint64
	last := make([]float64, joints)
	still := 0 // rows since the robot moved
	err := run.Log.Scan(channels, 8192, func(_ int, cols [][]float64) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		for i := range cols[0] {
			still++
			h := uint64(0xcbf29ce484222325)
			for c, col := range cols {
				v := col[i]
				if c >= joints && run.Gains != nil {
					v *= run.Gains[c-joints]
				}
				if c < joints && v != last[c] {
					last[c], still = v, 0
				}
				h = mix(h ^ rounded(v))
			}
			if len(hashes) == rows {
				hashes = append(hashes[:0], hashes[1:]...)
			}
			hashes = append(hashes, h)
			if len(hashes) < rows || still > 0 {
				continue
			}
			sum := uint64(0)
			for _, h := range hashes {
				sum = mix(sum ^ h)
			}
			if sum <= bound {
				out = append(out, sum)
			}
		}
		return nil
	})
	slices.Sort(out)
	return slices.Compact(out), err
}

// rounded are the bits of a number rounded to 40 of its 53, some twelve digits.
func rounded(v float64) uint64 {
	if v == 0 {
		return 0 // of either sign
	}
	return (math.Float64bits(v) + 1<<12) >> 13
}

// mix spreads a number over all bits (the finaliser of SplitMix64, Steele, Lea and
// Flood 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

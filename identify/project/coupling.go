package project

import (
	"fmt"
	"strconv"
	"strings"

	"ident/robot"
)

// NoCoupling is the value of the setting couplings that declines those the check proposes.
const NoCoupling = "none"

// addCoupling reads "joint_6=joint_5+joint_6": the drive at joint 6 turns with
// the sum of joints 5 and 6. Weights are written as 2*joint_5.
func addCoupling(r *robot.Robot, text string) error {
	name, sum, ok := strings.Cut(text, "=")
	at, found := JointIndex(r, strings.TrimSpace(name))
	if !ok || !found {
		return fmt.Errorf("coupling %q: want DRIVE=JOINT+JOINT with joints of the robot: %s", text, strings.Join(r.JointNames(), ", "))
	}
	d := robot.Drive{Number: at, Weights: map[int]float64{}}
	for term := range strings.SplitSeq(strings.ReplaceAll(sum, "-", "+-"), "+") {
		if term = strings.TrimSpace(term); term == "" {
			continue
		}
		w := 1.0
		if rest, neg := strings.CutPrefix(term, "-"); neg {
			w, term = -1, rest
		}
		if factor, joint, product := strings.Cut(term, "*"); product {
			v, err := strconv.ParseFloat(strings.TrimSpace(factor), 64)
			if err != nil {
				return fmt.Errorf("coupling %q: %q is not a number", text, factor)
			}
			w, term = w*v, joint
		}
		k, found := JointIndex(r, strings.TrimSpace(term))
		if !found {
			return fmt.Errorf("coupling %q: the robot has no moving joint %q; it has %s%s", text, strings.TrimSpace(term), strings.Join(r.JointNames(), ", "), didYouMean(strings.TrimSpace(term), r.JointNames()))
		}
		d.Weights[k] += w
	}
	if len(d.Weights) < 2 {
		return fmt.Errorf("coupling %q: a shared drive acts on at least two joints", text)
	}
	r.Drives = append(r.Drives, d)
	return nil
}

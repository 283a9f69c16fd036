package doctor

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"ident/doctor/internal/projection"
	"ident/doctor/internal/trialfit"
)

// Limits on excitation.
const (
	// A direction of the base parameters is undetermined if noise of the motion alone would show it at noiseShare of its
	// size, or if its singular value is below lost times the largest.
	noiseShare = 1.0 / 3
	lost       = 1e-5
	// Directions above this part of the largest singular value are well excited: the fit averages their noise.
	wellExcited = 1.0 / 30
	// The condition number of the base regressor, columns scaled to unit norm, from which it is reported.
	poorCondition = 1000
	// A parameter takes part in an undetermined direction if its entry in the unit vector exceeds this.
	participates = 0.25
)

// checkExcitation reports the base parameters that the motion of this log cannot determine.
func checkExcitation(rec *recording) (found findings) {
	moving, known := 0, 0
	for _, j := range rec.joints {
		if j.q == nil || rec.stats(j.q).rows < fewest {
			continue
		}
		known++
		if !rec.isStill(j) {
			moving++
			continue
		}
		if rec.stats(j.q).span() == 0 {
			continue // deadChannel says so
		}
		f := rec.about(ExcitationSmall, Warning, j.q)
		f.Value, f.Limit = rec.stats(j.q).span(), rec.stillRange(j.q)
		f.Where = "the whole log"
		f.Why = fmt.Sprintf("joint %s moves by %.3g %s only: its friction, its rotor inertia and what depends on its acceleration cannot be determined", j.name, f.Value, rec.unitOf(j.q))
		f.Fix = "move this joint as well (ident design-trajectory), or accept that these parameters keep the robot file's values"
		found.add(f)
	}
	if known == 0 {
		return nil
	}
	if moving == 0 {
		found.add(Finding{ID: ExcitationSmall, Severity: Error, Where: "the whole log",
			Why: "no joint moves: nothing but gravity at one posture can be seen",
			Fix: "record a motion of all joints; ident design-trajectory proposes one"})
		return found
	}
	if len(rec.motion().T) < fewest {
		return found // the findings about the clock and the values already say why
	}
	found.add(checkRank(rec)...)
	return found
}

// checkRank compares every direction of the base parameters with the noise of the motion.
func checkRank(rec *recording) (found findings) {
	set := rec.models.Set()
	names := set.Names()
	if len(names) == 0 {
		return found
	}
	rows := regressors(rec)
	var keep []int
	var small []string
	scale := make([]float64, len(names))
	for c := range names {
		scale[c] = rows.Norm(c)
		if scale[c] == 0 || rows.Change(c) > noiseShare*scale[c] {
			small = append(small, names[c])
			continue
		}
		keep = append(keep, c)
	}
	if len(small) > 0 {
		found.add(Finding{ID: ExcitationSmall, Severity: Warning, Value: float64(len(small)), Where: "the whole log",
			Why: fmt.Sprintf("the motion is not above its noise for %d of %d base parameters: %s", len(small), len(names), list(small)),
			Fix: "record a faster or larger motion of these joints (ident design-trajectory); until then these keep the robot file's values"})
	}
	if len(keep) == 0 {
		return found
	}
	if rows.Excites(keep, scale, noiseShare, poorCondition) {
		return found
	}
	var svd mat.SVD
	if !svd.Factorize(rows.Scaled(keep, scale), mat.SVDFullV) {
		return found
	}
	sigma := svd.Values(nil)
	var v mat.Dense
	svd.VTo(&v)
	change := rows.ChangeAlong(keep, scale, &v)
	var tied []string
	worst, last := 0.0, 0
	for i := range keep {
		s := 0.0
		if i < len(sigma) {
			s = sigma[i]
		}
		if s > wellExcited*sigma[0] || (s > lost*sigma[0] && change[i] < noiseShare*s) {
			last = i
			continue
		}
		worst = math.Max(worst, sigma[0]/math.Max(s, 1e-16*sigma[0]))
		for k, c := range keep {
			if math.Abs(v.At(k, i)) > participates && !slices.Contains(tied, names[c]) {
				tied = append(tied, names[c])
			}
		}
	}
	if len(tied) > 0 {
		why := fmt.Sprintf("the motion determines only combinations of %s", list(tied))
		if pairs := proportional(rec); len(pairs) > 0 {
			why += "; always together: " + fewOf(pairs)
		}
		found.add(Finding{ID: ExcitationCollinear, Severity: Warning, Value: worst, Limit: 1 / lost, Where: "the whole log", Why: why,
			Fix: "move the joints independently of each other (ident design-trajectory); until then only the combinations can be trusted"})
		return found
	}
	if condition := sigma[0] / sigma[last]; condition > poorCondition {
		found.add(Finding{ID: ExcitationCollinear, Severity: Info, Value: condition, Limit: poorCondition, Where: "the whole log",
			Why: fmt.Sprintf("the scaled condition number of the base regressor is %.0f: some parameters will come out with large standard deviations", condition),
			Fix: "record a longer or richer motion (ident design-trajectory)"})
	}
	return found
}

// list joins the first dozen names.
func list(names []string) string {
	const most = 12
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// regressors evaluates the base regressor at the motion, and again with noise added as large as the positions' scatter
// implies.
func regressors(rec *recording) trialfit.RegressorSummary {
	quiet, loud := rec.motion().Disturbed(rand.New(rand.NewPCG(rec.opt.Seed, 0xd0c)), func(j int) bool { return rec.isStill(rec.joints[j]) })
	return trialfit.Summarise(rec.models.Base(), quiet, loud, func(j int) bool { return rec.joints[j].effort != nil || rec.joints[j].given })
}

// proportional returns the names of joint pairs with proportional velocities.
func proportional(rec *recording) []string {
	var pairs []string
	for a := range rec.joints {
		for b := range a {
			if rec.isStill(rec.joints[a]) || rec.isStill(rec.joints[b]) {
				continue
			}
			x, y := rec.motion().DQ[b], rec.motion().DQ[a]
			dot := 0.0
			for k := range x {
				dot += x[k] * y[k]
			}
			if math.Abs(dot) > 0.999*projection.Norm(x)*projection.Norm(y) {
				pairs = append(pairs, rec.joints[b].name+" and "+rec.joints[a].name)
			}
		}
	}
	return pairs
}

// fewOf lists the first pairs of joints, and counts the others.
func fewOf(pairs []string) string {
	const most = 2
	if len(pairs) <= most {
		return strings.Join(pairs, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(pairs[:most], ", "), len(pairs)-most)
}

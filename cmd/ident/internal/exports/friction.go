package exports

import (
	"fmt"
	"slices"

	"ident/identify/project"
	"ident/regressor"
	"ident/result"
	"ident/robot"
)

// friction gives the joints of the identified robot the friction that its file will have, and names the rest.
func friction(ft *project.Fitted, id *result.Identified, choice string, said *Remarks) error {
	known := regressor.DefaultTerms()
	if choice == NoFriction {
		for i := range id.Robot.Links {
			j, was := &id.Robot.Links[i].Joint, &ft.Source.Links[i].Joint
			j.Fv, j.Fs = was.Fv, was.Fs
		}
		if out := unsaid(id, result.FrictionLawTerms()); len(out) > 0 {
			said.note("identified, but not written (the file keeps its friction): %s", values(id, out))
		}
	} else {
		laws, err := result.FrictionLaws(id, ft.Robot, ft.Terms)
		if err != nil {
			return err
		}
		for _, law := range laws {
			j := &id.Robot.Links[law.Link].Joint
			near := law.Law.Nearest(result.FrictionSpeed(j))
			j.Fv, j.Fs = near.Fv, near.Fs
			if !law.Law.Simple() || law.Warm {
				said.note("%s", distance(j, law, near))
			}
		}
	}
	known = append(known, result.FrictionLawTerms()...)
	var further []regressor.Column
	for _, c := range id.Drives {
		if !slices.Contains(known, c.Term) && id.Kept(c) {
			further = append(further, c)
		}
	}
	if len(further) > 0 {
		said.note("identified, but not written (no robot file has a place for them): %s", values(id, further))
	}
	return nil
}

// distance returns how far the friction of a file is from the identified law.
func distance(j *robot.Joint, law result.JointFriction, near result.NearestFriction) string {
	torque, rate := "N·m", "rad/s"
	if j.Kind == robot.Prismatic {
		torque, rate = "N", "m/s"
	}
	limit := "its velocity limit"
	if !(j.Velocity > 0) {
		limit = "the file gives no velocity limit"
	}
	s := fmt.Sprintf("joint %q: damping %.4g and friction %.4g are the nearest to the identified law over rates up to ±%.4g %s (%s); they differ from it by %.3g %s rms, %.3g at most",
		j.Name, near.Fv, near.Fs, near.Speed, rate, limit, near.RMS, torque, near.Largest)
	if law.Warm {
		cold := law.Cold.Nearest(near.Speed)
		s += fmt.Sprintf("; the values are for warm gears; for cold gears they would be %.4g and %.4g", cold.Fv, cold.Fs)
	}
	return s
}

package lint

import (
	"fmt"
	"slices"

	"ident/internal/spatial"
	"ident/robot"
)

// A robot as a whole is in another unit of length if it is large and lighter than any structure: its mass is less than rarest
// of the cube of its longest offset. A crane's boom of 100 m and 100 t has 0.1 kg/m³, an arm of 0.6 m links and 33 kg has 150; lengths in
// millimetres divide that by 1e9, in centimetres by 1e6. In the right unit it has at most densest: five times the density of an arm whose links are solid
// cubes of aluminium. Smaller robots than smallest are left to the findings on their bodies.
const (
	rarest, densest = 1e-3, 2e4
	smallest        = 3.0
	// emptiest is the longest offset, m, above which a robot without bodies is held to be in another unit.
	emptiest = 50.0
)

// wholeUnits reports whether all lengths of the robot are in a smaller unit than metres, and in which unit its inertias then are.
func wholeUnits(r *robot.Robot, bodies []lintBody, size float64) (Finding, bool) {
	total := 0.0
	var gyrations, far []float64
	for i := range bodies {
		b := &bodies[i]
		if b.mass > 0 {
			total += b.mass
			far = append(far, spatial.Norm(b.com))
			if b.gyration > 0 {
				gyrations = append(gyrations, b.gyration)
			}
		}
	}
	f := Finding{ID: "units", Severity: SeverityWarning, Value: size}
	if total == 0 {
		if size < emptiest {
			return f, false
		}
		f.Text = fmt.Sprintf("the robot's longest offset is %.4g m, and no body has a mass", size)
		f.Cause = "lengths in millimetres given for metres"
		return f, true
	}
	density := func(size float64) float64 { return total / (size * size * size) }
	if size < smallest || density(size) >= rarest {
		return f, false
	}
	f.Text = fmt.Sprintf("the robot's longest offset is %.4g m, and all bodies together are %.3g kg: no structure is so large and so light", size, total)
	for _, u := range []struct {
		of           float64
		name, square string
	}{{1e3, "millimetres", "mm²"}, {1e2, "centimetres", "cm²"}} {
		if density(size/u.of) > densest {
			continue
		}
		// The bodies' own lengths may be in metres: then those of the frames alone are wrong.
		inMetres := func(list []float64) bool {
			if len(list) == 0 {
				return false
			}
			slices.Sort(list)
			return list[len(list)/2] < size/u.of
		}
		f.Cause = "lengths of frames in " + u.name + " given for metres"
		if !inMetres(far) {
			f.Cause = "all lengths in " + u.name + " given for metres"
			switch g := gyrations; {
			case len(g) == 0:
			case inMetres(g):
				f.Cause += ", and not the inertias"
			default:
				f.Cause += ", inertias in kg·" + u.square + " for kg·m²"
			}
		}
		break
	}
	return f, true
}

package experiment

import (
	"fmt"
	"strings"

	"ident/identify/project"
	"ident/robot"
	"ident/simulate"
)

// Payloads reads payloads and the times of each, as options give them.
func Payloads(opt *simulate.Options, bodies, on []string) error {
	if len(bodies) != len(on) {
		return wrongf("--payload LINK=MASS,X,Y,Z and --payload-on FROM:TO go together: %d and %d are given", len(bodies), len(on))
	}
	for i := range bodies {
		p, err := Payload(bodies[i], on[i])
		if err != nil {
			return err
		}
		if i == 0 {
			opt.Payload = p
		} else {
			opt.Payloads = append(opt.Payloads, p)
		}
	}
	return nil
}

// Payload reads a payload and its times, as options give them.
func Payload(body, on string) (simulate.Payload, error) {
	if body == "" {
		return simulate.Payload{}, nil
	}
	link, text, _ := strings.Cut(body, "=")
	v, err := project.ParseNumbers(text)
	if err != nil || link == "" || len(v) != 4 && len(v) != 7 || v[0] <= 0 {
		return simulate.Payload{}, wrongf("--payload %s: want LINK=MASS,X,Y,Z or LINK=MASS,X,Y,Z,IXX,IYY,IZZ with a positive mass", body)
	}
	var central [3][3]float64
	for i := range v[4:] {
		central[i][i] = v[4+i]
	}
	p := simulate.Payload{Link: link, Body: robot.InertialFromCentral(v[0], [3]float64(v[1:4]), central)}
	for _, span := range project.ParseList(on) {
		from, to, ok := strings.Cut(span, ":")
		at, err := project.ParseNumbers(from + "," + to)
		if err != nil || !ok || len(at) != 2 || !(at[0] < at[1]) {
			return simulate.Payload{}, wrongf("--payload-on %s: want FROM:TO in seconds, FROM before TO, comma-separated", on)
		}
		p.On = append(p.On, [2]float64(at))
	}
	return p, nil
}

// CarriedRobot adds the robot file to the metadata of a log.
func CarriedRobot(r *robot.Robot, meta map[string]string) map[string]string {
	if src := r.Source; len(src.Text) > 0 {
		meta[project.MetaRobot], meta[project.MetaSHA], meta[project.MetaFormat] = string(src.Text), src.SHA256, src.Format
	}
	return meta
}

// NotInFile names the settings that change the robot but are not in the robot
// file that the log carries.
func NotInFile(p *project.Settings) []string {
	var given []string
	for _, o := range []struct {
		name string
		set  bool
	}{{"--gravity", len(p.Gravity) > 0}, {"--set", len(p.Set) > 0}, {"--no-snap", p.NoSnap}, {"--coupling", len(p.Couplings) > 0}, {"--lock", len(p.Lock) > 0}, {"--loops", p.Loops != ""}} {
		if o.set {
			given = append(given, o.name)
		}
	}
	if len(given) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("the log carries the robot file as it is: give %s to ident fit as well", strings.Join(given, ", "))}
}

package main

import (
	"strings"

	"ident/identify/project"
	"ident/robot"
	"ident/simulate"
)

// payloads reads payloads and the times of each.
func payloads(bodies, on []string) ([]simulate.Payload, error) {
	if len(bodies) != len(on) {
		return nil, usagef("--payload LINK=MASS,X,Y,Z and --payload-on FROM:TO go together: %d and %d are given", len(bodies), len(on))
	}
	var out []simulate.Payload
	for i := range bodies {
		p, err := payload(bodies[i], on[i])
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

// payload reads a payload and its times.
func payload(body, on string) (simulate.Payload, error) {
	if body == "" {
		return simulate.Payload{}, nil
	}
	link, text, _ := strings.Cut(body, "=")
	v, err := project.ParseNumbers(text)
	if err != nil || link == "" || len(v) != 4 && len(v) != 7 || v[0] <= 0 {
		return simulate.Payload{}, usagef("--payload %s: want LINK=MASS,X,Y,Z or LINK=MASS,X,Y,Z,IXX,IYY,IZZ with a positive mass", body)
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
			return simulate.Payload{}, usagef("--payload-on %s: want FROM:TO in seconds, FROM before TO, comma-separated", on)
		}
		p.On = append(p.On, [2]float64(at))
	}
	return p, nil
}

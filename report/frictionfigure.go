package report

import (
	"fmt"
	"html/template"
	"math"
	"strings"

	"ident/internal/digits"
	"ident/internal/orderstat"
	"ident/result"
)

// frictionColumns are the torques of a unit of each friction parameter that a figure can draw, at a rate that is not zero.
// The others need more than the rate: a load, a temperature, a Stribeck velocity.
var frictionColumns = map[string]func(rate float64) float64{
	"Fv":  func(v float64) float64 { return v },
	"Fs":  func(v float64) float64 { return math.Copysign(1, v) },
	"Fvp": func(v float64) float64 { return max(v, 0) },
	"Fvn": func(v float64) float64 { return min(v, 0) },
	"Fsp": func(v float64) float64 { return max(math.Copysign(1, v), 0) },
	"Fsn": func(v float64) float64 { return min(math.Copysign(1, v), 0) },
}

// drawnFriction is the identified friction law of a joint with its covariance.
type drawnFriction struct {
	columns    []func(rate float64) float64
	values     []float64
	covariance [][]float64
}

// frictionOf returns the law of a joint; ok is false if it has none, or one that does not follow from the rate alone.
func frictionOf(res *result.Result, joint string) (law drawnFriction, ok bool) {
	var index []int
	for i, b := range res.BaseParameters {
		if b.Joint != joint {
			continue
		}
		kind := strings.TrimRight(b.Name, "0123456789")
		column := frictionColumns[kind]
		if column == nil || kind == b.Name {
			if b.Friction() != "" {
				return law, false
			}
			continue
		}
		law.columns, law.values, index = append(law.columns, column), append(law.values, b.Value), append(index, i)
	}
	for _, i := range index {
		row := make([]float64, len(index))
		for k, j := range index {
			switch {
			case i < len(res.Covariance) && j < len(res.Covariance[i]):
				row[k] = res.Covariance[i][j]
			case i == j:
				row[k] = res.BaseParameters[i].Sigma * res.BaseParameters[i].Sigma
			}
		}
		law.covariance = append(law.covariance, row)
	}
	return law, len(index) > 0
}

// at returns the friction at a rate and its standard deviation, √(cᵀΣc) of the columns c and the covariance Σ.
func (f *drawnFriction) at(rate float64) (torque, sigma float64) {
	square := 0.0
	for i, c := range f.columns {
		torque += f.values[i] * c(rate)
		for j, d := range f.columns {
			square += c(rate) * f.covariance[i][j] * d(rate)
		}
	}
	return torque, math.Sqrt(max(square, 0))
}

// FrictionSection returns the identified friction of each joint over its velocity, as [HTML] draws it; ok is false if no joint
// has a law that follows from its velocity alone. runs are the residuals of the fit.
func FrictionSection(res *result.Result, runs []result.ResidualRun) (s Section, ok bool) {
	s = Section{Title: "Friction by joint", Legend: []Mark{{"p", "identified law"}, {"band", "its 95 % interval"}, {"dots", "friction that rows leave"}}}
	for j, name := range res.Joints {
		if f, drawn := frictionFigure(res, residualPoints(runs, "train", j, res.Processing), j); drawn {
			f.Title = clean(name) + strings.TrimPrefix(f.Title, "Friction")
			s.Figures = append(s.Figures, f)
		}
	}
	return s, len(s.Figures) > 0
}

// frictionDots is the number of rows of a figure of friction: more cover one another.
const frictionDots = 400

// frictionFigure draws the identified friction of a joint over its rate with the 95 % interval of the law, and what the
// rows leave for it, the residual above the law, as dots; ok is false without a law or without rates.
func frictionFigure(res *result.Result, points []residualPoint, j int) (f Figure, ok bool) {
	law, ok := frictionOf(res, res.Joints[j])
	var rates []float64
	for _, p := range points {
		if finite(p.dq) {
			rates = append(rates, math.Abs(p.dq))
		}
	}
	if !ok || len(rates) < 10 {
		return f, false
	}
	speed := orderstat.Selected(rates, len(rates)-1-len(rates)/200)
	if !(speed > 0) {
		return f, false
	}
	type dot struct{ v, y float64 }
	var dots []dot
	size := 0.0
	for k := 0; k < len(points); k += 1 + len(points)/frictionDots {
		if p := points[k]; finite(p.dq) && p.dq != 0 && math.Abs(p.dq) <= speed {
			y, _ := law.at(p.dq)
			dots = append(dots, dot{p.dq, y + p.e})
			size = max(size, math.Abs(y+p.e))
		}
	}
	const steps = 40
	for i := range steps + 1 {
		for _, side := range [2]float64{-1, 1} {
			y, sigma := law.at(side * speed * math.Max(float64(i), 0.01) / steps)
			size = max(size, math.Abs(y)+1.96*sigma)
		}
	}
	if !(size > 0) || !finite(size) {
		return f, false
	}
	at := func(v, y float64) string {
		return digits.Fixed(FigureWidth*(0.5+0.5*v/speed), 1) + " " + digits.Fixed(FigureHeight*(0.5-0.48*y/size), 1)
	}
	var line, cloud strings.Builder
	for _, side := range [2]float64{-1, 1} {
		var upper, lower []string
		for i := range steps + 1 {
			v := side * speed * math.Max(float64(i), 0.01) / steps
			y, sigma := law.at(v)
			fmt.Fprintf(&line, "%s%s", pen(i == 0), at(v, y))
			upper, lower = append(upper, at(v, y+1.96*sigma)), append([]string{at(v, y-1.96*sigma)}, lower...)
		}
		f.Areas = append(f.Areas, Path{"spread", template.HTML("M" + strings.Join(append(upper, lower...), "L") + "Z")})
	}
	for _, d := range dots {
		fmt.Fprintf(&cloud, "M%sh0", at(d.v, d.y))
	}
	u, name := unit(res, j), clean(res.Joints[j])
	f.Lines = []Path{{"zero", "M0 80H400M200 0V160"}, {"friction-dots", template.HTML(cloud.String())}, {"friction-line", template.HTML(line.String())}}
	y, sigma := law.at(speed)
	f.Title = fmt.Sprintf("Friction: %s %s at %s %s", digits.Measure(y, sigma), u, digits.Number(speed, 2), rate(u))
	f.XLabel, f.Left, f.Right = "velocity, "+rate(u), digits.Number(-speed, 3), digits.Number(speed, 3)
	f.Top, f.Bottom = digits.Number(size, 2)+" "+u, digits.Number(-size, 2)
	f.Words = fmt.Sprintf("Identified friction of %s over its velocity from %s to %s %s with its 95 %% interval, and the friction that %d rows leave", name, f.Left, f.Right, rate(u), len(dots))
	return f, true
}

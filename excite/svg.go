package excite

import (
	"fmt"
	"html"
	"io"
	"math"
	"strings"

	"ident/internal/spatial"
	"ident/robot"
)

// Preview draws a motion as SVG: one row per joint with position, velocity and acceleration over time, and the limits as
// lines.
func Preview(w io.Writer, m Motion, limits []Limits) error {
	const (
		wide, high   = 300.0, 90.0
		left, top    = 130.0, 46.0
		gapX, gapY   = 74.0, 26.0
		points       = 400
		below, right = 40.0, 24.0
	)
	n := m.DOF()
	width, height := left+3*wide+2*gapX+right, top+float64(n)*(high+gapY)+below
	var b strings.Builder
	open(&b, width, height)
	if sources := LimitSources(limits); len(sources) > 0 {
		fmt.Fprintf(&b, "<desc>limits from: %s</desc>\n", html.EscapeString(strings.Join(sources, ", ")))
	}
	t := steps(points, m.Duration(), 0)
	t = append(t, m.Duration())
	x := [3][][]float64{grid(n, len(t)), grid(n, len(t)), grid(n, len(t))}
	sampleAt(m, t, x[0], x[1], x[2])
	for o, title := range [3]string{"position", "velocity", "acceleration"} {
		text(&b, left+float64(o)*(wide+gapX)+wide/2, top-22, 14, "middle", "#222", title)
	}
	for i := range n {
		y0 := top + float64(i)*(high+gapY)
		name := fmt.Sprintf("joint %d", i+1)
		if names := m.Names(); i < len(names) && names[i] != "" {
			name = names[i]
		}
		text(&b, 10, y0+high/2-4, 12, "start", "#222", shorten(name, 14))
		unit := "rad"
		l := limits[i]
		if l.Prismatic {
			unit = "m"
		}
		text(&b, 10, y0+high/2+12, 11, "start", "#777", unit+", "+unit+"/s, "+unit+"/s²")
		ends := [3][2]float64{{l.Lower, l.Upper}, {-l.Velocity, l.Velocity}, {-l.Accel, l.Accel}}
		for o := range x {
			x0 := left + float64(o)*(wide+gapX)
			lo, hi := math.Inf(1), math.Inf(-1)
			for _, v := range append(append([]float64{}, x[o][i]...), ends[o][0], ends[o][1]) {
				if !math.IsNaN(v) && !math.IsInf(v, 0) {
					lo, hi = min(lo, v), max(hi, v)
				}
			}
			pad := 0.06 * (hi - lo)
			if pad == 0 {
				pad = 1
			}
			if math.IsNaN(ends[o][1]) {
				text(&b, x0-4, y0+10, 10, "end", "#777", fmt.Sprintf("%.3g", hi))
				text(&b, x0-4, y0+high-2, 10, "end", "#777", fmt.Sprintf("%.3g", lo))
			}
			lo, hi = lo-pad, hi+pad
			at := func(v float64) float64 { return y0 + high*(hi-v)/(hi-lo) }
			fmt.Fprintf(&b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="#fafafa" stroke="#ccc"/>`+"\n", x0, y0, wide, high)
			if lo < 0 && hi > 0 {
				line(&b, x0, at(0), x0+wide, at(0), "#ddd", 1, "")
			}
			for _, v := range ends[o] {
				if !math.IsNaN(v) && !math.IsInf(v, 0) {
					line(&b, x0, at(v), x0+wide, at(v), "#c0392b", 1, "5 3")
					text(&b, x0-4, at(v)+4, 10, "end", "#c0392b", fmt.Sprintf("%.3g", v))
				}
			}
			fmt.Fprintf(&b, `<polyline fill="none" stroke="%s" stroke-width="1.5" points="`, colours[o])
			for k := range t {
				fmt.Fprintf(&b, "%.1f,%.1f ", x0+wide*t[k]/m.Duration(), at(x[o][i][k]))
			}
			b.WriteString(`"/>` + "\n")
			if i == n-1 {
				for k := range 5 {
					v := m.Duration() * float64(k) / 4
					text(&b, x0+wide*float64(k)/4, y0+high+15, 10, "middle", "#555", fmt.Sprintf("%.3g", v))
				}
				text(&b, x0+wide/2, y0+high+31, 11, "middle", "#555", "time, s")
			}
		}
	}
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

var colours = [3]string{"#1f5fa8", "#2e8b57", "#8e44ad"}

func open(b *strings.Builder, w, h float64) {
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" font-family="sans-serif">`+"\n", w, h, w, h)
	fmt.Fprintf(b, `<rect width="%.0f" height="%.0f" fill="#fff"/>`+"\n", w, h)
}

func text(b *strings.Builder, x, y, size float64, anchor, colour, s string) {
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" font-size="%.0f" text-anchor="%s" fill="%s">%s</text>`+"\n", x, y, size, anchor, colour, html.EscapeString(s))
}

func line(b *strings.Builder, x1, y1, x2, y2 float64, colour string, width float64, dash string) {
	fmt.Fprintf(b, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s" stroke-width="%.1f"`, x1, y1, x2, y2, colour, width)
	if dash != "" {
		fmt.Fprintf(b, ` stroke-dasharray="%s"`, dash)
	}
	b.WriteString("/>\n")
}

func shorten(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

// Filmstrip draws a robot at several times of a motion as SVG, seen from the front left above: its skeleton from joint
// to joint, capsules and keep-out boxes, and the path of its last frame so far.
func Filmstrip(w io.Writer, m Motion, r *robot.Robot, capsules []Capsule, keepouts []KeepOut, frames int) error {
	const (
		size, perRow = 230.0, 5
		pad          = 14.0
		track        = 240
	)
	f := treeOf(r)
	p, links := f.NewSamplePose(), f.Links()
	joints := m.DOF()
	at := make([]float64, joints)
	rates := make([]float64, joints)
	q := grid(joints, 1)
	set := func(t float64) {
		m.Eval(t, at, rates, make([]float64, joints))
		for i := range at {
			q[i][0] = at[i]
		}
		p.Place(q, nil, 0)
	}
	// Rotated by 35° about the vertical, then tilted by 25° towards the viewer.
	view := spatial.Mul(spatial.RotX(-65*math.Pi/180), spatial.RotZ(-35*math.Pi/180))
	lo, hi := spatial.Vec{}, spatial.Vec{}
	grow := func(x spatial.Vec, radius float64) {
		v := spatial.MulVec(view, x)
		for k := range 3 {
			lo[k], hi[k] = min(lo[k], v[k]-radius), max(hi[k], v[k]+radius)
		}
	}
	last := len(links) - 1
	tip := spatial.Vec{}
	for _, x := range r.Lumped {
		if x.Into == last {
			tip = x.InLink.P
		}
	}
	var way []spatial.Vec
	for k := range track + 1 {
		set(m.Duration() * float64(k) / track)
		for j := range links {
			grow(p.Origin(j), 0)
		}
		for _, c := range capsules {
			grow(p.Point(c.Link, c.A), c.Radius)
			grow(p.Point(c.Link, c.B), c.Radius)
		}
		way = append(way, p.Point(last, tip))
		grow(way[k], 0)
	}
	for _, k := range keepouts {
		if !k.plane() {
			box(k, func(a, _ spatial.Vec) { grow(a, 0) })
		}
	}
	scale := (size - 2*pad) / max(hi[0]-lo[0], hi[1]-lo[1], 1e-3)
	rows := (frames + perRow - 1) / perRow
	var b strings.Builder
	open(&b, size*float64(min(frames, perRow)), (size+24)*float64(rows))
	for k := range frames {
		t := m.Duration() * float64(k) / float64(max(frames-1, 1))
		set(t)
		cx, cy := size*(float64(k%perRow)+0.5), (size+24)*float64(k/perRow)+size/2
		flat := func(x spatial.Vec) (float64, float64) {
			v := spatial.MulVec(view, x)
			return cx + scale*(v[0]-(lo[0]+hi[0])/2), cy - scale*(v[1]-(lo[1]+hi[1])/2)
		}
		edge := func(a, c spatial.Vec, colour string, width float64, dash string) {
			x1, y1 := flat(a)
			x2, y2 := flat(c)
			line(&b, x1, y1, x2, y2, colour, width, dash)
		}
		fmt.Fprintf(&b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="#fcfcfc" stroke="#ddd"/>`+"\n", cx-size/2+2, cy-size/2+2, size-4, size-4)
		for a := range 3 {
			var tip spatial.Vec
			tip[a] = 14 / scale
			edge(spatial.Vec{}, tip, [3]string{"#c0392b", "#2e8b57", "#1f5fa8"}[a], 1.2, "")
		}
		for _, o := range keepouts {
			if !o.plane() {
				box(o, func(a, c spatial.Vec) { edge(a, c, "#e67e22", 1, "4 2") })
			}
		}
		b.WriteString(`<polyline fill="none" stroke="#8e44ad" stroke-width="1" stroke-opacity="0.55" points="`)
		for i, x := range way {
			if float64(i) <= float64(track)*t/m.Duration() {
				px, py := flat(x)
				fmt.Fprintf(&b, "%.1f,%.1f ", px, py)
			}
		}
		b.WriteString(`"/>` + "\n")
		for _, c := range capsules {
			x1, y1 := flat(p.Point(c.Link, c.A))
			x2, y2 := flat(p.Point(c.Link, c.B))
			if math.Hypot(x2-x1, y2-y1) < 0.1 {
				x2 += 0.1 // round caps need a line
			}
			fmt.Fprintf(&b, `<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="#95a5a6" stroke-opacity="0.35" stroke-width="%.1f" stroke-linecap="round"/>`+"\n",
				x1, y1, x2, y2, 2*c.Radius*scale)
		}
		for j := range links {
			from := spatial.Vec{}
			if i := links[j].Antecedent; i >= 0 {
				from = p.Origin(i)
			}
			edge(from, p.Origin(j), "#34495e", 3, "")
		}
		edge(p.Origin(last), p.Point(last, tip), "#34495e", 3, "")
		for j := range links {
			x, y := flat(p.Origin(j))
			fmt.Fprintf(&b, `<circle cx="%.1f" cy="%.1f" r="3" fill="#e74c3c"/>`+"\n", x, y)
		}
		text(&b, cx, cy+size/2+14, 12, "middle", "#333", fmt.Sprintf("%.2f s", t))
	}
	b.WriteString("</svg>\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// box calls f for the twelve edges of a keep-out's box.
func box(o KeepOut, f func(a, b spatial.Vec)) {
	corner := func(k int) (x spatial.Vec) {
		for i := range 3 {
			x[i] = o.Min[i]
			if k>>i&1 == 1 {
				x[i] = o.Max[i]
			}
		}
		if o.Place != nil {
			x = o.Place.Apply(x)
		}
		return x
	}
	for k := range 8 {
		for i := range 3 {
			if k>>i&1 == 0 {
				f(corner(k), corner(k|1<<i))
			}
		}
	}
}

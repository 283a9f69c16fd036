package shapes

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"ident/internal/spatial"
	"ident/robot"
)

// surface is a polyhedron by points and convex faces, counterclockwise from outside.
type surface struct {
	points []spatial.Vec
	faces  [][]int
}

// obj writes a surface with its polygons.
func (s surface) obj() []byte {
	var b strings.Builder
	for _, p := range s.points {
		fmt.Fprintf(&b, "v %.17g %.17g %.17g\n", p[0], p[1], p[2])
	}
	for _, f := range s.faces {
		b.WriteString("f")
		for _, i := range f {
			fmt.Fprintf(&b, " %d//%d", i+1, i+1)
		}
		b.WriteString("\n")
	}
	return []byte(b.String())
}

func (s surface) triangles() (out [][3]spatial.Vec) {
	for _, f := range s.faces {
		for k := 1; k+1 < len(f); k++ {
			out = append(out, [3]spatial.Vec{s.points[f[0]], s.points[f[k]], s.points[f[k+1]]})
		}
	}
	return out
}

// text writes an STL text.
func (s surface) text() []byte {
	var b strings.Builder
	b.WriteString("solid s\n")
	for _, t := range s.triangles() {
		b.WriteString("facet normal 0 0 0\nouter loop\n")
		for _, p := range t {
			fmt.Fprintf(&b, "vertex %.17g %.17g %.17g\n", p[0], p[1], p[2])
		}
		b.WriteString("endloop\nendfacet\n")
	}
	b.WriteString("endsolid s\n")
	return []byte(b.String())
}

// binary writes a binary STL.
func (s surface) binary() []byte {
	triangles := s.triangles()
	b := make([]byte, 84, 84+50*len(triangles))
	copy(b, "solid in name only")
	binary.LittleEndian.PutUint32(b[80:], uint32(len(triangles)))
	for _, t := range triangles {
		record := make([]byte, 50)
		for k, p := range t {
			for c := range 3 {
				binary.LittleEndian.PutUint32(record[12+12*k+4*c:], math.Float32bits(float32(p[c])))
			}
		}
		b = append(b, record...)
	}
	return b
}

// prism of a polygon along z, about z = 0.
func prism(polygon [][2]float64, height float64) (s surface) {
	n := len(polygon)
	var bottom, top []int
	for i, p := range polygon {
		s.points = append(s.points, spatial.Vec{p[0], p[1], -height / 2}, spatial.Vec{p[0], p[1], height / 2})
		bottom, top = append([]int{2 * i}, bottom...), append(top, 2*i+1)
		k := (i + 1) % n
		s.faces = append(s.faces, []int{2 * i, 2 * k, 2*k + 1, 2*i + 1})
	}
	s.faces = append(s.faces, bottom, top)
	return s
}

func box(x, y, z float64) surface {
	return prism([][2]float64{{-x / 2, -y / 2}, {x / 2, -y / 2}, {x / 2, y / 2}, {-x / 2, y / 2}}, z)
}

// moved is a surface under a map of its points.
func (s surface) moved(by func(spatial.Vec) spatial.Vec) surface {
	out := surface{faces: s.faces}
	for _, p := range s.points {
		out.points = append(out.points, by(p))
	}
	return out
}

func (s surface) flipped() surface {
	out := surface{points: s.points}
	for _, f := range s.faces {
		var g []int
		for i := len(f) - 1; i >= 0; i-- {
			g = append(g, f[i])
		}
		out.faces = append(out.faces, g)
	}
	return out
}

func (s surface) with(o surface) surface {
	out := surface{append([]spatial.Vec{}, s.points...), append([][]int{}, s.faces...)}
	for _, f := range o.faces {
		var g []int
		for _, i := range f {
			g = append(g, i+len(s.points))
		}
		out.faces = append(out.faces, g)
	}
	out.points = append(out.points, o.points...)
	return out
}

// regular polygon with n corners on a circle.
func regular(n int, radius float64) (out [][2]float64) {
	for i := range n {
		a := 2 * math.Pi * float64(i) / float64(n)
		out = append(out, [2]float64{radius * math.Cos(a), radius * math.Sin(a)})
	}
	return out
}

// hull of points that all faces of three have on one side.
func hull(points []spatial.Vec) (s surface) {
	s.points = points
	for i := range points {
		for j := range points {
			for k := range points {
				if i >= j || i >= k || j == k {
					continue
				}
				normal := spatial.Cross(spatial.Sub(points[j], points[i]), spatial.Sub(points[k], points[i]))
				outside := true
				for l := range points {
					if l != i && l != j && l != k && spatial.Dot(normal, spatial.Sub(points[l], points[i])) > -1e-9 {
						outside = false
					}
				}
				if outside {
					s.faces = append(s.faces, []int{i, j, k})
				}
			}
		}
	}
	return s
}

// Ten solids whose volumes and moments have closed forms, to 1e-9, from OBJ and from STL texts; from binary STL as exact as its single precision.
func TestMeshes(t *testing.T) {
	golden := (1 + math.Sqrt(5)) / 2
	var ico []spatial.Vec
	for _, a := range []float64{-1, 1} {
		for _, b := range []float64{-golden, golden} {
			ico = append(ico, spatial.Vec{0, a, b}, spatial.Vec{a, b, 0}, spatial.Vec{b, 0, a})
		}
	}
	octa := hull([]spatial.Vec{{1}, {-1}, {0, 1}, {0, -1}, {0, 0, 1}, {0, 0, -1}})
	tetra := hull([]spatial.Vec{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}})
	// A regular n-gon of radius r has the area n·r²·sin(2π/n)/2 and the polar moment A·r²·(2 + cos(2π/n))/6.
	ngon := func(n int, r float64) (area, polar float64) {
		w := 2 * math.Pi / float64(n)
		area = float64(n) * r * r * math.Sin(w) / 2
		return area, area * r * r * (2 + math.Cos(w)) / 6
	}
	hexArea, hexPolar := ngon(6, 0.5)
	manyArea, manyPolar := ngon(64, 0.1)
	prismOf := func(area, polar, h float64) (float64, [3]float64) {
		across := h*polar/2 + area*h*h*h/12
		return area * h, [3]float64{across, across, h * polar}
	}
	hexV, hexJ := prismOf(hexArea, hexPolar, 0.25)
	manyV, manyJ := prismOf(manyArea, manyPolar, 0.5)
	cube := func(m, edge float64) [3]float64 { j := m * edge * edge / 6; return [3]float64{j, j, j} }
	turn := spatial.Mul(spatial.RotZ(0.7), spatial.RotX(0.4))
	less := func(a, b [3]float64) [3]float64 { return [3]float64{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }
	brick := Box{0.5, 0.25, 0.125}.Unit()
	icoV := 5 * (3 + math.Sqrt(5)) / 12 * 8 // edges of 2
	for _, c := range []struct {
		name   string
		of     surface
		volume float64
		at     spatial.Vec
		j      [3]float64 // principal, in any order
	}{
		{"cube", box(0.5, 0.5, 0.5), 0.125, spatial.Vec{}, cube(0.125, 0.5)},
		{"brick", box(0.5, 0.25, 0.125), brick.Volume, spatial.Vec{}, brick.Moments},
		{"brick elsewhere", box(0.5, 0.25, 0.125).moved(func(v spatial.Vec) spatial.Vec { return spatial.Add(spatial.MulVec(turn, v), spatial.Vec{3, -2, 1}) }), brick.Volume, spatial.Vec{3, -2, 1}, brick.Moments},
		{"tetrahedron", tetra, 8. / 3, spatial.Vec{}, [3]float64{8. / 3 * 8 / 20, 8. / 3 * 8 / 20, 8. / 3 * 8 / 20}}, // m·a²/20, a² = 8
		{"octahedron", octa, 4. / 3, spatial.Vec{}, [3]float64{4. / 3 * 2 / 10, 4. / 3 * 2 / 10, 4. / 3 * 2 / 10}},   // m·a²/10, a² = 2
		{"icosahedron", hull(ico), icoV, spatial.Vec{}, [3]float64{icoV * 4 * golden * golden / 10, icoV * 4 * golden * golden / 10, icoV * 4 * golden * golden / 10}},
		{"hexagonal prism", prism(regular(6, 0.5), 0.25), hexV, spatial.Vec{}, hexJ},
		{"prism of 64 sides", prism(regular(64, 0.1), 0.5), manyV, spatial.Vec{}, manyJ},
		{"cube with a cavity", box(0.5, 0.5, 0.5).with(box(0.25, 0.25, 0.25).flipped()), 0.125 - 0.015625, spatial.Vec{}, less(cube(0.125, 0.5), cube(0.015625, 0.25))},
		{"two cubes", box(0.5, 0.5, 0.5).with(box(0.5, 0.5, 0.5).moved(func(v spatial.Vec) spatial.Vec { return spatial.Add(v, spatial.Vec{2, 0, 0}) })), 0.25, spatial.Vec{1, 0, 0},
			[3]float64{2 * cube(0.125, 0.5)[0], 2*cube(0.125, 0.5)[0] + 0.25, 2*cube(0.125, 0.5)[0] + 0.25}},
	} {
		for name, f := range map[string]struct {
			text      []byte
			tolerance float64
		}{"s.obj": {c.of.obj(), 1e-9}, "s.stl": {c.of.text(), 1e-9}, "S.STL": {c.of.binary(), 1e-6}} {
			m, at, err := ReadMesh(name, f.text, [3]float64{1, 1, 1})
			if err != nil {
				t.Errorf("%s, %s: %v", c.name, name, err)
				continue
			}
			size := math.Cbrt(c.volume)
			if math.Abs(m.Whole.Volume/c.volume-1) > f.tolerance || spatial.Norm(spatial.Sub(at.P, c.at)) > f.tolerance*(size+spatial.Norm(c.at)) {
				t.Errorf("%s, %s: volume %.12g, want %.12g; centre %v", c.name, name, m.Whole.Volume, c.volume, at.P)
			}
			got, want := sorted(m.Whole.Moments), sorted(c.j)
			for i := range 3 {
				if math.Abs(got[i]/want[i]-1) > f.tolerance {
					t.Errorf("%s, %s: moments %v, want %v", c.name, name, got, want)
					break
				}
			}
		}
	}
	// Millimetres by the scale of the URDF, and a mirror.
	m, at, err := ReadMesh("s.obj", box(500, 250, 125).moved(func(v spatial.Vec) spatial.Vec { return spatial.Add(v, spatial.Vec{100, 0, 0}) }).obj(), [3]float64{-0.001, 0.001, 0.001})
	if err != nil || math.Abs(m.Whole.Volume/brick.Volume-1) > 1e-9 || math.Abs(at.P[0]+0.1) > 1e-9 {
		t.Errorf("%v %v %v", m, at, err)
	}
}

func sorted(v [3]float64) [3]float64 {
	if v[0] > v[1] {
		v[0], v[1] = v[1], v[0]
	}
	if v[1] > v[2] {
		v[1], v[2] = v[2], v[1]
	}
	if v[0] > v[1] {
		v[0], v[1] = v[1], v[0]
	}
	return v
}

// Surfaces that enclose no volume are refused with the place, and files that are no meshes with their line.
func TestBadMeshes(t *testing.T) {
	whole := box(2, 2, 2)
	open := surface{whole.points, whole.faces[:5]} // without the top
	mixed := surface{whole.points, append(append([][]int{}, whole.faces[:5]...), []int{7, 5, 3, 1})}
	for name, c := range map[string]struct {
		file string
		text []byte
		want string
	}{
		"open":         {"s.stl", open.text(), "the surface is open: 4 edges of 8 m in all have one side, about (0, 0, 1) m"},
		"inside out":   {"s.obj", whole.flipped().obj(), "inside out"},
		"turned":       {"s.obj", mixed.obj(), "look to opposite sides at 4 edges"},
		"cut":          {"s.stl", whole.binary()[:200], "neither a text STL"},
		"empty":        {"s.stl", []byte("solid s\nendsolid s\n"), "no triangles"},
		"another kind": {"s.ply", nil, "only STL, OBJ and COLLADA"},
		"no collada":   {"s.dae", []byte("<COLLADA"), "no COLLADA file"},
		"a word":       {"s.stl", []byte("solid s\nvertex 0 0 zero\n"), `line 2: "zero" is no number`},
		"far":          {"s.obj", []byte("v 0 0 0\nf 1 2 3\n"), `line 2: vertex "2" of a face`},
		"flat":         {"s.obj", []byte("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 3 2 1\n"), "encloses no volume"},
		"not a number": {"s.obj", []byte("v NaN 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 3 2 1\n"), "not finite"},
	} {
		_, _, err := ReadMesh(c.file, c.text, [3]float64{1, 1, 1})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		if bad := (*MeshError)(nil); !errors.As(err, &bad) {
			t.Errorf("%s: %T", name, err)
		}
	}
}

// The bodies of a URDF get their inertials from its meshes, by density or by mass.
func TestFillMeshes(t *testing.T) {
	text := `<robot name="p"><link name="base"/><link name="a"><collision><origin xyz="0 0 0.1"/><geometry><mesh filename="package://p/a.stl" scale="0.5 0.5 0.5"/></geometry></collision></link>
<link name="b"><visual><geometry><mesh filename="b.obj"/></geometry></visual></link>
<joint name="j1" type="revolute"><parent link="base"/><child link="a"/><axis xyz="0 0 1"/></joint><joint name="j2" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 1 0"/></joint></robot>`
	r := read(t, text, "p.urdf")
	opened := ""
	meshes := func(file string) ([]byte, error) {
		opened += file + " "
		if file == "b.obj" {
			return box(0.2, 0.2, 0.2).obj(), nil
		}
		return box(0.4, 0.2, 0.2).text(), nil
	}
	c, filled, left, err := Fill(r, FillOptions{Density: map[string]float64{"": 1000}, Mass: map[string]float64{"b": 3}, Meshes: meshes})
	if err != nil || len(filled) != 2 || len(left) != 0 || opened != "package://p/a.stl b.obj " {
		t.Fatalf("%v %v %v %q", filled, left, err, opened)
	}
	a := r.UserInertial(0, c.Links[0].Own)
	near(t, a.Mass(), 2, 1e-12)
	near(t, a[robot.MZ], 0.2, 1e-12)
	central, _ := a.Central()
	near(t, central[0][0], 2*(0.01+0.01)/12, 1e-12)
	near(t, central[1][1], 2*(0.04+0.01)/12, 1e-12)
	near(t, c.Links[1].Own.Mass(), 3, 1e-12)
	if _, _, left, err := Fill(r, FillOptions{Density: map[string]float64{"": 1000}}); err != nil || len(left) != 2 {
		t.Errorf("without meshes: %v, %v", left, err)
	}
}

// No bytes make the reader panic.
func FuzzReadMesh(f *testing.F) {
	f.Add(true, box(1, 1, 1).obj())
	f.Add(false, box(1, 1, 1).text())
	f.Add(false, box(1, 1, 1).binary())
	f.Fuzz(func(t *testing.T, obj bool, text []byte) {
		name := "s.stl"
		if obj {
			name = "s.obj"
		}
		ReadMesh(name, text, [3]float64{1, 1, 1})
	})
}

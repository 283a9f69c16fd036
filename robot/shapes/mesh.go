package shapes

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"path"
	"strconv"
	"strings"

	"ident/internal/spatial"
	"ident/robot"
	"ident/robot/order"
)

// Mesh is a closed surface of triangles, about its centroid and along its principal axes.
type Mesh struct {
	File  string
	Whole Unit
}

// Kind is "mesh".
func (Mesh) Kind() string { return "mesh" }

// Check wants a volume.
func (m Mesh) Check() error { return positive("volume", m.Whole.Volume) }

// Unit returns the volume and the moments by the divergence theorem.
func (m Mesh) Unit() Unit { return m.Whole }

// MeshError says why a mesh is no body, and where.
type MeshError struct {
	File, Text string
}

func (e *MeshError) Error() string { return e.File + ": " + e.Text }

// most is the largest number of triangles that is read.
const most = 20_000_000

// ReadMesh reads a closed surface from the file of a mesh as [ReadSurface] does, scales it along the axes, and returns it with the
// place of its principal frame in that of the file. Triangles must be seen counterclockwise from outside. A surface with holes, with neighbours that look to opposite
// sides, or inside out, is a [*MeshError]. Vertices of an STL file are the same if their numbers are.
func ReadMesh(file string, text []byte, scale [3]float64) (Mesh, robot.Transform, error) {
	m := Mesh{File: file}
	points, faces, err := ReadSurface(file, text, scale)
	if err != nil {
		return m, robot.Transform{}, err
	}
	if err := closed(file, points, faces); err != nil {
		return m, robot.Transform{}, err
	}
	volume, centre, central := integrals(points, faces)
	if volume == 0 {
		return m, robot.Transform{}, &MeshError{file, "the surface encloses no volume"}
	}
	if volume < 0 {
		return m, robot.Transform{}, &MeshError{file, fmt.Sprintf("the surface is inside out: its triangles are clockwise from outside, and the volume would be %.3g m³; flip its normals", volume)}
	}
	moments, axes, err := order.Principal(central)
	if err != nil {
		return m, robot.Transform{}, &MeshError{file, err.Error()}
	}
	m.Whole = Unit{Volume: volume, Moments: moments}
	return m, robot.Transform{R: axes, P: centre}, m.Check()
}

// integrals returns the volume of a closed surface, its centroid, and the moments of its inside about that at a density of one: sums over the tetrahedra
// from a point amid the surface to its triangles.
func integrals(points []spatial.Vec, faces [][3]int) (volume float64, centre spatial.Vec, central spatial.Mat) {
	low, high := points[faces[0][0]], points[faces[0][0]]
	for _, f := range faces {
		for _, i := range f {
			for k := range 3 {
				low[k], high[k] = min(low[k], points[i][k]), max(high[k], points[i][k])
			}
		}
	}
	amid := spatial.Scale(0.5, spatial.Add(low, high))
	var first spatial.Vec
	var second spatial.Mat // ∫x·xᵀ
	for _, f := range faces {
		a, b, c := spatial.Sub(points[f[0]], amid), spatial.Sub(points[f[1]], amid), spatial.Sub(points[f[2]], amid)
		six := spatial.Dot(a, spatial.Cross(b, c)) // six times the tetrahedron
		volume += six / 6
		sum := spatial.Add(a, spatial.Add(b, c))
		for i := range 3 {
			first[i] += six / 24 * sum[i]
			for j := range 3 {
				second[i][j] += six / 120 * (sum[i]*sum[j] + a[i]*a[j] + b[i]*b[j] + c[i]*c[j])
			}
		}
	}
	from := spatial.Scale(1/volume, first)
	for i := range 3 {
		for j := range 3 {
			second[i][j] -= volume * from[i] * from[j]
		}
	}
	trace := second[0][0] + second[1][1] + second[2][2]
	for i := range 3 {
		for j := range 3 {
			central[i][j] = -(second[i][j] + second[j][i]) / 2
		}
		central[i][i] += trace
	}
	return volume, spatial.Add(amid, from), central
}

// closed returns why a surface does not enclose a volume, and where: each edge must be passed as often in one direction as in the other.
func closed(file string, points []spatial.Vec, faces [][3]int) error {
	type edge [2]int
	passes := make(map[edge]int, 3*len(faces)/2)
	uses := make(map[edge]int, 3*len(faces)/2)
	for _, f := range faces {
		for k := range 3 {
			a, b := f[k], f[(k+1)%3]
			if a < b {
				passes[edge{a, b}]++
			} else {
				passes[edge{b, a}]--
			}
			uses[edge{min(a, b), max(a, b)}]++
		}
	}
	var holes, turned int
	var at spatial.Vec
	var turnedAt edge
	length := 0.0
	for _, f := range faces { // in the order of the file, so that the text is always the same
		for k := range 3 {
			e := edge{min(f[k], f[(k+1)%3]), max(f[k], f[(k+1)%3])}
			n := passes[e]
			if n == 0 {
				continue
			}
			passes[e] = 0
			if uses[e]%2 == 0 {
				if turned == 0 {
					turnedAt = e
				}
				turned++
				continue
			}
			holes++
			long := spatial.Norm(spatial.Sub(points[e[1]], points[e[0]]))
			at = spatial.Add(at, spatial.Scale(long/2, spatial.Add(points[e[0]], points[e[1]])))
			length += long
		}
	}
	switch {
	case holes > 0:
		if length > 0 {
			at = spatial.Scale(1/length, at)
		}
		return &MeshError{file, fmt.Sprintf("the surface is open: %d edges of %.3g m in all have one side, about (%.4g, %.4g, %.4g) m; close the hole there", holes, length, at[0], at[1], at[2])}
	case turned > 0:
		middle := spatial.Scale(0.5, spatial.Add(points[turnedAt[0]], points[turnedAt[1]]))
		return &MeshError{file, fmt.Sprintf("neighbouring triangles look to opposite sides at %d edges, the first at (%.4g, %.4g, %.4g) m; make the normals agree", turned, middle[0], middle[1], middle[2])}
	}
	return nil
}

// ReadSurface returns the points and the triangles of a mesh's file, an STL file, binary or text, an OBJ or a COLLADA file by the ending of its
// name, scaled along the axes, whether the surface is closed or not. A file that cannot be read, and a point that is not finite, is a [*MeshError].
func ReadSurface(file string, text []byte, scale [3]float64) (points [][3]float64, faces [][3]int, err error) {
	if points, faces, err = readTriangles(file, text); err != nil {
		return nil, nil, err
	}
	for i := range points {
		for k := range 3 {
			points[i][k] *= scale[k]
			if math.IsNaN(points[i][k]) || math.IsInf(points[i][k], 0) {
				return nil, nil, &MeshError{file, fmt.Sprintf("vertex %d is not finite", i+1)}
			}
		}
	}
	if scale[0]*scale[1]*scale[2] < 0 { // a mirror
		for i := range faces {
			faces[i][1], faces[i][2] = faces[i][2], faces[i][1]
		}
	}
	return points, faces, nil
}

// readTriangles reads the triangles of a file.
func readTriangles(file string, text []byte) (points []spatial.Vec, faces [][3]int, err error) {
	switch ending := strings.ToLower(path.Ext(file)); {
	case ending == ".obj":
		points, faces, err = readOBJ(file, text)
	case ending == ".dae":
		points, faces, err = readCollada(file, text)
	case ending != ".stl":
		return nil, nil, &MeshError{file, "only STL, OBJ and COLLADA (.dae) files are read; convert it to one of them"}
	case len(text) >= 84 && int64(len(text)) == 84+50*int64(binary.LittleEndian.Uint32(text[80:])):
		points, faces = readBinarySTL(text)
	case bytes.HasPrefix(bytes.TrimSpace(text), []byte("solid")) && (bytes.Contains(text, []byte("vertex")) || bytes.Contains(text, []byte("endsolid"))):
		points, faces, err = readTextSTL(file, text)
	default:
		return nil, nil, &MeshError{file, fmt.Sprintf("%d bytes are neither a text STL, which begins with \"solid\", nor a binary one of its number of triangles", len(text))}
	}
	if err != nil {
		return nil, nil, err
	}
	kept := faces[:0]
	for _, f := range faces { // a triangle of two points has no area, and its edges cancel
		if f[0] != f[1] && f[1] != f[2] && f[2] != f[0] {
			kept = append(kept, f)
		}
	}
	if len(kept) == 0 {
		return nil, nil, &MeshError{file, "it has no triangles"}
	}
	if len(kept) > most {
		return nil, nil, &MeshError{file, fmt.Sprintf("%d triangles; up to %d are read", len(kept), most)}
	}
	return points, kept, nil
}

// welder gives equal points one number.
type welder struct {
	at     map[spatial.Vec]int
	points []spatial.Vec
}

func (w *welder) point(v spatial.Vec) int {
	for k := range v {
		v[k] += 0 // of -0
	}
	i, ok := w.at[v]
	if !ok {
		i = len(w.points)
		w.at[v] = i
		w.points = append(w.points, v)
	}
	return i
}

func readBinarySTL(text []byte) ([]spatial.Vec, [][3]int) {
	w := welder{at: map[spatial.Vec]int{}}
	n := int(binary.LittleEndian.Uint32(text[80:]))
	faces := make([][3]int, n)
	for i := range n {
		record := text[84+50*i:]
		for k := range 3 {
			var v spatial.Vec
			for c := range 3 {
				v[c] = float64(math.Float32frombits(binary.LittleEndian.Uint32(record[12+12*k+4*c:])))
			}
			faces[i][k] = w.point(v)
		}
	}
	return w.points, faces
}

func readTextSTL(file string, text []byte) ([]spatial.Vec, [][3]int, error) {
	w := welder{at: map[spatial.Vec]int{}}
	var faces [][3]int
	var corner []int
	number := 0
	for line := range strings.Lines(string(text)) {
		number++
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
		case words[0] == "vertex":
			v, err := coordinates(words)
			if err != nil {
				return nil, nil, &MeshError{file, fmt.Sprintf("line %d: %v", number, err)}
			}
			corner = append(corner, w.point(v))
		case words[0] == "endfacet":
			if len(corner) != 3 {
				return nil, nil, &MeshError{file, fmt.Sprintf("line %d: a facet of %d vertices; STL has triangles", number, len(corner))}
			}
			faces = append(faces, [3]int(corner))
			corner = corner[:0]
		}
	}
	if len(corner) > 0 {
		return nil, nil, &MeshError{file, "it ends within a facet"}
	}
	return w.points, faces, nil
}

// coordinates reads the three numbers behind a word.
func coordinates(words []string) (v spatial.Vec, err error) {
	if len(words) < 4 {
		return v, fmt.Errorf("%q has no three numbers", strings.Join(words, " "))
	}
	for k := range v {
		if v[k], err = strconv.ParseFloat(words[1+k], 64); err != nil {
			return v, fmt.Errorf("%q is no number", words[1+k])
		}
	}
	return v, nil
}

func readOBJ(file string, text []byte) (points []spatial.Vec, faces [][3]int, err error) {
	number := 0
	wrong := func(format string, args ...any) error {
		return &MeshError{file, fmt.Sprintf("line %d: ", number) + fmt.Sprintf(format, args...)}
	}
	for line := range strings.Lines(string(text)) {
		number++
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
		case words[0] == "v":
			v, err := coordinates(words)
			if err != nil {
				return nil, nil, wrong("%v", err)
			}
			points = append(points, v)
		case words[0] == "f":
			var corner []int
			for _, word := range words[1:] {
				index, _, _ := strings.Cut(word, "/")
				i, err := strconv.Atoi(index)
				if i < 0 {
					i += len(points) + 1
				}
				if err != nil || i < 1 || i > len(points) {
					return nil, nil, wrong("vertex %q of a face is not one of the %d before it", word, len(points))
				}
				corner = append(corner, i-1)
			}
			if len(corner) < 3 {
				return nil, nil, wrong("a face of %d vertices", len(corner))
			}
			for k := 1; k+1 < len(corner); k++ {
				faces = append(faces, [3]int{corner[0], corner[k], corner[k+1]})
			}
		}
	}
	points, faces = weld(points, faces)
	return points, faces, nil
}

// weld makes points that are written twice, for two normals, one.
func weld(points []spatial.Vec, faces [][3]int) ([]spatial.Vec, [][3]int) {
	w := welder{at: map[spatial.Vec]int{}}
	same := make([]int, len(points))
	for i, v := range points {
		same[i] = w.point(v)
	}
	for i := range faces {
		for k := range 3 {
			faces[i][k] = same[faces[i][k]]
		}
	}
	return w.points, faces
}

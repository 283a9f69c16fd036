package scene

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"

	"ident/internal/spatial"
	"ident/robot/format"
	"ident/robot/shapes"
)

// Surface is the surface of a link in the link's frame. Its corners stand in steps of 1/65535 of the box from Low to High:
// three 16-bit numbers each, little-endian in base 64. Faces are the numbers of three corners each, coded alike.
type Surface struct {
	Low   [3]float64 `json:"low"`
	High  [3]float64 `json:"high"`
	Point string     `json:"points"`
	Face  string     `json:"faces"`
}

// mostTriangles bounds the triangles of a robot: a figure of 500 pixels shows no more. With mostCorners, the numbers of a page
// have 2·3·(20000 + 25000) bytes, which are 360 kB in base 64.
const (
	mostTriangles = 20_000
	mostCorners   = 25_000
)

// skin is the surface of a link as it is read.
type skin struct {
	points []spatial.Vec
	faces  [][3]int
}

// mostBytes bounds the files of meshes, which are read at every drawing: ten times those of a large arm.
const mostBytes = 100 << 20

// addSurfaces adds the surfaces of the robot file's meshes, visual ones first. They are thinned together to the triangles
// that a page has room for. A mesh that cannot be read leaves its link with its other shapes, and a note.
func (s *Scene) addSurfaces() {
	meshes, err := format.VisualMeshes(s.robot)
	if err != nil || len(meshes) == 0 {
		return
	}
	if s.robot.Source.Files == nil {
		s.Notes = append(s.Notes, fmt.Sprintf("%d meshes of the file are not drawn: the files are not at hand", len(meshes)))
		return
	}
	skins, failed, bytes := map[int]*skin{}, 0, 0
	for _, m := range meshes {
		var points [][3]float64
		var faces [][3]int
		text, why := s.robot.Source.Files(m.File)
		if bytes += len(text); why == nil && bytes > mostBytes {
			why = fmt.Errorf("the files have more than %d MB", mostBytes>>20)
		}
		if why == nil {
			points, faces, why = shapes.ReadSurface(m.File, text, m.Scale)
		}
		if why != nil {
			if failed++; err == nil {
				err = why
			}
			continue
		}
		of := skins[m.Link]
		if of == nil {
			of = &skin{}
			skins[m.Link] = of
		}
		first := len(of.points)
		for _, p := range points {
			of.points = append(of.points, m.Place.Apply(p))
		}
		for _, f := range faces {
			of.faces = append(of.faces, [3]int{f[0] + first, f[1] + first, f[2] + first})
		}
	}
	if failed > 0 {
		s.Notes = append(s.Notes, fmt.Sprintf("%d of %d meshes are not drawn: %v", failed, len(meshes), err))
	}
	if base := skins[-1]; base != nil && base.extent() > s.Reach {
		delete(skins, -1) // a cell about the robot would hide it
	}
	thin(skins)
	for j := -1; j < len(s.Links); j++ {
		if k := skins[j]; k != nil && len(k.faces) > 0 {
			s.Shapes = append(s.Shapes, Shape{Link: j, Kind: "mesh", From: "mesh", Surface: k.code()})
		}
	}
}

// extent returns the longest edge of the box about a surface, m.
func (s *skin) extent() float64 {
	low, high := s.box()
	d := spatial.Sub(high, low)
	return max(d[0], d[1], d[2])
}

// box returns the corners of the box about a surface.
func (s *skin) box() (low, high spatial.Vec) {
	for i, p := range s.points {
		for k := range p {
			if i == 0 || p[k] < low[k] {
				low[k] = p[k]
			}
			if i == 0 || p[k] > high[k] {
				high[k] = p[k]
			}
		}
	}
	return low, high
}

// thin leaves at most mostTriangles triangles of mostCorners corners in all by clustering of corners: those within a cell of
// a grid become their mean (Rossignac and Borrel, 1993). A grid of edge h cuts an area A into about 2A/h² triangles.
func thin(skins map[int]*skin) {
	area := 0.0
	for _, j := range slices.Sorted(maps.Keys(skins)) { // a sum in another order may end in another grid
		s := skins[j]
		s.trim()
		for _, f := range s.faces {
			a, b, c := s.points[f[0]], s.points[f[1]], s.points[f[2]]
			area += spatial.Norm(spatial.Cross(spatial.Sub(b, a), spatial.Sub(c, a))) / 2
		}
	}
	if fits(skins) || !(area > 0) {
		return
	}
	whole := map[int]skin{}
	for j, s := range skins {
		whole[j] = *s
	}
	for edge := math.Sqrt(2 * area / mostTriangles); !fits(skins); edge *= 1.15 {
		for j, s := range whole {
			*skins[j] = s.clustered(edge)
		}
	}
}

// fits reports whether a page has room for skins, whose corners then have numbers of 16 bits.
func fits(skins map[int]*skin) bool {
	triangles, corners := 0, 0
	for _, s := range skins {
		triangles += len(s.faces)
		corners += len(s.points)
	}
	return triangles <= mostTriangles && corners <= mostCorners
}

// clustered returns the surface with the corners in each cell of a grid as one, in the order of their first corner.
func (s skin) clustered(edge float64) skin {
	cells := map[[3]int32]int{}
	var out skin
	var members []float64
	to := make([]int, len(s.points))
	for i, p := range s.points {
		var cell [3]int32
		for k := range cell {
			cell[k] = int32(math.Max(math.MinInt32, math.Min(math.MaxInt32, math.Floor(p[k]/edge))))
		}
		n, ok := cells[cell]
		if !ok {
			n = len(out.points)
			cells[cell] = n
			out.points, members = append(out.points, spatial.Vec{}), append(members, 0)
		}
		to[i] = n
		members[n]++
		for k := range p {
			out.points[n][k] += p[k]
		}
	}
	for n := range out.points {
		for k := range 3 {
			out.points[n][k] /= members[n]
		}
	}
	for _, f := range s.faces {
		out.faces = append(out.faces, [3]int{to[f[0]], to[f[1]], to[f[2]]})
	}
	out.trim()
	return out
}

// trim leaves out triangles of fewer than three corners, those that are there already, and corners of none.
func (s *skin) trim() {
	seen, kept := map[[3]int]bool{}, s.faces[:0:0]
	for _, f := range s.faces {
		same := f
		slices.Sort(same[:])
		if same[0] == same[1] || same[1] == same[2] || seen[same] {
			continue
		}
		seen[same] = true
		kept = append(kept, f)
	}
	number := make([]int, len(s.points))
	var points []spatial.Vec
	for i := range kept {
		for k, v := range kept[i] {
			if number[v] == 0 {
				points = append(points, s.points[v])
				number[v] = len(points)
			}
			kept[i][k] = number[v] - 1
		}
	}
	s.points, s.faces = points, kept
}

// code returns the surface as a page has it.
func (s *skin) code() *Surface {
	low, high := s.box()
	out := &Surface{Low: roundAll(low), High: roundAll(high)}
	var points, faces []byte
	for _, p := range s.points {
		for k := range p {
			step := 0.0
			if d := out.High[k] - out.Low[k]; d > 0 {
				step = math.Max(0, math.Min(65535, math.Round((p[k]-out.Low[k])/d*65535)))
			}
			points = binary.LittleEndian.AppendUint16(points, uint16(step))
		}
	}
	for _, f := range s.faces {
		for _, v := range f {
			faces = binary.LittleEndian.AppendUint16(faces, uint16(v))
		}
	}
	out.Point, out.Face = base64.StdEncoding.EncodeToString(points), base64.StdEncoding.EncodeToString(faces)
	return out
}

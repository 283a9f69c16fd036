package shapes

import (
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
	"strings"

	"ident/internal/spatial"
)

// element is an element of a COLLADA file.
type element struct {
	XMLName  xml.Name
	ID       string    `xml:"id,attr"`
	URL      string    `xml:"url,attr"`
	Source   string    `xml:"source,attr"`
	Semantic string    `xml:"semantic,attr"`
	Offset   int       `xml:"offset,attr"`
	Stride   int       `xml:"stride,attr"`
	Meter    float64   `xml:"meter,attr"`
	Text     string    `xml:",chardata"`
	Parts    []element `xml:",any"`
}

// all returns the parts of a name.
func (e *element) all(name string) (out []*element) {
	for i := range e.Parts {
		if e.Parts[i].XMLName.Local == name {
			out = append(out, &e.Parts[i])
		}
	}
	return out
}

// at follows the first parts of names; nil if there is none.
func (e *element) at(names ...string) *element {
	for _, name := range names {
		found := e.all(name)
		if len(found) == 0 {
			return nil
		}
		e = found[0]
	}
	return e
}

// numbers reads the text of an element.
func (e *element) numbers() ([]float64, error) {
	words := strings.Fields(e.Text)
	out := make([]float64, len(words))
	for i, w := range words {
		var err error
		if out[i], err = strconv.ParseFloat(w, 64); err != nil {
			return nil, fmt.Errorf("<%s>: %q is no number", e.XMLName.Local, w)
		}
	}
	return out, nil
}

// collada gathers the triangles of a COLLADA file.
type collada struct {
	by     map[string]*element // elements with an id, by "#id"
	nodes  int
	points []spatial.Vec
	faces  [][3]int
}

const (
	// deepest is the number of levels of nodes that are followed; a file that names itself has more.
	deepest = 64
	// mostNodes is the number of nodes that are followed, by the same reason.
	mostNodes = 100_000
)

// readCollada reads the geometry of the scene of a COLLADA file, in metres by its unit. As in ROS, the upward axis of the
// file is not heeded. Skins, splines and holes of polygons are left out.
func readCollada(file string, text []byte) (points []spatial.Vec, faces [][3]int, err error) {
	var root element
	if err := xml.Unmarshal(text, &root); err != nil {
		return nil, nil, &MeshError{file, fmt.Sprintf("it is no COLLADA file: %v", err)}
	}
	c := collada{by: map[string]*element{}}
	c.index(&root)
	unit := 1.0
	if u := root.at("asset", "unit"); u != nil && u.Meter > 0 {
		unit = u.Meter
	}
	place := [12]float64{unit, 0, 0, 0, 0, unit, 0, 0, 0, 0, unit, 0}
	scene := root.at("library_visual_scenes", "visual_scene")
	if named := root.at("scene", "instance_visual_scene"); named != nil && c.by[named.URL] != nil {
		scene = c.by[named.URL]
	}
	if scene == nil {
		return nil, nil, &MeshError{file, "it has no <visual_scene>"}
	}
	for _, n := range scene.all("node") {
		if err := c.node(n, place, 0); err != nil {
			return nil, nil, &MeshError{file, err.Error()}
		}
	}
	points, faces = weld(c.points, c.faces)
	return points, faces, nil
}

func (c *collada) index(e *element) {
	if e.ID != "" {
		c.by["#"+e.ID] = e
	}
	for i := range e.Parts {
		c.index(&e.Parts[i])
	}
}

// times returns the product of two placements, rows of three axes and an origin.
func times(a, b [12]float64) (out [12]float64) {
	for i := range 3 {
		for k := range 4 {
			out[4*i+k] = a[4*i]*b[k] + a[4*i+1]*b[4+k] + a[4*i+2]*b[8+k]
		}
		out[4*i+3] += a[4*i+3]
	}
	return out
}

// turned returns the rotation about an axis (Rodrigues).
func turned(axis spatial.Vec, angle float64) (out [12]float64) {
	n, s, c := spatial.Norm(axis), math.Sin(angle), math.Cos(angle)
	for i := range 3 {
		out[5*i] = c
		if n == 0 {
			out[5*i] = 1
			continue
		}
		j, k := (i+1)%3, (i+2)%3
		out[4*i+j] -= s * axis[k] / n
		out[4*i+k] += s * axis[j] / n
		for l := range 3 {
			out[4*i+l] += (1 - c) * axis[i] * axis[l] / (n * n)
		}
	}
	return out
}

// node adds the geometry of a node and of those within it, placed by its transforms in their order.
func (c *collada) node(n *element, place [12]float64, depth int) error {
	if c.nodes++; depth > deepest || c.nodes > mostNodes || len(c.faces) > most {
		return fmt.Errorf("its nodes are nested deeper than %d levels, or more than %d with %d triangles", deepest, mostNodes, most)
	}
	for i := range n.Parts {
		part := &n.Parts[i]
		switch name := part.XMLName.Local; name {
		case "matrix", "translate", "scale", "rotate":
			v, err := part.numbers()
			if err != nil {
				return err
			}
			if len(v) != map[string]int{"matrix": 16, "translate": 3, "scale": 3, "rotate": 4}[name] {
				return fmt.Errorf("<%s> has %d numbers", name, len(v))
			}
			move := [12]float64{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}
			switch name {
			case "matrix":
				copy(move[:], v)
			case "translate":
				move[3], move[7], move[11] = v[0], v[1], v[2]
			case "scale":
				move[0], move[5], move[10] = v[0], v[1], v[2]
			case "rotate":
				move = turned(spatial.Vec{v[0], v[1], v[2]}, v[3]*math.Pi/180)
			}
			place = times(place, move)
		case "node":
			if err := c.node(part, place, depth+1); err != nil {
				return err
			}
		case "instance_node":
			if of := c.by[part.URL]; of != nil {
				if err := c.node(of, place, depth+1); err != nil {
					return err
				}
			}
		case "instance_geometry":
			if of := c.by[part.URL]; of != nil && of.at("mesh") != nil {
				if err := c.mesh(of.at("mesh"), place); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// positions returns the places of the vertices that inputs name, and the offset of their indices.
func (c *collada) positions(inputs []*element, place [12]float64) (points []spatial.Vec, offset, width int, err error) {
	var source *element
	for _, in := range inputs {
		width = max(width, in.Offset+1)
		if in.Semantic != "VERTEX" || c.by[in.Source] == nil {
			continue
		}
		offset = in.Offset
		for _, own := range c.by[in.Source].all("input") {
			if own.Semantic == "POSITION" {
				source = c.by[own.Source]
			}
		}
	}
	if source == nil || source.at("float_array") == nil {
		return nil, 0, 0, fmt.Errorf("a surface has no positions")
	}
	v, err := source.at("float_array").numbers()
	if err != nil {
		return nil, 0, 0, err
	}
	stride := 3
	if a := source.at("technique_common", "accessor"); a != nil && a.Stride > 3 {
		stride = a.Stride
	}
	for ; len(v) >= 3; v = v[min(stride, len(v)):] {
		var p spatial.Vec
		for i := range p {
			p[i] = place[4*i]*v[0] + place[4*i+1]*v[1] + place[4*i+2]*v[2] + place[4*i+3]
		}
		points = append(points, p)
	}
	return points, offset, width, nil
}

// mesh adds the triangles of a mesh; a polygon becomes a fan. Those of a mirror are turned.
func (c *collada) mesh(m *element, place [12]float64) error {
	mirrored := place[0]*(place[5]*place[10]-place[6]*place[9])-place[1]*(place[4]*place[10]-place[6]*place[8])+place[2]*(place[4]*place[9]-place[5]*place[8]) < 0
	for i := range m.Parts {
		e := &m.Parts[i]
		kind := e.XMLName.Local
		if kind != "triangles" && kind != "polylist" && kind != "polygons" {
			continue
		}
		points, offset, width, err := c.positions(e.all("input"), place)
		if err != nil {
			return err
		}
		var counts []float64
		if n := e.at("vcount"); n != nil {
			if counts, err = n.numbers(); err != nil {
				return err
			}
		}
		first := len(c.points)
		c.points = append(c.points, points...)
		for _, p := range e.all("p") {
			index, err := p.numbers()
			if err != nil {
				return err
			}
			sizes := counts
			switch kind {
			case "polygons":
				sizes = []float64{float64(len(index) / width)}
			case "triangles":
				sizes = make([]float64, len(index)/width/3)
				for k := range sizes {
					sizes[k] = 3
				}
			}
			for _, size := range sizes {
				n := int(size)
				if n < 0 || n*width > len(index) {
					return fmt.Errorf("<%s> has fewer indices than its polygons", kind)
				}
				corner := make([]int, n)
				for k := range corner {
					v := index[k*width+offset]
					if v < 0 || v >= float64(len(points)) {
						return fmt.Errorf("<%s>: vertex %g is not one of %d", kind, v, len(points))
					}
					corner[k] = first + int(v)
				}
				for k := 1; k+1 < n; k++ {
					f := [3]int{corner[0], corner[k], corner[k+1]}
					if mirrored {
						f[1], f[2] = f[2], f[1]
					}
					c.faces = append(c.faces, f)
				}
				index = index[n*width:]
			}
		}
	}
	return nil
}

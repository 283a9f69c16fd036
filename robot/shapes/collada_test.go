package shapes

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// cubeOfCollada returns a cube of 0.1 m about the origin in millimetres: a node that is moved, turned and scaled within another that takes it back.
func cubeOfCollada(kind string) string {
	quads := [][4]int{{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {2, 3, 7, 6}, {0, 4, 7, 3}, {1, 2, 6, 5}}
	var p, vcount string
	for _, q := range quads {
		corners := q[:]
		if kind == "triangles" {
			corners = []int{q[0], q[1], q[2], q[0], q[2], q[3]}
		}
		text := ""
		for _, c := range corners {
			text += fmt.Sprintf("%d 9 ", c) // the second index is a normal's
		}
		if kind == "polygons" {
			text = "<p>" + text + "</p>"
		}
		p += text
		vcount += "4 "
	}
	if kind != "polygons" {
		p = "<p>" + p + "</p>"
	}
	if kind == "polylist" {
		p = "<vcount>" + vcount + "</vcount>" + p
	}
	return fmt.Sprintf(`<?xml version="1.0"?><COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset><unit name="millimeter" meter="0.001"/><up_axis>Z_UP</up_axis></asset>
<library_geometries><geometry id="g"><mesh><source id="s"><float_array id="a" count="24">0 0 0 1 0 0 1 1 0 0 1 0 0 0 1 1 0 1 1 1 1 0 1 1</float_array>
<technique_common><accessor source="#a" count="8" stride="3"/></technique_common></source><vertices id="v"><input semantic="POSITION" source="#s"/></vertices>
<%[1]s count="6"><input semantic="VERTEX" source="#v" offset="0"/><input semantic="NORMAL" source="#s" offset="1"/>%[2]s</%[1]s></mesh></geometry></library_geometries>
<library_nodes><node id="n"><translate>-50 -50 -50</translate><scale>100 100 100</scale><instance_geometry url="#g"/></node></library_nodes>
<library_visual_scenes><visual_scene id="w"><node><rotate>0 0 1 90</rotate><matrix>0 1 0 0 -1 0 0 0 0 0 1 0 0 0 0 1</matrix><instance_node url="#n"/></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#w"/></scene></COLLADA>`, kind, p)
}

// COLLADA files of every kind of polygons give a closed cube, in metres, about its centre, also a mirrored one.
func TestCollada(t *testing.T) {
	for _, kind := range []string{"triangles", "polylist", "polygons"} {
		for _, mirror := range []float64{1, -1} {
			m, place, err := ReadMesh("cube.DAE", []byte(cubeOfCollada(kind)), [3]float64{1, mirror, 1})
			if err != nil {
				t.Errorf("%s: %v", kind, err)
				continue
			}
			if math.Abs(m.Whole.Volume-1e-3) > 1e-12 || math.Abs(place.P[0])+math.Abs(place.P[1])+math.Abs(place.P[2]) > 1e-12 {
				t.Errorf("%s, scale %g: volume %g m³ about %v", kind, mirror, m.Whole.Volume, place.P)
			}
		}
	}
}

// Files that are broken are told with what is wrong.
func TestBrokenCollada(t *testing.T) {
	whole := cubeOfCollada("polylist")
	for want, change := range map[string][2]string{
		"no <visual_scene>":                     {"visual_scene", "other_scene"},
		"no positions":                          {`"POSITION"`, `"TEXCOORD"`},
		"fewer indices than its polygons":       {"<vcount>4", "<vcount>40"},
		"is not one of 8":                       {"<p>0 9", "<p>8 9"},
		"<translate> has 2 numbers":             {"-50 -50 -50", "-50 -50"},
		`"x" is no number`:                      {"<scale>100 100 100", "<scale>100 x 100"},
		"nested deeper than":                    {`<instance_geometry url="#g"/>`, `<instance_node url="#n"/>`},
		"it has no triangles":                   {`<instance_geometry url="#g"/>`, ""},
		"vertex 1 is not finite":                {"<scale>100 100 100", "<scale>1e308 1e308 1e308"},
		"it is no COLLADA file: XML syntax err": {"</COLLADA>", ""},
	} {
		broken := strings.ReplaceAll(whole, change[0], change[1])
		if want == "vertex 1 is not finite" {
			broken = strings.Replace(broken, `meter="0.001"`, `meter="1e9"`, 1)
		}
		if broken == whole {
			t.Fatalf("%s: nothing is changed", want)
		}
		if _, _, err := ReadSurface("cube.dae", []byte(broken), [3]float64{1, 1, 1}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"ident/baseparams"
	"ident/cmd/ident/internal/exports"
	"ident/identify/project"
	"ident/regressor"
	"ident/result"
	"ident/robot"
	"ident/robot/format"
	"ident/robot/order"
)

const frictionArm = `<robot name="arm"><link name="base"/>
<link name="a"><inertial><origin xyz="0.1 0 0"/><mass value="2"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.02" iyz="0" izz="0.02"/></inertial></link>
<link name="b"><inertial><origin xyz="0 0.1 0"/><mass value="1"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial></link>
<joint name="one" type="revolute"><parent link="base"/><child link="a"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="9" velocity="2"/><dynamics damping="7" friction="8"/></joint>
<joint name="two" type="prismatic"><parent link="a"/><child link="b"/><axis xyz="1 0 0"/><limit lower="-1" upper="1" effort="9" velocity="0"/></joint></robot>`

// fittedArm is a result of given parameters, as if a fit had found them.
func fittedArm(t *testing.T, terms string, chi map[string]float64) *project.Fitted {
	t.Helper()
	r, err := format.Read([]byte(frictionArm), "urdf", "arm", robot.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	ft := &project.Fitted{Result: &result.Result{Robot: result.RobotInfo{Name: "arm"}}, Settings: &project.Settings{}, Source: r, Robot: r}
	if ft.Terms, err = regressor.ParseTerms(terms); err != nil {
		t.Fatal(err)
	}
	m, err := regressor.NewDynamic(r, ft.Terms)
	if err != nil {
		t.Fatal(err)
	}
	ft.Set = baseparams.QR(m, baseparams.Options{})
	full := make([]float64, len(ft.Set.Columns))
	for i, c := range ft.Set.Columns {
		if c.Term == regressor.Links {
			full[i], _ = regressor.ValueOf(r, c)
		}
		if v, ok := chi[c.Name]; ok {
			full[i] = v
			delete(chi, c.Name)
		}
	}
	if len(chi) > 0 {
		t.Fatalf("no columns %v", chi)
	}
	ft.X = ft.Set.FromStandard(full)
	return ft
}

// Directions, Stribeck friction and warm gears become one pair, worked by hand, and every note says how far it is: at 2 rad/s, the limit of joint one,
// Fq = 0.5 gives 2·0.5 = 1 to the damping and −4/6·0.5 = −1/3 to the dry friction, off by 0.5·4/√180 rms.
func TestFrictionOfFile(t *testing.T) {
	ft := fittedArm(t, "links,Fv,Fs,Fq,Fw:600", map[string]float64{"Fv1": 2, "Fs1": 1, "Fq1": 0.5, "Fv2": 3, "Fs2": 4, "Fwv2": -1, "Fws2": -0.5})
	text, said, err := exports.Robot(ft, exports.RobotOptions{Format: "urdf", Friction: exports.Symmetric})
	if err != nil {
		t.Fatal(err)
	}
	r, err := format.Read(text, "urdf", "arm", robot.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	// Through the base parameters and back, ten digits are there.
	for i, want := range [][2]float64{{3, 1 - 1.0/3}, {2, 3.5}} {
		if j := r.Links[i].Joint; math.Abs(j.Fv-want[0]) > 1e-9 || math.Abs(j.Fs-want[1]) > 1e-9 {
			t.Errorf("joint %d: %.12g %.12g, want %g", i+1, j.Fv, j.Fs, want)
		}
	}
	notes := strings.Join(said.Notes, "\n")
	for _, part := range []string{
		`joint "one": damping 3 and friction 0.6667 are the nearest to the identified law over rates up to ±2 rad/s (its velocity limit); they differ from it by 0.149 N·m rms, 0.333 at most`,
		`joint "two": damping 2 and friction 3.5 are the nearest to the identified law over rates up to ±1 m/s (the file gives no velocity limit); they differ from it by 0 N rms, 0 at most; the values are for warm gears; for cold gears they would be 3 and 4`,
	} {
		if !strings.Contains(notes, part) {
			t.Errorf("%s\nwant %s", notes, part)
		}
	}
	if text, said, err = exports.Robot(ft, exports.RobotOptions{Format: "urdf", Friction: exports.NoFriction}); err != nil || !strings.Contains(string(text), `<dynamics damping="7" friction="8"/>`) || strings.Count(string(text), "<dynamics") != 1 {
		t.Errorf("%v\n%s", err, text)
	}
	if notes := strings.Join(said.Notes, "\n"); !strings.Contains(notes, "the file keeps its friction): Fv1 = 2, Fs1 = 1, Fq1 = 0.5") {
		t.Error(notes)
	}
	// Of every format the same.
	for _, as := range []string{"mjcf", "sdf", "yaml", "par"} {
		text, _, err := exports.Robot(ft, exports.RobotOptions{Format: as, Friction: exports.Symmetric})
		if err != nil {
			t.Fatal(err)
		}
		r, err := format.Read(text, as, "arm", robot.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if j := r.Links[0].Joint; math.Abs(j.Fv-3) > 1e-9 || math.Abs(j.Fs-2.0/3) > 1e-9 {
			t.Errorf("%s: %g %g", as, j.Fv, j.Fs)
		}
	}
}

// Stribeck friction has the velocity of its joint, and each direction its coefficients; terms without a place are named.
func TestFrictionOfDirections(t *testing.T) {
	ft := fittedArm(t, "links,Fst:0.1/0.2,Fa,Fl,Tr:10/0", map[string]float64{"Fst1": 0.6, "Fvp1": 1, "Fvn1": 2, "Fsp1": 3, "Fsn1": 4, "Fst2": 0.6, "Fl2": 0.1, "Tr1s1": 0.2})
	text, said, err := exports.Robot(ft, exports.RobotOptions{Format: "yaml", Friction: exports.Symmetric})
	if err != nil {
		t.Fatal(err)
	}
	r, err := format.Read(text, "yaml", "arm", robot.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	notes := strings.Join(said.Notes, "\n")
	// erf(10) is 1: m₀ = √π/2·0.05 = 0.0443 and m₁ = 0.05²/2 = 0.00125, so that 0.6·(4·m₀ − 6·m₁) = 0.1019.
	if j := r.Links[0].Joint; math.Abs(j.Fs-3.5-0.1019) > 1e-4 || !(j.Fv < 1.5) {
		t.Errorf("%g %g", j.Fv, j.Fs)
	}
	for _, part := range []string{"no robot file has a place for them): ", "Tr1s1 = 0.2", "Fl2 = 0.1"} {
		if !strings.Contains(notes, part) {
			t.Errorf("%s\nwant %s", notes, part)
		}
	}
}

// isaacFields are those of ActuatorBaseCfg that the file for Isaac Lab may have, with their types, alike in the sources of Isaac Lab 2 (commit
// e5794691821e8791cc4d5531f34d8016c121b730, source/isaaclab/isaaclab/actuators/actuator_base_cfg.py) and 3 (commit 01ff1d860e99f504dc2d5c75557964fd4b11b7a1).
// The keys of a dict are regular expressions: each joint must match one in full, and each must match a joint.
var isaacFields = map[string]string{
	"joint_names_expr": "list[str]",
	"armature":         "dict[str, float] | float | None",
	"friction":         "dict[str, float] | float | None",
	"dynamic_friction": "dict[str, float] | float | None",
	"viscous_friction": "dict[str, float] | float | None",
}

// The file for Isaac Lab has the fields of its actuator groups in their types, and no others, with a number for each joint.
func TestIsaac(t *testing.T) {
	ft := fittedArm(t, "links,Ia,Fv,Fs,Fo", map[string]float64{"Ia2": 0.5, "Fv1": 2, "Fs1": 1, "Fo1": 0.25})
	text, said, err := exports.Isaac(ft, exports.Symmetric)
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Actuators map[string]struct {
			Names    []string           `yaml:"joint_names_expr"`
			Armature map[string]float64 `yaml:"armature"`
			Static   map[string]float64 `yaml:"friction"`
			Dynamic  map[string]float64 `yaml:"dynamic_friction"`
			Viscous  map[string]float64 `yaml:"viscous_friction"`
		} `yaml:"actuators"`
	}
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&doc); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	g := doc.Actuators["identified"]
	if len(doc.Actuators) != 1 || len(g.Names) != 2 || len(g.Armature) != 2 || math.Abs(g.Armature["two"]-0.5) > 1e-9 || math.Abs(g.Viscous["one"]-2) > 1e-9 || math.Abs(g.Static["one"]-1) > 1e-9 || g.Dynamic["one"] != g.Static["one"] {
		t.Errorf("%+v", doc)
	}
	if notes := strings.Join(said.Notes, "\n"); !strings.Contains(notes, "Fo1 = 0.25") {
		t.Error(notes)
	}
	var plain struct {
		Actuators map[string]map[string]any `yaml:"actuators"`
	}
	if err := yaml.Unmarshal(text, &plain); err != nil {
		t.Fatal(err)
	}
	for field, value := range plain.Actuators["identified"] {
		var keys []string
		kind := "dict[str, float]"
		switch v := value.(type) {
		case map[string]any:
			for key, number := range v {
				keys = append(keys, key)
				switch number.(type) {
				case int, float64:
				default:
					kind = fmt.Sprintf("dict of %T", number)
				}
			}
		case []any:
			kind = "list[str]"
			for _, key := range v {
				keys = append(keys, key.(string))
			}
		default:
			kind = fmt.Sprintf("%T", value)
		}
		if !strings.HasPrefix(isaacFields[field], kind) {
			t.Errorf("%s is a %s, in Isaac Lab a %q", field, kind, isaacFields[field])
		}
		for _, joint := range []string{"one", "two"} {
			matches := 0
			for _, key := range keys {
				if regexp.MustCompile("^(?:" + key + ")$").MatchString(joint) {
					matches++
				}
			}
			if matches != 1 || len(keys) != 2 {
				t.Errorf("%s: joint %s matches %d of %q", field, joint, matches, keys)
			}
		}
	}
	if n := len(plain.Actuators["identified"]); n != len(isaacFields) {
		t.Errorf("%d fields of %d", n, len(isaacFields))
	}
}

// Beside the tables stand the vectors of an engine, with the joints' friction and rotors.
func TestInOrder(t *testing.T) {
	ft := fittedArm(t, "links,Ia,Fv,Fs,Fo", map[string]float64{"Ia2": 0.5, "Fv1": 2, "Fs1": 1, "Fo1": 0.25})
	text, said, err := exports.InOrder(ft, order.Pinocchio, exports.Symmetric)
	if err != nil {
		t.Fatal(err)
	}
	var doc exports.Document
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	e := doc.Engine
	if e == nil || e.Order != order.Pinocchio || len(e.Layout) != 10 || len(e.Bodies) != 2 || len(e.Joints) != 2 {
		t.Fatalf("%+v", e)
	}
	if b, j := e.Bodies[0], e.Joints[0]; b.Name != "a" || b.Joint != "one" || b.Values[0] != 2 || j.Name != "one" || math.Abs(j.Damping-2) > 1e-9 || math.Abs(j.FrictionLoss-1) > 1e-9 {
		t.Errorf("%+v %+v", b, j)
	}
	if notes := strings.Join(said.Notes, "\n"); !strings.Contains(notes, "not in the vectors: Fo1 = 0.25") {
		t.Error(notes)
	}
}

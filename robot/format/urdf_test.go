package format

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ident/robot"
)

// dataPath returns a path under the folder of measured logs and reference
// robots, and skips the test where there is none.
func dataPath(t testing.TB, parts ...string) string {
	t.Helper()
	p := filepath.Join(append([]string{dataRoot()}, parts...)...)
	if _, err := os.Stat(p); err != nil {
		t.Skipf("%s is absent; set IDENT_DATA to the folder that holds it", p)
	}
	return p
}

func dataRoot() string {
	if root := os.Getenv("IDENT_DATA"); root != "" {
		return root
	}
	return filepath.Join("..", "..", "..", "shared")
}

// addSeeds adds the files of the data that match a pattern, if they are there.
func addSeeds(f *testing.F, pattern ...string) {
	files, _ := filepath.Glob(filepath.Join(append([]string{dataRoot()}, pattern...)...))
	for _, p := range files {
		if text, err := os.ReadFile(p); err == nil {
			f.Add(text)
		}
	}
}

func dataURDFs(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dataPath(t, "data"), "*", "model", "*.urdf"))
	if err != nil || len(files) == 0 {
		t.Skip("no URDF among the data")
	}
	return files
}

func TestDataRobotsRead(t *testing.T) {
	dof := map[string]int{"emps": 1, "kuka_lwr4": 7, "panda": 7, "tx40": 6, "ur10e": 6}
	for _, f := range dataURDFs(t) {
		r, err := Open(f, robot.ReadOptions{})
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		if want := dof[filepath.Base(filepath.Dir(filepath.Dir(f)))]; r.DOF() != want {
			t.Errorf("%s: %d moving joints, want %d", f, r.DOF(), want)
		}
		for i, l := range r.Links {
			if l.Antecedent >= i {
				t.Errorf("%s: antecedent %d of link %d comes after it", f, l.Antecedent, i)
			}
			// Each of these arms has perpendicular or parallel axes only.
			for _, row := range l.Placement.R {
				for _, v := range row {
					if v != 0 && v != 1 && v != -1 {
						t.Errorf("%s: link %s: rotation entry %g is not exact", f, l.Name, v)
					}
				}
			}
		}
	}
}

const twoBodies = `<robot name="r"><link name="b"/>%s</robot>`

func urdfText(inner string) string { return strings.Replace(twoBodies, "%s", inner, 1) }

func readText(t *testing.T, text string, opt robot.ReadOptions) *robot.Robot {
	t.Helper()
	r, err := Read([]byte(text), "urdf", "test.urdf", opt)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestURDFFaultsAreNamed(t *testing.T) {
	j := func(name, p, c string) string {
		return `<joint name="` + name + `" type="revolute"><parent link="` + p + `"/><child link="` + c + `"/></joint>`
	}
	for name, c := range map[string]struct {
		inner string
		want  []string
	}{
		"two roots":     {`<link name="c"/><link name="d"/>` + j("1", "b", "c"), []string{`"b"`, `"d"`, "roots"}},
		"cycle":         {`<link name="c"/><link name="d"/>` + j("1", "c", "d") + j("2", "d", "c"), []string{"cycle", `"c"`, `"d"`}},
		"no root":       {j("1", "b", "c") + j("2", "c", "b") + `<link name="c"/>`, []string{"no root", "cycle"}},
		"self":          {j("1", "b", "b"), []string{"its own parent"}},
		"two parents":   {`<link name="c"/><link name="d"/>` + j("1", "b", "d") + j("2", "c", "d"), []string{"two parents", `"b"`, `"c"`}},
		"unknown link":  {`<link name="wrist"/>` + j("1", "b", "wirst"), []string{`"wirst"`, `did you mean "wrist"`}},
		"same link":     {"<link name=\"c\"/>\n<link name=\"c\"/>", []string{"test.urdf:2", "defined twice"}},
		"same joint":    {`<link name="c"/><link name="d"/>` + j("1", "b", "c") + j("1", "b", "d"), []string{"defined twice"}},
		"nothing moves": {"", []string{"no moving joint"}},
		"not finite":    {`<link name="c"><inertial><mass value="nan"/></inertial></link>` + j("1", "b", "c"), []string{`link "c"`, `<mass value="nan">`}},
		"not a number":  {`<link name="c"><inertial><mass value="${m}"/></inertial></link>` + j("1", "b", "c"), []string{"xacro"}},
		"two numbers":   {`<link name="c"><inertial><origin xyz="0 0"/></inertial></link>` + j("1", "b", "c"), []string{"three numbers", "found 2"}},
		"overflow":      {`<link name="c"><inertial><origin xyz="1e300 0 0"/><mass value="1e300"/></inertial></link>` + j("1", "b", "c"), []string{"too large"}},
		"zero axis":     {`<link name="c"/>` + strings.Replace(j("j7", "b", "c"), "</joint>", `<axis xyz="0 0 0"/></joint>`, 1), []string{`joint "j7"`, "zero"}},
		"xml":           {"\n\n<link", []string{"test.urdf:3", "XML"}},
		"bad type":      {`<link name="c"/>` + strings.Replace(j("1", "b", "c"), "revolute", "revolut", 1), []string{`did you mean "revolute"`}},
		"self mimic":    {`<link name="c"/>` + strings.Replace(j("1", "b", "c"), "</joint>", `<mimic joint="1"/></joint>`, 1), []string{"mimics itself"}},
		"lost mimic":    {`<link name="c"/>` + strings.Replace(j("1", "b", "c"), "</joint>", `<mimic joint="9x"/></joint>`, 1), []string{`"9x"`}},
	} {
		_, err := Read([]byte(urdfText(c.inner)), "", "test.urdf", robot.ReadOptions{})
		var fe *robot.FileError
		if !errors.As(err, &fe) {
			t.Errorf("%s: got %v, want a FileError", name, err)
			continue
		}
		for _, w := range c.want {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%s: %q does not say %q", name, err, w)
			}
		}
	}
}

func TestURDFLumpsLimitsAndMimics(t *testing.T) {
	r := readText(t, `<?xml version="1.0"?>
<robot name="r" xmlns:xacro="http://ros.org/wiki/xacro">
 <xacro:property name="x" value="1"/>
 <transmission name="t"><joint name="a"/></transmission>
 <joint name="tool" type="fixed"><parent link="l2"/><child link="tip"/><origin xyz="0 0 0.5"/></joint>
 <joint name="b" type="prismatic"><parent link="l1"/><child link="l2"/><axis xyz="0 -2 0"/><mimic joint="a" multiplier="-0.5" offset="0.1"/><limit lower="-1" upper="2" effort="5" velocity="0"/></joint>
 <joint name="a" type="continuous"><parent link="foot"/><child link="l1"/><origin xyz="9 9 9"/><origin xyz="1.9e-17 0 1" rpy="1.5708 0 0"/><axis xyz="1 0 0"/><limit lower="-1" upper="1" effort="0"/><dynamics damping="2" friction="3"/></joint>
 <joint name="stand" type="fixed"><parent link="world"/><child link="foot"/><origin xyz="0 0 2"/></joint>
 <link name="world"/><link name="foot"><inertial><mass value="7"/></inertial></link>
 <link name="l1"><inertial><origin xyz="0 0 1" rpy="0 0 1.5707963267948966"/><mass value="2"/><inertia ixx="1" ixy="0" ixz="0" iyy="2" iyz="0" izz="3"/></inertial></link>
 <link name="l2"><inertial><mass value="1"/></inertial></link>
 <link name="tip"><inertial><mass value="4"/><origin xyz="0 0 0.5"/></inertial></link>
</robot>`, robot.ReadOptions{})
	if r.BaseName != "world" || len(r.Links) != 2 || r.Links[0].Name != "l1" || r.Links[1].Name != "l2" || r.Links[1].Antecedent != 0 {
		t.Fatalf("links: %+v", r.Links)
	}
	a, b := r.Links[0], r.Links[1]
	if !math.IsNaN(a.Joint.Lower) || !math.IsNaN(a.Joint.Effort) || a.Joint.Fv != 2 || a.Joint.Fs != 3 || !a.Joint.Continuous {
		t.Errorf("joint a: %+v", a.Joint)
	}
	if b.Joint.Lower != -1 || b.Joint.Upper != 2 || b.Joint.Effort != 5 || !math.IsNaN(b.Joint.Velocity) {
		t.Errorf("joint b: %+v", b.Joint)
	}
	if len(r.Mimics) != 1 || r.Mimics[0] != (robot.Mimic{Joint: 1, Of: 0, Multiplier: -0.5, Offset: 0.1}) {
		t.Errorf("mimics: %+v", r.Mimics)
	}
	if got := a.Placement.P; got != [3]float64{0, 0, 3} {
		t.Errorf("link l1 is placed at %v", got)
	}
	if z := a.Placement.R; [3]float64{z[0][2], z[1][2], z[2][2]} != [3]float64{1, 0, 0} {
		t.Errorf("axis of a: %v", z)
	}
	// In the link's own frame: central inertia diag(2, 1, 3), 1 m up the z.
	if got, want := r.UserInertial(0, a.Own), (robot.Inertial{4, 0, 0, 3, 0, 3, 0, 0, 2, 2}); !near(got, want, 1e-15) {
		t.Errorf("inertial of l1: %v, want %v", got, want)
	}
	if got, want := r.UserInertial(1, b.Inertial), (robot.Inertial{4, 0, 0, 4, 0, 0, 0, 0, 4, 5}); !near(got, want, 1e-15) {
		t.Errorf("inertial of l2: %v, want %v", got, want)
	}
	if len(r.Lumped) != 2 || r.Lumped[0].Into != -1 || r.Lumped[1].Name != "tip" || r.Lumped[1].Into != 1 {
		t.Errorf("lumped: %+v", r.Lumped)
	}
	var snaps, origins int
	for _, n := range r.Notes {
		if strings.Contains(n.Text, "1.5708 as π/2") && strings.Contains(n.Text, "1.9e-17 m as 0") && n.Where == `joint "a"` {
			snaps++
		}
		if strings.Contains(n.Text, "2 <origin> elements") {
			origins++
		}
	}
	if snaps != 1 || origins != 1 {
		t.Errorf("notes: %+v", r.Notes)
	}
}

func near(a, b robot.Inertial, tol float64) bool {
	for i := range a {
		if math.Abs(a[i]-b[i]) > tol {
			return false
		}
	}
	return true
}

package lint

import (
	"strings"
	"testing"

	"ident/robot"
	"ident/robot/format"
)

const loose = `<robot name="loose">
<link name="base"/>
<link name="a"><inertial><mass value="1"/>
  <inertia ixx="1" iyy="1" izz="1"/></inertial></link>
<link name="b"><inertial><origin xyz="0 0 1"/><mass value="1"/><inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
<link name="c"/>
<link name="d"/>
<joint name="one" type="revolute"><parent link="base"/><child link="a"/>
  <origin xyz="0 0 1"/>
  <origin xyz="0 0 2"/>
</joint>
<joint name="b" type="revolute"><parent link="a"/><child link="b"/>
  <limit lower="0" upper="0" effort="3"/></joint>
<joint name="three" type="continuous"><parent link="b"/><child link="c"/>
  <limit lower="-1" upper="1" effort="3" velocity="1"/></joint>
<joint name="four" type="prismatic"><parent link="c"/><child link="d"/>
  <limit lower="-1" upper="1" effort="3" velocity="1"/><mimic joint="three"/></joint>
</robot>`

// Each part that parsers take differently is named with its line, and a file that says everything once and whole has none.
func TestParsers(t *testing.T) {
	read := func(text string) *robot.Robot {
		r, err := format.Read([]byte(text), "urdf", "loose", robot.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	var lines []string
	for _, f := range Parsers(read(loose)) {
		lines = append(lines, string(f.Severity)+" "+f.ID+" "+f.Text)
	}
	got := strings.Join(lines, "\n")
	for _, want := range []string{
		`warning doubled joint "one": <origin> in lines 9 and 10: here the last one is taken, urdfdom (ROS) takes the first, MuJoCo refuses`,
		`note shared-name joint "b" (line 12): a link has the same name`,
		`note inertial-parts inertial of link "a" without ixy (line 3):`,
		`note inertial-origin inertial of link "a" (line 3): no <origin>`,
		`note limits-missing joints "one" without <limit> (line 8), "b" without velocity (line 13): urdfdom (ROS) refuses`,
		`note limits-zero joint "b" (line 13): a range from 0 to 0`,
		`note limits-continuous joint "three" (line 15):`,
		`note mimic joint "four" (line 17):`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%s\nis not in\n%s", want, got)
		}
	}
	if len(lines) != 8 {
		t.Errorf("%d findings", len(lines))
	}
	strict := strings.NewReplacer("  <origin xyz=\"0 0 1\"/>\n", "", "</joint>\n<joint name=\"b\"", "<limit lower=\"-1\" upper=\"1\" effort=\"1\" velocity=\"1\"/></joint>\n<joint name=\"two\"",
		`lower="0" upper="0" effort="3"`, `lower="-2" upper="0" effort="3" velocity="0"`, `<mimic joint="three"/>`, "", `type="continuous"`, `type="revolute"`,
		`<inertial><mass value="1"/>`, `<inertial><origin/><mass value="1"/>`, `ixx="1" iyy`, `ixx="1" ixy="0" ixz="0" iyz="0" iyy`).Replace(loose)
	if f := Parsers(read(strict)); len(f) > 0 {
		t.Errorf("%+v\n%s", f, strict)
	}
	yaml, err := format.Read([]byte("links:\n  - mdh: {d: 1}\n"), "yaml", "arm", robot.ReadOptions{})
	if err != nil || Parsers(yaml) != nil {
		t.Error(err, Parsers(yaml))
	}
	many := strings.Repeat("x", 0)
	for i := range 6 {
		many += `<link name="l` + string(rune('a'+i)) + `"/><joint name="j` + string(rune('a'+i)) + `" type="revolute"><parent link="base"/><child link="l` + string(rune('a'+i)) + `"/></joint>`
	}
	if f := Parsers(read(`<robot name="many"><link name="base"/>` + many + `</robot>`)); len(f) != 1 || f[0].Value != 6 || !strings.Contains(f[0].Text, `"jd" without <limit> (line 1) and 2 more: `) {
		t.Errorf("%+v", f)
	}
}

// A body without mass that has collision geometry is named, one with mass or without geometry is not.
func TestMasslessCollision(t *testing.T) {
	for _, c := range []struct {
		mass, geometry string
		want           int
	}{{"0", `<collision><geometry><box size="1 1 1"/></geometry></collision>`, 1}, {"0", "", 0}, {"1", `<collision/>`, 0}} {
		text := `<robot name="r"><link name="base"/><link name="a"><inertial><origin/><mass value="` + c.mass +
			`"/><inertia ixx="0.1" ixy="0" ixz="0" iyy="0.1" iyz="0" izz="0.1"/></inertial>` + c.geometry + `</link>
<joint name="j" type="revolute"><parent link="base"/><child link="a"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>`
		r, err := format.Read([]byte(text), "urdf", "r", robot.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, f := range Parsers(r) {
			if f.ID == "massless-collision" {
				n++
			}
		}
		if n != c.want {
			t.Errorf("mass %s, %q: %d findings", c.mass, c.geometry, n)
		}
	}
}

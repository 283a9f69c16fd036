package format_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ident/robot"
	"ident/robot/format"
)

// A xacro file is read as its expansion, which takes its place.
func TestXacro(t *testing.T) {
	const file = "internal/xacro/testdata/worker.urdf.xacro"
	r, err := format.Open(file, robot.ReadOptions{NoSnap: true, Args: map[string]string{"fingers": "2"}})
	if err != nil {
		t.Fatal(err)
	}
	if r.Source.Format != "urdf" || len(r.Moving()) != 22 || len(r.Mimics) != 1 {
		t.Errorf("%s with %d joints and %d that follow", r.Source.Format, len(r.Moving()), len(r.Mimics))
	}
	back, err := format.Read(r.Source.Text, "", "again.urdf", robot.ReadOptions{NoSnap: true})
	if err != nil {
		t.Fatal(err)
	}
	for i := range r.Links {
		if back.Links[i].Inertial != r.Links[i].Inertial || back.Links[i].Placement != r.Links[i].Placement {
			t.Errorf("link %q differs when the expansion is read", r.Links[i].Name)
		}
	}
	if _, err := format.Open(file, robot.ReadOptions{Args: map[string]string{"finger": "2"}}); err == nil || !strings.Contains(err.Error(), `declares no argument "finger"`) {
		t.Error(err)
	}
}

// A package is found by its folder's name above the file, beside these, and where it is said to be; faults have the file and line of
// the macro that they come from.
func TestXacroPackages(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	macro := func(name, inside string) string {
		return "<robot xmlns:xacro=\"http://www.ros.org/wiki/xacro\">\n<xacro:macro name=\"" + name + "\" params=\"\">\n" + inside + "</xacro:macro></robot>"
	}
	write("arm/urdf/base.xacro", macro("base", `<link name="base"/><link name="tip"/>`))
	write("tools/package.xml", "<package/>")
	write("tools/tip.xacro", macro("tip", `<joint name="j" type="revolute"><parent link="base"/><child link="tip"/><axis xyz="0 0 z"/></joint>`))
	write("elsewhere/end.xacro", macro("end", ""))
	write("arm/urdf/arm.xacro", `<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:include filename="$(find arm)/urdf/base.xacro"/>
<xacro:include filename="$(find tools)/tip.xacro"/><xacro:include filename="$(find ends)/end.xacro"/><xacro:base/><xacro:tip/><xacro:end/></robot>`)
	path := filepath.Join(folder, "arm/urdf/arm.xacro")
	if _, err := format.Open(path, robot.ReadOptions{}); err == nil || !strings.Contains(err.Error(), `arm.xacro:2: the folder of package "ends" is not known`) {
		t.Error(err)
	}
	_, err := format.Open(path, robot.ReadOptions{Packages: map[string]string{"ends": filepath.Join(folder, "elsewhere")}})
	if err == nil || !strings.Contains(err.Error(), `tools/tip.xacro:3: joint "j": <axis xyz="z">: not a number`) {
		t.Error(err)
	}
}

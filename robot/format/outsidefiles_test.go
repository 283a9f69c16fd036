package format_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ident/internal/hint"
	"ident/robot"
	"ident/robot/format"
)

const included = `<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><link name="extra"/></robot>`

// including is a xacro that includes a file.
func including(name string) string {
	return `<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:include filename="` + name + `"/><link name="a"/><link name="b"/>` +
		`<joint name="j" type="revolute"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/></joint><joint name="k" type="fixed"><parent link="b"/><child link="extra"/></joint></robot>`
}

// A robot file from elsewhere reads the files of its own tree and of packages, and no others, unless it is allowed to.
func TestOutsideFiles(t *testing.T) {
	root := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	secret := write("secret/key.xacro", included)
	write("home/arm/own/inside.xacro", included)
	write("pkg/package.xml", "<package/>")
	write("pkg/macros/m.xacro", included)
	if err := os.Symlink(secret, filepath.Join(root, "home/arm/linked.xacro")); err != nil {
		t.Fatal(err)
	}
	given := robot.ReadOptions{Packages: map[string]string{"others": filepath.Join(root, "secret")}}
	for name, c := range map[string]struct {
		file, include string
		opt           robot.ReadOptions
		refused       bool
	}{
		"below":                    {"home/arm/a.xacro", "own/inside.xacro", robot.ReadOptions{}, false},
		"by its whole path":        {"home/arm/b.xacro", secret, robot.ReadOptions{}, true},
		"above":                    {"home/arm/c.xacro", "../../secret/key.xacro", robot.ReadOptions{}, true},
		"through a link":           {"home/arm/d.xacro", "linked.xacro", robot.ReadOptions{}, true},
		"a folder named by chance": {"home/arm/e.xacro", "$(find " + filepath.Base(root) + ")/secret/key.xacro", robot.ReadOptions{}, true},
		"its package":              {"pkg/urdf/f.xacro", "../macros/m.xacro", robot.ReadOptions{}, false},
		"a package beside":         {"home/g.xacro", "$(find pkg)/macros/m.xacro", robot.ReadOptions{}, false},
		"a package given":          {"home/arm/h.xacro", "$(find others)/key.xacro", given, false},
		"allowed":                  {"home/arm/i.xacro", secret, robot.ReadOptions{Outside: true}, false},
	} {
		path := write(c.file, including(c.include))
		_, err := format.Open(path, c.opt)
		if err == nil {
			if c.refused {
				t.Errorf("%s: not refused", name)
			}
			continue
		}
		if text := hint.Describe(err, func(key string) string { return "the setting " + key }); !c.refused || !strings.Contains(text, "the setting outside-files") {
			t.Errorf("%s: %s", name, text)
		}
	}
}

package format

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"ident/robot"
	"ident/robot/format/urdf"
	"ident/robot/format/yaml"
)

const parLoop = `Robotname = 'loop'
NF = 5
NL = 3
NJ = 4
Type = 2
Ant = {0, 1, 0, 2, 3}
Sigma = {0, 0, 0, 0, 2}
d = {0, D2, D3, D4, D5}
Mu = {1, 0, 0, 0, 0}
Theta = {th1, th2, th3, th4, 0}
`

func TestReadLoops(t *testing.T) {
	r, err := Read([]byte(parLoop), "par", "loop.par", robot.ReadOptions{Loops: true, Set: map[string]float64{"D2": 0.4}})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Links) != 3 || len(r.Loops) != 1 || r.Extra[r.Loops[0].Frame].Name != "4" || r.Extra[r.Loops[0].Meets].Name != "5" {
		t.Fatalf("%d links, loops %v, extra %+v", len(r.Links), r.Loops, r.Extra)
	}
	// The frames at the cut decide whether the loop closes: their symbols count.
	if got := strings.Join(r.Unset, " "); got != "D3 D4 D5" {
		t.Errorf("unset %q", got)
	}
	if got := r.LoopName(0); got != "loop 1 (frame 4 meets frame 5)" {
		t.Errorf("named %q", got)
	}
	if r.Links[0].Joint.Passive || !r.Links[1].Joint.Passive {
		t.Error("joint 1 is active, joint 2 passive")
	}
	var b bytes.Buffer
	if err := urdf.Write(&b, r); !errors.Is(err, robot.ErrNotWritable) {
		t.Errorf("written as a tree: %v", err)
	}
	if err := yaml.Write(&b, r); err != nil {
		t.Fatal(err)
	}
	back, err := Read(b.Bytes(), "yaml", "loop.yaml", robot.ReadOptions{Loops: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(back.Loops) != 1 || back.LoopName(0) != r.LoopName(0) || strings.Join(back.Unset, " ") != "D3 D4 D5" {
		t.Errorf("read back as %+v with unset %v", back.Loops, back.Unset)
	}
	if c := r.Clone(); len(c.Loops) != 1 || &c.Loops[0] == &r.Loops[0] {
		t.Error("loops are not cloned")
	}
	tree, err := Read([]byte(parLoop), "par", "loop.par", robot.ReadOptions{TreeOnly: true})
	if err != nil || len(tree.Loops) != 0 || strings.Join(tree.Unset, " ") != "D2 D3" {
		t.Errorf("as a tree: loops %v, unset %v, %v", tree.Loops, tree.Unset, err)
	}
}

func TestReadLoopsRefused(t *testing.T) {
	for name, c := range map[string]struct{ old, new, want string }{
		"no frame to meet": {"NF = 5\nNL = 3\nNJ = 4\nType = 2\nAnt = {0, 1, 0, 2, 3}\nSigma = {0, 0, 0, 0, 2}\nd = {0, D2, D3, D4, D5}\nMu = {1, 0, 0, 0, 0}\nTheta = {th1, th2, th3, th4, 0}",
			"NF = 4\nNL = 3\nNJ = 4\nType = 2\nAnt = {0, 1, 0, 2}\nSigma = {0, 0, 0, 0}", "frame 4 has no frame 5 to meet"},
		"meets a moving frame": {"Sigma = {0, 0, 0, 0, 2}", "Sigma = {0, 0, 0, 0, 0}", "frame 5, which frame 4 meets, is revolute"},
		"hangs on itself":      {"Ant = {0, 1, 0, 2, 3}", "Ant = {0, 1, 0, 5, 4}", "hangs on itself"},
	} {
		_, err := Read([]byte(strings.Replace(parLoop, c.old, c.new, 1)), "par", "loop.par", robot.ReadOptions{Loops: true})
		var fe *robot.FileError
		if !errors.As(err, &fe) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

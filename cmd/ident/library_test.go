package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"ident/identify"
	"ident/identify/experiment"
	"ident/identify/folder"
	"ident/identify/project"
)

// The library records what the command records: the same log, byte for byte, for options in texts and in a struct.
func TestLibrarySimulatesAsTheCommand(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(at("arm.urdf"), []byte(twoJoints), 0o644); err != nil {
		t.Fatal(err)
	}
	ident(t, "design-trajectory", at("arm.urdf"), "--period", "4", "--harmonics", "2", "--starts", "1", "-o", at("motion.json"))
	upper := experiment.Options{Motion: at("motion.json"), Output: at("library.npz")}
	with := func(change func(*experiment.Options)) experiment.Options { o := upper; change(&o); return o }
	for name, c := range map[string]struct {
		words []string
		opt   experiment.Options
	}{
		"usual sensors":   {nil, upper},
		"a class of arms": {[]string{"--sensors", "cobot", "--faults", "dropped"}, with(func(o *experiment.Options) { o.Sensors, o.Faults = "cobot", "dropped" })},
		"noise, repetition": {[]string{"--torque-noise", "0,2", "--encoder", "0", "--repeat", "2", "--rate", "200"}, with(func(o *experiment.Options) {
			o.Torque, o.Encoder, o.Repeats, o.Rate = []float64{0, 2}, []float64{0}, 2, 200
		})},
		"a control law": {[]string{"--controller", "pd+gravity kp=400 kd=40", "--friction", "load=0.1"}, with(func(o *experiment.Options) {
			o.Controller, o.Friction = "pd+gravity kp=400 kd=40", "load=0.1"
		})},
		"exact": {[]string{"--ideal", "--duration", "2"}, with(func(o *experiment.Options) { o.Ideal, o.Duration = true, 2 })},
	} {
		ident(t, append([]string{"simulate", at("arm.urdf"), "--trajectory", at("motion.json"), "--seed", "5", "-o", at("command.npz")}, c.words...)...)
		if _, err := identify.Simulate(t.Context(), &project.Settings{Robot: at("arm.urdf"), Seed: 5}, c.opt); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		a, errA := os.ReadFile(at("command.npz"))
		b, errB := os.ReadFile(at("library.npz"))
		if errA != nil || errB != nil || !bytes.Equal(a, b) || len(a) < 5000 {
			t.Errorf("%s: %d bytes of the command, %d of the library, %v %v", name, len(a), len(b), errA, errB)
		}
	}
}

// The library generates, describes and converts what the commands do, byte for byte.
func TestLibraryWritesAsTheCommands(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(at("arm.urdf"), []byte(twoJoints), 0o644); err != nil {
		t.Fatal(err)
	}
	s := &project.Settings{Robot: at("arm.urdf")}
	same := func(what, command string, library []byte) {
		t.Helper()
		if command != string(library) || len(library) < 200 {
			t.Errorf("%s: %d bytes of the command, %d of the library", what, len(command), len(library))
		}
	}
	for name, c := range map[string]struct {
		words []string
		opt   identify.GenerateOptions
	}{
		"inverse dynamics": {nil, identify.GenerateOptions{}},
		"two languages":    {[]string{"--lang", "go,octave", "--bake", "--model", "dynamic,bias"}, identify.GenerateOptions{Languages: []string{"go", "octave"}, Bake: true, Models: []string{"dynamic", "bias"}}},
		"a point":          {[]string{"--model", "jacobian", "--link", "upper", "--point", "0.1,0,0", "--name", "mine"}, identify.GenerateOptions{Models: []string{"jacobian"}, Link: "upper", Point: [3]float64{0.1, 0, 0}, Name: "mine"}},
	} {
		ident(t, append([]string{"codegen", at("arm.urdf"), "-o", at("command")}, c.words...)...)
		g, err := identify.Generate(t.Context(), s, c.opt)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, f := range g.Files {
			text, err := os.ReadFile(filepath.Join(at("command"), f.Name))
			if err != nil {
				t.Fatal(err)
			}
			same(name+", "+f.Name, string(text), []byte(f.Text))
		}
	}
	d, err := identify.Describe(s, identify.DescribeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := folder.WriteJSON(&text, d.Document); err != nil {
		t.Fatal(err)
	}
	same("robot --json", ident(t, "robot", at("arm.urdf"), "--json"), text.Bytes())
	text.Reset()
	if _, err := d.Write(&text, "yaml"); err != nil {
		t.Fatal(err)
	}
	same("robot --to yaml", ident(t, "robot", at("arm.urdf"), "--to", "yaml"), text.Bytes())
	b, err := identify.DescribeBase(t.Context(), s, identify.BaseOptions{})
	if err != nil {
		t.Fatal(err)
	}
	text.Reset()
	if err := folder.WriteJSON(&text, b.Document); err != nil {
		t.Fatal(err)
	}
	same("base-params --json", ident(t, "base-params", at("arm.urdf"), "--json"), text.Bytes())
}

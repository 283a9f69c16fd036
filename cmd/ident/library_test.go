package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"ident/identify"
	"ident/identify/experiment"
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

package main

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"ident/identify/project"
	"ident/internal/long"
)

// Measured logs whose driver has taken out the gravity of the file's bodies are fitted as well as the whole torques: within 1.2 times the
// error in newton metres, on the rows that train and on those that do not.
func TestGravityCompensated(t *testing.T) {
	long.Only(t, "TestChannels tells what is in a channel")
	data := os.Getenv("IDENT_DATA")
	if data == "" {
		t.Skip("IDENT_DATA is not set: no measured logs")
	}
	subjects, err := measured(filepath.Join(data, "data"))
	if err != nil {
		t.Skip(err)
	}
	for _, s := range subjects {
		if !slices.Contains([]string{"kuka-2", "panda", "ur10e-50s"}, s.name) {
			continue
		}
		d := s.run.clone()
		for j, g := range d.gravityTorques() {
			for k, v := range g {
				d.tau[j][k] -= v
			}
		}
		settings := func(torque string) *project.Settings {
			return &project.Settings{Plain: true, TrainFraction: 0.7, OnBad: "drop", Torque: torque}
		}
		plain, err := fit(s.run, settings(""))
		if err != nil {
			t.Fatal(s.name, err)
		}
		removed, err := fit(d, settings(project.WithoutGravity))
		if err != nil {
			t.Errorf("%s: %v", s.name, err)
			continue
		}
		a, b := length(plain.Fit.RMSE), length(removed.Fit.RMSE)
		c, e := length(plain.Validation.RMSE), length(removed.Validation.RMSE)
		t.Logf("%s: trained %.4g N·m, %.4g without gravity; unseen %.4g, %.4g", s.name, a, b, c, e)
		if b > 1.2*a || e > 1.2*c {
			t.Errorf("%s: trained %.4g N·m, %.4g without gravity; unseen %.4g, %.4g", s.name, a, b, c, e)
		}
	}
}

func length(x []float64) float64 {
	s := 0.0
	for _, v := range x {
		s += v * v
	}
	return math.Sqrt(s)
}

package main

import (
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"ident/datasets"
	"ident/internal/long"
)

// A log in milliseconds and degrees is mended at once, in all joints: with the clock in another unit, a fit told milliradians of some joints.
func TestMillisecondsAndDegrees(t *testing.T) {
	long.Only(t, "makes the demonstration")
	dir := t.TempDir()
	commandLine(t, exitDone, "demo", "-o", filepath.Join(dir, "demo"))
	o := tableOf(t, filepath.Join(dir, "demo", "run1.parquet"))
	sound := make([][]float64, len(o.columns))
	for i, c := range o.columns {
		sound[i] = append([]float64(nil), c...)
		for k := range c {
			switch name := o.names[i]; {
			case name == "t":
				c[k] = 1763000000000 + math.Round(c[k]*1e6)/1000
			case strings.HasPrefix(name, "q"), strings.HasPrefix(name, "dq"):
				c[k] *= 180 / math.Pi
			}
		}
	}
	path, mended := filepath.Join(dir, "log.csv"), filepath.Join(dir, "mended.parquet")
	o.write(t, path, ",", func(_ int, x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) })
	commandLine(t, exitDone, "check", path, "--robot", filepath.Join(dir, "demo", "puma560.urdf"), "--fix", mended)
	log, err := datasets.Open(mended, datasets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	for i, name := range o.names {
		if name == "t" {
			continue
		}
		c, err := log.Column(name)
		if err != nil {
			t.Fatal(err)
		}
		for k := range c {
			if math.Abs(c[k]-sound[i][k]) > 1e-3*(1+math.Abs(sound[i][k])) {
				t.Fatalf("%s is %g in row %d of the mended log, want %g", name, c[k], k+1, sound[i][k])
			}
		}
	}
}

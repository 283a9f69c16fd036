package main

import (
	"math/rand/v2"
	"slices"
	"testing"

	"ident/internal/long"
)

// A sample of the study: faults of each family on one simulated arm, whose names the committed table has, and its sound log.
func TestSample(t *testing.T) {
	long.Only(t, "TestChannels")
	r := arms()[2]
	sound, err := simulated(r, 3, 24)
	if err != nil {
		t.Fatal(err)
	}
	if o := asked(sound.clone(), nil); o.class != "silent" {
		t.Errorf("the sound log: %s", o.text)
	}
	sample := map[string]bool{"gravity-compensated": true, "one × 0.7": true, "sign of a torque": true, "zero off by 15°, loaded": true, "recorder 0.3 s late": true, "9999 in 5 % of torques": true, "appears at 0.4": true}
	for _, k := range kinds() {
		if !sample[k.name] {
			continue
		}
		delete(sample, k.name)
		d := sound.clone()
		if !k.make(d, rand.New(rand.NewPCG(2, 7))) {
			t.Fatalf("%s cannot be made", k.name)
		}
		if o := asked(d, k.want); o.class != "named" && o.class != "group" {
			t.Errorf("%s is %s: %s", k.name, o.class, o.text)
		}
	}
	if len(sample) > 0 {
		t.Errorf("no such kinds: %v", sample)
	}
}

func asked(d *run, want []string) outcome {
	f, err := examine(d)
	return judgeFindings(f, err, want)
}

// A sample of the study of channels: kinds of torques and positions of one simulated arm.
func TestChannels(t *testing.T) {
	sound, err := simulated(arms()[5], 3, 16)
	if err != nil {
		t.Fatal(err)
	}
	sample := []string{"torque joint", "torque motor-side", "position turns", "torque percent", "position motor-side"}[:long.Of(5, 3)]
	for _, tr := range transforms() {
		if !slices.Contains(sample, tr.quantity+" "+tr.kind) {
			continue
		}
		d := sound.clone()
		tr.make(d, rand.New(rand.NewPCG(2, 8)))
		if right, pair, all, others := channels(d, tr); right+pair < all {
			t.Errorf("%s %s: %d right and %d in a pair of %d: %v", tr.quantity, tr.kind, right, pair, all, others)
		}
	}
}

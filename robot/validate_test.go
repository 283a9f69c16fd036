package robot_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"ident/robot"
)

// Every fault of a robot is named with the part that has it.
func TestValidate(t *testing.T) {
	fixed := func(r *robot.Robot, j int) { r.Links[j].Joint.Kind = robot.Fixed }
	for name, c := range map[string]struct {
		change func(r *robot.Robot)
		want   string
	}{
		"antecedent behind":     {func(r *robot.Robot) { r.Links[1].Antecedent = 2 }, `link "arm" (number 2) has antecedent 3`},
		"antecedent of base":    {func(r *robot.Robot) { r.Links[0].Antecedent = -2 }, "(number 1) has antecedent -1"},
		"kind":                  {func(r *robot.Robot) { r.Links[1].Joint.Kind = 7 }, `link "arm" (number 2) has a joint of kind 7`},
		"no such joint":         {func(r *robot.Robot) { r.Mimics[0].Joint = 9 }, "mimic 1 is of link number 10 of 4"},
		"mimics no link":        {func(r *robot.Robot) { r.Mimics[0].Of = 9 }, `joint "wrist" mimics link number 10 of 4`},
		"mimics the base":       {func(r *robot.Robot) { r.Mimics[0].Of = -1 }, `joint "wrist" mimics link number 0 of 4`},
		"mimics itself":         {func(r *robot.Robot) { r.Mimics[0].Of = 3 }, `joint "wrist" mimics joint "wrist", which mimics another`},
		"mimics a fixed joint":  {func(r *robot.Robot) { fixed(r, 0) }, `joint "wrist" mimics joint "shoulder", which is fixed`},
		"fixed mimic":           {func(r *robot.Robot) { fixed(r, 3) }, `mimic 1 is of joint "wrist", which is fixed`},
		"mimics twice":          {func(r *robot.Robot) { r.Mimics = append(r.Mimics, r.Mimics[0]) }, `joint "wrist" mimics two joints`},
		"mimic without a ratio": {func(r *robot.Robot) { r.Mimics[0].Multiplier = math.NaN() }, `joint "wrist" mimics with the multiplier NaN`},
		"drive of no link":      {func(r *robot.Robot) { r.Drives = []robot.Drive{{Number: 4}} }, "shared drive 1 is named after link number 5 of 4"},
		"drive on no link":      {func(r *robot.Robot) { r.Drives = []robot.Drive{{Weights: map[int]float64{-1: 1}}} }, "shared drive 1 acts on link number 0 of 4"},
		"frame on no link":      {func(r *robot.Robot) { r.Extra = []robot.ExtraFrame{{Name: "tool", Antecedent: 4}} }, "frame tool hangs on link number 5 of 4"},
		"frame on no frame":     {func(r *robot.Robot) { r.Extra = []robot.ExtraFrame{{Name: "tool", Antecedent: -3}} }, "frame tool hangs on extra frame 2 of 1"},
		"frame on itself":       {func(r *robot.Robot) { r.Extra = []robot.ExtraFrame{{Name: "tool", Antecedent: -2}} }, "frame tool hangs on itself"},
		"placement":             {func(r *robot.Robot) { r.Links[1].Placement.R[0][2] = math.Inf(1) }, `link "arm" (number 2) has no finite placement`},
		"gravity":               {func(r *robot.Robot) { r.Gravity[1] = math.NaN() }, "gravity is [0 NaN -9.81]"},
		"symbols":               {func(r *robot.Robot) { r.Unset = []string{"D3", "D4"} }, "without a value: D3, D4"},
		"nothing moves":         {func(r *robot.Robot) { r.Mimics = nil; fixed(r, 0); fixed(r, 1); fixed(r, 2); fixed(r, 3) }, "no moving joint"},
	} {
		t.Run(name, func(t *testing.T) {
			r := robot.FromMDH("r", []robot.MDHFrame{{Antecedent: -1}, {Antecedent: 0, Alpha: 1}, {Antecedent: 1, D: 1, Kind: robot.Prismatic}, {Antecedent: 2, D: 1}})
			r.Links[1].Name, r.Links[0].Joint.Name, r.Links[3].Joint.Name = "arm", "shoulder", "wrist"
			r.Mimics = []robot.Mimic{{Joint: 3, Of: 0, Multiplier: 2}}
			if err := r.Validate(); err != nil {
				t.Fatal(err)
			}
			c.change(r)
			var invalid *robot.InvalidError
			err := r.Validate()
			if !errors.As(err, &invalid) || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("Validate: %v", err)
			}
		})
	}
}

package robot

import (
	"errors"
	"math"
	"strings"
	"testing"
)

// Every fault of a robot is named with the part that has it.
func TestValidate(t *testing.T) {
	fixed := func(r *Robot, j int) { r.Links[j].Joint.Kind = Fixed }
	for name, c := range map[string]struct {
		change func(r *Robot)
		want   string
	}{
		"antecedent behind":     {func(r *Robot) { r.Links[1].Antecedent = 2 }, `link "arm" (number 2) has antecedent 3`},
		"antecedent of base":    {func(r *Robot) { r.Links[0].Antecedent = -2 }, "(number 1) has antecedent -1"},
		"kind":                  {func(r *Robot) { r.Links[1].Joint.Kind = 7 }, `link "arm" (number 2) has a joint of kind 7`},
		"no such joint":         {func(r *Robot) { r.Mimics[0].Joint = 9 }, "mimic 1 is of link number 10 of 4"},
		"mimics no link":        {func(r *Robot) { r.Mimics[0].Of = 9 }, `joint "wrist" mimics link number 10 of 4`},
		"mimics the base":       {func(r *Robot) { r.Mimics[0].Of = -1 }, `joint "wrist" mimics link number 0 of 4`},
		"mimics itself":         {func(r *Robot) { r.Mimics[0].Of = 3 }, `joint "wrist" mimics joint "wrist", which mimics another`},
		"mimics a fixed joint":  {func(r *Robot) { fixed(r, 0) }, `joint "wrist" mimics joint "shoulder", which is fixed`},
		"fixed mimic":           {func(r *Robot) { fixed(r, 3) }, `mimic 1 is of joint "wrist", which is fixed`},
		"mimics twice":          {func(r *Robot) { r.Mimics = append(r.Mimics, r.Mimics[0]) }, `joint "wrist" mimics two joints`},
		"mimic without a ratio": {func(r *Robot) { r.Mimics[0].Multiplier = math.NaN() }, `joint "wrist" mimics with the multiplier NaN`},
		"drive of no link":      {func(r *Robot) { r.Drives = []Drive{{Number: 4}} }, "shared drive 1 is named after link number 5 of 4"},
		"drive on no link":      {func(r *Robot) { r.Drives = []Drive{{Weights: map[int]float64{-1: 1}}} }, "shared drive 1 acts on link number 0 of 4"},
		"frame on no link":      {func(r *Robot) { r.Extra = []ExtraFrame{{Name: "tool", Antecedent: 4}} }, "frame tool hangs on link number 5 of 4"},
		"frame on no frame":     {func(r *Robot) { r.Extra = []ExtraFrame{{Name: "tool", Antecedent: -3}} }, "frame tool hangs on extra frame 2 of 1"},
		"frame on itself":       {func(r *Robot) { r.Extra = []ExtraFrame{{Name: "tool", Antecedent: -2}} }, "frame tool hangs on itself"},
		"placement":             {func(r *Robot) { r.Links[1].Placement.R[0][2] = math.Inf(1) }, `link "arm" (number 2) has no finite placement`},
		"gravity":               {func(r *Robot) { r.Gravity[1] = math.NaN() }, "gravity is [0 NaN -9.81]"},
		"symbols":               {func(r *Robot) { r.Unset = []string{"D3", "D4"} }, "without a value: D3, D4"},
		"nothing moves":         {func(r *Robot) { r.Mimics = nil; fixed(r, 0); fixed(r, 1); fixed(r, 2); fixed(r, 3) }, "no moving joint"},
	} {
		t.Run(name, func(t *testing.T) {
			r := FromMDH("r", []MDHFrame{{Antecedent: -1}, {Antecedent: 0, Alpha: 1}, {Antecedent: 1, D: 1, Kind: Prismatic}, {Antecedent: 2, D: 1}})
			r.Links[1].Name, r.Links[0].Joint.Name, r.Links[3].Joint.Name = "arm", "shoulder", "wrist"
			r.Mimics = []Mimic{{Joint: 3, Of: 0, Multiplier: 2}}
			if err := r.Validate(); err != nil {
				t.Fatal(err)
			}
			c.change(r)
			var invalid *InvalidError
			err := r.Validate()
			if !errors.As(err, &invalid) || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("Validate: %v", err)
			}
		})
	}
}

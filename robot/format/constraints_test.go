package format_test

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ident/internal/testrobot"
	"ident/robot"
	"ident/robot/format"
)

// guideConstraints are those of the SR400 in the guide of SYMORO+ (appendix 3), with lengths.
const guideConstraints = `(* constraints *)
d2 = 0.2; 
d3 = 0.45;
d4 = 0.1;
RL4 = 0.6;
d8 = 0.5;
Constraint[nbs_Integer]:= Module [{i,Pi = 3.14159265358979},
For [i= 1,i ≤ nbs, i++,
Q[[i,3]] = Pi/2 - Q[[i,2]]+ Q[[i,7]];
Q[[i,8]] = Q[[i,2]]- Q[[i,7]];
QD[[i,3]] = - QD[[i,2]]+ QD[[i,7]];
QD[[i,8]] = QD[[i,2]]- QD[[i,7]];
];
];
`

func sr400With(t *testing.T, constraints string) (*robot.Robot, error) {
	t.Helper()
	table, err := testrobot.PublishedPar("sr400.par")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string][]byte{"sr400.par": table, "sr400.cons": []byte(constraints)} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return format.Open(filepath.Join(dir, "sr400.par"), robot.ReadOptions{Loops: true})
}

// An empty file beside a table says nothing, and no note says that it does.
func TestEmptyConstraintsBesideTable(t *testing.T) {
	r, err := sr400With(t, " \n\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range r.Notes {
		if strings.Contains(n.Text, ".cons") {
			t.Errorf("%+v", n)
		}
	}
}

// The file of constraints beside a table gives lengths and the assembly, and goes with the text of the robot.
func TestConstraintsBesideTable(t *testing.T) {
	r, err := sr400With(t, guideConstraints)
	if err != nil {
		t.Fatal(err)
	}
	if r.Symbols["d8"] != 0.5 || len(r.Unset) > 0 || len(r.Loops) != 1 {
		t.Errorf("symbols %v, unset %v, %d loops", r.Symbols, r.Unset, len(r.Loops))
	}
	q := r.Assembly
	if d := math.Remainder(q["J3"]-(math.Pi/2-q["J2"]+q["J7"]), 2*math.Pi); math.Abs(d) > 1e-12 || math.Abs(math.Sin(q["J2"]-q["J7"])) < 0.3 {
		t.Errorf("assembly %v", q)
	}
	again, err := format.Read(r.Source.Text, "par", "copy.par", robot.ReadOptions{Loops: true})
	if err != nil || again.Assembly["J3"] != q["J3"] {
		t.Errorf("the kept text gives %v and %v", again, err)
	}
	if set, err := format.Read(r.Source.Text, "par", "copy.par", robot.ReadOptions{Loops: true, Set: map[string]float64{"d2": 0.3}}); err != nil || set.Symbols["d2"] != 0.3 {
		t.Errorf("a value that the user sets gives way to the file's: %v", err)
	}
	if tree, err := format.Read(r.Source.Text, "par", "copy.par", robot.ReadOptions{TreeOnly: true}); err != nil || len(tree.Assembly) > 0 {
		t.Errorf("the tree: %v", err)
	}
}

// Constraints that cannot be are refused with their line in their own file.
func TestWrongConstraints(t *testing.T) {
	for want, change := range map[string][2]string{
		":12: Constraint: Q[[i,8]] is given twice":             {"QD[[i,7]];\nQD[[i,8]]", "QD[[i,7]];\nQ[[i,8]] = 1;\nQD[[i,8]]"},
		"do not close loop 1 (frame 9 meets frame 10) at J1 =": {"Q[[i,8]] = Q[[i,2]]- Q", "Q[[i,8]] = Q[[i,7]]- 1.0 Q"},
		":11: Constraint: QD[[i,3]] is":                        {"- QD[[i,2]]+", "+ QD[[i,2]]+"},
		"joint 2 is driven":                                    {"Q[[i,8]] =", "Q[[i,2]] ="},
		"the robot has 9 joints":                               {"Q[[i,8]] =", "Q[[i,12]] ="},
		"passive joint 8 has no position":                      {"Q[[i,8]] = Q[[i,2]]- Q[[i,7]];\n", ""},
		":10: Constraint: Q[[i,8]]: the function Sinh":         {"= Q[[i,2]]- Q", "= Sinh[Q[[i,2]]]- Q"},
		"has no closing bracket":                               {"];\n];\n", "];\n"},
		"have no value":                                        {"Pi/2 -", "lambda/2 -"},
	} {
		text := strings.Replace(guideConstraints, change[0], change[1], 1)
		if text == guideConstraints {
			t.Fatalf("%q is not there", change[0])
		}
		if strings.Contains(want, "1.0") || strings.Contains(want, "do not close") { // the rate of the wrong position
			text = strings.Replace(text, "QD[[i,8]] = QD[[i,2]]- QD", "QD[[i,8]] = QD[[i,7]]- QD", 1)
		}
		_, err := sr400With(t, text)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(want, ":1") && !strings.Contains(err.Error(), ".cons:") {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// Linear constraints of a table without loops couple the joints; others have no place.
func TestConstraintsWithoutLoops(t *testing.T) {
	const table = "NF = 3\nNL = 3\nNJ = 3\nAnt = {0,1,2}\nSigma = {0,0,0}\nd = {0,0.4,0.3}\nMu = {1,1,0}\nTheta = {t1,t2,t3}\nG = {0,-9.81,0}\n"
	module := func(position string) []byte {
		return []byte(table + "Constraint[n_Integer] := Module[{i}, For[i = 1, i <= n, i++, Q[[i,3]] = " + position + "; ]; ];")
	}
	r, err := format.Read(module("Pi/4 - 2 Q[[i,2]] - Q[[i,1]]/2"), "par", "arm.par", robot.ReadOptions{Loops: true})
	if err != nil {
		t.Fatal(err)
	}
	if c := r.Couplings; len(c) != 1 || c[0].Joint != 2 || math.Abs(c[0].Of[1]+2) > 1e-12 || math.Abs(c[0].Of[0]+0.5) > 1e-12 || math.Abs(c[0].Offset-math.Pi/4) > 1e-12 {
		t.Errorf("couplings %+v", c)
	}
	if _, err := format.Read(module("Sin[Q[[i,2]]]"), "par", "arm.par", robot.ReadOptions{Loops: true}); err == nil || !strings.Contains(err.Error(), "not linear") {
		t.Errorf("a sine: %v", err)
	}
	var unsupported *robot.UnsupportedError
	if _, err := format.Read(module("Q[[i,2]]"), "par", "arm.par", robot.ReadOptions{}); !errors.As(err, &unsupported) {
		t.Errorf("where loops are not read: %v", err)
	}
}

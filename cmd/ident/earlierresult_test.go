package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ident/internal/long"
)

// A folder that version 0.4.0 wrote is read by every command that reads results, without a warning about its seal, which it never had. testdata/v0.4.0
// has what that version wrote, its page left out.
func TestResultOfAnEarlierVersion(t *testing.T) {
	long.Only(t, "TestSealedResults reads a result without a seal")
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "v0.4.0"))); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	for _, c := range []struct {
		code int
		args string
	}{
		{exitDone, "export result --to json"}, {exitDone, "export result --to csv"}, {exitDone, "export result --to urdf"}, {exitDone, "export result --to mjcf"}, {exitDone, "export result --to isaac"},
		{exitDone, "export result --draws 2 --to json"}, {exitDone, "validate result log.csv.gz"}, {exitDone, "compare result arm.urdf"}, {exitDone, "compare arm.urdf result"}, {exitDone, "watch result log.csv.gz --quiet-log log.csv.gz"},
		{exitDone, "loads result motion.json --rate 20"}, {exitDone, "plot result -o drawn"}, {exitVerdict, "verify result"}, {exitDone, "robot result"}, {exitDone, "base-params result"}, {exitDone, "check log.csv.gz --robot result"},
		{exitDone, "simulate arm.urdf --trajectory motion.json --rate 20 --controller computed_kp=100_kv=20 --controller-model result -o c.csv"},
		{exitDone, "simulate result --trajectory motion.json --rate 20 -o s.csv"}, {exitDone, "codegen result --model observer --quiet-log log.csv.gz -o observer"}, {exitDone, "codegen result --bake --lang c -o baked"},
		{exitDone, "design-trajectory arm.urdf --after result --starts 1 --harmonics 2 --position-limits=-3:3,-3:3 --velocity-limits 3,3 --period 5 -o next.csv"},
		{exitDone, "merge part.idr -o merged.idr"}, {exitDone, "fit part.idr -o second"}, {exitDone, "reduce log.csv.gz --robot arm.urdf --plain --cutoff 2.5 --like part.idr -o like.idr"},
		{exitDone, "fit log.csv.gz --robot arm.urdf --plain --prior gravity.json -o third"}, {exitDone, "compare result second"},
	} {
		args := strings.Fields(c.args)
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], "_", " ")
		}
		code, out, errs := ran(args...)
		if code != c.code && !(code == exitVerdict && slices.Contains([]string{"validate", "check", "compare", "fit"}, args[0])) {
			t.Errorf("%s: %d\n%s%s", c.args, code, out, errs)
		}
		if strings.Contains(errs, "seal") {
			t.Errorf("%s: %s", c.args, errs)
		}
	}
}

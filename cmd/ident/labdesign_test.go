package main

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ident/datasets"
)

// testLabDesign designs a motion from a robot file alone: the bytes of the command.
func testLabDesign(t *testing.T, p *labPage) {
	dir, saves := t.TempDir(), t.TempDir()
	t.Chdir(dir)
	p.Downloads(saves)
	write(t, "arm.urdf", string(datasets.ExampleRobot()))
	p.clear()
	p.Truth("no robot, no design", `document.getElementById('design').hidden`)
	p.Files("#files", filepath.Join(dir, "arm.urdf"))
	p.wait("the robot", `!document.getElementById('design').hidden && document.querySelector('#robot-words').textContent && `+labIdle)
	p.Eval(`(() => { const f = document.getElementById('design-form').elements; f.period.value = '0'; document.getElementById('design-run').click(); })()`, nil)
	p.wait("a refusal", `document.getElementById('problems').textContent.includes('--period') && `+labIdle)
	p.Truth("nothing is shown of it", `document.getElementById('designed').hidden`)
	p.Eval(`(() => {
		const f = document.getElementById('design-form').elements;
		f.period.value = '4';
		f['velocity-limits'].value = '1,1,1,2,2,2';
		f.starts.value = '1';
		f.seed.value = '3';
		f.further.value = '--harmonics 3 --rate 50 -o motion.json';
		f.seed.dispatchEvent(new Event('input', {bubbles: true}));
	})()`, nil)
	line := "design-trajectory arm.urdf --period 4 --velocity-limits 1,1,1,2,2,2 --starts 1 --seed 3 --harmonics 3 --rate 50 -o motion.json -o motion1.csv -o motion1.html"
	if got := p.text("#design-line"); got != "ident "+line {
		t.Errorf("the line is %q, want %q", got, "ident "+line)
	}
	p.Eval(`document.getElementById('design-run').click()`, nil)
	p.wait("a design", `document.querySelector('#design-downloads button') && `+labIdle)
	p.Truth("the page of the motion", `!document.getElementById('designed').hidden && !document.getElementById('design-frame').hidden && document.getElementById('problems').textContent === ''`)
	p.looks("design")
	saved := map[string][]byte{}
	for _, name := range []string{"motion1.csv", "motion.json"} {
		saved[name] = p.saved(saves, "#design-downloads", name, name)
	}
	p.sameBytes(saved, line)

	// The program of another processor, whose search takes another way by its last digits, finds the same worth in this motion, and
	// designs one of as many samples.
	write(t, "page.json", string(saved["motion.json"]))
	worth := func(text string) (x float64) {
		t.Helper()
		_, after, _ := strings.Cut(text, "condition ")
		if _, err := fmt.Sscan(strings.TrimSpace(after), &x); err != nil {
			t.Fatalf("%q has no condition number", text)
		}
		return x
	}
	said := worth(p.text("#design-words"))
	judged := worth(string(p.native(0, "design-trajectory", "arm.urdf", "--judge", "page.json", "--velocity-limits", "1,1,1,2,2,2", "-o", "judged.csv")))
	t.Logf("condition %g, by the program for this machine %g", said, judged)
	if math.Abs(judged/said-1) > 0.01 { // the samples of a search are others than those of a judgement
		t.Errorf("condition %g, by the program for this machine %g", said, judged)
	}
	p.native(0, strings.Fields(line)...)
	want, err := os.ReadFile("motion1.csv")
	if err != nil {
		t.Fatal(err)
	}
	if got := saved["motion1.csv"]; bytes.Count(got, []byte("\n")) != bytes.Count(want, []byte("\n")) || !bytes.HasPrefix(got, want[:bytes.IndexByte(want, '\n')]) {
		t.Errorf("motion1.csv has %d lines, of the program for this machine %d, or other names", bytes.Count(got, []byte("\n")), bytes.Count(want, []byte("\n")))
	}
}

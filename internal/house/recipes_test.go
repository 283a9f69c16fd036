package house

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"ident/internal/long"
)

// recipe returns the diffs of CONTRIBUTING.md, and the commits that it names.
func recipe(t *testing.T) (diffs, commits []string) {
	t.Helper()
	text, err := os.ReadFile("../../CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile("(?s)```diff\n(.*?)```").FindAllStringSubmatch(string(text), -1) {
		diffs = append(diffs, m[1])
	}
	for _, m := range regexp.MustCompile(`Commit ([0-9a-f]{7,40})\b`).FindAllStringSubmatch(string(text), -1) {
		commits = append(commits, m[1])
	}
	if len(diffs) == 0 || len(diffs)+len(commits) < 3 {
		t.Fatalf("%d diffs and %d commits in CONTRIBUTING.md", len(diffs), len(commits))
	}
	return diffs, commits
}

// git returns a command of git in a folder.
func git(t *testing.T, dir string, args ...string) *exec.Cmd {
	t.Helper()
	path, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not installed")
	}
	c := exec.Command(path, args...)
	c.Dir = dir
	return c
}

// The recipes' diffs apply to the code as it is, and their commits exist where the history is there.
func TestRecipes(t *testing.T) {
	diffs, commits := recipe(t)
	for _, d := range diffs {
		patched(t, d)
	}
	if out, err := git(t, "../..", "rev-parse", "--is-shallow-repository").Output(); err != nil || strings.TrimSpace(string(out)) != "false" {
		t.Skip("the history is not there")
	}
	for _, c := range commits {
		if err := git(t, "../..", "cat-file", "-e", c+"^{commit}").Run(); err != nil {
			t.Errorf("CONTRIBUTING.md names commit %s, which does not exist", c)
		}
	}
}

// patched applies a diff to copies of the files that it changes, and returns the copies by the files' paths.
func patched(t *testing.T, diff string) map[string]string {
	t.Helper()
	dir, root := t.TempDir(), filepath.Join("..", "..")
	files := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^--- a/(\S+)$`).FindAllStringSubmatch(diff, -1) {
		text, err := os.ReadFile(filepath.Join(root, m[1]))
		if err != nil {
			t.Fatal(err)
		}
		to := filepath.Join(dir, m[1])
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, text, 0o600); err != nil {
			t.Fatal(err)
		}
		files[m[1]] = to
	}
	// A folder outside of any checkout: git must not look for one above it.
	c := git(t, dir, "apply", "--unidiff-zero", "-")
	c.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
	c.Stdin = strings.NewReader(diff)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("a diff of CONTRIBUTING.md does not apply: %v\n%s", err, out)
	}
	return files
}

// A law of friction is one file and its page: with the recipe's diff alone the program fits it, gives it to single joints, writes the
// nearest damping and friction into a robot file, and generates code with it.
func TestFrictionLawIsOneFile(t *testing.T) {
	long.Only(t, "TestRecipes applies the diff; TestTermsAnswer and TestFormsOfLaws of regressor hold what a term says")
	diffs, _ := recipe(t)
	files := patched(t, diffs[0])
	dir, replace, sources := t.TempDir(), map[string]string{}, 0
	for name, to := range files {
		if strings.HasSuffix(name, ".go") {
			sources++
			path, err := filepath.Abs(filepath.Join("..", "..", name))
			if err != nil {
				t.Fatal(err)
			}
			replace[path] = to
		}
	}
	if sources != 1 || len(files) != 2 {
		t.Errorf("the recipe changes %d files, %d of them Go; want one and its page", len(files), sources)
	}
	overlay := filepath.Join(dir, "overlay.json")
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(overlay, text, 0o600); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, "ident")
	run := func(name string, args ...string) string {
		c := exec.Command(name, args...)
		if c.Dir = dir; name == "go" {
			c.Dir = filepath.Join("..", "..")
		}
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	run("go", "build", "-overlay", overlay, "-o", program, "./cmd/ident")
	example, err := filepath.Abs(filepath.Join("..", "..", "datasets", "example"))
	if err != nil {
		t.Fatal(err)
	}
	log, robot := filepath.Join(example, "puma560.parquet"), filepath.Join(example, "puma560.urdf")
	run(program, "fit", log, "--robot", robot, "--terms", "links,Ia,Fv,Fs,Fo,Fk", "-o", "whole")
	if said := run(program, "export", "whole", "--to", "urdf", "-o", "identified.urdf", "-v"); !strings.Contains(said, "are the nearest to the identified law") || strings.Contains(said, "Fk") {
		t.Errorf("export: %s", said)
	}
	run(program, "fit", log, "--robot", robot, "--joint-terms", "shoulder=Fv,Fs,Fk", "-o", "one")
	result, err := os.ReadFile(filepath.Join(dir, "one", "result.json"))
	if err != nil {
		t.Fatal(err)
	}
	if s := string(result); !strings.Contains(s, `"Fk2"`) || strings.Contains(s, `"Fk3"`) {
		t.Error("the fit with the law at one joint has not Fk2 alone")
	}
	run(program, "codegen", robot, "--terms", "links,Fv,Fk", "-o", "code")
	if code, err := os.ReadFile(filepath.Join(dir, "code", "puma560.c")); err != nil || !strings.Contains(string(code), "Fk2") {
		t.Errorf("the generated code has no Fk2 (%v)", err)
	}
}

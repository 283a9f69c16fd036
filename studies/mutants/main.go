// Mutants changes single places of the code's numbers and runs the ordinary tests of the package that holds them. A change that no test
// notices lives: the number there is untested.
//
//	go run -C studies ./mutants [-n N] [-seed S] [-packages P,…] [-audit] [-out FILE]
//
// It draws N changes by the seed over the packages: a sign, a factor of two, a quotient turned over, a comparison reversed. With -audit it
// makes the sixteen changes of a table instead. The tree stays as it is: go test gets the changed file as an overlay. Results are
// appended to FILE, and a run goes on where it was interrupted. The exit code is 1 if a mutant of the table lives.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"ident/studies/records"
)

// mutant is a change of a file.
type mutant struct {
	Package, File string // the file's path is that of the package and its name
	Line          int
	What          string
	text          []byte // of the changed file
}

func (m *mutant) key() string { return fmt.Sprintf("%s/%s:%d %s", m.Package, m.File, m.Line, m.What) }

// outcome is what the tests say of a mutant.
type outcome struct {
	Mutant string
	By     []string // the tests that failed, at most three; none if it lives
	Void   bool     // it does not compile
}

func (o *outcome) String() string {
	switch {
	case o.Void:
		return "void    " + o.Mutant
	case len(o.By) == 0:
		return "LIVES   " + o.Mutant
	}
	return "killed  " + o.Mutant + " by " + strings.Join(o.By, ", ")
}

func main() {
	n := flag.Int("n", 20, "number of mutants to draw")
	seed := flag.Uint64("seed", 1, "seed of the draws")
	packages := flag.String("packages", "doctor/causes,doctor,estimate,filter,regressor,baseparams", "packages to change, by their folders")
	fromTable := flag.Bool("audit", false, "the changes of the table in place of draws")
	out := flag.String("out", "", "file of results, a line of JSON each")
	limit := flag.Duration("timeout", 10*time.Minute, "time for the tests of a package; a mutant that hangs is killed")
	flag.Parse()
	if err := run(*n, *seed, strings.Split(*packages, ","), *fromTable, *out, *limit); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

func run(n int, seed uint64, packages []string, fromTable bool, out string, limit time.Duration) error {
	root, err := filepath.Abs("..")
	if err != nil {
		return err
	}
	var known map[string]bool
	var results *os.File
	var outcomes []outcome
	if out != "" {
		if outcomes, known, results, err = records.Open(out, func(o *outcome) string { return o.Mutant }); err != nil {
			return err
		}
		defer results.Close()
	}
	var mutants []mutant
	if fromTable {
		if mutants, err = audit(root); err != nil {
			return err
		}
	} else {
		if mutants, err = drawn(root, packages, rand.New(rand.NewPCG(seed, 0x6d7574))); err != nil {
			return err
		}
	}
	made := 0
	for _, o := range outcomes {
		if !o.Void {
			made++
		}
	}
	for i := range mutants {
		m := &mutants[i]
		if known[m.key()] || !fromTable && made >= n {
			continue
		}
		o, err := m.test(root, limit)
		if err != nil {
			return err
		}
		if !o.Void {
			made++
		}
		fmt.Println(o.String())
		outcomes = append(outcomes, *o)
		if results != nil {
			if err := json.NewEncoder(results).Encode(o); err != nil {
				return err
			}
		}
	}
	living := 0
	for _, o := range outcomes {
		if !o.Void && len(o.By) == 0 {
			living++
		}
	}
	fmt.Printf("%d mutants, %d live\n", made, living)
	if fromTable && living > 0 {
		return fmt.Errorf("%d mutants of the table live", living)
	}
	return nil
}

var failed = regexp.MustCompile(`(?m)^--- FAIL: (\S+)`)

// test runs the ordinary tests of the mutant's package, up to the first that fails.
func (m *mutant) test(root string, limit time.Duration) (*outcome, error) {
	dir, err := os.MkdirTemp("", "ident-mutant")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	changed, overlay := filepath.Join(dir, m.File), filepath.Join(dir, "overlay.json")
	text, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(root, m.Package, m.File): changed}})
	if err != nil {
		return nil, err
	}
	if err := errors.Join(os.WriteFile(changed, m.text, 0o600), os.WriteFile(overlay, text, 0o600)); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit+time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, "go", "test", "-vet=off", "-failfast", "-timeout", limit.String(), "-overlay", overlay, "./"+m.Package)
	c.Dir = root
	c.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "IDENT_") }), "RAPID_NOFAILFILE=true")
	said, err := c.CombinedOutput()
	o := &outcome{Mutant: m.key()}
	var exit *exec.ExitError
	switch {
	case err == nil:
		return o, nil
	case !errors.As(err, &exit):
		return nil, err
	case bytes.Contains(said, []byte("[build failed]")):
		o.Void = true
		return o, nil
	}
	for _, f := range failed.FindAllSubmatch(said, 3) {
		o.By = append(o.By, string(f[1]))
	}
	if len(o.By) == 0 { // a panic or the limit of time
		o.By = []string{strings.TrimSpace(string(said[:min(len(said), 80)]))}
	}
	return o, nil
}

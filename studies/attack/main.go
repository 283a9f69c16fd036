//go:build unix

// Attack runs the program with every value that an option or a key of the project file must not choke on, and with logs of
// every scale, and counts how the runs end. It is a study: one command, the same cases for the same seed, resumable.
//
//	go build -o /tmp/ident ./cmd/ident && go run -C studies ./attack -ident /tmp/ident -work /tmp/attack
//
// Three parts are run:
//
//   - options: every option of every command that takes a value × NaN, ±Inf, 0, −1, 1e-300 … 1e300, alone and in the form
//     that the option has (lists, NAME=VALUE, LOW:HIGH);
//   - keys: the same values under every key of ident.yaml, for check, fit, reduce, validate and design-trajectory;
//   - scales: a log with its times, positions or torques multiplied by 10^k, denormals, constants, and logs of few rows.
//
// A run has 4 GB of addresses, 20 s of processor time, which other work on the machine does not shorten, and five
// minutes in all. It ends well with an exit code 0, 1, 2 or 3; a panic, an error of memory, a time-out and any other
// code are counted and listed. Outcomes are appended to WORK/outcomes.jsonl: a case that stands there is not run again.
// The exit code is 1 where a run ended otherwise.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

func main() {
	var s study
	flag.StringVar(&s.ident, "ident", "ident", "the program")
	flag.StringVar(&s.work, "work", "attack", "folder of the cases and of their outcomes")
	flag.IntVar(&s.jobs, "jobs", runtime.NumCPU(), "runs at a time")
	flag.IntVar(&s.processor, "processor", 20, "processor time of a run, s")
	flag.DurationVar(&s.limit, "limit", 5*time.Minute, "time of a run")
	flag.IntVar(&s.memory, "memory", 4<<20, "limit of a run's address space, KiB")
	seed := flag.Uint64("seed", 1, "order of the cases; with -most, which of them are run")
	most := flag.Int("most", 0, "run so many cases at most, 0 for all")
	only := flag.String("only", "", "regular expression on the names of cases")
	flag.Parse()
	if err := s.run(*seed, *most, *only); err != nil {
		fmt.Fprintln(os.Stderr, "attack:", err)
		os.Exit(1)
	}
}

// study holds the settings of all runs.
type study struct {
	ident, work string
	jobs        int
	processor   int // seconds
	limit       time.Duration
	memory      int
	inputs      []string // files of the folder that every run finds in its own
}

// attempt is one run.
type attempt struct {
	Name string   // part, command, option and value
	Args []string // of the program
	Yaml string   // the project file of its folder, "" for none
	Log  string   // the log in its folder, "" for that of the study
}

// outcome is how an attempt ended.
type outcome struct {
	Name    string  `json:"name"`
	End     string  `json:"end"`            // exit 0 … 3, panic, memory, time or another code
	Seconds float64 `json:"seconds"`        // of processor time
	Text    string  `json:"text,omitempty"` // the first lines of a run that did not end well, or its error
}

// well reports whether a run may end so.
func (o *outcome) well() bool {
	return slices.Contains([]string{"exit 0", "exit 1", "exit 2", "exit 3"}, o.End)
}

func (s *study) run(seed uint64, most int, only string) error {
	var err error
	if s.ident, err = exec.LookPath(s.ident); err == nil {
		s.ident, err = filepath.Abs(s.ident)
	}
	if err == nil {
		s.work, err = filepath.Abs(s.work)
	}
	if err != nil {
		return err
	}
	wanted, err := regexp.Compile(only)
	if err != nil {
		return err
	}
	if err := s.prepare(); err != nil {
		return err
	}
	var all []attempt
	for _, part := range []func() ([]attempt, error){s.options, s.keys, s.scales} {
		more, err := part()
		if err != nil {
			return err
		}
		all = append(all, more...)
	}
	rand.New(rand.NewPCG(seed, 0)).Shuffle(len(all), func(i, k int) { all[i], all[k] = all[k], all[i] })
	all = slices.DeleteFunc(all, func(a attempt) bool { return !wanted.MatchString(a.Name) })
	if most > 0 && len(all) > most {
		all = all[:most]
	}
	return s.attack(all)
}

// attack runs the cases that have no outcome yet, and reports on all.
func (s *study) attack(all []attempt) error {
	path := filepath.Join(s.work, "outcomes.jsonl")
	done, err := readOutcomes(path)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	defer file.Close()
	work := make(chan attempt)
	var mutex sync.Mutex
	var wait sync.WaitGroup
	for range max(s.jobs, 1) {
		wait.Go(func() {
			for a := range work {
				o := s.try(a)
				line, _ := json.Marshal(o)
				mutex.Lock()
				done[o.Name] = o
				fmt.Fprintf(file, "%s\n", line)
				if len(done)%500 == 0 {
					fmt.Fprintf(os.Stderr, "%d of %d\n", len(done), len(all))
				}
				mutex.Unlock()
			}
		})
	}
	for _, a := range all {
		mutex.Lock()
		_, known := done[a.Name]
		mutex.Unlock()
		if !known {
			work <- a
		}
	}
	close(work)
	wait.Wait()
	return report(all, done)
}

func readOutcomes(path string) (map[string]outcome, error) {
	done := map[string]outcome{}
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	for line := range bytes.Lines(text) {
		var o outcome
		if json.Unmarshal(line, &o) == nil { // the last line of a study that was killed may be cut
			done[o.Name] = o
		}
	}
	return done, nil
}

// report prints the counts by part and command, and the runs that did not end well.
func report(all []attempt, done map[string]outcome) error {
	counts := map[string]map[string]int{}
	var bad []outcome
	for _, a := range all {
		o := done[a.Name]
		part := strings.Join(strings.Fields(a.Name)[:2], " ")
		if counts[part] == nil {
			counts[part] = map[string]int{}
		}
		counts[part][o.End]++
		if !o.well() {
			bad = append(bad, o)
		}
	}
	ends := []string{"exit 0", "exit 1", "exit 2", "exit 3", "panic", "memory", "time", "other"}
	fmt.Printf("%-28s", "")
	for _, end := range ends {
		fmt.Printf("%8s", end)
	}
	fmt.Println()
	for _, part := range slices.Sorted(maps.Keys(counts)) {
		fmt.Printf("%-28s", part)
		for _, end := range ends {
			fmt.Printf("%8d", counts[part][end])
		}
		fmt.Println()
	}
	fmt.Printf("%d runs, %d of them did not end well\n", len(all), len(bad))
	for _, o := range bad {
		fmt.Printf("\n%s: %s after %.1f s\n%s\n", o.Name, o.End, o.Seconds, o.Text)
	}
	if len(bad) > 0 {
		return fmt.Errorf("%d runs did not end well", len(bad))
	}
	return nil
}

// try runs one attempt in a folder of its own.
func (s *study) try(a attempt) outcome {
	o := outcome{Name: a.Name}
	dir, err := os.MkdirTemp(s.work, "run")
	if err != nil {
		return outcome{Name: a.Name, End: "other", Text: err.Error()}
	}
	defer os.RemoveAll(dir)
	for _, name := range s.inputs {
		if err := os.Symlink(filepath.Join(s.work, name), filepath.Join(dir, name)); err != nil {
			return outcome{Name: a.Name, End: "other", Text: err.Error()}
		}
	}
	if a.Yaml != "" {
		err = os.WriteFile(filepath.Join(dir, "ident.yaml"), []byte(a.Yaml), 0o666)
	}
	if a.Log != "" {
		err = errors.Join(err, os.WriteFile(filepath.Join(dir, "scaled.csv"), []byte(a.Log), 0o666))
	}
	if err != nil {
		return outcome{Name: a.Name, End: "other", Text: err.Error()}
	}
	ctx, cancel := context.WithTimeout(context.Background(), s.limit)
	defer cancel()
	c := exec.CommandContext(ctx, "sh", append([]string{"-c", fmt.Sprintf(`ulimit -v %d; ulimit -t %d; exec "$0" "$@"`, s.memory, s.processor), s.ident}, a.Args...)...)
	c.Dir = dir
	if slices.Contains(a.Args, "-") { // a log that grows has no end, and a stream has one
		in, err := os.Open(filepath.Join(dir, "run.csv"))
		if err != nil {
			return outcome{Name: a.Name, End: "other", Text: err.Error()}
		}
		defer in.Close()
		c.Stdin = in
	}
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	var text bytes.Buffer
	c.Stdout, c.Stderr = &limited{to: &text}, &limited{to: &text}
	err = c.Run()
	if c.ProcessState != nil {
		o.Seconds = (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds()
	}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil || o.Seconds >= float64(s.processor):
		o.End = "time"
	case bytes.Contains(text.Bytes(), []byte("out of memory")) || bytes.Contains(text.Bytes(), []byte("cannot allocate memory")):
		o.End = "memory"
	case bytes.Contains(text.Bytes(), []byte("panic:")) || bytes.Contains(text.Bytes(), []byte("goroutine ")) || bytes.Contains(text.Bytes(), []byte("fatal error:")):
		o.End = "panic"
	case err == nil:
		o.End = "exit 0"
	case errors.As(err, &exit) && exit.ExitCode() >= 1 && exit.ExitCode() <= 3:
		o.End = fmt.Sprintf("exit %d", exit.ExitCode())
	default:
		o.End = "other"
	}
	if o.End != "exit 0" {
		o.Text = firstLines(text.String(), 12)
	}
	return o
}

// limited keeps the beginning of a long output.
type limited struct{ to *bytes.Buffer }

func (l *limited) Write(p []byte) (int, error) {
	const most = 1 << 20
	if room := most - l.to.Len(); room > 0 {
		l.to.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

func firstLines(text string, n int) string {
	var lines []string
	sc := bufio.NewScanner(strings.NewReader(text))
	for sc.Scan() && len(lines) < n {
		if line := sc.Text(); strings.TrimSpace(line) != "" {
			lines = append(lines, line[:min(len(line), 300)])
		}
	}
	return strings.Join(lines, "\n")
}

// command runs the program for the study itself.
func (s *study) command(dir string, args ...string) (string, error) {
	c := exec.Command(s.ident, args...)
	c.Dir = dir
	text, err := c.CombinedOutput()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) && exit.ExitCode() == 3 {
			return string(text), nil
		}
		return "", fmt.Errorf("%s %s: %w\n%s", s.ident, strings.Join(args, " "), err, text)
	}
	return string(text), nil
}

// Command worth counts what the intervals of parameters are worth: on arms whose bodies are known, under noise and
// systematic errors of the model, how many 95 % intervals of inertial parameters hold, and how often the result doubts
// its parameters. Fits go through the front door with its defaults, with robot files whose masses are off by e^0.3. A
// line a fit goes to a file, which a later run continues.
//
//	go run -C studies ./worth [-o FILE] [-seeds N] [-only ARM] [-thin]
//
// With -thin each seed has one arm and one class of noise, all in turn, so that 18 seeds have each pair once.
//
// With a folder of measured logs it compares choices instead: the automatic ones beside all combinations of pinned ones, and beside
// those of --plain, by the error on rows left out and on motion that was not seen.
//
//	go run -C studies ./worth -logs FOLDER [-combine] [-cutoff HZ] [-o FILE] [-only LOG]
//
// With -splits N it draws N splits of every log by a seed, and compares the automatic choices with --plain and with least squares.
//
//	go run -C studies ./worth -logs FOLDER -splits N [-seed SEED] [-cutoff HZ] [-o FILE] [-only ROBOT] [-simulated] [-estimators]
//
// With -simulated it adds arms with industrial sensors; with -estimators it compares the automatic choice with the same choices under
// weighted and under ordinary least squares, over all joints and joint by joint.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"ident/studies/arms"
	"ident/studies/records"
)

func main() {
	out := flag.String("o", "worth.jsonl", "file of the fits, which is continued")
	seeds := flag.Uint64("seeds", 100, "logs of each arm, class of noise and error")
	only := flag.String("only", "", "arms or logs whose names begin so")
	thin := flag.Bool("thin", false, "one arm and class of noise a seed")
	logs := flag.String("logs", "", "folder of measured logs, whose choices are compared")
	combine := flag.Bool("combine", false, "all combinations of choices")
	cutoff := flag.Float64("cutoff", 0, "of the logs' rows, Hz; 0 is the default's")
	each := flag.Int("splits", 0, "splits of every log that are drawn")
	seed := flag.Uint64("seed", 1, "of the splits")
	simulated := flag.Bool("simulated", false, "beside the measured logs, simulated arms with industrial sensors")
	estimators := flag.Bool("estimators", false, "weighted and ordinary least squares in place of plain fits")
	flag.Parse()
	if *logs != "" && *each > 0 {
		if err := splits(os.Stdout, *out, *logs, *only, *cutoff, *seed, *each, *simulated, *estimators); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if *logs != "" {
		if err := choices(os.Stdout, *out, *logs, *only, *cutoff, *combine); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	if err := study(os.Stdout, *out, *seeds, *only, *thin); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// fit is what one result says, against the truth.
type fit struct {
	Arm   string `json:"arm"`
	Noise string `json:"noise"`
	Error string `json:"error"`
	Seed  uint64 `json:"seed"`

	All     int      `json:"all"`  // intervals of inertial parameters
	Held    int      `json:"held"` // that hold the truth
	Size    float64  `json:"size"` // rms error over the stated deviation
	Grade   string   `json:"grade"`
	Doubted bool     `json:"doubted"` // its parameters
	Reasons []string `json:"reasons"`
	Chosen  string   `json:"chosen"`
	Refused string   `json:"refused,omitempty"` // by the doctor: the findings
}

func (f *fit) key() string { return fmt.Sprintf("%s|%s|%s|%d", f.Arm, f.Noise, f.Error, f.Seed) }

func study(w io.Writer, path string, seeds uint64, only string, thin bool) error {
	done, known, file, err := records.Open(path, (*fit).key)
	if err != nil {
		return err
	}
	defer file.Close()
	to := json.NewEncoder(file)
	for seed := range seeds { // all cases of a seed before the next: an unfinished study says something of each
		for i, a := range arms.All() {
			if !strings.HasPrefix(a.Name, only) {
				continue
			}
			for j, n := range noises {
				if pair := uint64(i*len(noises) + j); thin && pair != seed%uint64(len(arms.All())*len(noises)) {
					continue
				}
				for _, e := range errors {
					at := fit{Arm: a.Name, Noise: n.name, Error: e.name, Seed: seed}
					if known[at.key()] {
						continue
					}
					if err := at.run(context.Background(), a, n, e); err != nil {
						return fmt.Errorf("%s: %w", at.key(), err)
					}
					if err := to.Encode(at); err != nil {
						return err
					}
					done = append(done, at)
				}
			}
		}
	}
	table(w, done)
	return nil
}

// table states coverage and doubt by error and class of noise.
func table(w io.Writer, done []fit) {
	fmt.Fprintln(w, "| error | noise | fits | intervals that hold, % | fits that doubt parameters, % | of these or ≥ 93 % held | refused |\n|---|---|---|---|---|---|---|")
	for _, e := range errors {
		for _, n := range noises {
			var all, held, fits, doubted, refused, fine int
			for i := range done {
				f := &done[i]
				if f.Error != e.name || f.Noise != n.name {
					continue
				}
				fits++
				all, held = all+f.All, held+f.Held
				switch {
				case f.Refused != "":
					refused++
				case f.Doubted:
					doubted++
					fine++
				case f.Held*100 >= 93*f.All:
					fine++
				}
			}
			if fits > 0 {
				fmt.Fprintf(w, "| %s | %s | %d | %.1f | %.0f | %.0f | %d |\n", e.name, n.name, fits, 100*float64(held)/float64(max(all, 1)), 100*float64(doubted)/float64(fits), 100*float64(fine)/float64(fits), refused)
			}
		}
	}
}

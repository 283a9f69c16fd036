// Command bodies counts what is said of the masses of arms whose bodies are known: files rough by various factors, and none, with and
// without a total mass, motion of arms under noise. A line a fit goes to a file, which a later run continues; the table is made of it.
//
//	go run -C studies ./bodies [-o FILE] [-seeds N] [-only ARM]
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"

	"ident/studies/arms"
	"ident/studies/records"
)

func main() {
	out := flag.String("o", "bodies.jsonl", "file of the fits, which is continued")
	seeds := flag.Int("seeds", 25, "logs of each arm")
	only := flag.String("only", "", "arms whose names begin so")
	flag.Parse()
	if err := study(*out, *seeds, *only); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func study(path string, seeds int, only string) error {
	done, known, file, err := records.Open(path, (*fit).key)
	if err != nil {
		return err
	}
	defer file.Close()
	to := json.NewEncoder(file)
	for _, a := range append(arms.All(), arms.Floating()) {
		if !strings.HasPrefix(a.Name, only) {
			continue
		}
		for seed := range uint64(seeds) {
			var e *experiment
			for _, k := range arms.Kinds() {
				for _, total := range []bool{false, true} {
					at := fit{Arm: a.Name, Kind: k.Name, Total: total, Seed: seed}
					if known[at.key()] {
						continue
					}
					if e == nil {
						if e, err = newExperiment(a, seed); err != nil {
							return err
						}
					}
					o, err := e.fit(context.Background(), k, total)
					if err != nil {
						return fmt.Errorf("%s: %w", at.key(), err)
					}
					if err := to.Encode(o); err != nil {
						return err
					}
					done = append(done, *o)
				}
			}
		}
	}
	fmt.Print(table(done))
	return nil
}

// table states the fits by kind of file.
func table(done []fit) string {
	var b strings.Builder
	fmt.Fprintln(&b, "| file | fits | kg/true: median, greatest | masses: file → fit | thin | torque against free: median, 90 % | inside 95 %: total, links | nearest feasible: kg/true, greatest | torque against it: median, 90 % |\n|---|---|---|---|---|---|---|---|---|")
	line := func(name string, keep func(*fit) bool) {
		var total, file, rms, thin, torque, nearest, against []float64
		totals, links, linksIn := 0, 0, 0
		for i := range done {
			o := &done[i]
			if !keep(o) {
				continue
			}
			total, file, rms, thin = append(total, o.Mass), append(file, o.FileLog*o.FileLog), append(rms, o.Log*o.Log), append(thin, o.Thin)
			torque, nearest, against = append(torque, o.Torque/o.Free), append(nearest, o.Nearest), append(against, o.Torque/o.NearestTorque)
			if o.TotalInside {
				totals++
			}
			links, linksIn = links+o.Links, linksIn+o.LinksInside
		}
		if len(total) == 0 {
			return
		}
		n := len(total)
		fmt.Fprintf(&b, "| %s | %d | %.2f, %.2f | %.2f → %.2f | %.2f | %.2f, %.2f | %.0f, %.0f | %.2f, %.1f | %.2f, %.2f |\n", name, n, at(total, 0.5), at(total, 1), math.Sqrt(mean(file)), math.Sqrt(mean(rms)), at(thin, 0.5),
			at(torque, 0.5), at(torque, 0.9), 100*float64(totals)/float64(n), 100*float64(linksIn)/float64(max(links, 1)), at(nearest, 0.5), at(nearest, 1), at(against, 0.5), at(against, 0.9))
	}
	for _, k := range arms.Kinds() {
		for _, total := range []bool{false, true} {
			name := k.Name
			if total {
				name += ", total ±5 %"
			}
			line(name, func(o *fit) bool { return o.Kind == k.Name && o.Total == total && o.determined() == "" })
		}
	}
	line("an arm on a rail, all files", func(o *fit) bool { return o.determined() == "rail" })
	line("an arm on a floating base, all files", func(o *fit) bool { return o.determined() == "floating" })
	return b.String()
}

// at returns a quantile.
func at(x []float64, p float64) float64 {
	s := slices.Sorted(slices.Values(x))
	return s[min(int(p*float64(len(s))), len(s)-1)]
}

func mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

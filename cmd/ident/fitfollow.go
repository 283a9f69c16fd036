package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"text/tabwriter"
	"time"

	"ident/cmd/ident/internal/pipe"
	"ident/identify"
)

// tail passes the lines of a growing file, or of standard input for "-", to f. Lines that come within gather are passed together.
func tail(ctx context.Context, s streams, path string, gather time.Duration, f pipe.Taker) error {
	if path == "-" {
		return pipe.Tail(ctx, s.in, false, gather, f)
	}
	file, err := pipe.Grow(path)
	if err != nil {
		return err
	}
	defer file.Close()
	return pipe.Tail(ctx, file, true, gather, f)
}

// followed prints a running estimate.
type followed struct {
	s      streams
	asJSON bool
}

// followedLine is a line of --json.
type followedLine struct {
	Schema string  `json:"schema"`
	T      float64 `json:"t"`
	Rows   float64 `json:"rows"` // remembered
	// LeftOut counts the lines that are no rows, and the rows that are not sound.
	LeftOut      int                 `json:"left_out"`
	ErrorPercent float64             `json:"error_percent"`
	Parameters   []followedParameter `json:"parameters"`
}

type followedParameter struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Sigma float64 `json:"sigma"`
}

// print writes a line on the present estimate.
func (f *followed) print(r identify.Running) error {
	now := r.Estimate
	if now == nil {
		if f.asJSON {
			return nil
		}
		_, err := fmt.Fprintf(f.s.out, "after %d rows: %v\n", r.Rows, r.Err)
		return err
	}
	if f.asJSON {
		doc := followedLine{Schema: "ident.follow/1", T: now.Time, Rows: now.Rows, LeftOut: r.LeftOut, ErrorPercent: now.Percent}
		for k, v := range now.X {
			doc.Parameters = append(doc.Parameters, followedParameter{r.Set.Name(k), v, math.Sqrt(now.Covariance[k][k])})
		}
		return json.NewEncoder(f.s.data).Encode(doc)
	}
	known := 0
	for k, v := range now.X {
		if math.Sqrt(now.Covariance[k][k]) < 0.3*math.Abs(v) {
			known++
		}
	}
	_, err := fmt.Fprintf(f.s.out, "t = %.2f s: after %.0f rows %.3g %% of the torque is not explained; %d of %d parameters are known to 30 %%\n", now.Time, now.Rows, now.Percent, known, len(now.X))
	return err
}

// finish prints the last estimate whole.
func (f *followed) finish(last identify.Running) error {
	if last.LeftOut > 0 {
		f.s.warn("%d lines were left out: they are not rows, or have values that no robot can have", last.LeftOut)
	}
	if f.asJSON {
		return nil
	}
	now := last.Estimate
	if now == nil {
		return last.Err
	}
	w := tabwriter.NewWriter(f.s.out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "link\tname\tvalue\tsigma\trel. %\tunit\t")
	for k, v := range now.X {
		col := last.Set.Columns[last.Set.Base[k]]
		sigma := math.Sqrt(now.Covariance[k][k])
		fmt.Fprintf(w, "%s\t%s\t%.5g\t%.2g\t%.3g\t%s\t\n", col.Owner, last.Set.Name(k), v, sigma, 100*sigma/math.Abs(v), col.Unit)
	}
	return w.Flush()
}

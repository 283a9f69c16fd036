package fleet

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"ident/fleet/intake"
	"ident/fleet/store"
)

// Counts says where the logs of the manifest went. Every log is counted by its own id: its row of the manifest and its path.
type Counts struct {
	Schema      string         `json:"schema"` // ident-fleet.counts/1
	Listed      int            `json:"listed"`
	Results     int            `json:"results"`     // logs in a result
	Quarantined int            `json:"quarantined"` // logs, and rows of the manifest, that were refused
	Lost        int            `json:"lost"`        // listed logs that are in no result and not in quarantine
	Doubled     int            `json:"doubled"`     // logs counted more than once
	Reasons     map[string]int `json:"reasons"`
	Example     string         `json:"example,omitempty"` // id of a lost or doubled log
}

// Exact reports whether every log was counted exactly once.
func (c Counts) Exact() bool {
	return c.Lost == 0 && c.Doubled == 0 && c.Listed == c.Results+c.Quarantined
}

func id(entry int, log string) string { return fmt.Sprintf("%d %s", entry, log) }

// The three ids: of a listed log, of one that a result holds, of one that was refused, with the reason.
func listedID(e intake.Entry) (string, string)    { return id(e.Row, e.Log), "" }
func takenID(t Taken) (string, string)            { return id(t.Entry, t.Log), "" }
func refusedID(r intake.Refusal) (string, string) { return id(r.Entry, r.Log), r.Reason }

// fate returns the outcome of an id.
func fate(id string, listed, taken, refused func(*string) bool) Counts {
	number := func(next func(*string) bool) (n int, last string) {
		for next(&last) {
			n++
		}
		return n, last
	}
	l, _ := number(listed)
	t, _ := number(taken)
	r, reason := number(refused)
	if l == 0 && t == 0 && (reason == intake.Manifest || reason == intake.NoFile) {
		l = 1 // a row, or pattern, that never became an entry
	}
	c := Counts{Listed: l, Results: t, Quarantined: r}
	if r > 0 {
		c.Reasons = map[string]int{reason: r}
	}
	switch {
	case t+r == 0:
		c.Lost, c.Example = 1, id
	case l != 1 || t+r != 1:
		c.Doubled, c.Example = 1, id
	}
	return c
}

// plus adds counts.
func plus(a, b Counts) Counts {
	a.Listed, a.Results, a.Quarantined, a.Lost, a.Doubled = a.Listed+b.Listed, a.Results+b.Results, a.Quarantined+b.Quarantined, a.Lost+b.Lost, a.Doubled+b.Doubled
	sum := map[string]int{}
	for _, m := range []map[string]int{a.Reasons, b.Reasons} {
		for k, n := range m {
			sum[k] += n
		}
	}
	a.Reasons = sum
	if a.Example == "" || b.Example != "" && b.Example < a.Example {
		a.Example = b.Example
	}
	return a
}

// writeCounts writes counts.json.
type writeCounts struct {
	Folder string
}

func (w *writeCounts) ProcessElement(ctx context.Context, c Counts) error {
	c.Schema = "ident-fleet.counts/1"
	return store.Write(ctx, store.Join(w.Folder, "counts.json"), func(to io.Writer) error {
		return writeJSON(to, c)
	})
}

func writeJSON(to io.Writer, doc any) error {
	text, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		return err
	}
	_, err = to.Write(append(text, '\n'))
	return err
}

package fleet

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"ident/fleet/intake"
	"ident/fleet/store"
	"ident/fleet/table"
)

// byReason orders refusals by the manifest's rows, so that a file of them does not depend on the runner.
func byEntry(a, b intake.Refusal) int {
	return cmp.Or(cmp.Compare(a.Entry, b.Entry), cmp.Compare(a.Log, b.Log), cmp.Compare(a.Reason, b.Reason), cmp.Compare(a.Message, b.Message))
}

// refusalShard is the key of the file that a refusal is written into.
type refusalShard struct {
	Files int
}

func (s *refusalShard) ProcessElement(r intake.Refusal) (int, intake.Refusal) {
	return int(hash(r.Log) % uint64(max(1, s.Files))), r
}

// writeQuarantine writes the refusals of a key into one Parquet file.
type writeQuarantine struct {
	Folder string
	Files  int
}

func (w *writeQuarantine) ProcessElement(ctx context.Context, key int, refusals func(*intake.Refusal) bool) error {
	all, r := []intake.Refusal(nil), intake.Refusal{}
	for refusals(&r) {
		all = append(all, r)
	}
	slices.SortFunc(all, byEntry)
	robot, log, reason, message, file := make([]string, len(all)), make([]string, len(all)), make([]string, len(all)), make([]string, len(all)), make([]string, len(all))
	entry, row := make([]int64, len(all)), make([]int64, len(all))
	for i, r := range all {
		robot[i], log[i], reason[i], message[i], file[i], entry[i], row[i] = r.Robot, r.Log, r.Reason, r.Message, r.File, int64(r.Entry), int64(r.Row)
	}
	return store.Write(ctx, store.Join(w.Folder, fileName("quarantine", key, w.Files)), func(to io.Writer) error {
		return table.Write(to, table.Column{Name: "manifest_row", Integers: entry}, table.Column{Name: "robot", Texts: robot}, table.Column{Name: "log", Texts: log},
			table.Column{Name: "reason", Texts: reason}, table.Column{Name: "message", Texts: message}, table.Column{Name: "file", Texts: file}, table.Column{Name: "row", Integers: row})
	})
}

// fileName returns the name of one of several Parquet files of a table.
func fileName(name string, key, files int) string {
	if files <= 1 {
		return name + ".parquet"
	}
	return fmt.Sprintf("%s-%05d-of-%05d.parquet", name, key, files)
}

package fleet

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"ident/fleet/intake"
)

// take reduces the logs of a shard.
type take struct {
	Settings string
	Folder   string // of summaries; "" where members hold them
	Refuse   intake.Least
	Attempts int
	FailPart float64 // of attempts that fail, for tests
	FailSeed uint64

	reader *intake.Reader
}

func (t *take) Setup() (err error) {
	opt := intake.Options{Settings: t.Settings, Refuse: t.Refuse, Attempts: t.Attempts}
	if t.FailPart > 0 {
		opt.Fail = t.fail
	}
	t.reader, err = intake.NewReader(opt)
	return err
}

func (t *take) Teardown() error { return t.reader.Close() }

// fail fails in a part of all attempts, by log and attempt alone.
func (t *take) fail(e intake.Entry, attempt int) error {
	if rand.New(rand.NewPCG(t.FailSeed+uint64(attempt)<<32, hash(filepath.Base(e.Log)+e.Robot))).Float64() < t.FailPart {
		return fmt.Errorf("attempt %d fails as it was asked to", attempt)
	}
	return nil
}

// atOnce is the number of logs of a shard that are read before their outcomes go on, which bounds the memory of outcomes.
const atOnce = 32

func (t *take) ProcessElement(ctx context.Context, _ int, entries func(*intake.Entry) bool, emit func(string, Part), refuse func(intake.Refusal)) error {
	all, e := []intake.Entry(nil), intake.Entry{}
	for entries(&e) {
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b intake.Entry) int { return cmp.Or(cmp.Compare(a.Log, b.Log), cmp.Compare(a.Row, b.Row)) })
	once := all[:0:0]
	for i, e := range all {
		if i > 0 && e.Log == all[i-1].Log {
			refuse(intake.Refusal{Robot: e.Robot, Log: e.Log, Entry: e.Row, Reason: intake.Duplicate, Message: "an earlier line of the manifest lists this log", File: e.Log})
			continue
		}
		once = append(once, e)
	}
	for some := range slices.Chunk(once, atOnce) {
		parts, refused := make([]*intake.Reduced, len(some)), make([]*intake.Refusal, len(some))
		work, inner := errgroup.WithContext(ctx)
		work.SetLimit(runtime.GOMAXPROCS(0))
		for i, e := range some {
			work.Go(func() (err error) {
				parts[i], refused[i], err = t.reader.Take(inner, e)
				return err
			})
		}
		if err := work.Wait(); err != nil {
			return err
		}
		for i, e := range some {
			if r := refused[i]; r != nil {
				refuse(*r)
				continue
			}
			m, err := Member{Log: Taken{e.Row, e.Log}, Logs: 1, Summary: parts[i].Summary}.held(t.Folder, e.Log)
			if err != nil {
				return err
			}
			emit(groupKey(e.Robot, groupOf(e.Log, parts[i])), Part{e.Robot, e.File, []Member{m}})
		}
	}
	return nil
}

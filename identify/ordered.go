package identify

import (
	"context"
	"sync"

	"ident/datasets"
)

// source is what a pass over one segment reads.
type source struct {
	log      *datasets.Log
	channels []string
	seg      *segment
	plan     chunkPlan
}

// pass runs work on every chunk of the sources on several goroutines, and
// collect on its results in the chunks' order. The number of goroutines
// changes nothing but the time: each chunk is worked on alone, and order is
// restored before anything is added up.
func pass[R any](ctx context.Context, sources []source, workers int, work func(worker int, c *chunk) (R, error), collect func(R) error) error {
	outer := ctx
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type done struct {
		index  int
		result R
		err    error
	}
	jobs := make(chan *chunk)
	results := make(chan done, workers)
	free := make(chan *chunk, workers+2)
	for range workers + 2 {
		free <- new(chunk)
	}
	var group sync.WaitGroup
	for w := range workers {
		group.Go(func() {
			for c := range jobs {
				r, err := work(w, c)
				d := done{c.index, r, err}
				free <- c
				select {
				case results <- d:
				case <-ctx.Done():
					return
				}
			}
		})
	}
	var readErr error
	group.Go(func() {
		defer close(jobs)
		index := 0
		get := func() *chunk {
			c := <-free
			c.index = index
			index++
			return c
		}
		put := func(c *chunk) error {
			select {
			case jobs <- c:
				return nil
			case <-ctx.Done():
				free <- c
				return ctx.Err()
			}
		}
		for _, s := range sources {
			if readErr = produce(ctx, s.log, s.channels, s.seg, s.plan, get, put); readErr != nil {
				return
			}
		}
	})
	go func() {
		group.Wait()
		close(results)
	}()
	waiting := map[int]R{}
	next := 0
	var first error
	for d := range results {
		if first != nil {
			continue
		}
		if d.err != nil {
			first = d.err
			cancel()
			continue
		}
		waiting[d.index] = d.result
		for {
			r, ok := waiting[next]
			if !ok {
				break
			}
			delete(waiting, next)
			next++
			if first = collect(r); first != nil {
				cancel()
				break
			}
		}
	}
	if first == nil {
		first = readErr
	}
	if first == nil {
		// Results given up at the very end leave no other trace.
		first = outer.Err()
	}
	return first
}

package observation

import (
	"context"
	"sync"
)

// Pass calls work for every chunk of the sources, on several goroutines, and collect with its results in the order of
// the chunks. The number of workers does not affect the results: each chunk is processed alone, and order is restored
// before anything is summed. work must not keep the chunk, because it is reused.
func Pass[R any](ctx context.Context, sources []Source, workers int, work func(worker int, c *Chunk) (R, error), collect func(R) error) error {
	outer := ctx
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type done struct {
		index  int
		result R
		err    error
	}
	jobs := make(chan *Chunk)
	results := make(chan done, workers)
	free := make(chan *Chunk, workers+2)
	for range workers + 2 {
		free <- new(Chunk)
	}
	var group sync.WaitGroup
	for w := range workers {
		group.Go(func() {
			for c := range jobs {
				r, err := work(w, c)
				d := done{c.Index, r, err}
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
		get := func() *Chunk {
			c := <-free
			c.Index = index
			index++
			return c
		}
		put := func(c *Chunk) error {
			select {
			case jobs <- c:
				return nil
			case <-ctx.Done():
				free <- c
				return ctx.Err()
			}
		}
		for i := range sources {
			if readErr = sources[i].produce(ctx, get, put); readErr != nil {
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
		// Results dropped at the very end leave no other trace.
		first = outer.Err()
	}
	return first
}

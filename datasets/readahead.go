package datasets

import "io"

// readAhead reads a slow reader (a decompressor) in a goroutine, two chunks ahead of its consumer.
type readAhead struct {
	full  chan chunk
	empty chan []byte
	quit  chan struct{}
	cur   chunk
	rest  []byte
}

type chunk struct {
	b   []byte
	err error
}

func newReadAhead(r io.Reader) *readAhead {
	a := &readAhead{full: make(chan chunk, 1), empty: make(chan []byte, 2), quit: make(chan struct{})}
	for range 2 {
		a.empty <- make([]byte, csvChunk)
	}
	go func() {
		for {
			select {
			case <-a.quit:
				return
			case b := <-a.empty:
				var n int
				var err error
				for n < cap(b) && err == nil {
					var m int
					m, err = r.Read(b[n:cap(b)])
					n += m
				}
				select {
				case <-a.quit:
					return
				case a.full <- chunk{b[:n], err}:
				}
				if err != nil {
					return
				}
			}
		}
	}()
	return a
}

func (a *readAhead) stop() { close(a.quit) }

// Read returns bytes that were read ahead, or waits for the next.
func (a *readAhead) Read(p []byte) (int, error) {
	for len(a.rest) == 0 {
		if a.cur.err != nil {
			return 0, a.cur.err
		}
		if a.cur.b != nil {
			a.empty <- a.cur.b
		}
		a.cur = <-a.full
		a.rest = a.cur.b
	}
	n := copy(p, a.rest)
	a.rest = a.rest[n:]
	return n, nil
}

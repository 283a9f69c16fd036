package datasets

import (
	"fmt"
	"math"

	"ident/internal/hint"
)

// merger resamples streams onto the clock of the first.
type merger struct {
	r       *recorder
	clock   int // column of the time
	streams []*stream
	signals []signal
	topics  int
}

// run fills a spool with the merged rows.
func (m *merger) run(convs []conversion, t *table) error {
	out := newSpool(convs, 0, m.r.opt.room(), m.r.opt.TempDir)
	from, to, err := m.overlap()
	if err != nil {
		return err
	}
	lead, err := newWalker(m.r.path, m.streams[0], m.clock)
	if err != nil {
		return err
	}
	others := make([]*pair, len(m.streams)-1)
	for i, s := range m.streams[1:] {
		if others[i], err = newPair(m.r.path, s, m.clock); err != nil {
			return err
		}
	}
	cut := 0
	for {
		ok, err := lead.next()
		if err != nil {
			return m.r.locate(err)
		}
		if !ok {
			break
		}
		now := lead.time()
		if now < from || now > to {
			cut++
			continue
		}
		for _, p := range others {
			if err := p.advance(now); err != nil {
				return m.r.locate(err)
			}
		}
		out.cur[out.fill] = now
		for i, g := range m.signals {
			v := math.NaN()
			if g.stream == m.streams[0] {
				v = lead.row[g.stream.column(g.field, g.joint)]
			} else {
				for _, p := range others {
					if p.w.s == g.stream {
						v = p.value(now, g.stream.column(g.field, g.joint))
					}
				}
			}
			out.cur[(i+1)*out.block+out.fill] = v
		}
		if err := out.advance(); err != nil {
			return err
		}
	}
	for _, p := range others {
		t.notes = append(t.notes, Note{Text: fmt.Sprintf("%s (%s) is interpolated at the times of %s, from messages %.4g ms apart on the mean",
			p.w.s.topic.name, listNames(p.w.s.joints), m.streams[0].topic.name, 1e3*p.mean)})
	}
	if cut > 0 {
		t.notes = append(t.notes, Note{Text: fmt.Sprintf("%d rows of %s were left out, where another topic had not begun or had ended", cut, m.streams[0].topic.name)})
	}
	t.rows = out.rows
	t.src, err = out.finish()
	return err
}

// overlap returns the common time interval of the topics.
func (m *merger) overlap() (from, to float64, err error) {
	from, to = math.Inf(-1), math.Inf(1)
	seen := map[*topic]bool{}
	for _, s := range m.streams {
		if seen[s.topic] {
			continue
		}
		seen[s.topic] = true
		first, last, err := s.span(m.clock)
		if err != nil {
			return 0, 0, err
		}
		from, to = max(from, first), min(to, last)
	}
	if from > to {
		return 0, 0, hint.Errorf("topics", "", "%w: the topics %s have no time in common; read one of them with {topics}", ErrAmbiguous, m.r.listTopics())
	}
	return from, to, nil
}

// span returns the time of a stream's first and last message.
func (s *stream) span(clock int) (first, last float64, err error) {
	var at [2]float64
	for i, row := range []int{0, s.spool.rows - 1} {
		cur, err := s.src.open([]int{clock}, row)
		if err != nil {
			return 0, 0, err
		}
		if err := cur.read([][]float64{at[i : i+1]}); err != nil {
			return 0, 0, err
		}
	}
	return at[0], at[1], nil
}

// walker reads a stream row by row.
type walker struct {
	path  string
	s     *stream
	clock int
	cur   cursor
	cols  [][]float64
	at    int // row of the stream
	row   []float64
}

func newWalker(path string, s *stream, clock int) (*walker, error) {
	w := &walker{path: path, s: s, clock: clock, cols: make([][]float64, s.spool.ncols), row: make([]float64, s.spool.ncols)}
	all := make([]int, len(w.cols))
	for i := range all {
		all[i] = i
	}
	var err error
	w.cur, err = s.src.open(all, 0)
	return w, err
}

func (w *walker) time() float64 { return w.row[w.clock] }

// next reads the next row, which must be later than the one before.
func (w *walker) next() (ok bool, err error) {
	const block = 256
	n := w.s.spool.rows
	if w.at >= n {
		return false, nil
	}
	if w.at%block == 0 {
		for i := range w.cols {
			w.cols[i] = grown(w.cols[i], min(block, n-w.at))
		}
		if err := w.cur.read(w.cols); err != nil {
			return false, err
		}
	}
	before := w.time()
	for i, c := range w.cols {
		w.row[i] = c[w.at%block]
	}
	w.at++
	if w.at > 1 && w.time() <= before {
		return false, &FileError{Path: w.path, Topic: w.s.topic.name, Row: w.at,
			Err: hint.Errorf("topics", "", "%w: its time is %g s behind the message before; topics merge only where their clocks go forward: read this one alone with {topics} and look at it with ident check", ErrDamaged, before-w.time())}
	}
	return true, nil
}

// pair is the two messages of a stream around a time.
type pair struct {
	w        *walker
	earlier  []float64 // row before w.row, nil at the first
	begun    bool
	ended    bool
	mean     float64 // interval
	furthest float64 // longest interval to interpolate
}

func newPair(path string, s *stream, clock int) (*pair, error) {
	w, err := newWalker(path, s, clock)
	if err != nil {
		return nil, err
	}
	first, last, err := s.span(clock)
	p := &pair{w: w, mean: (last - first) / float64(max(1, s.spool.rows-1))}
	p.furthest = 5 * p.mean
	return p, err
}

// advance reads until the later message is not before now.
func (p *pair) advance(now float64) error {
	for !p.ended && (!p.begun || p.w.time() < now) {
		if p.begun {
			p.earlier = append(p.earlier[:0], p.w.row...)
		}
		ok, err := p.w.next()
		if err != nil {
			return err
		}
		p.begun, p.ended = true, !ok
	}
	return nil
}

// value interpolates a column at now.
func (p *pair) value(now float64, column int) float64 {
	b := p.w.row
	tb := p.w.time()
	switch {
	case tb == now:
		return b[column]
	case p.ended || p.earlier == nil || tb < now:
		return math.NaN()
	}
	a, ta := p.earlier, p.earlier[p.w.clock]
	if tb-ta > p.furthest {
		return math.NaN()
	}
	x := (now - ta) / (tb - ta)
	return float64((1-x)*a[column]) + float64(x*b[column]) // rounded each, so that processors which fuse them give the same
}

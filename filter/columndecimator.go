package filter

import "fmt"

// abreast is the number of blocks of a group.
const abreast = 16

// cutTail is the fraction at which a ColumnDecimator cuts off a response: as small as the rounding in a sum of some
// thousand terms.
const cutTail = 1e-12

// ColumnDecimator computes the rows of many signals by a Decimator while their samples arrive, in groups of 16 blocks.
// Within a group the samples of the blocks lie side by side (see Decimator.SideBySide): a vector register holds the same
// sample of several blocks, and inner products need no sums across it. Causal and anticausal states of sixteen signals
// advance together from block to block. Anticausal states start where the response to their rows has decayed to 1e-12,
// so only some hundred blocks are held, in the second-level cache. Only one goroutine may use it; the zero value is
// ready for Begin.
type ColumnDecimator struct {
	d          *Decimator
	rows       [][]float64
	done       int // rows that are written
	held       int // blocks behind these whose causal part is known
	room, tail int // most blocks held, and those of them that rows before them depend on

	store   []float64 // of the banks: their parts of rows, then the anticausal moments of each mode; block, signal
	states  [][2][abreast]float64
	last    []float64 // last sample of each signal
	moments []float64 // of a group and a mode: moment, signal, block
	past    []float64 // likewise causal ones: moment, block, signal
	unused  []float64 // rows of absent signals, and those that are not wanted yet
}

// SideBySide writes x, whole blocks of groups, to dst in the order that a ColumnDecimator expects: sample i of block l
// of a group at 16·i + l. If x does not fill the last group, its last sample is repeated.
func (d *Decimator) SideBySide(dst, x []float64) {
	group := d.Group()
	for len(x) >= group {
		d.kernels.interleaveBlocks(dst[:group], x[:group], d.every, d.every, group)
		dst, x = dst[group:], x[group:]
	}
	if len(x) == 0 {
		return
	}
	for l := range abreast {
		for i := range d.every {
			dst[abreast*i+l] = x[min(l*d.every+i, len(x)-1)]
		}
	}
}

// Group returns the number of samples of a group.
func (d *Decimator) Group() int { return abreast * d.every }

// banks returns the number of groups of sixteen signals.
func (c *ColumnDecimator) banks() int { return (len(c.rows) + abreast - 1) / abreast }

// parts returns the number of tables of a bank.
func (c *ColumnDecimator) parts() int { return 1 + 2*len(c.d.modes) }

// table returns the states of a filter bank from one block on, for the rows or for an anticausal moment.
func (c *ColumnDecimator) table(bank, part, block int) []float64 {
	at := (bank*c.parts() + part) * c.room
	return c.store[abreast*(at+block) : abreast*(at+c.room)]
}

// state returns the state of a mode for a bank: real and imaginary parts.
func (c *ColumnDecimator) state(bank, mode int) *[2][abreast]float64 {
	return &c.states[bank*len(c.d.modes)+mode]
}

// Begin starts with new signals of whole blocks; rows must hold one slice for each signal, all of the same length.
// Before its first and after its last sample a signal counts as constant.
func (c *ColumnDecimator) Begin(d *Decimator, rows [][]float64) {
	c.d, c.rows, c.done, c.held = d, rows, 0, 0
	c.tail = d.tail
	c.room = 2*c.tail + 4*abreast
	grow := func(x *[]float64, n int) {
		if cap(*x) < n {
			*x = make([]float64, n)
		}
		*x = (*x)[:n]
	}
	grow(&c.store, abreast*c.banks()*c.parts()*c.room)
	grow(&c.last, len(rows))
	grow(&c.moments, momentsOfMode*abreast*abreast)
	grow(&c.past, 2*abreast*abreast)
	grow(&c.unused, abreast*c.room)
	if n := c.banks() * len(d.modes); cap(c.states) < n {
		c.states = make([][2][abreast]float64, n)
	} else {
		c.states = c.states[:n]
	}
}

// Add adds the next group of all signals, side by side. Only the last group may have fewer than sixteen blocks.
func (c *ColumnDecimator) Add(signals [][]float64, blocks int) {
	if len(signals) != len(c.rows) || c.done+c.held+blocks > len(c.rows[0]) {
		panic(fmt.Sprintf("filter: the decimator got %d blocks of %d signals after %d, and needs %d rows of %d", blocks, len(signals), c.done+c.held, len(c.rows[0]), len(c.rows)))
	}
	if c.held+abreast > c.room {
		c.finish(c.held-c.tail, false)
	}
	var from [abreast][]float64
	for bank := range c.banks() {
		own := signals[bank*abreast : min((bank+1)*abreast, len(signals))]
		for s := range from {
			from[s] = own[0]
			if s < len(own) {
				from[s] = own[s]
			}
		}
		if c.done+c.held == 0 {
			c.begin(bank, &from)
		}
		for s, x := range own {
			c.last[bank*abreast+s] = x[(c.d.every-1)*abreast+blocks-1]
		}
		c.bank(bank, &from, blocks)
	}
	c.held += blocks
}

// begin sets causal states as if the signals had always had their first values.
func (c *ColumnDecimator) begin(bank int, from *[abreast][]float64) {
	for m := range c.d.modes {
		st := c.state(bank, m)
		for s, x := range from {
			past := complex(x[0], 0) * c.d.modes[m].past
			st[0][s], st[1][s] = real(past), imag(past)
		}
	}
}

// bank adds a group for sixteen signals: their moments, and the causal part of their rows.
func (c *ColumnDecimator) bank(bank int, from *[abreast][]float64, blocks int) {
	d, square := c.d, abreast*abreast
	var first [abreast][]float64
	for s := range first {
		first[s] = from[s][:abreast]
	}
	rows := c.table(bank, 0, c.held)
	d.kernels.interleave(rows[:square], &first, 0) // the first samples of the blocks
	share := d.direct
	for m := range d.modes {
		w := d.weights[m*momentsOfMode*d.every:][:momentsOfMode*d.every]
		for s, x := range from {
			d.kernels.groupMoments(c.moments[s*abreast:], x, w)
		}
		for part := range momentsOfMode {
			dst := c.past[part%2*square:]
			if part >= 2 {
				dst = c.table(bank, 1+2*m+part-2, c.held)
			}
			d.kernels.interleaveBlocks(dst[:square], c.moments[part*square:(part+1)*square], abreast, abreast, 0)
		}
		pole := &d.modes[m].block
		d.kernels.forward(rows[:blocks*abreast], c.past[:square], c.past[square:], [3]float64{real(*pole), imag(*pole), share}, c.state(bank, m))
		share = 1
	}
}

// Finish writes the remaining rows.
func (c *ColumnDecimator) Finish() { c.finish(c.held, true) }

// finish adds the anticausal part to the first of the held blocks and writes them as rows. After the last row of all,
// signals continue as constants.
func (c *ColumnDecimator) finish(blocks int, last bool) {
	var to [abreast][]float64
	for bank := range c.banks() {
		rows := c.table(bank, 0, 0)
		for m := range c.d.modes {
			mode := &c.d.modes[m]
			var st [2][abreast]float64
			for s := range min(abreast, len(c.rows)-bank*abreast) {
				if last {
					after := complex(c.last[bank*abreast+s], 0) * mode.ahead
					st[0][s], st[1][s] = real(after), imag(after)
				}
			}
			re, im := c.table(bank, 1+2*m, 0), c.table(bank, 2+2*m, 0)
			from, to := blocks*abreast, c.held*abreast
			coef := [2]float64{real(mode.block), imag(mode.block)}
			c.d.kernels.backward(c.unused[:to-from], re[from:to], im[from:to], coef, &st)
			c.d.kernels.backward(rows[:from], re[:from], im[:from], coef, &st)
		}
		for s := range to {
			to[s] = c.unused[:blocks]
			if signal := bank*abreast + s; signal < len(c.rows) {
				to[s] = c.rows[signal][c.done : c.done+blocks]
			}
		}
		if blocks > 0 {
			c.d.kernels.separate(&to, rows[:blocks*abreast])
		}
		for part := range c.parts() {
			t := c.table(bank, part, 0)
			copy(t, t[blocks*abreast:c.held*abreast])
		}
	}
	c.done += blocks
	c.held -= blocks
}

// tailBlocks returns the number of blocks of k samples, in whole groups, within which the response of s decays to
// cutTail.
func tailBlocks(s SOS, k int) int {
	return (s.Tail(cutTail)/k + abreast) / abreast * abreast
}

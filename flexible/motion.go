package flexible

import "fmt"

// Variant says which terms of second order in the deflections are kept.
type Variant int

const (
	// Exact keeps all: the equations of Lagrange of the velocity field that the deflections make.
	Exact Variant = iota
	// Printed is Book's: his equation 37 drops products of two deflections, and 72 and 73 take the deflected
	// link's transform for a rotation.
	Printed
)

// Work is the memory of an evaluation, for one goroutine. Variant may be changed between evaluations.
type Work struct {
	Variant Variant
	arm     *Arm
	ops     tally

	place   []Matrix   // A_j of joint j on the tip of the link before it
	bend    []Matrix   // E_j, the tip's frame in its link's frame
	step    []Matrix   // E_j·A_{j+1}
	w       []Matrix   // W_j, the link's frame in the base frame
	dw, ddw []Matrix   // Ẇ_j, and the part of Ẅ_j that does not depend on accelerations of the coordinates
	turn    []Matrix   // ∂W_j/∂q_j
	inertia []Matrix   // G_j
	cross   [][]Matrix // D_jk
	lean    [][]Matrix // W_j·M_jk, how an amplitude moves the tip

	composite  []Matrix     // ʲF̃_h
	carried    []Matrix     // ʲF_h
	twice      []Matrix     // ʲΦ_h
	byJoint    []Matrix     // ∂W_h/∂q_j
	byTip      []Matrix     // A_{j+1}…A_h
	own        [][]Matrix   // W_h·D_hkᵀ
	force      []Matrix     // Q_jᵀ
	weight     [][4]float64 // P_j
	mass, rest []float64    // J and R
}

// NewWork returns memory for evaluations of the arm.
func (a *Arm) NewWork() *Work {
	n := len(a.links)
	w := &Work{arm: a}
	for _, list := range []*[]Matrix{&w.place, &w.bend, &w.step, &w.w, &w.dw, &w.ddw, &w.turn, &w.inertia, &w.force} {
		*list = make([]Matrix, n)
	}
	for _, list := range []*[]Matrix{&w.composite, &w.carried, &w.twice, &w.byJoint, &w.byTip} {
		*list = make([]Matrix, n*n)
	}
	w.weight = make([][4]float64, n)
	for j := range a.links {
		m := len(a.links[j].First)
		w.cross, w.lean, w.own = append(w.cross, make([]Matrix, m)), append(w.lean, make([]Matrix, m)), append(w.own, make([]Matrix, m))
	}
	w.mass, w.rest = make([]float64, a.size*a.size), make([]float64, a.size)
	return w
}

// Operations returns the multiplications and additions since the work began.
func (w *Work) Operations() (products, sums int) { return w.ops.products, w.ops.sums }

func (w *Work) size(lists ...[]float64) {
	for _, l := range lists {
		if len(l) != w.arm.size {
			panic(fmt.Sprintf("flexible: %d numbers for %d coordinates", len(l), w.arm.size))
		}
	}
}

// tip is M_jk, the tip's displacement and rotation by a unit amplitude (Book 1984, equation 7).
func tip(t *[6]float64) Matrix {
	return Matrix{{}, {t[0], 0, -t[5], t[4]}, {t[1], t[5], 0, -t[3]}, {t[2], -t[4], t[3], 0}}
}

// move passes from the base to the tip (equations 5, 9, 13, 14, 16, 36, 37, 64 and 65).
func (w *Work) move(z, dz []float64) {
	c := &w.ops
	hat, dhat, ddhat := identity(), Matrix{}, Matrix{}
	for j := range w.arm.links {
		l, at := &w.arm.links[j], w.arm.at[j]
		turn := rotation(&w.arm.axes[j], z[at])
		c.products, c.sums = c.products+36, c.sums+36
		w.place[j] = c.place(&l.Place, &turn)
		first := c.place(&w.place[j], &w.arm.axes[j])
		second := c.place(&first, &w.arm.axes[j])

		w.w[j] = c.place(&hat, &w.place[j])
		w.turn[j] = c.place(&hat, &first)
		rate := c.place(&dhat, &first) // of the joint's turn
		w.dw[j] = c.place(&dhat, &w.place[j])
		c.add(&w.dw[j], dz[at], &w.turn[j])
		w.ddw[j] = c.place(&ddhat, &w.place[j])
		c.add(&w.ddw[j], 2*dz[at], &rate)
		bow := c.place(&hat, &second)
		c.add(&w.ddw[j], dz[at]*dz[at], &bow)

		e, de := identity(), Matrix{}
		e[1][0] = l.Length
		for k := range l.Tip {
			m := tip(&l.Tip[k])
			c.add(&e, z[at+1+k], &m)
			c.add(&de, dz[at+1+k], &m)
			w.lean[j][k] = c.place(&w.w[j], &m)
		}
		w.bend[j] = e
		w.moments(j, z)
		if j+1 == len(w.arm.links) {
			break
		}
		hat = c.place(&w.w[j], &e)
		dhat = c.place(&w.dw[j], &e)
		ddhat = c.place(&w.ddw[j], &e)
		if len(l.Tip) > 0 {
			bent := c.place(&w.w[j], &de)
			c.sum(&dhat, &bent)
			bent = c.place(&w.dw[j], &de)
			c.add(&ddhat, 2, &bent)
		}
	}
	for j := range len(w.arm.links) - 1 {
		w.step[j] = c.place(&w.bend[j], &w.place[j+1])
	}
}

// moments computes the moments of the deflected link (equations 29, 36 and 37).
func (w *Work) moments(j int, z []float64) {
	c, l, at := &w.ops, &w.arm.links[j], w.arm.at[j]+1
	w.inertia[j] = l.Rigid
	for k := range l.First {
		w.cross[j][k] = l.First[k]
		for f := range l.First {
			c.add(&w.cross[j][k], z[at+f], &l.Second[f][k])
		}
		// C_k + D_kᵀ summed over the modes has each product of two deflections once, and each single one twice.
		first, other := &l.First[k], transpose(&w.cross[j][k])
		if w.Variant == Printed {
			other = transpose(first)
		}
		c.add(&w.inertia[j], z[at+k], first)
		c.add(&w.inertia[j], z[at+k], &other)
	}
}

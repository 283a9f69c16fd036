package codegen

import (
	"fmt"

	"ident/symbolic"
)

// curvature returns ∂²q/∂q_j∂q_k of the tree's coordinates by the driven ones, entry [j][coordinate][k]: the rates of
// G where joint j alone moves, at unit rate.
func (c *closing) curvature(g *symbolic.Graph, q []symbolic.Node) [][][]symbolic.Node {
	n := len(q)
	out := make([][][]symbolic.Node, n)
	for j := range out {
		unit := make([]symbolic.Node, n)
		unit[j] = symbolic.One
		f, err := c.tracker.OnGraph(g, q, unit, make([]symbolic.Node, n))
		if err != nil {
			panic(fmt.Sprintf("codegen: the formulas of the loops were found before, but not at unit rates: %v", err))
		}
		out[j] = f.JacobianRate[:len(c.names)]
	}
	return out
}

// reduceRates turns the coefficients of products of the tree's rates, h[i][x][y] for x ≤ y, into those of the driven
// joints' rates in the driven joints' torques. With G = ∂q/∂q_a, A the tree's inertia matrix and s_i the symmetric
// matrix of the quadratic form ½·dqᵀ·s_i·dq in the torque of coordinate i, that of torque a is
//
//	Σ_i G_ia·(Gᵀ·s_i·G + 2·Σ_x A_ix·∂²q_x/∂q_a²)
//
// because the tree's rates are G·dq_a and its accelerations at steady rates dq_aᵀ·(∂²q/∂q_a²)·dq_a. A tree's, of a nil
// closing, are its own.
func (c *closing) reduceRates(g *symbolic.Graph, q []symbolic.Node, inertia [][]symbolic.Node, h [][][]symbolic.Node) [][][]symbolic.Node {
	if c == nil {
		return h
	}
	tree, n := len(h), len(q)
	curve := c.curvature(g, q)
	square := make([][][]symbolic.Node, n) // [j][k][coordinate], k ≥ j: coefficient in the tree's torques
	for j := range square {
		square[j] = make([][]symbolic.Node, n)
		for k := j; k < n; k++ {
			square[j][k] = make([]symbolic.Node, tree)
		}
	}
	for i := range h {
		half := make([][]symbolic.Node, tree) // s_i·G
		for x := range half {
			half[x] = make([]symbolic.Node, n)
			for k := range n {
				for y := range tree {
					s := h[i][min(x, y)][max(x, y)]
					if x == y {
						s = g.Add(s, s)
					}
					half[x][k] = g.Add(half[x][k], g.Mul(s, c.Jacobian[y][k]))
				}
			}
		}
		for j := range n {
			for k := j; k < n; k++ {
				var v, bend symbolic.Node
				for x := range tree {
					v = g.Add(v, g.Mul(c.Jacobian[x][j], half[x][k]))
					bend = g.Add(bend, g.Mul(inertia[i][x], curve[j][x][k]))
				}
				if j == k { // of dq_j², in which ½·s and the second derivative stand once
					square[j][k][i] = g.Add(g.Mul(g.Rat(1, 2), v), bend)
				} else {
					square[j][k][i] = g.Sum(v, bend, bend)
				}
			}
		}
	}
	out := make([][][]symbolic.Node, n)
	for a := range out {
		out[a] = make([][]symbolic.Node, n)
		for j := range n {
			out[a][j] = make([]symbolic.Node, n)
		}
	}
	for j := range n {
		for k := j; k < n; k++ {
			for a, v := range c.onDriven(g, square[j][k]) {
				out[a][j][k] = v
			}
		}
	}
	return out
}

package robot

import (
	"maps"
	"slices"
)

// Clone returns a deep copy; it shares only the source text with r.
func (r *Robot) Clone() *Robot {
	c := *r
	c.Links = slices.Clone(r.Links)
	for i := range c.Links {
		c.Links[i].MDH = c.Links[i].MDH.clone()
	}
	c.Extra = slices.Clone(r.Extra)
	for i := range c.Extra {
		c.Extra[i].MDH = c.Extra[i].MDH.clone()
	}
	c.Loops = slices.Clone(r.Loops)
	c.Couplings = slices.Clone(r.Couplings)
	for i := range c.Couplings {
		c.Couplings[i].Of = maps.Clone(c.Couplings[i].Of)
	}
	c.Assembly = maps.Clone(r.Assembly)
	c.Mimics = slices.Clone(r.Mimics)
	c.Drives = slices.Clone(r.Drives)
	for i := range c.Drives {
		c.Drives[i].Weights = maps.Clone(c.Drives[i].Weights)
	}
	c.Symbols = maps.Clone(r.Symbols)
	c.Unset = slices.Clone(r.Unset)
	c.Lumped = slices.Clone(r.Lumped)
	c.Notes = slices.Clone(r.Notes)
	return &c
}

func (m *MDH) clone() *MDH {
	if m == nil {
		return nil
	}
	c := *m
	return &c
}

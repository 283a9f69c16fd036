package identify

import "ident/regressor"

// contacts lists the channels of the contact's columns that the log has.
func (r *Run) contacts() []string {
	var names []string
	for _, c := range r.Contact {
		if c != "" {
			names = append(names, c)
		}
	}
	return names
}

// touch gives the batch what multiplies the normal forces of a contact: the run's
// channels, the first for both normals where there is one, or ones.
func (w *worker) touch(in *regressor.Batch, c *chunk, ch layout) {
	run, n := &w.runs[c.seg.run], len(in.Q[0])
	if run.Contact[0] == "" {
		for len(w.closed) < n {
			w.closed = append(w.closed, 1)
		}
		in.Contact = [2][]float64{w.closed[:n], w.closed[:n]}
		return
	}
	in.Contact[0] = c.data[ch.contact]
	in.Contact[1] = in.Contact[0]
	if run.Contact[1] != "" {
		in.Contact[1] = c.data[ch.contact+1]
	}
}

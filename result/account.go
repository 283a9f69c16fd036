package result

import (
	"encoding/base64"
	"encoding/binary"

	"ident/estimate"
)

// SetPrints keeps hashes of a training log's samples, by which a copy of them is
// known again.
func (l *LogInfo) SetFingerprints(prints []uint64) {
	text := make([]byte, 0, 8*len(prints))
	for _, p := range prints {
		text = binary.LittleEndian.AppendUint64(text, p)
	}
	l.Fingerprints = base64.StdEncoding.EncodeToString(text)
}

// Prints are the hashes that SetPrints kept; none of a text that is not its.
func (l *LogInfo) FingerprintHashes() []uint64 {
	text, err := base64.StdEncoding.DecodeString(l.Fingerprints)
	if err != nil {
		return nil
	}
	var out []uint64
	for len(text) >= 8 {
		out = append(out, binary.LittleEndian.Uint64(text))
		text = text[8:]
	}
	return out
}

// priorDecides is the share above which a parameter is marked as decided by the
// prior: it knew more than the data did.
const priorDecides = 0.5

// Explain writes what the estimator has to say about its estimate into the tables
// that Describe has filled.
func (res *Result) Explain(s *estimate.Solution) {
	for i := range res.BaseParameters {
		b := &res.BaseParameters[i]
		if s.PriorShare != nil {
			b.PriorShare, b.PriorDecided = s.PriorShare[i], s.PriorShare[i] > priorDecides
		}
		if s.Bias != nil {
			b.Bias = s.Bias[i]
		}
		if s.Removed != nil {
			b.Removed = s.Removed[i]
		}
	}
	res.Iterations = s.Iterations
	res.Warnings = append(res.Warnings, s.Doubts...)
	res.Notes = append(res.Notes, s.Remarks...)
}

package result

import (
	"encoding/base64"
	"encoding/binary"
)

// SetPrints keeps hashes of a training log's samples, by which a copy of them is
// known again.
func (l *LogInfo) SetFingerprints(prints []uint64) {
	text := make([]byte, 0, 8*len(prints))
	for _, p := range prints {
		text = binary.LittleEndian.AppendUint64(text, p)
	}
	l.EncodedFingerprints = base64.StdEncoding.EncodeToString(text)
}

// Prints are the hashes that SetPrints kept; none of a text that is not its.
func (l *LogInfo) Fingerprints() []uint64 {
	text, err := base64.StdEncoding.DecodeString(l.EncodedFingerprints)
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

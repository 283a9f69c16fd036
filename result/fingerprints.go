package result

import (
	"encoding/base64"
	"encoding/binary"
)

// SetFingerprints stores hashes of a training log's samples, which detect a copy of them
// among validation logs.
func (l *LogInfo) SetFingerprints(prints []uint64) {
	text := make([]byte, 0, 8*len(prints))
	for _, p := range prints {
		text = binary.LittleEndian.AppendUint64(text, p)
	}
	l.EncodedFingerprints = base64.StdEncoding.EncodeToString(text)
}

// Fingerprints returns the stored hashes, or nil if the text is not base 64.
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

package datasets

// Kind returns the form of a log by its path: csv for all text, parquet, arrow, npy, npz, mat, recording for all recordings
// of messages, and "" for a path that is none of a log. How one log is read says nothing of a log of another form.
func Kind(path string) string {
	f, err := formatOf(path)
	switch {
	case err != nil:
		return ""
	case f.recording():
		return "recording"
	}
	return f.kind
}

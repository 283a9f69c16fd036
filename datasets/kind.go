package datasets

// Kind returns the form of a log by its path: text, recording for all recordings of messages, the title of any other
// format, and "" for a path that is none of a log. How one log is read says nothing of a log of another form.
func Kind(path string) string {
	f, err := formatOf(path)
	switch {
	case err != nil:
		return ""
	case f.recording():
		return "recording"
	case f.delimiter != 0:
		return "text"
	}
	return f.title
}

package opening

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"time"
)

// longPoll is the time after which a request for the next document is answered by the present one.
const longPoll = 20 * time.Second

// Answer returns what the page asks for, as JSON. asked is the name of a request, value its argument: the version of a
// document that the page has, or a JSON document.
func (s *Session) Answer(ctx context.Context, asked, value string) ([]byte, error) {
	read := func(into any) error {
		if err := json.Unmarshal([]byte(value), into); err != nil {
			return fmt.Errorf("the request cannot be read: %w", err)
		}
		return nil
	}
	var shown struct{ Sum string }
	switch asked {
	case "document":
		since, err := strconv.Atoi(value)
		if err != nil {
			since = -1
		}
		ctx, cancel := context.WithTimeout(ctx, longPoll)
		defer cancel()
		return json.Marshal(s.Document(ctx, since))
	case "curves":
		if d := s.Curves(); d != nil {
			return json.Marshal(map[string]any{"figure": d.Figure, "series": d.Series})
		}
		return json.Marshal(nil)
	case "robot":
		return json.Marshal(s.Robot())
	case "report":
		return json.Marshal(s.Page())
	case "settings":
		var change struct{ Edits, Declined []Edit }
		if err := read(&change); err != nil {
			return nil, err
		}
		return json.Marshal(s.Change(change.Edits, change.Declined))
	case "write", "fit":
		if err := read(&shown); err != nil {
			return nil, err
		}
		act := s.Write
		if asked == "fit" {
			act = s.Fit
		}
		if err := act(shown.Sum); err != nil {
			return nil, err
		}
		return json.Marshal(true)
	}
	return nil, fmt.Errorf("the page asks for %q, which nothing answers", asked)
}

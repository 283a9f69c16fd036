package project

import (
	"encoding/json"
	"fmt"
	"strconv"

	"go.yaml.in/yaml/v3"
)

// Choice is yes, no or auto; auto (also empty) leaves the setting to the data.
type Choice string

// The values of a Choice.
const (
	ByData Choice = "auto"
	Yes    Choice = "yes"
	No     Choice = "no"
)

// Automatic reports whether the data decide.
func (w Choice) Automatic() bool { return w == "" || w == ByData }

// parseChoice reads a choice; true and false stand for yes and no.
func parseChoice(text string) (Choice, error) {
	switch w := Choice(text); w {
	case ByData, Yes, No:
		return w, nil
	}
	b, err := strconv.ParseBool(text)
	if err != nil {
		return "", fmt.Errorf("%q: give yes, no or auto", text)
	}
	if b {
		return Yes, nil
	}
	return No, nil
}

// UnmarshalYAML reads yes, no, auto, true or false.
func (w *Choice) UnmarshalYAML(n *yaml.Node) (err error) {
	*w, err = parseChoice(n.Value)
	return err
}

// UnmarshalJSON reads yes, no, auto, true or false; results before version 0.3 contain true and false.
func (w *Choice) UnmarshalJSON(text []byte) (err error) {
	word := string(text)
	if s := ""; json.Unmarshal(text, &s) == nil {
		word = s
	}
	*w, err = parseChoice(word)
	return err
}

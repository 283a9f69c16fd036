package project

import (
	"encoding/json"
	"fmt"
	"strconv"

	"go.yaml.in/yaml/v3"
)

// Choice is a setting that the data decide unless somebody pins it: yes, no or auto. Empty
// is auto.
type Choice string

// The choices.
const (
	ByData Choice = "auto"
	Yes    Choice = "yes"
	No     Choice = "no"
)

// Automatic tells that the data decide.
func (w Choice) Automatic() bool { return w == "" || w == ByData }

// parseChoice reads a choice; true and false stand for yes and no.
func parseChoice(text string) (Choice, error) {
	switch w := Choice(text); w {
	case ByData, Yes, No:
		return w, nil
	}
	b, err := strconv.ParseBool(text)
	if err != nil {
		return "", fmt.Errorf("%q is none of yes, no and auto", text)
	}
	if b {
		return Yes, nil
	}
	return No, nil
}

// UnmarshalYAML reads a word, or true and false.
func (w *Choice) UnmarshalYAML(n *yaml.Node) (err error) {
	*w, err = parseChoice(n.Value)
	return err
}

// UnmarshalJSON reads a word, or true and false, as results before version 0.3 have it.
func (w *Choice) UnmarshalJSON(text []byte) (err error) {
	word := string(text)
	if s := ""; json.Unmarshal(text, &s) == nil {
		word = s
	}
	*w, err = parseChoice(word)
	return err
}

package project

import (
	"encoding/json"
	"fmt"
	"strconv"

	"go.yaml.in/yaml/v3"
)

// Wish is a setting that the data decide unless somebody pins it: yes, no or auto. Empty
// is auto.
type Wish string

// The wishes.
const (
	ByData Wish = "auto"
	Yes    Wish = "yes"
	No     Wish = "no"
)

// Automatic tells that the data decide.
func (w Wish) Automatic() bool { return w == "" || w == ByData }

// parseWish reads a wish; true and false stand for yes and no.
func parseWish(text string) (Wish, error) {
	switch w := Wish(text); w {
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
func (w *Wish) UnmarshalYAML(n *yaml.Node) (err error) {
	*w, err = parseWish(n.Value)
	return err
}

// UnmarshalJSON reads a word, or true and false, as results before version 0.3 have it.
func (w *Wish) UnmarshalJSON(text []byte) (err error) {
	word := string(text)
	if s := ""; json.Unmarshal(text, &s) == nil {
		word = s
	}
	*w, err = parseWish(word)
	return err
}

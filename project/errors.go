package project

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A SettingError is a setting that cannot be used: by itself, with another one, or
// with these files. Its text names settings by their keys in the project file;
// [Describe] names them otherwise.
type SettingError struct {
	Setting string // key, as in the table of settings
	Value   string // as it was given; "" where no single value is at fault
	message
}

// A HintError is a file that cannot be used as it is, and the setting that mends it.
type HintError struct {
	Hint
	message
}

// A Hint is a setting that would help, with its value where that is known.
type Hint struct{ Setting, Value string }

func wrong(setting, value, format string, args ...any) error {
	return &SettingError{Setting: setting, Value: value, message: message{format, args}}
}

func remedy(setting, value, format string, args ...any) error {
	return &HintError{Hint: Hint{setting, value}, message: message{format, args}}
}

// message is a text in which settings stand as {key}.
type message struct {
	format string // of fmt.Errorf
	args   []any
}

func (m message) Error() string { return m.naming(func(key string) string { return key }).Error() }

func (m message) Unwrap() error {
	return errors.Unwrap(m.naming(func(key string) string { return key }))
}

var settingInText = regexp.MustCompile(`\{[a-z][a-z.-]*\}`)

// naming writes the settings as name says, in wrapped errors too.
func (m message) naming(name func(key string) string) error {
	args := slices.Clone(m.args)
	for i, a := range args {
		if err, ok := a.(error); ok {
			if text := Describe(err, name); text != err.Error() {
				args[i] = errors.New(text)
			}
		}
	}
	return fmt.Errorf(settingInText.ReplaceAllStringFunc(m.format, func(s string) string { return name(s[1 : len(s)-1]) }), args...)
}

// Describe is the text of an error with the settings in it named by name, which is
// given their keys.
func Describe(err error, name func(key string) string) string {
	var named interface {
		error
		naming(func(key string) string) error
	}
	if !errors.As(err, &named) {
		return err.Error()
	}
	return strings.Replace(err.Error(), named.Error(), named.naming(name).Error(), 1)
}

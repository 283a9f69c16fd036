// Package hint holds texts that name settings: of errors, findings, notes and help. A library
// knows settings by their keys in the project file; a command line knows them as options. In a
// text they stand as {key}, for whoever prints it to name.
package hint

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Message is a text in which settings stand as {key}.
type Message struct {
	Format string // of fmt.Errorf
	Args   []any
}

// Error names settings by their keys.
func (m Message) Error() string { return m.Naming(Key).Error() }

// Unwrap returns the wrapped errors.
func (m Message) Unwrap() error {
	return errors.Unwrap(m.Naming(Key))
}

var settingInText = regexp.MustCompile(`\{[a-z][a-z.-]*\}`)

// Naming writes the settings as name says, in wrapped errors too.
func (m Message) Naming(name func(key string) string) error {
	args := slices.Clone(m.Args)
	for i, a := range args {
		if err, ok := a.(error); ok {
			if text := Describe(err, name); text != err.Error() {
				args[i] = errors.New(text)
			}
		}
	}
	return fmt.Errorf(Name(m.Format, name), args...)
}

// Name returns a text with every {key} in it named by name, which is given the keys.
func Name(text string, name func(key string) string) string {
	return settingInText.ReplaceAllStringFunc(text, func(s string) string { return name(s[1 : len(s)-1]) })
}

// Key names a setting by its key.
func Key(key string) string { return key }

// Error is an error that a setting would cure. Other packages match it by the method Hint.
type Error struct {
	Message
	setting, value string
}

// Hint returns the setting that would help, by its key, and its value where that is known.
func (e *Error) Hint() (setting, value string) { return e.setting, e.value }

// Errorf makes an error with the setting that cures it. In the format, settings are written as {key}.
func Errorf(setting, value, format string, args ...any) error {
	return &Error{Message{format, args}, setting, value}
}

// New makes an error that names settings, none of which is a certain cure.
func New(format string, args ...any) error { return &Message{Format: format, Args: args} }

// Describe returns the text of an error with the settings in it named by name, which is given
// their keys.
func Describe(err error, name func(key string) string) string {
	var named interface {
		error
		Naming(func(key string) string) error
	}
	if !errors.As(err, &named) {
		return err.Error()
	}
	return strings.Replace(err.Error(), named.Error(), named.Naming(name).Error(), 1)
}

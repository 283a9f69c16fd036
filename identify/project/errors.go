package project

import (
	"ident/internal/hint"
	"ident/internal/spelling"
)

// A SettingError reports a setting that cannot be used: by itself, with another one, or with these files. Its text names
// settings by their keys in the project file; [Describe] can rename them.
type SettingError struct {
	Setting string // key, as in the table of settings
	Value   string // as it was given; "" where no single value is at fault
	message
}

// A HintError reports a file that cannot be used as it is, and the setting that would help.
type HintError struct {
	Hint
	message
}

// A Hint is a setting that would help, with its value where that is known.
type Hint struct{ Setting, Value string }

// NewSettingError returns a [*SettingError]. The format must write settings as {key}.
func NewSettingError(setting, value, format string, args ...any) error {
	return wrong(setting, value, format, args...)
}

// NewHintError returns a [*HintError]. The format must write settings as {key}.
func NewHintError(setting, value, format string, args ...any) error {
	return remedy(setting, value, format, args...)
}

// An OptionError reports an option of a call, as of a design, that cannot be used: by itself, with another one, or with
// this robot. Its text names options by their keys, as [SettingError] does settings.
type OptionError struct{ message }

// NewOptionError returns an [*OptionError]. The format must write options and settings as {key}.
func NewOptionError(format string, args ...any) error {
	return &OptionError{message{Format: format, Args: args}}
}

func wrong(setting, value, format string, args ...any) error {
	return &SettingError{Setting: setting, Value: value, message: message{Format: format, Args: args}}
}

func remedy(setting, value, format string, args ...any) error {
	return &HintError{Hint: Hint{setting, value}, message: message{Format: format, Args: args}}
}

// NameSettings replaces each setting {key} in a text by name(key): in a help text of [Table], a [doctor.Finding], or a
// result made without a project.
func NameSettings(text string, name func(key string) string) string { return hint.Name(text, name) }

// naming returns the name of a setting for texts.
func (p *Settings) naming(key string) string {
	if p.Naming == nil {
		return key
	}
	return p.Naming(key)
}

// message is a text in which settings stand as {key}.
type message = hint.Message

// Describe returns the text of an error in which name(key) stands for each setting.
// Use it to print options of a command line in place of keys of the project file.
func Describe(err error, name func(key string) string) string { return hint.Describe(err, name) }

// didYouMean returns a proposal of the nearest known names, or "".
func didYouMean(name string, known []string) string {
	if near := spelling.Nearest(name, known); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}

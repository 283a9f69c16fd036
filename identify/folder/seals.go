package folder

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"ident/internal/document"
	"ident/internal/hint"
	"ident/result"
)

// Seals says what happens with documents of ident that have no seal, or a broken one. The zero value reads documents without a
// seal, which earlier versions and other programs write, and refuses those with a broken seal.
type Seals struct {
	// Force reads a document whose seal is broken. The grade of such a result is doubtful at best.
	Force bool
	// Say is called with a sentence about a document that is read although its seal is broken or lost, or that never had one, which is no
	// reason to worry; nil ignores all.
	Say func(worry bool, sentence string)
}

// Check checks the seal of the document at path. It reports whether the document is read although its seal is broken.
func (s Seals) Check(path string, text []byte) (broken bool, err error) {
	sealed, err := document.CheckSeal(text)
	say := s.Say
	if say == nil {
		say = func(bool, string) {}
	}
	switch {
	case err == nil && !sealed && document.LostSeal(text):
		say(true, path+" has lost the seal that ident wrote in it: it may have been changed: fit again, or restore an unchanged copy, to be sure")
		return false, nil
	case err == nil && !sealed:
		say(false, path+" is unsealed: whether it is as it was written cannot be checked")
		return false, nil
	case err == nil:
		return false, nil
	case !errors.Is(err, document.ErrBroken):
		return false, fmt.Errorf("%s: %w", path, err)
	case !s.Force:
		return false, hint.New("%s: %w: fit again, restore an unchanged copy, or read it all the same with {force} (the grade is then doubtful at best)", path, err)
	}
	say(true, path+": "+err.Error())
	return true, nil
}

// CheckRobot checks the robot file in the folder of a result against the hash that the result has of it; results of earlier versions
// have none. The estimates belong to the frames of that file: with another one they are another robot's.
func (s Seals) CheckRobot(dir string, res *result.Result) error {
	name := filepath.Base(res.Robot.File)
	want := res.FileSHA256[name]
	if want == "" {
		return nil
	}
	path := filepath.Join(dir, name)
	sum, err := FileSum(context.Background(), path)
	switch {
	case err != nil || sum == want: // a file that is missing is told where it is read
		return nil
	case !s.Force:
		return hint.New("%s: the robot file was changed after ident wrote it: fit again, restore an unchanged copy, or read it all the same with {force} (the grade is then doubtful at best)", path)
	}
	res.Grade = BrokenGrade(res.Grade)
	if s.Say != nil {
		s.Say(true, path+": the robot file was changed after ident wrote it")
	}
	return nil
}

// seal sets the seal of a document, a struct whose member seal is at the given place.
func seal(doc any, at *string) error {
	*at = ""
	text, err := documentText(doc)
	if err != nil {
		return err
	}
	*at, err = document.SealOf(text)
	return err
}

// brokenReason is the reason against a result that is read although its seal is broken.
func brokenReason() result.Reason {
	return result.Reason{ID: result.BrokenSeal, Makes: result.Doubtful, Why: "the document of the result was changed after it was written", Fix: "fit again, or restore a copy of the result that nobody has changed"}
}

// GradedAs returns a grade of what a result with the grade own predicts: doubtful at best if the result is read although its seal
// is broken.
func GradedAs(own, g result.Grade) result.Grade {
	if slices.ContainsFunc(own.Reasons, func(r result.Reason) bool { return r.ID == result.BrokenSeal }) {
		return BrokenGrade(g)
	}
	return g
}

// BrokenGrade returns the grade of a result that is read although its seal is broken: doubtful at best.
func BrokenGrade(g result.Grade) result.Grade { return g.With(brokenReason()) }

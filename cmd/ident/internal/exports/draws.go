package exports

import "ident/identify"

// Drawn returns a robot that was drawn from a result, as a robot file.
func Drawn(saved *identify.Saved, doc *identify.DrawsDocument, draw int, opt RobotOptions) ([]byte, Remarks, error) {
	return robotOf(saved.Fitted, saved.Drawn(doc, draw), opt)
}

package regressor

import "ident/robot"

// payloadTerm declares a body that some runs have on a link and others have not:
// the ten parameters of what was added, about the origin and in the axes of the
// link's frame. Its columns are those of the link, times Batch.PayloadAttached. In runs
// that all carry it, or none, it cannot be told from the link.
func payloadTerm() declaration {
	return declaration{name: Payload, about: "a body that some runs have on a link", of: ofNamed, needs: NeedPayload, params: inertialParameters("P"),
		check: func(r *robot.Robot, t Term) error { _, err := namedLink(r, t); return err }}
}

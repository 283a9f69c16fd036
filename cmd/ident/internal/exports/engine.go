package exports

import (
	"bytes"

	"ident/identify/folder"
	"ident/identify/project"
	"ident/regressor"
	"ident/robot"
	"ident/robot/order"
)

// Engine is the identified robot in the order of another program: a vector for each body, and the parameters of the joints.
type Engine struct {
	Order  order.Engine  `json:"order"`
	Layout []string      `json:"layout"` // of values
	Bodies []order.Body  `json:"bodies"`
	Joints []EngineJoint `json:"joints"`
}

// EngineJoint is a moving joint: armature Ia, damping Fv and dry friction Fs.
type EngineJoint struct {
	Name         string  `json:"joint"`
	Armature     float64 `json:"armature"`
	Damping      float64 `json:"damping"`
	FrictionLoss float64 `json:"frictionloss"`
}

// InOrder returns the JSON document of a result with the vectors of an engine. Infeasible bodies, and parameters that
// no vector has, are remarks.
func InOrder(ft *project.Fitted, engine order.Engine, choice string) ([]byte, Remarks, error) {
	var said Remarks
	id := ft.Identified()
	said.notKnown(ft.Result)
	for _, l := range impossible(id.Impossible) {
		said.warn("physically impossible: %s", l)
	}
	if len(id.Shared) > 0 {
		said.note("drives that several joints share are not in the vectors: %s", values(id, id.Shared))
	}
	if out := unsaid(id, []regressor.Term{regressor.Fo}); len(out) > 0 {
		said.note("identified, but not in the vectors: %s", values(id, out))
	}
	if err := friction(ft, id, choice, &said); err != nil {
		return nil, said, err
	}
	if err := sizes(id); err != nil {
		return nil, said, err
	}
	bodies, err := order.Bodies(engine, id.Robot)
	if err != nil {
		return nil, said, err
	}
	e := &Engine{Order: engine, Layout: order.Layout(engine), Bodies: bodies, Joints: []EngineJoint{}}
	for _, l := range id.Robot.Links {
		if l.Joint.Kind != robot.Fixed && !l.Joint.Virtual {
			e.Joints = append(e.Joints, EngineJoint{l.Joint.Name, l.Joint.Ia, l.Joint.Fv, l.Joint.Fs})
		}
	}
	doc := document(ft.Result)
	doc.Engine = e
	var b bytes.Buffer
	err = folder.WriteJSON(&b, doc)
	return b.Bytes(), said, err
}

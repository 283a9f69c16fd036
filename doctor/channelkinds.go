package doctor

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"

	"ident/doctor/causes"
)

// Kinds of channels.
const (
	KindJoint               = "joint" // the joint's own quantity in its SI unit
	KindGravityCompensated  = "gravity-compensated"
	KindFrictionCompensated = "friction-compensated"
	KindExternal            = "external"
	KindCommanded           = "commanded"
	KindCurrent             = "current"
	KindDegrees             = "degrees"
	KindTurns               = "turns"
	KindCounts              = "counts"
	KindNormalised          = "normalised"
	KindWrapped             = "wrapped"
	KindPercent             = "percent"    // percent of the drive's rating
	KindMotorSide           = "motor-side" // the quantity of the motor, before the gear
)

// Nats is evidence, NaN where none was measured. JSON has null for that.
type Nats float64

// MarshalJSON writes the number, or null.
func (n Nats) MarshalJSON() ([]byte, error) {
	if v := float64(n); !math.IsNaN(v) && !math.IsInf(v, 0) {
		return json.Marshal(v)
	}
	return []byte("null"), nil
}

// UnmarshalJSON reads the number, or null.
func (n *Nats) UnmarshalJSON(text []byte) error {
	v := math.NaN()
	if string(text) != "null" {
		if err := json.Unmarshal(text, &v); err != nil {
			return err
		}
	}
	*n = Nats(v)
	return nil
}

// ChannelKind says what a channel holds. Evidence is in nats, against the next kind considered; it is NaN where the torques as a whole
// settle the kind. If the log cannot tell, Kind is the declared one with evidence 0.
type ChannelKind struct {
	Channel      string `json:"channel"`
	Joint        string `json:"joint"`
	Quantity     string `json:"quantity"` // position, velocity, acceleration, torque or current
	Kind         string `json:"kind"`
	Evidence     Nats   `json:"evidence"`
	NextKind     string `json:"next_kind,omitempty"`
	NextEvidence Nats   `json:"next_evidence,omitempty"`
}

// mostAhead is the largest time, in seconds, by which commands lead. A torque that leads its motion may be a commanded
// torque; a position that leads the torque may be a commanded position.
const mostAhead = 0.2

// kindOf returns the kind of channel that a cause implies for a torque or position channel, or "".
func kindOf(c causes.Cause, of role) string {
	switch {
	case of == torque || of == current:
		switch c.Kind {
		case causes.Weightless, causes.GravityMissing:
			return KindGravityCompensated
		case causes.FrictionFree:
			return KindFrictionCompensated
		case causes.External:
			return KindExternal
		case causes.Delay, causes.Recorder:
			if len(c.Joints) == 0 && c.Value < 0 && c.Value > -mostAhead {
				return KindCommanded
			}
		}
	case of == position && (c.Kind == causes.Delay || c.Kind == causes.Recorder):
		if len(c.Joints) == 0 && c.Value > 0 && c.Value < mostAhead {
			return KindCommanded
		}
	case of == position && c.Kind == causes.Units:
		switch by := c.Value; {
		case math.Abs(by*180/math.Pi-1) < 0.01:
			return KindDegrees
		case math.Abs(by/2/math.Pi-1) < 0.01:
			return KindTurns
		case by < 0.01:
			return KindCounts
		}
		return KindNormalised
	}
	return ""
}

// channelKinds returns the kind of every channel of the joints, from the findings and the ranking of causes. rep is nil if the log does
// not allow a ranking.
func channelKinds(rec *recording, found findings, rep *causes.Report) []ChannelKind {
	var out []ChannelKind
	quantities := []string{"position", "velocity", "acceleration", "torque", "current"}
	size := sizeKind(rec, rep)
	for _, c := range rec.channels {
		k := ChannelKind{Channel: c.name, Joint: rec.joints[c.joint].name, Quantity: quantities[c.role], Kind: KindJoint}
		if c.role == current {
			k.Kind = KindCurrent
		}
		if rep != nil {
			k.byCauses(c, rep)
		}
		// The size of a channel, if it leaves another kind open, takes precedence over unnamed causes.
		open := k.NextKind == "" || k.NextEvidence < -surelyNot || k.NextEvidence < surelyNot && size.Evidence < surelyAnother && k.NextKind != KindCommanded
		if size.Kind != "" && c.role == torque && k.Kind == KindJoint && (size.Kind != KindJoint || open) {
			k.Kind, k.Evidence, k.NextKind, k.NextEvidence = size.Kind, size.Evidence, size.NextKind, 0
		}
		for _, f := range found {
			if f.Severity == Info || f.Channel != c.name && (f.Channel != "" || f.Joint != "" || f.ID != CurrentAsTorque) {
				continue
			}
			k.byFinding(rec, c, f, size)
		}
		out = append(out, k)
	}
	return out
}

// byCauses sets the kind according to a ranking of causes.
func (k *ChannelKind) byCauses(c *channel, rep *causes.Report) {
	for i, cause := range rep.Causes {
		kind := kindOf(cause, c.role)
		if kind == "" || len(cause.Joints) > 0 && !slices.Contains(cause.Joints, c.joint) {
			continue
		}
		named := rep.Named && i < rep.Group
		if !named && kind == KindGravityCompensated && rep.Weight[c.joint] > hasGravity {
			continue
		}
		switch {
		case named && kind == KindCommanded: // or of a recorder with another clock
			k.NextKind, k.NextEvidence = kind, evidenceOf(cause)
		case named && k.Evidence == 0:
			k.Kind, k.NextKind, k.Evidence = kind, k.Kind, evidenceOf(cause)
			if c.role == position { // what turns a motor's angle into the joint's is a factor as well
				k.NextKind = KindMotorSide
			}
		case !named && k.NextKind == "":
			k.NextKind, k.NextEvidence = kind, evidenceOf(cause)
			if k.Kind == KindJoint || k.Kind == KindCurrent {
				k.Evidence = Nats(max(-cause.Nats, 0))
			}
		}
	}
}

// evidenceOf returns the evidence of a cause, NaN where none was measured.
func evidenceOf(c causes.Cause) Nats {
	if c.Settled {
		return Nats(math.NaN())
	}
	return Nats(c.Nats)
}

// byFinding sets the kind according to a finding about the channel.
func (k *ChannelKind) byFinding(rec *recording, c *channel, f Finding, size ChannelKind) {
	revolute := c.role == position && rec.isRevolute(c.joint)
	switch {
	case f.ID == Wrapped:
		k.Kind = KindWrapped
	case f.ID == CurrentAsTorque && c.role == torque && k.Kind == KindJoint:
		k.Kind, k.NextKind = KindCurrent, KindMotorSide
		if size.NextKind == KindPercent {
			k.NextKind = KindPercent
		}
	case f.ID == Units && revolute && k.Kind == KindJoint && len(f.Repair.Edits) > 0 && math.Abs(f.Repair.Edits[0].Scale*180/math.Pi-1) < 0.01:
		k.Kind, k.NextKind = KindDegrees, KindMotorSide
	case f.ID == GearRatio && revolute && k.Kind == KindJoint && rec.beyondLimit(c):
		k.Kind, k.NextKind = KindMotorSide, KindCounts
		if rec.quantum(c) >= 1 {
			k.Kind, k.NextKind = KindCounts, KindMotorSide
		}
	}
}

// Sizes of torque channels relative to the weight of the robot file's bodies.
const (
	fileSpread    = 0.35 // of masses of files, as a logarithm
	usualGain     = 10   // N·m/A, of robots' drives
	gainSpread    = 0.9
	usualGear     = 100
	gearSpread    = 0.5
	mostAgainst   = 4.5 // nats of one joint: a body of the file may be anything
	surelyAnother = 6.0 // nats for another kind than the joint's own torque
	surelyNot     = 25.0
	// A joint's inertia includes rotors, which the file's bodies do not.
	inertiaMore, inertiaSpread = 0.3, 0.7
	// hasGravity is the part of the gravity of the file's bodies above which a torque still contains gravity.
	hasGravity = 0.35
)

// sizeKind infers from their size whether torques are joint torques, currents, per cent of the drives' ratings (the
// efforts of the file) or motor torques. The file's bodies give the expected size. Kind is "" if nothing is known.
func sizeKind(rec *recording, rep *causes.Report) (k ChannelKind) {
	if rep == nil {
		return k
	}
	sums := map[string]float64{}
	against := func(x, mean, spread float64) float64 {
		z := (x - mean) / spread
		return min(z*z/2, mostAgainst) + math.Log(spread/fileSpread)
	}
	asked := 0
	add := func(j int, part, more, spread float64) {
		if part == 0 {
			return
		}
		asked++
		x := math.Log(part) - more
		sums[KindJoint] += against(x, 0, spread)
		sums[KindCurrent] += against(x, -math.Log(usualGain), max(gainSpread, spread))
		sums[KindMotorSide] += against(x, -math.Log(usualGear), max(gearSpread, spread))
		if limit := rec.robot.Links[rec.joints[j].link].Joint.Effort; limit > 0 && !math.IsInf(limit, 0) {
			sums[KindPercent] += against(x, math.Log(100/limit), spread)
		} else {
			sums[KindPercent] += mostAgainst
		}
	}
	for j, part := range rep.Weight {
		if part < 0 {
			return k // gravity has the wrong sign, which no size explains
		}
		add(j, part, 0, fileSpread)
		add(j, max(rep.Inertia[j], 0), inertiaMore, inertiaSpread)
	}
	if asked == 0 {
		return k
	}
	kinds := []string{KindJoint, KindCurrent, KindPercent, KindMotorSide}
	slices.SortStableFunc(kinds, func(a, b string) int { return cmp.Compare(sums[a], sums[b]) })
	if sums[KindJoint]-sums[kinds[0]] < surelyAnother { // what is declared holds until evidence says otherwise
		kinds = append([]string{KindJoint}, slices.DeleteFunc(kinds, func(k string) bool { return k == KindJoint })...)
	}
	k.Kind, k.NextKind, k.Evidence = kinds[0], kinds[1], Nats(max(sums[kinds[1]]-sums[kinds[0]], 0))
	return k
}

// Package exports writes the tables of a result and the loads that controllers take.
//
// A load is mass, centre of mass and inertia about it, in the frame of the robot's flange. Controllers take them so:
//
//	ur      URScript set_target_payload(m, cog, inertia): kg, m, and kg·m² about the centre of gravity along the axes of the tool flange, in the
//	        order Ixx, Iyy, Izz, Ixy, Ixz, Iyz (Universal Robots, script manual, set_target_payload)
//	franka  mass, center_of_mass, load_inertia: kg, m in the flange frame, kg·m² column by column (franka_msgs/srv/SetLoad; setLoad of libfranka)
//	franka-ee  the file of an end effector that Desk takes: mass, centerOfMass and inertia likewise, transformation the frame of the end effector in
//	        that of the flange, 4 × 4 column by column, here the flange's own (frankaemika/external_gripper_example, endeffector-config.json)
//	kuka    LOAD: M in kg, CM with X, Y, Z in mm and A, B, C in degrees, about Z, then the turned Y and X, of the principal axes in the FLANGE
//	        frame, J their moments in kg·m² (KUKA, load data; Beckhoff TF5120, KRC_WriteLoadData)
//	yaskawa the tool file: W in kg, Xg, Yg, Zg in mm in the flange's frame, Ix, Iy, Iz in kg·m² about the centre of gravity along the flange's axes; products of
//	        inertia have no place (Yaskawa, NX100 instructions, ARM control, tool load information)
//	fanuc   PAYLOAD SET: PAYLOAD in kg, PAYLOAD CENTER in cm from the face plate, PAYLOAD INERTIA in kgf·cm·s² about the centre of gravity along the axes of the face
//	        plate; 1 kg·m² is 10.1972 kgf·cm·s² (FANUC, setting payload, in Lincoln Electric's manual)
//	xarm    set_tcp_load(weight, center_of_gravity): kg, mm; no inertia (UFACTORY, xArm-Python-SDK, XArmAPI.set_tcp_load)
//	kinova  ToolConfiguration of Kortex: tool_mass in kg, tool_mass_center in m relative to the frame of the interface module; no inertia (Kinova, Kortex API, ControlConfig)
//	ros2    gravity_compensation of the admittance_controller: CoG.pos in m in the frame frame.id, CoG.force the weight in N (ros2_controllers, admittance_controller)
//	abb     loaddata: mass in kg, cog in mm, aom the quaternion of the principal axes, ix, iy, iz in kg·m² (ABB, RAPID data types; abb_rapid_msgs/LoadData)
package exports

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"ident/identify"
	"ident/internal/angles"
	to "ident/internal/controller"
	"ident/result"
	"ident/robot"
	"ident/robot/order"
)

// Load is a body on a flange.
type Load struct {
	Mass    float64       // kg
	Centre  [3]float64    // of mass, m
	Inertia [3][3]float64 // inertia about the centre of mass, along the frame's axes, kg·m²
	Frame   string        // for comments
	Point   bool          // the inertia is not known, and Inertia is that of a point mass
	Reach   float64       // of the robot that carries it, from its base to the frame, m; 0 if it is not known
	Robot   float64       // mass of the robot, kg; 0 if it is not known
}

// Controllers returns the kinds of controllers.
func Controllers() []string {
	return []string{"ur", "franka", "franka-ee", "kuka", "abb", "yaskawa", "fanuc", "xarm", "kinova", "ros2"}
}

// payloadOf returns the payload of a result by its name, LINK or LINK=NUMBER as in its term; the only one where name is "".
func payloadOf(res *result.Result, name string) (result.Payload, error) {
	var names []string
	for _, p := range res.Payloads {
		own := p.Link
		if p.Number > 0 {
			own += "=" + strconv.Itoa(p.Number)
		}
		if own == name || name == "" && len(res.Payloads) == 1 {
			return p, nil
		}
		names = append(names, own)
	}
	if len(names) == 0 {
		return result.Payload{}, fmt.Errorf("the result has no payload: fit again with --terms links,Ia,Fv,Fs,Fo,payload:LINK and --carries LOG")
	}
	if name == "" {
		return result.Payload{}, &PayloadError{"the result has several payloads, of which a controller takes one", names}
	}
	return result.Payload{}, &PayloadError{fmt.Sprintf("the result has no payload %q", name), names}
}

// PayloadError says that the result has no payload, or not the chosen one.
type PayloadError struct {
	What  string
	Names []string
}

func (e *PayloadError) Error() string {
	names := make([]string, len(e.Names))
	for i, name := range e.Names {
		names[i] = strconv.Quote(name)
	}
	return e.What + "; it has " + strings.Join(names, ", ")
}

// LoadOf returns a payload of a result by its name, the only one for "", in the frame of a body that is fixed to its
// link, or of the link itself where flange is "".
func LoadOf(res *result.Result, r *robot.Robot, name, flange string) (Load, error) {
	p, err := payloadOf(res, name)
	switch {
	case err != nil:
		return Load{}, err
	case !p.Complete || p.Mass == nil || len(p.Centre) != 3 || len(p.CentralInertia) != 6:
		return Load{}, fmt.Errorf("the payload on link %q is not determined in all ten parameters; move all joints, or give the others with ident fit --known NAME=VALUE", p.Link)
	case !p.Possible:
		return Load{}, fmt.Errorf("no body can have the payload on link %q (%s); ident fit --physically-consistent finds the nearest feasible one", p.Link, p.Why)
	}
	k := slices.IndexFunc(r.Links, func(l robot.Link) bool { return l.Name == p.Link })
	if k < 0 {
		return Load{}, fmt.Errorf("the robot has no link %q", p.Link)
	}
	at := robot.Identity() // the flange in the link's own frame
	frame := p.Link
	if flange != "" && flange != p.Link {
		i := slices.IndexFunc(r.Lumped, func(l robot.Lumped) bool { return l.Name == flange && l.Into == k })
		if i < 0 {
			var known []string
			for _, l := range r.Lumped {
				if l.Into == k {
					known = append(known, l.Name)
				}
			}
			return Load{}, fmt.Errorf("no body %q is fixed to link %q, which carries the payload; fixed to it are: %q", flange, p.Link, known)
		}
		at, frame = r.Links[k].UserFrame.Inv().Mul(r.Lumped[i].InLink), flange
	}
	j := p.CentralInertia
	about := robot.InertialFromCentral(p.Mass.Value, [3]float64{p.Centre[0].Value, p.Centre[1].Value, p.Centre[2].Value},
		[3][3]float64{{j[0].Value, j[1].Value, j[2].Value}, {j[1].Value, j[3].Value, j[4].Value}, {j[2].Value, j[4].Value, j[5].Value}}).InFrame(at.Inv())
	out := Load{Mass: p.Mass.Value, Frame: frame, Reach: reach(r, k), Robot: mass(r)}
	out.Centre, _ = about.CentreOfMass()
	out.Inertia, _ = about.Central()
	return out, nil
}

// LoadOfTool returns the load of a document of ident tool, in the frame of the document, which is usually the flange.
func LoadOfTool(d *identify.ToolDocument) (Load, error) {
	if d.Wrong() {
		return Load{}, fmt.Errorf("the tool of %s has a finding that is an error: its values must not be used", d.Log)
	}
	about, err := d.Inertial()
	if err != nil {
		return Load{}, err
	}
	l := Load{Mass: about.Mass(), Frame: d.Frame, Point: len(d.Inertia) != 6}
	l.Centre, _ = about.CentreOfMass()
	if !l.Point {
		l.Inertia, _ = about.Central()
	}
	return l, nil
}

// Text returns the load in the format of a controller. A load that no robot can carry is a [*LoadError]; nothing
// overrides it.
func (l Load) Text(controller string) (string, error) {
	if !slices.Contains(Controllers(), controller) {
		return "", fmt.Errorf("%q is not one of %s", controller, strings.Join(Controllers(), ", "))
	}
	if err := l.check(controller); err != nil {
		return "", err
	}
	switch controller {
	case "franka", "franka-ee":
		return l.json(controller)
	case "ros2":
		return l.ros()
	}
	return l.lines(controller)
}

// ros returns the parameters of the admittance_controller.
func (l Load) ros() (string, error) {
	n := func(v float64) *yaml.Node { return to.Value(to.Digits(v)) }
	text, err := to.YAML(to.Map(to.Key("gravity_compensation"), to.Map(
		to.Key("frame"), to.Map(to.Key("id"), to.Text(l.Frame)),
		to.Key("CoG"), to.Map(to.Key("pos"), to.List(true, n(l.Centre[0]), n(l.Centre[1]), n(l.Centre[2])),
			to.Key("force"), n(9.80665*l.Mass)))), "m, N")
	return string(text), err
}

// json returns the documents of Franka.
func (l Load) json(controller string) (string, error) {
	var doc any = struct {
		Mass    float64    `json:"mass"`
		Centre  [3]float64 `json:"center_of_mass"`
		Inertia [9]float64 `json:"load_inertia"`
	}{l.Mass, l.Centre, byColumns(l.Inertia)}
	if controller == "franka-ee" {
		doc = struct {
			Mass      float64     `json:"mass"`
			Centre    [3]float64  `json:"centerOfMass"`
			Transform [16]float64 `json:"transformation"`
			Inertia   [9]float64  `json:"inertia"`
		}{l.Mass, l.Centre, [16]float64{0: 1, 5: 1, 10: 1, 15: 1}, byColumns(l.Inertia)}
	}
	text, err := json.MarshalIndent(doc, "", " ")
	return string(text) + "\n", err
}

// lines returns the load in a language of lines and comments.
func (l Load) lines(controller string) (string, error) {
	w := to.NewWriter(map[string]string{"ur": "#", "xarm": "#", "kinova": "#", "kuka": ";", "yaskawa": ";", "abb": "!", "fanuc": "!"}[controller])
	m, j := to.Digits(l.Mass), l.Inertia
	times := func(factor float64) (x, y, z to.Number) {
		return to.Digits(factor * l.Centre[0]), to.Digits(factor * l.Centre[1]), to.Digits(factor * l.Centre[2])
	}
	x, y, z := times(1000) // mm
	if slices.Contains([]string{"xarm", "kinova"}, controller) {
		w.Comment("-*- coding: utf-8 -*-") // the first two lines of a Python file may name its encoding
	}
	switch controller {
	case "yaskawa":
		w.Comment("frame: %s; kg, mm, kg m^2 about the centre of gravity", l.Frame)
		w.Line("W: %s\nXg: %s\nYg: %s\nZg: %s\nIx: %s\nIy: %s\nIz: %s", m, x, y, z, to.Digits(j[0][0]), to.Digits(j[1][1]), to.Digits(j[2][2]))
	case "fanuc":
		const unit = 0.0980665 // kg·m² of a kgf·cm·s²
		x, y, z = times(100)   // cm
		w.Comment("frame: %s as the face plate", l.Frame)
		w.Line("PAYLOAD [kg]: %s\nPAYLOAD CENTER X [cm]: %s\nPAYLOAD CENTER Y [cm]: %s\nPAYLOAD CENTER Z [cm]: %s", m, x, y, z)
		w.Line("PAYLOAD INERTIA X [kgfcms^2]: %s\nPAYLOAD INERTIA Y [kgfcms^2]: %s\nPAYLOAD INERTIA Z [kgfcms^2]: %s", to.Digits(j[0][0]/unit), to.Digits(j[1][1]/unit), to.Digits(j[2][2]/unit))
	case "xarm":
		w.Comment("frame: %s; kg, mm", l.Frame)
		w.Line("arm.set_tcp_load(%s, [%s, %s, %s])", m, x, y, z)
	case "kinova":
		x, y, z = times(1)
		w.Comment("frame: %s as the interface module's; kg, m. The transform of the tool stays as it is", l.Frame)
		w.Line("tool = control_config.GetToolConfiguration()\ntool.tool_mass = %s", m)
		w.Line("tool.tool_mass_center.x, tool.tool_mass_center.y, tool.tool_mass_center.z = %s, %s, %s\ncontrol_config.SetToolConfiguration(tool)", x, y, z)
	case "ur":
		x, y, z = times(1)
		if l.Point {
			w.Comment("frame: %s; kg, m; the inertia is not known", l.Frame)
			w.Line("set_target_payload(%s, [%s, %s, %s])", m, x, y, z)
			break
		}
		w.Comment("frame: %s; kg, m, kg m^2 about the centre of gravity", l.Frame)
		w.Line("set_target_payload(%s, [%s, %s, %s], [%s, %s, %s, %s, %s, %s])", m, x, y, z, to.Digits(j[0][0]), to.Digits(j[1][1]), to.Digits(j[2][2]), to.Digits(j[0][1]), to.Digits(j[0][2]), to.Digits(j[1][2]))
	case "kuka", "abb":
		moments, axes, err := l.Principal()
		if err != nil {
			return "", err
		}
		jx, jy, jz := to.Digits(moments[0]), to.Digits(moments[1]), to.Digits(moments[2])
		if controller == "kuka" {
			rpy := angles.RotationRPY(axes)
			deg := func(i int) to.Number { return to.Digits(rpy[i] * 180 / math.Pi) }
			w.Comment("frame: %s; kg, mm, degrees, kg m^2 about the principal axes", l.Frame)
			w.Line("{M %s,CM {X %s,Y %s,Z %s,A %s,B %s,C %s},J {X %s,Y %s,Z %s}}", m, x, y, z, deg(2), deg(1), deg(0), jx, jy, jz)
			break
		}
		q := angles.Quaternion(axes)
		w.Comment("frame: %s as tool0; kg, mm, kg m^2 about the principal axes", l.Frame)
		w.Comment("tool0 has to be the active tool where GripLoad names it: cog and aom are in the frame of the active tool")
		w.Line("PERS loaddata payload:=[%s,[%s,%s,%s],[%s,%s,%s,%s],%s,%s,%s];", m, x, y, z, to.Digits(q[0]), to.Digits(q[1]), to.Digits(q[2]), to.Digits(q[3]), jx, jy, jz)
	}
	return w.Text()
}

// byColumns returns the entries of a matrix, column by column.
func byColumns(j [3][3]float64) [9]float64 {
	return [9]float64{j[0][0], j[1][0], j[2][0], j[0][1], j[1][1], j[2][1], j[0][2], j[1][2], j[2][2]}
}

// Principal returns the moments about the principal axes, and these as columns.
func (l Load) Principal() (moments [3]float64, axes [3][3]float64, err error) {
	return order.Principal(l.Inertia)
}

// Package regressor builds identification models: for a robot and a list of
// terms, the matrix Y of a sample with
//
//	τ = Y(q, dq, ddq)·χ
//
// where τ are the joint torques and χ the standard parameters, one per column.
// It is the library's only source of rows: estimators, base parameters,
// excitation criteria and code emitters all evaluate a Model.
//
// # The model
//
// Link j contributes the wrench that a unit of each of its ten parameters
// needs, at the origin of frame j and in its axes (Gautier and Khalil 1990;
// Khalil and Dombre 2002, chapter 12):
//
//	XX … ZZ  moment  K(ω̇) + [ω]ₓ·K(ω),  K(w)·(XX XY XZ YY YZ ZZ)ᵀ = J·w
//	MX … MZ  force   U = [ω̇]ₓ + [ω]ₓ²,  moment -[V̇]ₓ
//	M        force   V̇
//
// V̇ is the acceleration of the origin less gravity. The entry of joint k is
// the power of that wrench under a unit rate of joint k alone: with (a, v) the
// angular velocity of link j and the velocity of its origin under that unit
// rate, a·moment + v·force. Carrying the joints' screws outward with the
// motion costs less than carrying ten wrenches inward, and leaves no backward
// pass.
//
// Drives add, in the row of their joint, rotor inertia (ddq), viscous friction
// (dq), Coulomb friction (sign dq) and an offset (1). A drive that several
// joints share (robot.Drive) has the rate s = Σ wₖ·dqₖ; its columns appear in
// the row of each joint k, times wₖ.
//
// # Derivatives
//
// Pullback is the adjoint of the recursion: for a weight on every entry of Y it
// gives the derivative of the weighted sum by q, dq and ddq in one sweep outward
// and one inward. Functions of the entries, such as a criterion of the regressor
// or a torque, have their gradients by the chain rule through it.
//
// # Terms
//
// A term is a group of columns; a declaration has their names, units and
// formulas, and Terms lists them. Most are laws of one number, the coordinate s
// of a drive: the torque, and, where the law stores energy, the potential or the
// momentum that it derives from. Rotors on moving links (Ir), payloads, measured
// wrenches and contacts act on bodies instead. Some need more channels than the
// motion: Model.Needs names them, a Batch holds them.
//
//	links Ia Fv Fs Fo    rigid bodies, rotors, simple friction
//	Ir                   rotors on moving links, gyroscopic torques and all
//	Fa Fl Fst Fstv       friction of each direction, of the load, near rest
//	Fq                   friction with the square of the rate
//	Fw:T                 friction and offset that change as gears warm
//	Fp:T Ft:ϑ₀           the same by the power of a joint, by a measured temperature
//	Fh:w                 friction with a memory of the last reversals
//	Ks Kg                springs in joints, springs that compensate gravity
//	Tr:N                 torque periodic in the angle of a joint or of its motor
//	payload:LINK         a body that some runs have on a link
//	wrench:LINK          gains of a measured external wrench
//	contact:LINK@…       normal forces of a point on a surface or a line
//	gain                 drive gains, the torque side being gain times current
//
// # Energy and momentum
//
// With e and u the kinetic and potential energies of unit parameters, h = e + u:
//
//	q̇ᵀτ = d/dt(h·χ) + p·χ                      power, or energy over a time
//	τ = d/dt(D1·χ) + D2·χ                      momentum
//	D1 = ∂e/∂q̇,  D2 = −∂e/∂q + ∂u/∂q + torques without an energy
//
// (Gautier and Khalil 1988; Khalil and Restrepo 1996.) EvalEnergy gives h, and
// the power p of columns that store nothing; EvalMomentum gives D1 and D2. No
// acceleration enters them: derivatives by time are left to the filter of the
// rows, which can take them exactly (a cascade of low-pass sections holds its own
// derivative). Columns, names and masks are those of Eval, and so are the base
// parameters.
//
// # Closed loops
//
// The rows of a robot with closed loops are those of its driven joints,
//
//	Y_a = Gᵀ·Y,  D1_a = Gᵀ·D1,  D2_a = Gᵀ·D2 − Ġᵀ·D1
//
// with the tree's Y, D1 and D2, and G = ∂q/∂q_a of a loops.Tracker that follows
// the loops through the batch; energies stay as they are. Passive joints have
// friction and springs but neither rotors nor offsets. Every batch begins at a
// state that the model knows (WithStates), so rows do not depend on earlier batches.
// Where the loops cannot be closed the rows are NaN from that sample on, and
// Workspace.Err says why.
//
// # Identities
//
// d/dt(D1) + D2 = Y and q̇ᵀY = d/dt(h) + p, column by column.
//
// Y·χ equals the recursive Newton-Euler torques of package dynamics, which
// shares no code with this one, for every tree of revolute, prismatic and
// fixed joints, and the columns of a drive do the work s·u.
//
// # Layout
//
// A Block holds one dense block a joint, column after column, and only the
// columns that can be non-zero there: the links that the joint carries and its
// own drive. Filters run along columns, and reductions skip the rest. A batch
// is evaluated Lanes samples at a time with every quantity a slice along the
// samples. Nothing is allocated per sample.
//
// # Two ways to evaluate
//
// The recursion needs no preparation. Compiled makes a program of the same
// columns with the fewest operations, customized to the robot (packages
// mechanics/recursion and symbolic), for passes over logs; the recursion shares no
// code with it and is its oracle.
//
// # Sources
//
// M. Gautier and W. Khalil, On the identification of the inertial parameters of
// robots, IEEE CDC 1988: the energy model. W. Khalil and P. P. Restrepo, An
// efficient algorithm for the calculation of the filtered dynamic model of robots,
// IEEE ICRA 1996: D1 and D2. W. Khalil and D. Creusot, SYMORO+, Robotica 15, 1997.
// P. Hamon, M. Gautier and P. Garrec, Dynamic identification of robots with a dry
// friction model depending on load and velocity, IEEE/RSJ IROS 2010. L. C. Bo and
// D. Pavelescu, The friction-speed relation and its influence on the critical
// velocity of stick-slip motion, Wear 82, 1982. M. Daemi and B. Heimann,
// Identification and compensation of gear friction for modeling of robots, CISM-IFToMM
// RoManSy 1996. P. S. Gandhi, F. H. Ghorbel and J. Dabney, Modeling, identification, and
// compensation of friction in harmonic drives, IEEE CDC 2002. A. C. Bittencourt and
// S. Gunnarsson, Static friction in a robot joint: modeling and identification of load and
// temperature effects, ASME J. Dynamic Systems, Measurement, and Control 134, 2012.
// F. Bagge Carlson, A. Robertsson and R. Johansson, Modeling and identification of position and
// temperature dependent friction phenomena without temperature sensing, IEEE/RSJ IROS 2015. W. D. Iwan, A
// distributed-element model for hysteresis and its steady-state dynamic response, ASME J. Applied Mechanics 33,
// 1966. F. Al-Bender, V. Lampaert and J. Swevers, The generalized Maxwell-slip model: a novel model for
// friction simulation and compensation, IEEE Trans. Automatic Control 50, 2005.
package regressor

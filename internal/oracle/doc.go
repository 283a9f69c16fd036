// Package oracle computes the joint torques of a tree by four formulations of
// mechanics, for tests: each small, slow and written from its own principle.
//
//   - Theorems: the theorems of linear and angular momentum for the bodies beyond a joint.
//   - Lagrange: d/dt ∂T/∂q̇ − ∂T/∂q + ∂U/∂q, with derivatives by hyper-dual numbers.
//   - Gauss: least constraint in 4×4 matrices (Popov, Vereshchagin et al. 1974; in the form of Vukobratović and
//     Potkonjak 1982, section 2.8). It is linear in the pseudo-inertia matrix of each body.
//   - Appel: ∂G/∂q̈ of the energy of accelerations (Gibbs 1879, Appell 1899; section 2.9). The term of the
//     gyroscopic moment, printed there with a factor 2 (2.9.19), has the factor 1.
//
// Bodies, gravity and reflected rotor inertia act; joints are revolute, prismatic or fixed, and may mimic. Nothing
// here is shared with packages dynamics and regressor, which it checks. The formulations of the same book by
// block matrices and by Newton and Euler are the recursion of dynamics in another order.
package oracle

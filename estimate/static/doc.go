// Package static adds rows of joints at rest to a reduction, for the parameters that rows in motion leave open.
//
// Where joints move one after the other, the torques that hold the others still are all that tells coupled inertias
// apart. At rest the friction of a joint has any value up to that of Coulomb, and keeps it until the joint moves. So
// the columns of friction are taken out of these rows, one constant is eliminated from every time block of a joint, as
// if it had a parameter of its own, and a block counts as one row, whose standard deviation is that of the block's
// residuals: slow changes of the friction at rest are errors of a whole block. Rows in motion keep their weight of one.
package static

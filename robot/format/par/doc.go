// Package par reads and writes the files of SYMORO+, as in Khalil and Creusot (1997): lists of numbers, symbols
// and expressions. A joint's own variable (th3, theta3, t3, q3; r3, q3 if
// prismatic) stands for itself; other symbols of the geometry are given values
// by robot.ReadOptions.Set or Bind, and are listed in Robot.Unset until then. A link
// of ten zeros has no mass, one of ten other numbers is a body; a symbol among
// the ten makes the inertial unknown but for entries written 0, which are known
// to be zero, as is its Ia where 0 is written (Link.Zero, Joint.NoRotor). A lone
// symbol in G stands for -9.81 m/s² in that component. Files of closed loops
// are refused with an UnsupportedError that names the frames, or read with their
// loops (robot.ReadOptions.Loops), or as the tree that is left when the loops are cut
// (robot.ReadOptions.TreeOnly). The constraints of a file NAME.cons may stand below
// the table, with values of symbols: they must close its loops, and say which way,
// or couple the joints of a table without loops.
package par

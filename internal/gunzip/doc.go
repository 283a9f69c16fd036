// Package gunzip expands gzip (RFC 1952, with the blocks of RFC 1951), as logs are kept in. Text of numbers is a bad case of it: digits
// are nearly random, a third of the symbols are repetitions of three or four characters, and there is a symbol for every byte and a
// half. So the cost is in looking symbols up, one after the other, and the reader saves look-ups:
//
//   - The input lies in memory, some hundred kilobytes at once, and 56 bits or more are at hand without a branch for every byte.
//   - A table of 2¹¹ entries tells the symbol of the next bits, or two literals where both have their codes in eleven bits, as two
//     digits have. Longer codes go on in a second table.
//   - Repetitions are copied eight bytes at a time, into memory that is longer than they are.
//
// The last bytes of the input are read symbol by symbol with every bit counted, so that nothing is made of bits that are not there: what
// was expanded from a file that was cut is a beginning of what it held.
package gunzip

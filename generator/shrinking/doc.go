// Package shrinking makes sections and files smaller for which a program
// does something that it should not do.
//
// [Plan] takes a section apart by its meaning and writes it anew,
// [Section.Shrink] cuts functions, rows and words out of the bytes that are
// there and mends what counts them, so that it works on damaged sections as
// well, and [Bytes] knows nothing of what the bytes mean. Whether what is
// left will still do, the caller tells.
package shrinking

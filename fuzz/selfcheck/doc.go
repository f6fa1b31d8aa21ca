// Package selfcheck holds generator, reader and rules against each other, on
// drawn sections: what one says of a section, the others must say too.
package selfcheck

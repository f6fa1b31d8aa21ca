// Package html renders findings as one self-contained page. It loads no script,
// style, font or image, and a policy in the page forbids it.
package html

// Package html renders findings as one page that needs nothing else: no
// script, style, font or image is loaded from elsewhere, and a policy in the
// page forbids it.
package html

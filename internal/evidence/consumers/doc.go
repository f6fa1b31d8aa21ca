// Package consumers reports which consumers can read an SFrame section. A [Profile] of each known consumer lists what
// the consumer requires of a section, what it does if the section does not meet a demand, and the source of each
// fact.
//
// The profiles are in profiles.json. Their demands come from a fixed vocabulary. A section is judged by finding the
// demands that it does not meet.
package consumers

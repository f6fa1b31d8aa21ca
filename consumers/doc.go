// Package consumers knows who can read an SFrame section: for each consumer
// in the world a [Profile], which says what the consumer demands of a
// section, what it does where that is not met, and where this is known from.
//
// Profiles are data. What they demand is taken from a closed vocabulary, the
// [Demand] constants; judging a section is looking up what it does not meet.
package consumers

// Package consumers reports which consumers can read an SFrame section. For
// each known consumer it has a [Profile]: the consumer's demands on a section,
// what the consumer does if a demand is not met, and the source of that fact.
//
// Profiles are data, in profiles.json. Their demands come from a closed vocabulary.
// To judge a section is to find the demands that it does not meet.
package consumers

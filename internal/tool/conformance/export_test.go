package conformance

// Wrap is for the triage of results.
var Wrap = wrap

package clauses

// Practice says, by rule, what it rests on where the manual is silent.
var Practice = map[string]string{}

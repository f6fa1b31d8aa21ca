package rules

// StopFDEs is stopFDEs, for tests.
const StopFDEs = stopFDEs

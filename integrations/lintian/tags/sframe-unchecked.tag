Tag: sframe-unchecked
Severity: error
Check: sframe
Explanation: The SFrame stack trace data of the package, or of one of its files, could not be checked.

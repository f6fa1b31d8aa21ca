Tag: sframe-error
Severity: error
Check: sframe
Explanation: The SFrame stack trace data of a file are wrong: the format forbids them, or
 profilers and tracers misread or reject them. The context has the rule, which
 <code>sframe-lint explain</code> describes, and what to do.
See-Also: https://github.com/sframe-lint/sframe-lint/blob/main/docs/rules.md

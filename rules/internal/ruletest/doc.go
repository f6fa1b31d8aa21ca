// Package ruletest lets the rules' tests state a section in commented hex,
// change some of its bytes and compare exactly what rules find in it.
package ruletest

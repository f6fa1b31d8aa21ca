package fre

import (
	"github.com/sframe-lint/sframe-lint/model"
	"github.com/sframe-lint/sframe-lint/reader"
	"github.com/sframe-lint/sframe-lint/rules"
)

var WordSize = rules.New(rules.Rule{ID: "SF3001", Needs: rules.FREsKnown}, func(c *rules.Context) {
	for f := range c.SFrame.FaultsOf(reader.WordSizeUndefined) {
		c.With(rules.OfFault(f)).At(f.Span, "the info byte has size code %d, not 0, 1 or 2: no consumer can decode this FRE and the function's next %d", f.Got, int64(f.Want)-int64(f.FRE)-1)
	}
	bad := func(r model.FRE) bool { return r.NumWords() == 0 && r.WordSize().Width() == 0 }
	c.Rows(bad, func(r model.FRE) {
		c.FRE(r, r.InfoSpan(), "the info byte 0x%02x has size code 3, not 0, 1 or 2: GNU ld aborts on an assertion, even without data words", r.Info())
	})
})

var CutOff = rules.New(rules.Rule{ID: "SF3002", Needs: rules.FREsKnown}, func(c *rules.Context) {
	if cut(c) {
		return
	}
	for f := range c.SFrame.FaultsOf(reader.FRETruncated) {
		c.With(rules.OfFault(f)).At(f.Span, "%s is %d, but the FRE sub-section ends after %s: consumers read beyond the sub-section, or miss FREs", c.Section.FieldName(model.FDENumFREs), f.Want, rules.Count(int(f.Got), "whole FRE"))
	}
})

var OffsetBeyond = rules.New(rules.Rule{ID: "SF3003", Needs: rules.FDEsKnown}, func(c *rules.Context) {
	length := uint64(c.Section.Header().FRELen)
	attr, known := uint64(c.Section.Version().Info().AttrSize), !cut(c)
	for f := range c.SFrame.FaultsOf(reader.FREOffBeyond) {
		if known || f.Got >= length {
			c.With(rules.OfFault(f)).At(f.Span, "%s is %d, but the FRE sub-section has only %d bytes: consumers miss the function's FREs or read beyond the sub-section", c.Section.FieldName(model.FDEStartFREOff), f.Got, f.Want)
		}
	}
	for f := range c.SFrame.FaultsOf(reader.AttrTruncated) {
		if known || f.Got+attr > length {
			c.With(rules.OfFault(f)).At(f.Span, "%s is %d, which leaves only %s for the attribute of %d bytes: consumers miss the function's FREs or read beyond the sub-section", c.Section.FieldName(model.FDEStartFREOff), f.Got, rules.Count(f.Want-f.Got, "byte"), attr)
		}
	}
})

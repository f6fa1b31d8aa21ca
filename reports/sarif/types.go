package sarif

// The objects of the format that a report has, with the members that are in use. A member that has
// the default of the format is left out.

// The version of the format, and its schema.
const (
	version = "2.1.0"
	schema  = "https://raw.githubusercontent.com/oasis-tcs/sarif-spec/main/sarif-2.1/schema/sarif-schema-2.1.0.json"
)

type sarifLog struct {
	Schema  string `json:"$schema"`
	Version string `json:"version"`
}

type run struct {
	BaseIDs map[string]artifactLocation `json:"originalUriBaseIds,omitempty"`
}

type tool struct {
	Driver toolComponent `json:"driver"`
}

type toolComponent struct {
	FullName        string                `json:"fullName,omitempty"`
	InformationURI  string                `json:"informationUri,omitempty"`
	Name            string                `json:"name"`
	Rules           []reportingDescriptor `json:"rules"`
	SemanticVersion string                `json:"semanticVersion,omitempty"`
	Version         string                `json:"version"`
}

type reportingDescriptor struct {
	Configuration    reportingConfiguration `json:"defaultConfiguration"`
	FullDescription  text                   `json:"fullDescription"`
	Help             text                   `json:"help"`
	HelpURI          string                 `json:"helpUri,omitempty"`
	ID               string                 `json:"id"`
	Name             string                 `json:"name"`
	Properties       map[string]any         `json:"properties"`
	ShortDescription text                   `json:"shortDescription"`
}

type reportingConfiguration struct {
	Enabled bool   `json:"enabled"`
	Level   string `json:"level"`
}

// text is a message, or a string in several formats.
type text struct {
	Markdown string `json:"markdown,omitempty"`
	Text     string `json:"text"`
}

type result struct {
	BaselineState string            `json:"baselineState,omitempty"`
	Fingerprints  map[string]string `json:"partialFingerprints"`
	Fixes         []fix             `json:"fixes,omitempty"`
	Level         string            `json:"level"`
	Locations     []*location       `json:"locations"`
	Message       text              `json:"message"`
	Properties    map[string]any    `json:"properties,omitempty"`
	Related       []*location       `json:"relatedLocations,omitempty"`
	RuleID        string            `json:"ruleId"`
	RuleIndex     *int              `json:"ruleIndex,omitempty"`
	Suppressions  []suppression     `json:"suppressions,omitempty"`
}

type suppression struct {
	Justification string `json:"justification"`
	Kind          string `json:"kind"`
	Status        string `json:"status"`
}

type location struct {
	ID       int               `json:"id,omitempty"`
	Logical  []logicalLocation `json:"logicalLocations,omitempty"`
	Message  *text             `json:"message,omitempty"`
	Physical physicalLocation  `json:"physicalLocation"`
}

type logicalLocation struct {
	FullyQualifiedName string `json:"fullyQualifiedName"`
	Kind               string `json:"kind"`
	Name               string `json:"name"`
}

type physicalLocation struct {
	Artifact artifactLocation `json:"artifactLocation"`
	Region   *region          `json:"region,omitempty"`
}

type artifactLocation struct {
	URI       string `json:"uri"`
	URIBaseID string `json:"uriBaseId,omitempty"`
}

// region is a part of a file: lines, bytes or both. A number that is not set is nil or 0.
type region struct {
	ByteLength *int64 `json:"byteLength,omitempty"`
	ByteOffset *int64 `json:"byteOffset,omitempty"`
	EndLine    int    `json:"endLine,omitempty"`
	StartLine  int    `json:"startLine,omitempty"`
}

type fix struct {
	Changes     []artifactChange `json:"artifactChanges"`
	Description text             `json:"description"`
	Properties  map[string]any   `json:"properties"`
}

type artifactChange struct {
	Artifact     artifactLocation `json:"artifactLocation"`
	Replacements []replacement    `json:"replacements"`
}

type replacement struct {
	Deleted  region           `json:"deletedRegion"`
	Inserted *artifactContent `json:"insertedContent,omitempty"`
}

type artifactContent struct {
	Binary string `json:"binary"`
}

type invocation struct {
	Successful    bool            `json:"executionSuccessful"`
	Configuration []*notification `json:"toolConfigurationNotifications,omitempty"`
}

type notification struct {
	AssociatedRule *ruleReference `json:"associatedRule,omitempty"`
	Exception      *exception     `json:"exception,omitempty"`
	Level          string         `json:"level"`
	Locations      []*location    `json:"locations,omitempty"`
	Message        text           `json:"message"`
}

type ruleReference struct {
	ID    string `json:"id"`
	Index int    `json:"index"`
}

type exception struct {
	Kind    string `json:"kind"`
	Message string `json:"message"`
}

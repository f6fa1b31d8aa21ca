package sarif

// The members of the format, SARIF 2.1.0, that reports have. Those that are left out have the values that
// the format says they have then: an empty list, "fail" for the kind of a result.

// The levels of results and notifications.
const (
	levelNone    = "none"
	levelNote    = "note"
	levelWarning = "warning"
	levelError   = "error"
)

// header has the members of a log file besides its runs.
type header struct {
	Schema  string `json:"$schema"`
	Version string `json:"version"`
}

// run has the members of a run besides its results, its invocation and the tool.
type run struct {
	OriginalURIBaseIDs map[string]artifactLocation `json:"originalUriBaseIds,omitempty"`
}

type tool struct {
	Driver driver `json:"driver"`
}

type driver struct {
	FullName        string       `json:"fullName,omitempty"`
	InformationURI  string       `json:"informationUri,omitempty"`
	Name            string       `json:"name"`
	Rules           []descriptor `json:"rules"`
	SemanticVersion string       `json:"semanticVersion,omitempty"`
	Version         string       `json:"version"`
}

// descriptor describes a rule.
type descriptor struct {
	DefaultConfiguration configuration  `json:"defaultConfiguration"`
	FullDescription      message        `json:"fullDescription"`
	Help                 message        `json:"help"`
	HelpURI              string         `json:"helpUri,omitempty"`
	ID                   string         `json:"id"`
	Name                 string         `json:"name"`
	Properties           map[string]any `json:"properties,omitempty"`
	ShortDescription     message        `json:"shortDescription"`
}

type configuration struct {
	Enabled bool   `json:"enabled"`
	Level   string `json:"level"`
}

// descriptorReference names a rule by its place among those of the driver.
type descriptorReference struct {
	ID    string `json:"id"`
	Index int    `json:"index"`
}

// invocation has the members of an invocation besides the notifications of the run.
type invocation struct {
	ExecutionSuccessful            bool           `json:"executionSuccessful"`
	ToolConfigurationNotifications []notification `json:"toolConfigurationNotifications,omitempty"`
}

type notification struct {
	AssociatedRule *descriptorReference `json:"associatedRule,omitempty"`
	Exception      *exception           `json:"exception,omitempty"`
	Level          string               `json:"level"`
	Locations      []place              `json:"locations,omitempty"`
	Message        message              `json:"message"`
}

type exception struct {
	Kind    string `json:"kind"`
	Message string `json:"message"`
}

type result struct {
	PartialFingerprints map[string]string `json:"partialFingerprints"`
	BaselineState       string            `json:"baselineState,omitempty"`
	Fixes               []fix             `json:"fixes,omitempty"`
	Level               string            `json:"level"`
	Locations           []place           `json:"locations"`
	Message             message           `json:"message"`
	Properties          map[string]any    `json:"properties,omitempty"`
	RelatedLocations    []place           `json:"relatedLocations,omitempty"`
	RuleID              string            `json:"ruleId"`
	RuleIndex           *int              `json:"ruleIndex,omitempty"`
	Suppressions        []suppression     `json:"suppressions,omitempty"`
}

type suppression struct {
	Justification string `json:"justification"`
	Kind          string `json:"kind"`
	Status        string `json:"status"`
}

// message has a text and, for rules, the same as Markdown.
type message struct {
	Markdown string `json:"markdown,omitempty"`
	Text     string `json:"text"`
}

// place is a location. An ID of 0 is none.
type place struct {
	ID               int               `json:"id,omitempty"`
	LogicalLocations []logicalLocation `json:"logicalLocations,omitempty"`
	Message          *message          `json:"message,omitempty"`
	PhysicalLocation physicalLocation  `json:"physicalLocation"`
}

type physicalLocation struct {
	ArtifactLocation artifactLocation `json:"artifactLocation"`
	Region           *region          `json:"region,omitempty"`
}

type artifactLocation struct {
	URI       string `json:"uri"`
	URIBaseID string `json:"uriBaseId,omitempty"`
}

// region is a piece of a file: lines, which count from 1, bytes, or the one for the other.
type region struct {
	ByteLength *int64 `json:"byteLength,omitempty"`
	ByteOffset *int64 `json:"byteOffset,omitempty"`
	EndLine    int    `json:"endLine,omitempty"`
	StartLine  int    `json:"startLine,omitempty"`
}

type logicalLocation struct {
	FullyQualifiedName string `json:"fullyQualifiedName"`
	Kind               string `json:"kind"`
	Name               string `json:"name"`
}

type fix struct {
	ArtifactChanges []artifactChange `json:"artifactChanges"`
	Description     message          `json:"description"`
	Properties      map[string]any   `json:"properties"`
}

type artifactChange struct {
	ArtifactLocation artifactLocation `json:"artifactLocation"`
	Replacements     []replacement    `json:"replacements"`
}

type replacement struct {
	DeletedRegion   region   `json:"deletedRegion"`
	InsertedContent *content `json:"insertedContent,omitempty"`
}

type content struct {
	Binary string `json:"binary"`
}

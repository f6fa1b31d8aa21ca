package reports_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sframe-lint/sframe-lint/internal/testkit/must"
	"github.com/sframe-lint/sframe-lint/internal/testkit/outputtest"
	"github.com/sframe-lint/sframe-lint/reports"
)

// validate checks a report against the published schema.
func validate(t *testing.T, report []byte) error {
	t.Helper()
	file := must.Get(os.Open("../docs/schema/findings.schema.json"))(t)
	defer file.Close()
	doc := must.Get(jsonschema.UnmarshalJSON(file))(t)
	c := jsonschema.NewCompiler()
	require.NoError(t, c.AddResource("findings.schema.json", doc))
	s := must.Get(c.Compile("findings.schema.json"))(t)
	v := must.Get(jsonschema.UnmarshalJSON(bytes.NewReader(report)))(t)
	return s.Validate(v)
}

const jsonReport = `{
  "schema": "sframe-lint/1",
  "findings": [
    {"rule":"SF1003","severity":"error","message":"sfp_version is 7","path":"bin/a,b: 100%.elf","section":".sframe","section_offset":2,"length":1,"file_offset":8258,"fixes":[{"message":"set 3","safe":true,"edits":[{"file_offset":8258,"length":1,"bytes":"03"}]}]},
    {"rule":"SF2004","severity":"warning","message":"row 2 starts at 0x4","path":"bin/a,b: 100%.elf","section":".sframe","section_offset":28,"length":3,"file_offset":8284,"fde":3,"fre":2,"function":"ma\u001b[31min\\xff\u202e","pc":"0xffffffff81000004"},
    {"rule":"SF2004","severity":"warning","message":"row 0\r\nis 100% off","path":"bin/a,b: 100%.elf","section":".sframe","section_offset":32,"file_offset":8288,"fde":0,"pc":"0x0"},
    {"rule":"SF5001","severity":"note","message":"no <data>","path":"lib.a","member":"x<y>.o","file_offset":68},
    {"rule":"SF5001","severity":"error","message":"damaged","path":"lib.a","member":"z.o","length":8,"file_offset":1124,"fixes":[{"message":"cut <off>","safe":false,"path":"thin/z.o","edits":[{"file_offset":1108,"length":2,"bytes":"ab00"},{"file_offset":1124,"length":8,"bytes":""}]}]}
  ],
  "inputs": [
    {"path":"bin/a,b: 100%.elf","status":"ok","version":3,"abi":"AMD64","byte_order":"little","fdes":4,"fres":9,"bytes":200,"excepted":1},
    {"path":"lib.a","member":"x<y>.o","status":"no-sframe","detail":"no .sframe section"},
    {"path":"lib.a","member":"z.o","status":"damaged","detail":"cut off"},
    {"path":"gone.o","status":"unreadable","detail":"permission\ndenied"}
  ],
  "cut": [
    {"rule":"SF2004","path":"bin/a,b: 100%.elf","count":17}
  ],
  "skipped": [
    {"rule":"SF2004","path":"bin/a,b: 100%.elf","section":".sframe","fact":"machine code","limit":true,"chosen":true,"reason":"the file has 9 bytes of code"},
    {"rule":"SF1003","path":"bin/a,b: 100%.elf","section":".sframe","fact":"machine code","limit":true,"chosen":true,"reason":"the file has 9 bytes of code"},
    {"rule":"SF2004","path":"bin/a,b: 100%.elf","section":".sframe","fact":"FREs","reason":"a gap\nis there","reported_by":["SF1016"]},
    {"rule":"SF4001","path":"bin/a,b: 100%.elf","section":".sframe","fact":"FREs","reason":"a gap\nis there","reported_by":["SF1016"]}
  ],
  "failures": [
    {"rule":"SF2004","path":"lib.a","member":"z.o","reason":"panic: index"}
  ],
  "summary": {"errors":2,"warnings":2,"notes":1,"files":3,"known":2,"excepted":1,"checked":3}
}
`

func TestJSON(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, outputtest.Render(reports.NewJSON(&b), outputtest.Files()))
	assert.Equal(t, jsonReport, b.String())
	assert.NoError(t, validate(t, b.Bytes()))
}

const emptyJSON = `{
  "schema": "sframe-lint/1",
  "findings": [],
  "inputs": [],
  "summary": {"errors":0,"warnings":0,"notes":0,"files":0,"checked":0}
}
`

func TestJSONWithoutInputs(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, outputtest.Render(reports.NewJSON(&b), nil))
	assert.Equal(t, emptyJSON, b.String())
	assert.NoError(t, validate(t, b.Bytes()))
}

// The schema must be one that a wrong report fails.
func TestSchemaRejects(t *testing.T) {
	for name, change := range map[string][2]string{
		"unknown member":        {`"member":"z.o"`, `"member":"z.o","colour":"red"`},
		"unknown severity":      {`"severity":"note"`, `"severity":"off"`},
		"decimal pc":            {`"pc":"0x0"`, `"pc":"0"`},
		"row without an FDE":    {`"fde":3,`, ``},
		"unknown status":        {`"status":"damaged"`, `"status":"bad"`},
		"another schema":        {"sframe-lint/1", "sframe-lint/2"},
		"missing place in file": {`,"file_offset":8258`, ``},
		"odd hex digits":        {`"bytes":"ab00"`, `"bytes":"ab0"`},
		"fix without edits":     {`"edits":[{"file_offset":8258,"length":1,"bytes":"03"}]`, `"edits":[]`},
		"version without ABI":   {`"abi":"AMD64",`, ``},
	} {
		bad := bytes.Replace([]byte(jsonReport), []byte(change[0]), []byte(change[1]), 1)
		require.NotEqual(t, jsonReport, string(bad), name)
		assert.Error(t, validate(t, bad), name)
	}
}

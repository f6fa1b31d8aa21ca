{{- /* The titles, headings and words of all pages, for static/search.js. */ -}}
{{- $list := slice -}}
{{- range sort site.RegularPages "Params.source" -}}
  {{- $list = $list | append (partial "entry.html" .) -}}
{{- end -}}
searchPages({{ $list | append (partial "entry.html" site.Home) | jsonify }});

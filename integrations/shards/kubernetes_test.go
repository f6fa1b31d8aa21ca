// Package shards has files for engines that start the parts of a list. It is a module of its own because of the
// types of Kubernetes, which nothing else needs.
package shards

import (
	"fmt"
	"os"
	"strings"
	"testing"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

// TestJobs: Kubernetes knows all keys of the manifests, and the number of parts is that of the completions.
func TestJobs(t *testing.T) {
	for _, name := range []string{"kubernetes-lint.yaml", "kubernetes-fuzz.yaml"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var job batchv1.Job
		if err := yaml.UnmarshalStrict(text, &job); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		s := &job.Spec
		switch {
		case job.APIVersion != batchv1.SchemeGroupVersion.String() || job.Kind != "Job":
			t.Errorf("%s: not a job: %v", name, job.TypeMeta)
		case s.CompletionMode == nil || *s.CompletionMode != batchv1.IndexedCompletion || s.Completions == nil || s.BackoffLimitPerIndex == nil:
			t.Errorf("%s: not an indexed job that tries each index again", name)
		case s.Template.Spec.RestartPolicy != corev1.RestartPolicyNever:
			t.Errorf("%s: the policies on failures need restartPolicy Never", name)
		case len(s.Template.Spec.Containers) != 1 || s.PodFailurePolicy == nil:
			t.Errorf("%s: expected one container and a policy on failures", name)
		default:
			c := &s.Template.Spec.Containers[0]
			if args := strings.Join(c.Args, " "); !strings.Contains(args, fmt.Sprintf("/%d", *s.Completions)) {
				t.Errorf("%s: the parts are not the completions: %s", name, args)
			}
			for _, r := range s.PodFailurePolicy.Rules {
				if r.OnExitCodes != nil && *r.OnExitCodes.ContainerName != c.Name {
					t.Errorf("%s: no container %s", name, *r.OnExitCodes.ContainerName)
				}
			}
		}
	}
}

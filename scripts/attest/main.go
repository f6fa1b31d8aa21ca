// Command attest signs the files of a release with a key of its maintainers.
//
//	attest blob FILE SIGNATURE
//	attest provenance CHECKSUMS VERSION COMMIT FILE
//
// The first form writes the signature of a file, as "cosign sign-blob" does. The second one writes a statement of
// the files that a list of SHA-256 digests names, of what they were built from and how: SLSA provenance
// in an envelope of DSSE, as "cosign verify-blob-attestation" reads it. Everything in it but the signature depends only on
// the arguments.
//
// SFRAME_RELEASE_KEY is the private key, a PEM file (PKCS #8) of ECDSA with curve P-256, as this command makes it:
//
//	openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256
package main

import (
	"bufio"
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"log"
	"os"
	"path"
	"regexp"
	"runtime"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("attest: ")
	key, err := readKey(os.Getenv("SFRAME_RELEASE_KEY"))
	if err != nil {
		log.Fatalf("SFRAME_RELEASE_KEY: %v", err)
	}
	switch args := os.Args[1:]; {
	case len(args) == 3 && args[0] == "blob":
		err = blob(key, args[1], args[2])
	case len(args) == 5 && args[0] == "provenance":
		err = provenance(key, args[1], args[2], args[3], args[4])
	default:
		log.Fatal("usage: attest blob FILE SIGNATURE\n       attest provenance CHECKSUMS VERSION COMMIT FILE")
	}
	if err != nil {
		log.Fatal(err)
	}
}

func readKey(file string) (*ecdsa.PrivateKey, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, fmt.Errorf("%s: not a PEM file", file)
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if key, ok := parsed.(*ecdsa.PrivateKey); ok && key.Curve == elliptic.P256() {
		return key, nil
	}
	return nil, fmt.Errorf("%s: not a key of ECDSA with curve P-256", file)
}

// sign returns the signature of a text in Base64.
func sign(key *ecdsa.PrivateKey, text []byte) (string, error) {
	digest := sha256.Sum256(text)
	signature, err := ecdsa.SignASN1(rand.Reader, key, digest[:])
	return base64.StdEncoding.EncodeToString(signature), err
}

func blob(key *ecdsa.PrivateKey, file, out string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	signature, err := sign(key, text)
	if err != nil {
		return err
	}
	return os.WriteFile(out, []byte(signature+"\n"), 0o666)
}

func provenance(key *ecdsa.PrivateKey, checksums, version, commit, out string) error {
	list, err := os.ReadFile(checksums)
	if err != nil {
		return err
	}
	s, err := describe(list, version, commit)
	if err != nil {
		return fmt.Errorf("%s: %w", checksums, err)
	}
	payload, err := json.Marshal(s)
	if err != nil {
		return err
	}
	signature, err := sign(key, fmt.Appendf(nil, "DSSEv1 %d %s %d %s", len(payloadType), payloadType, len(payload), payload))
	if err != nil {
		return err
	}
	public, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		return err
	}
	id := sha256.Sum256(public)
	text, err := json.Marshal(envelope{payloadType, payload, []signatureOf{{hex.EncodeToString(id[:]), signature}}})
	if err != nil {
		return err
	}
	return os.WriteFile(out, append(text, '\n'), 0o666)
}

// sum is a line of a list of checksums, as sha256sum writes it.
var sum = regexp.MustCompile(`^([0-9a-f]{64}) [ *](\S+)$`)

// describe returns the statement for the files of a list.
func describe(list []byte, version, commit string) (*statement, error) {
	s := &statement{Type: "https://in-toto.io/Statement/v1", PredicateType: "https://slsa.dev/provenance/v1"}
	for lines := bufio.NewScanner(bytes.NewReader(list)); lines.Scan(); {
		m := sum.FindStringSubmatch(lines.Text())
		if m == nil {
			return nil, fmt.Errorf("not a line of a list of SHA-256 digests: %q", lines.Text())
		}
		s.Subject = append(s.Subject, resource{Name: path.Base(m[2]), Digest: map[string]string{"sha256": m[1]}})
	}
	if len(s.Subject) == 0 {
		return nil, fmt.Errorf("no file")
	}
	ref := "refs/tags/v" + version
	build := &s.Predicate.BuildDefinition
	build.BuildType = repository + "/blob/main/CONTRIBUTING.md#releases"
	build.ExternalParameters = map[string]string{"repository": repository, "ref": ref}
	build.ResolvedDependencies = []resource{
		{URI: "git+" + repository + "@" + ref, Digest: map[string]string{"gitCommit": commit}},
		{URI: "pkg:golang/std@" + runtime.Version()[len("go"):]},
	}
	s.Predicate.RunDetails.Builder.ID = repository + "/blob/" + commit + "/scripts/release"
	return s, nil
}

const (
	repository  = "https://github.com/sframe-lint/sframe-lint"
	payloadType = "application/vnd.in-toto+json"
)

// envelope is an envelope of DSSE.
type envelope struct {
	PayloadType string        `json:"payloadType"`
	Payload     []byte        `json:"payload"`
	Signatures  []signatureOf `json:"signatures"`
}

type signatureOf struct {
	KeyID     string `json:"keyid"`
	Signature string `json:"sig"`
}

// statement is a statement of in-toto with provenance of SLSA. integrations/install relies on the
// order of its members.
type statement struct {
	Type          string     `json:"_type"`
	Subject       []resource `json:"subject"`
	PredicateType string     `json:"predicateType"`
	Predicate     struct {
		BuildDefinition struct {
			BuildType            string            `json:"buildType"`
			ExternalParameters   map[string]string `json:"externalParameters"`
			ResolvedDependencies []resource        `json:"resolvedDependencies"`
		} `json:"buildDefinition"`
		RunDetails struct {
			Builder struct {
				ID string `json:"id"`
			} `json:"builder"`
		} `json:"runDetails"`
	} `json:"predicate"`
}

type resource struct {
	Name   string            `json:"name,omitempty"`
	URI    string            `json:"uri,omitempty"`
	Digest map[string]string `json:"digest,omitempty"`
}

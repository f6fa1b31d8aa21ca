package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// newKey writes a private key and returns it as it is read.
func newKey(t *testing.T, curve elliptic.Curve) (*ecdsa.PrivateKey, error) {
	key, err := ecdsa.GenerateKey(curve, rand.Reader)
	require.NoError(t, err)
	der, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "key.pem")
	require.NoError(t, os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}), 0o600))
	return readKey(file)
}

func verified(t *testing.T, key *ecdsa.PrivateKey, text []byte, signature string) bool {
	der, err := base64.StdEncoding.DecodeString(strings.TrimSpace(signature))
	require.NoError(t, err)
	digest := sha256.Sum256(text)
	return ecdsa.VerifyASN1(&key.PublicKey, digest[:], der)
}

// TestProvenance checks an envelope as DSSE, in-toto and SLSA describe it.
func TestProvenance(t *testing.T) {
	key, err := newKey(t, elliptic.P256())
	require.NoError(t, err)
	dir := t.TempDir()
	sums, out := filepath.Join(dir, "checksums.txt"), filepath.Join(dir, "provenance")
	hex := strings.Repeat("0a", 32)
	require.NoError(t, os.WriteFile(sums, []byte(hex+"  a.tar.gz\n"+hex+" *dir/b.deb\n"), 0o666))
	var payloads [2][]byte
	for i := range payloads {
		require.NoError(t, provenance(key, sums, "1.2.3", "abcd", out))
		text, err := os.ReadFile(out)
		require.NoError(t, err)
		assert.Equal(t, 1, strings.Count(string(text), "\n"))
		var e envelope
		require.NoError(t, json.Unmarshal(text, &e))
		require.Len(t, e.Signatures, 1)
		signed := fmt.Appendf(nil, "DSSEv1 28 application/vnd.in-toto+json %d %s", len(e.Payload), e.Payload)
		assert.True(t, verified(t, key, signed, e.Signatures[0].Signature))
		signed[len(signed)-2] ^= 1
		assert.False(t, verified(t, key, signed, e.Signatures[0].Signature))
		payloads[i] = e.Payload
	}
	assert.Equal(t, payloads[0], payloads[1], "only the signatures differ")

	var s map[string]any
	require.NoError(t, json.Unmarshal(payloads[0], &s))
	assert.Equal(t, "https://in-toto.io/Statement/v1", s["_type"])
	assert.Equal(t, "https://slsa.dev/provenance/v1", s["predicateType"])
	digest := map[string]any{"sha256": hex}
	assert.Equal(t, []any{map[string]any{"name": "a.tar.gz", "digest": digest}, map[string]any{"name": "b.deb", "digest": digest}}, s["subject"])
	build := s["predicate"].(map[string]any)["buildDefinition"].(map[string]any)
	assert.Equal(t, "refs/tags/v1.2.3", build["externalParameters"].(map[string]any)["ref"])
	assert.Equal(t, map[string]any{"uri": "git+" + repository + "@refs/tags/v1.2.3", "digest": map[string]any{"gitCommit": "abcd"}}, build["resolvedDependencies"].([]any)[0])

	for _, bad := range []string{"", "a  b\n", hex + "  a b\n"} {
		require.NoError(t, os.WriteFile(sums, []byte(bad), 0o666))
		assert.Error(t, provenance(key, sums, "1", "c", out), "%q", bad)
	}
}

func TestBlob(t *testing.T) {
	key, err := newKey(t, elliptic.P256())
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, []byte("text"), 0o666))
	require.NoError(t, blob(key, file, file+".sig"))
	signature, err := os.ReadFile(file + ".sig")
	require.NoError(t, err)
	assert.True(t, verified(t, key, []byte("text"), string(signature)))
	_, err = newKey(t, elliptic.P384())
	assert.ErrorContains(t, err, "P-256")
	_, err = readKey(file)
	assert.ErrorContains(t, err, "not a PEM file")
}

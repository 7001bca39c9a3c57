import { clientSecretOnly, type Framework, pathOf, portOf, type Values } from './framework.ts'

const code = (values: Values) => `// go get github.com/coreos/go-oidc/v3/oidc golang.org/x/oauth2
// set -a; . ./.env; go run .
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

func main() {
	provider, err := oidc.NewProvider(context.Background(), "${values.issuer}")
	if err != nil {
		log.Fatal(err)
	}
	gatehouse := oauth2.Config{
		ClientID:     "${values.clientId}",
		ClientSecret: os.Getenv("GATEHOUSE_CLIENT_SECRET"),
		Endpoint:     provider.Endpoint(),
		RedirectURL:  "${values.redirectUri}",
		Scopes:       []string{oidc.ScopeOpenID, "profile", "email"},
	}
	verifier := provider.Verifier(&oidc.Config{ClientID: gatehouse.ClientID})

	http.HandleFunc("/login", func(w http.ResponseWriter, r *http.Request) {
		state, codeVerifier := oauth2.GenerateVerifier(), oauth2.GenerateVerifier()
		for name, value := range map[string]string{"state": state, "verifier": codeVerifier} {
			http.SetCookie(w, &http.Cookie{Name: name, Value: value, Path: "/", MaxAge: 600, HttpOnly: true, SameSite: http.SameSiteLaxMode})
		}
		http.Redirect(w, r, gatehouse.AuthCodeURL(state, oauth2.S256ChallengeOption(codeVerifier)), http.StatusFound)
	})

	http.HandleFunc("${pathOf(values)}", func(w http.ResponseWriter, r *http.Request) {
		state, err := r.Cookie("state")
		codeVerifier, missing := r.Cookie("verifier")
		if err != nil || missing != nil || r.FormValue("state") != state.Value {
			http.Error(w, "The sign-in did not begin in this browser", http.StatusBadRequest)
			return
		}
		tokens, err := gatehouse.Exchange(r.Context(), r.FormValue("code"), oauth2.VerifierOption(codeVerifier.Value))
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		rawIDToken, _ := tokens.Extra("id_token").(string)
		idToken, err := verifier.Verify(r.Context(), rawIDToken)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		var claims struct{ Sub, Name, Email string }
		if err := idToken.Claims(&claims); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		fmt.Fprintf(w, "Hello %s (%s, %s)", claims.Name, claims.Email, claims.Sub)
	})

	log.Fatal(http.ListenAndServe(":${portOf(values, 8080)}", nil))
}
`

export const goOidc: Framework = {
  id: 'go-oidc',
  name: 'Go: go-oidc',
  kinds: ['web'],
  redirectUri: 'http://localhost:8080/callback',
  snippets: (values) => [{ file: 'main.go', language: 'go', code: code(values) }],
  environment: clientSecretOnly,
}

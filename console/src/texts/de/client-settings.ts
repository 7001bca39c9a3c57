import type en from '../en/client-settings.ts'

const de: typeof en = {
  general: 'Allgemein',
  nameHint: 'Benutzer sehen ihn, wenn sie um Zustimmung gebeten werden.',
  logoUrlHint: 'Eine https-Adresse. Die Zustimmungsseite zeigt das Bild.',

  addresses: 'Adressen',
  redirectUri: (number) => `Redirect-URI ${number}`,
  redirectUrisHint:
    'Wohin Browser mit einem Code zurückkehren dürfen. Die Adresse muss Zeichen für Zeichen stimmen. Sie können viele auf einmal einfügen.',
  postLogoutRedirectUri: (number) => `Abmelde-URI ${number}`,
  postLogoutRedirectUrisHint: 'Wohin Browser nach dem Abmelden zurückkehren dürfen.',
  initiateLoginUriHint: 'Hier beginnt die Anwendung eine Anmeldung, die sie nicht selbst angefordert hat, etwa nach einer Einladung.',
  backchannelLogoutUriHint:
    'Dorthin geht ein Logout-Token, wenn eine Sitzung endet, in der die Anwendung Token erhalten hat. Nur wirksam, wenn der Betreiber backchannel_logout eingeschaltet hat.',
  backchannelLogoutSessionRequiredHint: 'Welche Sitzung beendet ist, nicht nur wessen.',
  backchannelLogoutRevokesRefreshHint:
    'Was die Anwendung durch eine Sitzung erhalten hat, endet mit ihr, auch Refresh-Token. Nur wirksam, wenn der Betreiber backchannel_logout eingeschaltet hat.',

  access: 'Berechtigungen',
  grants: {
    authorization_code: 'Benutzer melden sich im Browser an.',
    refresh_token: 'Token werden ohne Zutun des Benutzers erneuert. Die Anwendung fordert das mit dem Scope offline_access an.',
    client_credentials: 'Die Anwendung erhält Token für sich selbst.',
    'urn:ietf:params:oauth:grant-type:device_code':
      'Benutzer melden sich auf einem Gerät ohne Browser an, mit einem Code, den sie anderswo eingeben. Braucht die Erweiterung device.',
  },
  needsSecret: 'Für Anwendungen, die ein Secret haben.',
  scopesHint: 'Durch Leerzeichen getrennt. Jede Anwendung darf openid, profile, email, phone und offline_access anfordern.',
  requirePkceHint: 'Ohne PKCE kann ein Angreifer einen abgefangenen Code einlösen.',
  publicNeedsPkce: 'Eine Anwendung ohne Secret verwendet immer PKCE.',
  allowPlainPkceHint: 'Nur für alte Bibliotheken. S256 ist sicherer.',
  plainDenied: 'Der Betreiber dieses Dienstes erlaubt das nicht.',
  requireConsentHint: 'Jeder Benutzer wird einmal gefragt, bevor die Anwendung einen Code erhält.',
  requirePushedAuthorizationRequestsHint:
    'Die Anwendung sendet jede Anfrage selbst an den Dienst, bevor sie den Browser schickt. Nur wirksam, wenn der Betreiber par eingeschaltet hat.',
  requireSignedRequestObjectHint:
    'Die Anwendung signiert jede Anfrage mit ihrem Schlüssel, damit unterwegs nichts daran geändert werden kann. Nur wirksam, wenn der Betreiber jar eingeschaltet hat.',
  requireDpopHint:
    'Die Anwendung erhält nur Token, wenn sie mit jeder Anfrage einen Schlüssel nachweist (DPoP): gestohlene sind wertlos. Nur wirksam, wenn der Betreiber dpop eingeschaltet hat.',
  needsKey: 'Dafür braucht die Anwendung einen Schlüssel: unter Sicherheit.',

  lifetimes: 'Token',
  asOrganisation: 'Wie in der Organisation',
  refreshTokenLifetimeHint: 'Wird es so lange nicht verwendet, muss sich der Benutzer neu anmelden.',
  refreshTokenAbsoluteLifetimeHint: 'Danach muss sich der Benutzer in jedem Fall neu anmelden.',
  refreshTokenGraceSecondsHint:
    'So lange erhält dieselbe Erneuerung noch einmal dieselbe Antwort. Für einen einzigen Prozess ist 0 am sichersten. Läuft die Anwendung in mehreren, beenden zwei gleichzeitige Erneuerungen sonst die Sitzung: 30 Sekunden genügen.',
  defaultAcrValuesHint:
    'Werden in dieser Reihenfolge versucht, wenn eine Anfrage keine nennt: aal1, aal2, phr, phrh. Nur wirksam, wenn der Betreiber step_up eingeschaltet hat.',
  defaultMaxAgeHint:
    'Wenn eine Anfrage es nicht mit max_age sagt. Liegt die letzte Anmeldung länger zurück, meldet sich der Benutzer neu an.',
  anyAge: 'Nur wenn eine Anfrage es verlangt',
  idTokenSignedResponseAlgHint:
    'RS256 für Bibliotheken, die EdDSA nicht beherrschen, etwa die von .NET, Spring, Apache, Ruby und python-jose.',

  introspectionSignedResponseAlgHint:
    'Für APIs, die signierte Antworten verlangen. Nur wirksam, wenn der Betreiber jwt_introspection eingeschaltet hat.',
}

export default de

import type en from '../en/application.ts'

const de: typeof en = {
  types: { confidential: 'Mit Secret', public: 'Ohne Secret' },
  connect: 'Anbinden',
  settings: 'Einstellungen',
  claims: 'Claims',
  logout: 'Abmeldung',
  tryIt: 'Ausprobieren',
  refusals: 'Ablehnungen',
  history: 'Verlauf',
  isRevoked: 'Diese Anwendung ist widerrufen',
  registeredItself: 'Diese Anwendung hat sich selbst registriert',
  registeredItselfBy: (token, address) =>
    `${token === null ? 'Ohne Registrierungstoken' : `Mit dem Registrierungstoken ${token}`}${address === null ? '' : `, von der Adresse ${address}`}:`,
  documentFails: 'Das Dokument dieser Anwendung ist nicht lesbar',
  documentFailsShort: 'Dokument nicht lesbar',
  documentFailsDescription: (address) =>
    `Sobald die gespeicherte Kopie abgelaufen ist, kann sich dort niemand mehr anmelden. Nichts Brauchbares unter ${address} seit`,
  isRevokedDescription: 'Sie erhält keine Token, und die bisherigen gelten nicht mehr.',
  activateToTry: 'Zum Ausprobieren muss sie erst aktiviert werden.',

  general: 'Allgemein',
  name: 'Name',
  nameHint: 'Benutzer sehen ihn, wenn sie um Zustimmung gebeten werden.',
  descriptionField: 'Beschreibung',
  logoUrl: 'Logo',
  logoUrlHint: 'Eine https-Adresse. Die Zustimmungsseite zeigt das Bild.',

  addresses: 'Adressen',
  redirectUris: 'Redirect-URIs',
  redirectUri: (number) => `Redirect-URI ${number}`,
  redirectUrisHint:
    'Wohin Browser mit einem Code zurückkehren dürfen. Die Adresse muss Zeichen für Zeichen stimmen. Sie können viele auf einmal einfügen.',
  postLogoutRedirectUris: 'Abmelde-URIs',
  postLogoutRedirectUri: (number) => `Abmelde-URI ${number}`,
  postLogoutRedirectUrisHint: 'Wohin Browser nach dem Abmelden zurückkehren dürfen.',
  initiateLoginUri: 'Startadresse der Anmeldung',
  initiateLoginUriHint: 'Hier beginnt die Anwendung eine Anmeldung, die sie nicht selbst angefordert hat, etwa nach einer Einladung.',
  backchannelLogoutUri: 'Adresse für das Ende von Sitzungen',
  backchannelLogoutUriHint:
    'Dorthin geht ein Logout-Token, wenn eine Sitzung endet, in der die Anwendung Token erhalten hat. Nur wirksam, wenn der Betreiber backchannel_logout eingeschaltet hat.',
  backchannelLogoutRevokesRefresh: 'Zugriff mit der Sitzung beenden',
  backchannelLogoutRevokesRefreshHint:
    'Was die Anwendung durch eine Sitzung erhalten hat, endet mit ihr, auch Refresh-Token. Nur wirksam, wenn der Betreiber backchannel_logout eingeschaltet hat.',

  access: 'Berechtigungen',
  grantTypes: 'Grants',
  grants: {
    authorization_code: 'Benutzer melden sich im Browser an.',
    refresh_token: 'Token werden ohne Zutun des Benutzers erneuert. Die Anwendung fordert das mit dem Scope offline_access an.',
    client_credentials: 'Die Anwendung erhält Token für sich selbst.',
    'urn:ietf:params:oauth:grant-type:device_code':
      'Benutzer melden sich auf einem Gerät ohne Browser an, mit einem Code, den sie anderswo eingeben. Braucht die Erweiterung device.',
  },
  needsSecret: 'Für Anwendungen, die ein Secret haben.',
  scopes: 'Eigene Scopes',
  scopesHint: 'Durch Leerzeichen getrennt. Jede Anwendung darf openid, profile, email, phone und offline_access anfordern.',
  tokenEndpointAuthMethod: 'Übertragung des Secrets',
  methods: {
    client_secret_basic: 'Im Header (client_secret_basic)',
    client_secret_post: 'Im Formular (client_secret_post)',
    private_key_jwt: 'Mit einer Signatur (private_key_jwt)',
    tls_client_auth: 'Mit dem Zertifikat einer Zertifizierungsstelle (tls_client_auth)',
    self_signed_tls_client_auth: 'Mit einem selbstsignierten Zertifikat (self_signed_tls_client_auth)',
    none: 'Keine: Es gibt kein Secret',
  },
  tokenEndpointAuthMethodHint: 'Das wird Bibliotheken mitgeteilt. Angenommen wird beides.',
  requirePkce: 'PKCE verlangen',
  requirePkceHint: 'Ohne PKCE kann ein Angreifer einen abgefangenen Code einlösen.',
  publicNeedsPkce: 'Eine Anwendung ohne Secret verwendet immer PKCE.',
  allowPlainPkce: 'PKCE-Methode plain erlauben',
  allowPlainPkceHint: 'Nur für alte Bibliotheken. S256 ist sicherer.',
  plainDenied: 'Der Betreiber dieses Dienstes erlaubt das nicht.',
  requireConsent: 'Um Zustimmung bitten',
  requireConsentHint: 'Jeder Benutzer wird einmal gefragt, bevor die Anwendung einen Code erhält.',
  requirePushedAuthorizationRequests: 'Anfragen vorab senden',
  requirePushedAuthorizationRequestsHint:
    'Die Anwendung sendet jede Anfrage selbst an den Dienst, bevor sie den Browser schickt. Nur wirksam, wenn der Betreiber par eingeschaltet hat.',
  requireSignedRequestObject: 'Anfragen signieren',
  requireSignedRequestObjectHint:
    'Die Anwendung signiert jede Anfrage mit ihrem Schlüssel, damit unterwegs nichts daran geändert werden kann. Nur wirksam, wenn der Betreiber jar eingeschaltet hat.',
  requireDpop: 'Token an einen Schlüssel binden',
  requireDpopHint:
    'Die Anwendung erhält nur Token, wenn sie mit jeder Anfrage einen Schlüssel nachweist (DPoP): gestohlene sind wertlos. Nur wirksam, wenn der Betreiber dpop eingeschaltet hat.',
  needsKey: 'Dafür braucht die Anwendung einen Schlüssel: unter Sicherheit.',

  lifetimes: 'Token',
  asOrganisation: 'Wie in der Organisation',
  accessTokenLifetime: 'Access-Token',
  idTokenLifetime: 'ID-Token',
  refreshTokenLifetime: 'Refresh-Token',
  refreshTokenLifetimeHint: 'Wird es so lange nicht verwendet, muss sich der Benutzer neu anmelden.',
  refreshTokenAbsoluteLifetime: 'Erneuern längstens, ab der Anmeldung',
  refreshTokenAbsoluteLifetimeHint: 'Danach muss sich der Benutzer in jedem Fall neu anmelden.',
  authorizationCodeTtl: 'Code',
  refreshTokenGraceSeconds: 'Erneuerung wiederholbar',
  refreshTokenGraceSecondsHint:
    'So lange erhält dieselbe Erneuerung noch einmal dieselbe Antwort. Für einen einzigen Prozess ist 0 am sichersten. Läuft die Anwendung in mehreren, beenden zwei gleichzeitige Erneuerungen sonst die Sitzung: 30 Sekunden genügen.',
  defaultAcrValues: 'Anmeldestufen',
  defaultAcrValuesHint:
    'Werden in dieser Reihenfolge versucht, wenn eine Anfrage keine nennt: aal1, aal2, phr, phrh. Nur wirksam, wenn der Betreiber step_up eingeschaltet hat.',
  defaultMaxAge: 'Neue Anmeldung nach',
  defaultMaxAgeHint:
    'Wenn eine Anfrage es nicht mit max_age sagt. Liegt die letzte Anmeldung länger zurück, meldet sich der Benutzer neu an.',
  anyAge: 'Nur wenn eine Anfrage es verlangt',
  idTokenSignedResponseAlg: 'Signatur der ID-Token',
  idTokenSignedResponseAlgHint:
    'RS256 für Bibliotheken, die EdDSA nicht beherrschen, etwa die von .NET, Spring, Apache, Ruby und python-jose.',

  introspectionSignedResponseAlg: 'Signatur der Introspection',
  introspectionSignedResponseAlgHint:
    'Für APIs, die signierte Antworten verlangen. Nur wirksam, wenn der Betreiber jwt_introspection eingeschaltet hat.',

  security: 'Sicherheit',
  authentication: 'Wie sie beweist, welche Anwendung sie ist',
  method: 'Verfahren',
  publicHasNoKey: 'Eine Anwendung ohne Secret kann nicht beweisen, welche sie ist: Sie hat auch keinen Schlüssel.',
  keys: 'Schlüssel',
  keysHint:
    'Mit einem Schlüssel signiert die Anwendung für jede Anfrage eine kurze Erklärung. Die private Hälfte hat nur sie, hier ist nichts Geheimes gespeichert. Braucht die Erweiterung private_key_jwt.',
  keyName: 'Name (kid)',
  keyKind: 'Art',
  makeKey: 'Schlüssel erzeugen',
  makeKeyQuestion: 'Einen Schlüssel erzeugen und verwenden?',
  makeKeyEffect:
    'Ihr Browser erzeugt ihn und speichert die private Hälfte als Datei für die Anwendung. Sie wird nie gesendet und lässt sich nicht noch einmal speichern. Von da an weist sich die Anwendung nur noch mit ihren Schlüsseln aus; ihr Secret gilt nicht mehr.',
  removeKey: 'Entfernen',
  removeKeyName: (name) => `Entfernen: ${name}`,
  removeKeyQuestion: (name) => `Den Schlüssel ${name} entfernen?`,
  removeKeyEffect: 'Was die Anwendung damit signiert, wird sofort abgelehnt.',
  pasteKeys: 'Eigene öffentliche Schlüssel',
  pasteKeysHint: 'Ein JSON Web Key oder mehrere als Menge. Nur die öffentlichen Hälften.',
  pastedUnreadable: 'Das ist weder ein JSON Web Key noch eine Menge davon.',
  keysAddress: 'Adresse ihrer Schlüssel',
  keysAddressHint:
    'Statt Schlüsseln hier: eine https-Adresse, unter der die Anwendung sie veröffentlicht. Sie wird alle zehn Minuten neu gelesen.',
  useKeys: 'Diese Schlüssel verwenden',

  certificate: 'Zertifikat',
  certificateHint:
    'Mit einem Zertifikat beweist schon die Verbindung, welche Anwendung es ist (Mutual TLS). Nur wirksam, wenn der Betreiber mtls eingeschaltet hat und ein Proxy Zertifikate weitergibt.',
  certificateMethodHint: 'Mit einem Zertifikat sendet die Anwendung kein Secret, und ihr Secret gilt nicht mehr.',
  certificateNameKind: 'Welcher Name des Zertifikats',
  certificateNames: {
    subjectDn: 'Inhaber (Subject)',
    sanDns: 'DNS-Name',
    sanUri: 'URI',
    sanIp: 'IP-Adresse',
    sanEmail: 'E-Mail-Adresse',
  },
  certificateName: 'Name des Zertifikats',
  certificateSubjectHint:
    'Der genaueste Name zuerst, wie „openssl x509 -subject -nameopt RFC2253“ ihn ausgibt: CN=portal.acme.test,O=Acme,C=DE',
  certificateKeysHint:
    'Der öffentliche Schlüssel des Zertifikats als JSON Web Key, oder mehrere als Menge. Er kommt zu den vorhandenen Schlüsseln hinzu.',
  certificateBoundAccessTokens: 'Token an das Zertifikat binden',
  certificateBoundAccessTokensHint:
    'Die Anwendung erhält Token nur über eine Verbindung mit Zertifikat, und ohne dieses sind sie wertlos. Weist sie einen Schlüssel nach (DPoP), so sind sie an diesen gebunden.',
  saveCertificate: 'Zertifikat speichern',

  profile: 'FAPI-2.0-Sicherheitsprofil',
  profileHint:
    'Für Anwendungen mit hohem Schutzbedarf, etwa bei Banken. Das Profil stellt ein, was es verlangt, und lehnt ab, was ihm widerspricht. Braucht die Erweiterungen private_key_jwt, par und dpop; anstelle der ersten und der letzten genügt mtls.',
  profileDemand: 'Was es verlangt',
  profileState: 'Diese Anwendung',
  profileMet: 'Erfüllt',
  profileSets: 'Wird eingestellt',
  profileNotMet: 'Vorher ändern',
  profileOurs: 'Regel dieses Dienstes',
  profileDemands: {
    origin: 'Ein Administrator hat die Anwendung registriert',
    clientType: 'Die Anwendung kann ein Secret aufbewahren',
    requireDpop: 'Token sind an einen Schlüssel oder ein Zertifikat gebunden',
    tokenEndpointAuthMethod: 'Sie weist sich mit einem Schlüssel oder einem Zertifikat aus',
    jwks: 'Sie hat einen Schlüssel, der anders als mit RS256 signiert',
    federatedCredentials: 'Sie weist sich auf keine andere Weise aus',
    authorizationCodeTtl: 'Ein Code gilt höchstens 60 Sekunden',
    requirePushedAuthorizationRequests: 'Anfragen werden vorab gesendet',
    requirePkce: 'PKCE wird verlangt',
    allowPlainPkce: 'PKCE nur mit S256',
    redirectUris: 'Redirect-URIs mit https, oder mit http auf dem Rechner selbst',
    tokenEndpointAuthSigningAlg: 'Sie weist sich nicht mit RS256 aus',
    requestObjectSigningAlg: 'Sie signiert Anfragen nicht mit RS256',
    idTokenSignedResponseAlg: 'ID-Token werden mit EdDSA signiert',
    introspectionSignedResponseAlg: 'Introspection wird nicht mit RS256 signiert',
  },
  holdToProfile: 'Profil anwenden',
  holdToProfileQuestion: 'Das FAPI-2.0-Profil anwenden?',
  holdToProfileEffect:
    'Von da an muss sich die Anwendung mit ihrem Schlüssel oder Zertifikat ausweisen, Anfragen vorab senden und für jedes Token einen Schlüssel oder ihr Zertifikat beweisen. Ihr Secret gilt nicht mehr.',
  holdToProfileInUse:
    'Die Anwendung wurde in den letzten 7 Tagen benutzt. Stellen Sie sicher, dass sie vorbereitet ist: Sonst scheitern ihre Anmeldungen sofort.',
  leaveProfile: 'Profil entfernen',
  leaveProfileQuestion: 'Das FAPI-2.0-Profil entfernen?',
  leaveProfileEffect: 'Die Einstellungen bleiben, lassen sich aber wieder ändern. Refresh-Token werden bei jeder Verwendung getauscht.',

  users: 'Benutzer',
  user: 'Benutzer',
  noUsers: 'Noch hat kein Benutzer sie zugelassen',
  noUsersDescription: 'Hier erscheinen Benutzer, die der Anwendung etwas erlaubt haben.',
  moreUsers: (count) => `${count} weitere Benutzer haben sie zugelassen. Auch ihre eigenen Seiten zeigen es.`,
  mayDo: 'Darf',
  allowedFor: 'Erlaubt',
  lastUsed: 'Zuletzt genutzt',
  endAccess: 'Zugriff beenden',
  endAccessQuestion: (email) => `Ihren Zugriff für ${email} beenden?`,
  endAccessEffect:
    'Ihre Tokens für diesen Benutzer gelten sofort nicht mehr. Bei der nächsten Anmeldung fragt die Anwendung wieder um Zustimmung.',

  secret: 'Secret',
  secretHint: 'Es kann nicht noch einmal angezeigt werden. Sie können es aber erneuern.',
  secretMade: 'Erstellt',
  secretUsed: 'Zuletzt verwendet',
  formerSecret: 'Früheres Secret',
  formerWorks: (left) => `gilt noch ${left}`,
  formerEnded: 'gilt nicht mehr',
  rotate: 'Secret erneuern',
  rotateQuestion: 'Ein neues Secret erstellen?',
  rotateEffect: 'Das bisherige Secret gilt so lange weiter, wie Sie wählen. Ein noch älteres wird sofort ungültig.',
  overlap: 'So lange gilt das bisherige Secret weiter',
  overlaps: {
    '0': { label: 'Gar nicht', hint: 'Wenn es in falsche Hände geraten ist. Die Anwendung funktioniert erst mit dem neuen wieder.' },
    '3600': { label: '1 Stunde', hint: 'Wenn Sie das neue sofort eintragen.' },
    '86400': { label: '24 Stunden', hint: 'Wenn andere es eintragen.' },
    '604800': { label: '7 Tage', hint: 'Wenn dafür ein Release nötig ist.' },
  },
  newSecret: 'Das neue Secret',
  newSecretDescription: 'Es wird nur dieses eine Mal angezeigt. Tragen Sie es in die Konfiguration der Anwendung ein.',
}

export default de

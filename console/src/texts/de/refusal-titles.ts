import type en from '../en/refusal-titles.ts'

/** The titles by the name of a check, with the endpoint if the check has another meaning there. */
export const titles: Readonly<Record<string, string>> = {
  access_token: 'Das Access-Token ist nicht gültig',
  acr_values: 'Die verlangte Stufe der Anmeldung ist nicht erreicht',
  auth_time: 'Die Anmeldung ist älter als verlangt',
  authorization: 'Das Access-Token fehlt oder kommt auf mehreren Wegen',
  'token.authorization': 'Die Autorisierung gilt nicht mehr',
  body: 'Der Inhalt der Anfrage ist nicht lesbar oder zu groß',
  client_assertion: 'Die Assertion der Anwendung ist nicht gültig',
  client_assertion_type: 'Die Art der Assertion wird nicht unterstützt',
  client_authentication: 'Die Anwendung hat sich nicht richtig ausgewiesen',
  client_id: 'Die client_id fehlt, ist unbekannt oder passt nicht',
  client_secret: 'Das Secret der Anwendung ist falsch',
  client_state: 'Die Anwendung ist widerrufen',
  client_type: 'Diese Anwendung darf nicht introspizieren',
  code: 'Der Code ist unbekannt, abgelaufen oder schon eingelöst',
  code_challenge: 'Die code_challenge fehlt oder ist nicht gültig',
  code_challenge_method: 'Das Verfahren der code_challenge ist nicht erlaubt',
  code_verifier: 'Der code_verifier passt nicht zur code_challenge',
  consent: 'Die Person hat nicht zugestimmt',
  content_type: 'Die Anfrage ist kein Formular',
  csrf_token: 'Die Abmeldung war nicht mehr gültig',
  device_code: 'Der Code des Geräts ist unbekannt, abgelaufen oder schon eingelöst',
  grant_type: 'Dieser Grant ist nicht erlaubt',
  id_token_hint: 'Der id_token_hint ist nicht gültig oder nennt jemand anderen',
  max_age: 'max_age ist keine Zahl von Sekunden',
  organisation: 'Die Organisation ist nicht aktiv, oder die Person gehört zu einer anderen',
  parameters: 'Ein Parameter ist mehrfach, zu lang oder nicht lesbar',
  post_logout_redirect_uri: 'Die post_logout_redirect_uri ist nicht registriert',
  prompt: 'prompt ist nicht gültig',
  rate_limit: 'Zu viele Anfragen in kurzer Zeit',
  redirect_uri: 'Die redirect_uri fehlt oder ist nicht registriert',
  'token.redirect_uri': 'Die redirect_uri ist eine andere als beim Anfordern des Codes',
  refresh_token: 'Das Refresh-Token ist unbekannt, abgelaufen, widerrufen oder schon verwendet',
  registration: 'Der Parameter registration wird nicht unterstützt',
  request: 'Die Anfrage ist nicht mehr offen',
  request_uri: 'Der Parameter request_uri wird nicht unterstützt',
  resource: 'Die API ist unbekannt, inaktiv oder für die Anwendung nicht erlaubt',
  response_mode: 'Dieser response_mode wird nicht unterstützt',
  response_type: 'Dieser response_type wird nicht unterstützt',
  scope: 'Der Scope ist nicht erlaubt',
  'userinfo.scope': 'Dem Access-Token fehlt der Scope openid',
  session: 'Die Person muss sich anmelden',
  session_cookie: 'Der Browser sendet zwei Sitzungscookies',
  token: 'Der Parameter token fehlt',
  token_endpoint_auth_method: 'Die Anwendung weist sich anders aus als vereinbart',
  token_owner: 'Das Token gehört einer anderen Anwendung',
}

/** The titles by the code of a refusal that concerns a connection. */
export const titlesOfConnections: Readonly<Record<string, string>> = {
  'address-unusable': 'Diese Adresse kann hier nicht verwendet werden',
  'connection-unusable': 'Diese Art der Anmeldung ist nicht verfügbar',
  'identity-provider-refused': 'Der Identitätsanbieter hat die Person nicht angemeldet',
  'link-while-signed-in': 'Die Adresse gehört zu einem Konto, das erst nach einer Anmeldung verknüpft wird',
  'linked-to-another-user': 'Dieses Konto ist mit jemand anderem verknüpft',
  'logout-request-refused': 'Die Anfrage zum Abmelden wurde abgelehnt',
  'logout-token-refused': 'Das Logout-Token wurde abgelehnt',
  'no-account-here': 'Diese Person hat hier kein Konto',
  'no-verified-address': 'Der Identitätsanbieter hat keine bestätigte Adresse genannt',
  'sso-required': 'Für diese Person ist Single Sign-on über eine andere Verbindung vorgeschrieben',
  'too-many-messages': 'Zu viele Nachrichten von Identitätsanbietern werden gerade gelesen',
  'user-blocked': 'Die Person ist gesperrt',
  none: 'Alle Prüfungen sind bestanden',
}

const de: typeof en = {
  titleOf: ({ endpoint, error, check, connectionId, description }) =>
    connectionId === null
      ? (titles[`${endpoint}.${check}`] ?? titles[check] ?? `Der Parameter ${check} ist nicht gültig`)
      : (titlesOfConnections[error] ?? description),
  times: (count) => `${count}-mal`,
}

export default de

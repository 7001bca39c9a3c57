import { germanNames } from '../../../../shared/checks/names-de.ts'
import { inWords } from '../../../../shared/checks/phrases.ts'
import { germanPhrases } from '../../../../shared/checks/phrases-de.ts'
import type en from '../en/refusals.ts'

const de: typeof en = {
  title: 'Diagnose',
  lead: 'Warum OAuth-Anfragen und Anmeldungen über Verbindungen in den letzten sieben Tagen abgelehnt wurden.',
  paste: 'Fehlermeldung einfügen',
  pasteHint: 'Die Kennung darin führt zur Erklärung, zum Beispiel 7k3m-q9td-x2vb.',
  noReference: 'Dieser Text enthält keine Kennung. Eine Kennung sieht so aus: 7k3m-q9td-x2vb.',
  show: 'Anzeigen',
  empty: 'In den letzten sieben Tagen wurde nichts abgelehnt',
  emptyDescription: 'Abgelehnte Anfragen von Anwendungen erscheinen hier mit dem Grund.',
  emptyOfClient: 'Von dieser Anwendung wurde in den letzten sieben Tagen nichts abgelehnt',

  groupAlike: 'Gleiche zusammenfassen',
  live: 'Live',
  what: 'Was abgelehnt wurde',
  nameOf: (code, name) => (code && germanNames[code]) ?? name,
  inWords: (phrased) => inWords(germanPhrases, phrased),
  check: 'Prüfung',
  error: 'Fehler',
  time: 'Zeit',
  application: 'Anwendung',
  unknownApplication: 'Unbekannt',
  connection: 'Verbindung',
  anyConnection: 'Jede Verbindung',
  anyApplication: 'Jede Anwendung',
  anyCheck: 'Jede Prüfung',
  anyError: 'Jeder Fehler',
  anyTime: 'Jederzeit',
  lastHour: 'Letzte Stunde',
  lastDay: 'Letzte 24 Stunden',
  since: (time) => `Seit ${time}`,

  endpoint: 'Endpunkt',
  endpoints: {
    authorize: 'Autorisierung',
    token: 'Token',
    introspect: 'Introspektion',
    revoke: 'Widerruf',
    logout: 'Abmeldung',
    userinfo: 'Benutzerdaten',
    federation: 'Anmeldung über eine Verbindung',
    federation_test: 'Test einer Verbindung',
  },
  reference: 'Kennung',
  comparison: 'Was geprüft wurde',
  expected: 'Erwartet',
  expectedOneOf: 'Erwartet, eines davon',
  received: 'Erhalten',
  outcome: 'Ergebnis',
  passed: 'Bestanden',
  failed: 'Nicht bestanden',
  nothing: 'nichts',
  ends: 'endet hier',
  firstDifference: 'Erster Unterschied',
  nearest: (uri, position, wanted, received) =>
    `Die ähnlichste registrierte URI ist ${uri}. Ab Zeichen ${position} steht dort ${wanted === undefined ? 'nichts mehr' : `„${wanted}“`}, erhalten wurde ${received === undefined ? 'nichts mehr' : `„${received}“`}.`,
  parameters: 'Was gesendet wurde',
  parametersHint: 'Secrets sind unkenntlich.',
  noParameters: 'Keine bekannten Parameter.',

  remedy: 'So beheben Sie es',
  fixes: {
    redirectUris: 'Genau diese Redirect-URI hinzufügen',
    postLogoutRedirectUris: 'Genau diese Abmelde-URI hinzufügen',
    scopes: (scope) => `Scope ${scope} erlauben`,
    grantTypes: (grant) => `Grant ${grant} erlauben`,
    activate: 'Anwendung aktivieren',
    allowedCallbackUrls: 'Zuerst diese URL in der Organisation erlauben',
    allowedLogoutUrls: 'Zuerst diese URL in der Organisation erlauben',
  },
  fixQuestion: (name) => `${name} ändern?`,
  fixOrganisationQuestion: 'Organisation ändern?',
  foreignHost: (host, application) =>
    `${application} hat bisher keine Adresse bei ${host}. Eine solche Anfrage kann jeder senden: Fügen Sie die Adresse nur hinzu, wenn der Host Ihnen gehört.`,
  sends: 'Das wird gesendet:',
  apply: 'Ändern',
  whatActivating: 'Sie erhält wieder Token. Token aus der Zeit vor dem Widerruf bleiben ungültig.',
  outsideCallback:
    'Die Organisation beschränkt Redirect-URIs auf eine Liste, in der diese fehlt. Solange sie dort fehlt, kann keine Anwendung sie registrieren.',
  outsideLogout:
    'Die Organisation beschränkt Abmelde-URIs auf eine Liste, in der diese fehlt. Solange sie dort fehlt, kann keine Anwendung sie registrieren.',
  fixed: 'Behoben',
  fixedDescription: 'Was abgelehnt wurde, ist jetzt erlaubt. Senden Sie die Anfrage noch einmal.',
  tryAgain: 'Anfrage noch einmal senden',
  tryAgainHint:
    'Öffnet dieselbe Autorisierungsanfrage in einem Fenster. Die Antwort geht an die Anwendung; diese lehnt sie vielleicht ab, weil sie nicht danach gefragt hat.',
  notFixable: 'Diese Anwendung gibt es nicht mehr.',
  toSettings: 'Einstellungen der Anwendung',
  snippets: {
    s256: 'PKCE mit S256',
    basic: 'Dieser Header muss gesendet werden',
    public: 'Ohne Secret',
  },

  advice: {
    other: 'Vergleichen Sie die Anfrage mit der Dokumentation des Endpunkts, und ändern Sie sie in der Anwendung.',
    access_token: 'Holen Sie mit dem Refresh-Token ein neues Access-Token, oder lassen Sie die Person sich neu anmelden.',
    authorization: 'Senden Sie das Access-Token im Header „Authorization: Bearer …“, und nur auf einem Weg.',
    'token.authorization': 'Die Person wurde nach der Anfrage gesperrt, oder ihre Anmeldung wurde beendet. Sie muss sich neu anmelden.',
    body: 'Senden Sie ein wohlgeformtes Formular. Prüfen Sie, wie die Anwendung den Body kodiert.',
    client_authentication: 'Senden Sie client_id und Secret auf einem Weg: im Header oder im Formular.',
    acr_values:
      'Die Person kann keine der verlangten Stufen erreichen. Sie muss den Faktor dafür einrichten, oder die Anwendung muss eine niedrigere Stufe verlangen. Lassen Sie prompt=none weg.',
    auth_time:
      'Der Identitätsanbieter hat die Person mit einer älteren Anmeldung durchgelassen, und sie hat keinen anderen Nachweis. Lassen Sie sie einen zweiten Faktor oder einen Passkey einrichten, oder verlangen Sie keine neue Anmeldung.',
    client_id: 'Vergleichen Sie die client_id in der Konfiguration der Anwendung mit der auf ihrer Seite hier. Sie beginnt mit cli_.',
    client_secret:
      'Das Secret in der Konfiguration ist nicht das aktuelle. Tragen Sie es neu ein. Hat es niemand mehr, erneuern Sie es in den Einstellungen der Anwendung.',
    client_state: 'Die Anwendung ist widerrufen. Solange sie nicht aktiviert wird, erhält sie nichts.',
    client_type:
      'Introspektion steht nur Anwendungen mit Secret offen. Fragen Sie mit den Zugangsdaten der API, die das Token erhalten hat.',
    code: 'Ein Code gilt einmal, für wenige Minuten und für die Anwendung, die ihn angefordert hat. Lösen Sie ihn sofort ein, und senden Sie ihn nicht noch einmal.',
    code_challenge: 'Senden Sie mit jeder Autorisierungsanfrage eine code_challenge. Bibliotheken tun das, wenn PKCE eingeschaltet ist.',
    code_challenge_method: 'Bilden Sie die Challenge mit S256.',
    code_verifier:
      'Senden Sie den Verifier, aus dem die code_challenge gebildet wurde. Speichern Sie ihn zwischen den beiden Anfragen in der Sitzung.',
    consent: 'Die Person hat nicht zugestimmt. Lassen Sie prompt=none weg, damit sie gefragt werden kann.',
    content_type: 'Senden Sie den Body als application/x-www-form-urlencoded, nicht als JSON.',
    csrf_token: 'Die Seite war zu lange offen. Melden Sie sich noch einmal ab.',
    grant_type: 'Verwenden Sie einen Grant, den die Anwendung verwenden darf.',
    id_token_hint: 'Senden Sie ein ID-Token, das dieser Dienst für die angemeldete Person ausgestellt hat.',
    max_age: 'Senden Sie max_age als ganze Zahl von Sekunden, oder lassen Sie es weg.',
    organisation: 'Die Organisation ist nicht aktiv. Fragen Sie den Betreiber dieses Dienstes.',
    parameters: 'Senden Sie jeden Parameter einmal und mit höchstens 2.048 Zeichen.',
    post_logout_redirect_uri:
      'Die Adresse muss genau so registriert sein, wie sie gesendet wird. Senden Sie client_id oder id_token_hint daneben.',
    prompt: 'Senden Sie none, login, consent oder select_account; none steht allein.',
    rate_limit:
      'Zu viele solche Anfragen sind fehlgeschlagen. Warten Sie so lange, wie Retry-After sagt, und suchen Sie in der Anwendung nach einer Schleife.',
    redirect_uri: 'Die Adresse muss genau so registriert sein, wie sie gesendet wird. Mit dem Scope openid muss sie gesendet werden.',
    'token.redirect_uri': 'Senden Sie an den Token-Endpunkt dieselbe redirect_uri wie in der Autorisierungsanfrage.',
    refresh_token:
      'Ein Refresh-Token gilt einmal; jede Antwort bringt das nächste. Speichern Sie es, bevor Sie das Access-Token verwenden, und erneuern Sie nie zweimal gleichzeitig.',
    registration: 'Lassen Sie den Parameter registration weg. Er wird nicht unterstützt.',
    request:
      'Die Anmeldung war schon abgeschlossen oder hat zu lange gedauert. Beginnen Sie in der Anwendung neu; ein Lesezeichen auf die Anmeldeseite kann nicht funktionieren.',
    request_uri: 'Lassen Sie den Parameter request_uri weg. Er wird nicht unterstützt.',
    response_mode: 'Senden Sie response_mode als query oder form_post, oder lassen Sie es weg.',
    response_type: 'Senden Sie response_type=code. Der Implicit Flow wird nicht unterstützt.',
    scope: 'Fordern Sie Scopes an, die die Anwendung hat. Eine Erneuerung kann nicht mehr anfordern, als gewährt wurde.',
    'userinfo.scope': 'Fordern Sie in der Autorisierungsanfrage den Scope openid an.',
    session: 'Die Person muss sich anmelden. Ohne prompt=none erscheint die Anmeldeseite von selbst.',
    session_cookie: 'Der Browser hat zwei Sitzungen. Löschen Sie die Cookies dieses Dienstes, und melden Sie sich neu an.',
    token: 'Senden Sie das Token im Parameter token.',
    token_endpoint_auth_method: 'Eine Anwendung mit Secret muss es senden; eine ohne darf keines senden.',
    token_owner: 'Widerrufen Sie ein Token mit den Zugangsdaten der Anwendung, die es erhalten hat.',
  },
}

export default de

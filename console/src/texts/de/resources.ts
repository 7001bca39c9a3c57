import type en from '../en/resources.ts'

export default {
  count: (count) => (count === 1 ? '1 API' : `${count} APIs`),
  register: 'API anlegen',
  empty: 'Noch keine APIs',
  emptyDescription:
    'Eine eigene API erhält Zugriffstoken, die nur für sie gelten, mit eigenen Scopes. Anwendungen fordern sie über ihre Kennung an.',
  state: 'Zustand',
  on: 'An',
  off: 'Aus',
  identifierHint: 'Die Adresse der API, etwa https://api.example.com/orders. Token nennen sie, und sie ändert sich nie.',

  overview: 'Übersicht',
  scopes: 'Scopes',
  applications: 'Anwendungen',
  metadata: 'Metadaten',
  claims: 'Claims',
  history: 'Verlauf',

  settings: 'Einstellungen',
  scopesTitle: 'Was Anwendungen hier erlaubt werden kann',
  scopesDescription:
    'Eine Anwendung darf die anfordern, die ihre eigenen Scopes nennen. Die Beschreibungen stehen auf der Einwilligungsseite.',
  scopesHint: 'Je Zeile einer: sein Name, ein Leerzeichen und was er erlaubt.',
  mayAskForScope: (count, formatted) => (count === 1 ? '1 Anwendung darf ihn anfordern' : `${formatted} Anwendungen dürfen ihn anfordern`),
  removeScopesQuestion: (count) => (count === 1 ? 'Einen verwendeten Scope entfernen?' : `${count} verwendete Scopes entfernen?`),
  removeAnyScopesQuestion: (count) => (count === 1 ? 'Einen Scope entfernen?' : `${count} Scopes entfernen?`),
  removeScopesEffect: (count) =>
    count === 1
      ? 'Anwendungen können ihn nicht mehr anfordern. Schon ausgestellte Token behalten ihn, bis sie ablaufen.'
      : 'Anwendungen können sie nicht mehr anfordern. Schon ausgestellte Token behalten sie, bis sie ablaufen.',
  fields: {
    name: 'Name',
    identifier: 'Kennung',
    accessTokenLifetime: 'Gültigkeit der Zugriffstoken',
    accessTokenSigningAlg: 'Signatur',
    allowsAutomaticClients: 'Anwendungen, die sich selbst vorstellen, dürfen danach fragen',
    includeAuthenticationContext: 'Token sagen, wie und wann sich Benutzer angemeldet haben',
    requireDpop: 'Ihre Token sind an einen Schlüssel der Anwendung gebunden',
    scopes: 'Scopes',
  },
  requireDpopHint:
    'Ohne Nachweis eines Schlüssels (DPoP) erhält eine Anwendung kein Token dafür. Nur wirksam, wenn der Betreiber dpop eingeschaltet hat.',
  followsApplication: 'Wie die Anwendung',

  mayAsk: 'Anwendungen, die sie anfordern dürfen',
  mayAskDescription: 'Diese erhalten Token für diese API, wenn sie sie als resource nennen.',
  noApplications: 'Noch keine Anwendung',
  allow: 'Erlauben',
  allowName: (name) => `${name} erlauben`,
  takeAway: 'Entziehen',
  takeAwayFrom: (name) => `${name} entziehen`,
  isAllowed: 'Darf sie anfordern',
  isNotAllowed: 'Nicht erlaubt',
  isDefault: 'Ihre Vorgabe',
  makeDefault: 'Zur Vorgabe machen',
  makeDefaultOf: (name) => `Zur Vorgabe machen für ${name}`,
  noDefault: 'Nicht mehr Vorgabe',
  noDefaultOf: (name) => `Nicht mehr Vorgabe von ${name}`,
  mayIntrospect: 'Darf ihre Token introspizieren',
  letIntrospect: 'Introspektion erlauben',
  letIntrospectName: (name) => `Introspektion erlauben für ${name}`,
  endIntrospection: 'Introspektion entziehen',
  endIntrospectionOf: (name) => `Introspektion entziehen für ${name}`,

  publish: 'Was die API veröffentlicht',
  publishDescription: 'Clients wie die von MCP finden diesen Server über ein Dokument, das die API selbst ausliefert.',
  documentAt: 'Adresse des Dokuments',
  document: 'Das Dokument',
  header: 'WWW-Authenticate ihrer Antworten mit Status 401',

  addMcpServer: 'MCP-Server hinzufügen',
  mcpDescription:
    'Agenten finden zu diesem Dienst durch das, was der MCP-Server selbst antwortet. Diese Seite fragt ihn, was sie fragen, und sagt, was falsch ist.',
  mcpAddress: 'Adresse des MCP-Servers',
  mcpAddressHint: 'Wie Agenten sie erhalten, etwa https://mcp.example.com/notes. Sie wird die Kennung und ändert sich nie.',
  checkIt: 'Server prüfen',
  whatItAnswers: 'Was der Server antwortet',
  leadsHere: 'Seine Antworten führen Agenten hierher',
  doesNotLeadHere: 'Agenten finden nicht hierher, bis der Server antwortet, wie er soll',
  outcomes: { met: 'Richtig', unmet: 'Falsch', 'not-checked': 'Nicht geprüft' },
  mcpChecks: {
    'refuses-without-token': {
      title: 'Er weist eine Anfrage ohne Token ab',
      remedy: 'Lassen Sie ihn das Token jeder Anfrage prüfen und ohne Token mit 401 antworten. Er muss für diesen Dienst erreichbar sein.',
    },
    'names-its-metadata': {
      title: 'Die Abweisung nennt, wo seine Metadaten sind',
      remedy: 'Fügen Sie der Abweisung diesen Header WWW-Authenticate hinzu.',
    },
    'publishes-its-metadata': {
      title: 'Er veröffentlicht seine Metadaten',
      remedy: 'Liefern Sie das Dokument unter dieser Adresse aus, als JSON-Objekt und ohne Weiterleitung.',
    },
    'names-itself': {
      title: 'Das Dokument nennt genau diese Adresse',
      remedy: 'Agenten vergleichen die Adresse als Text: Schreiben Sie sie als resource, ohne weiteren Schrägstrich oder Port.',
    },
    'names-this-issuer': {
      title: 'Das Dokument nennt diesen Dienst',
      remedy: 'Nennen Sie diesen Dienst in authorization_servers, genau so.',
    },
  },
  expected: 'Erwartet',
  received: 'Erhalten',
  nothing: 'Nichts',
  addIt: 'Als API anlegen',
  addItDescription: 'Er kann angelegt werden, bevor er antwortet, wie er soll.',
  automaticHint:
    'Agenten, die kein Administrator angelegt hat. Der Host muss eine bestätigte Domain sein und der Dienst eine Erweiterung für sie haben.',

  switchOn: 'Einschalten',
  switchOff: 'Ausschalten',
  offQuestion: (name) => `${name} ausschalten?`,
  offEffect: 'Ihre Zugriffstoken enden sofort und endgültig, und es werden keine ausgestellt. Refresh-Token gelten für andere APIs weiter.',
  remove: 'Löschen',
  removeQuestion: (name) => `${name} löschen?`,
  removeName: (name) => `${name} löschen`,
  removeEffect: 'Ihre Zugriffstoken enden sofort, und keine Anwendung darf sie mehr anfordern.',
} satisfies typeof en

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
  fields: {
    name: 'Name',
    identifier: 'Kennung',
    accessTokenLifetime: 'Gültigkeit der Zugriffstoken',
    accessTokenSigningAlg: 'Signatur',
    allowsAutomaticClients: 'Anwendungen, die sich selbst vorstellen, dürfen danach fragen',
    includeAuthenticationContext: 'Token sagen, wie und wann sich Benutzer angemeldet haben',
    scopes: 'Scopes',
  },
  followsApplication: 'Wie die Anwendung',

  mayAsk: 'Anwendungen, die sie anfordern dürfen',
  mayAskDescription: 'Diese erhalten Token für diese API, wenn sie sie als resource nennen.',
  noApplications: 'Noch keine Anwendung',
  allow: 'Erlauben',
  allowName: (name) => `${name} erlauben`,
  takeAway: 'Entziehen',
  takeAwayFrom: (name) => `${name} entziehen`,
  isAllowed: 'Darf sie anfordern',
  isDefault: 'Ihre Vorgabe',
  moreApplications: 'Die ersten 100 Anwendungen werden gezeigt.',

  publish: 'Was die API veröffentlicht',
  publishDescription: 'Clients wie die von MCP finden diesen Server über ein Dokument, das die API selbst ausliefert.',
  documentAt: 'Adresse des Dokuments',
  document: 'Das Dokument',
  header: 'WWW-Authenticate ihrer Antworten mit Status 401',

  switchOn: 'Einschalten',
  switchOff: 'Ausschalten',
  offQuestion: (name) => `${name} ausschalten?`,
  offEffect: 'Ihre Zugriffstoken enden sofort und endgültig, und es werden keine ausgestellt. Refresh-Token gelten für andere APIs weiter.',
  remove: 'Löschen',
  removeQuestion: (name) => `${name} löschen?`,
  removeName: (name) => `${name} löschen`,
  removeEffect: 'Ihre Zugriffstoken enden sofort, und keine Anwendung darf sie mehr anfordern.',
} satisfies typeof en

import type en from '../en/applications.ts'

const de: typeof en = {
  title: 'Anwendungen',
  count: (count, formatted) => (count === 1 ? '1 Anwendung' : `${formatted} Anwendungen`),
  search: 'Name oder Client-ID',
  create: 'Anwendung anlegen',
  empty: 'Noch keine Anwendung',
  emptyDescription:
    'Eine Anwendung schickt ihre Benutzer zur Anmeldung hierher oder holt Tokens für sich selbst (OAuth 2.1, OpenID Connect).',

  name: 'Name',
  clientId: 'Client-ID',
  redirectHost: 'Leitet zu',
  lastUsed: 'Zuletzt benutzt',
  state: 'Zustand',
  active: 'Aktiv',
  revoked: 'Widerrufen',
  kinds: {
    web: 'Webanwendung mit Server',
    browser: 'Single-Page-Anwendung',
    native: 'Mobile oder Desktop-Anwendung',
    service: 'Dienst, der für sich selbst handelt',
  },
  kindHints: {
    web: 'Ihr Server bewahrt ein Geheimnis und meldet Benutzer an.',
    browser: 'Läuft nur im Browser, ohne Geheimnis.',
    native: 'Läuft auf dem Gerät des Benutzers, ohne Geheimnis.',
    service: 'Kein Benutzer ist beteiligt: Er handelt mit eigenen Rechten.',
  },
  more: (count) => `und ${count} weitere`,

  actionsFor: (name) => `Aktionen für ${name}`,
  revoke: 'Widerrufen',
  revokeName: (name) => `${name} widerrufen`,
  revokeQuestion: (name) => `${name} widerrufen?`,
  ends: (users, shown, tokens, shownTokens) =>
    users === 0
      ? 'Zurzeit kann sie für niemanden handeln.'
      : `Sie kann jetzt für ${users === 1 ? '1 Benutzer' : `${shown} Benutzer`} handeln. ${tokens === 1 ? '1 Refresh-Token endet' : `${shownTokens} Refresh-Tokens enden`}.`,
  endsConsents: (count, shown) => (count === 1 ? '1 Zustimmung geht verloren.' : `${shown} Zustimmungen gehen verloren.`),
  revokeEffect:
    'Niemand kann sich mehr bei ihr anmelden, und alle ihre Tokens sind sofort ungültig. Sie lässt sich wieder aktivieren; die Tokens bleiben ungültig.',
  activate: 'Aktivieren',
  activateName: (name) => `${name} aktivieren`,
  activateQuestion: (name) => `${name} aktivieren?`,
  activateEffect: 'Sie erhält wieder Tokens, mit demselben Geheimnis. Frühere Tokens bleiben ungültig: Ihre Benutzer melden sich neu an.',
  delete: 'Löschen',
  deleteName: (name) => `${name} löschen`,
  deleteQuestion: (name) => `${name} löschen?`,
  deleteEffect:
    'Sie funktioniert sofort nicht mehr, mit allen ihren Tokens und Zustimmungen. Das lässt sich nicht rückgängig machen: Wer sie neu anlegt, erhält eine andere Client-ID.',

  newTitle: 'Anwendung anlegen',
  newDescription: 'Sagen Sie, was Sie bauen. Sie erhalten den Code, der Benutzer anmeldet, mit allen Werten.',
  whatDoYouBuild: 'Was bauen Sie?',
  withWhat: 'Womit?',
  anyOther: 'Oder jede Bibliothek für OpenID Connect.',
  signedBy: (algorithm) => `ID-Tokens werden mit ${algorithm} signiert, da das Framework Ed25519 nicht kennt.`,
  nameHint: 'Benutzer sehen ihn, wenn sie um ihre Zustimmung gebeten werden.',
  redirectUris: 'Redirect-URIs',
  redirectUri: (number) => `Redirect-URI ${number}`,
  redirectUrisHint:
    'Wohin der Browser nach einer Anmeldung zurückkehren darf, Zeichen für Zeichen. Sie können mehrere auf einmal einfügen.',

  created: (name) => `${name} kann verbunden werden`,
  createdDescription: 'Kopieren Sie den Code und probieren Sie die Anmeldung aus. Das Geheimnis steht darin, bis Sie die Seite verlassen.',
  createdWithoutSecret: 'Kopieren Sie den Code und probieren Sie die Anmeldung aus.',
  secretTitle: 'Das Geheimnis der Anwendung',
  secretDescription:
    'Es wird nur dieses eine Mal gezeigt. Die Anwendung weist sich damit aus: Es gehört auf ihren Server und nicht in ihren Code.',
  tryIt: 'Ausprobieren',
  toApplication: 'Anwendung öffnen',

  connectTitle: 'Was eine Bibliothek wissen will',
  issuer: 'Aussteller (Issuer)',
  discovery: 'Discovery-Dokument',
  redirectsTo: 'Redirect-URIs',
  codeTitle: 'Code',
  framework: 'Framework',
  copyAll: 'Alles kopieren',
  copiedAll: 'Kopiert',
  environment: '.env, gehört nicht in das Repository',
  secretPlaceholder: 'das Geheimnis der Anwendung',
  secretMissing: 'Das Geheimnis wurde einmal gezeigt und ist nicht mehr lesbar. In den Einstellungen erzeugen Sie ein neues.',
  needsAlgorithm: (framework, algorithm) =>
    `${framework} kennt Ed25519 nicht. Lassen Sie ID-Tokens mit ${algorithm} signieren: in den Einstellungen.`,
  toSettings: 'Zu den Einstellungen',
}

export default de

import type en from '../en/applications.ts'

const de: typeof en = {
  title: 'Anwendungen',
  registrationTokens: 'Registrierungstoken',
  count: (count, formatted) => (count === 1 ? '1 Anwendung' : `${formatted} Anwendungen`),
  search: 'Name oder Client-ID',
  create: 'Anwendung anlegen',
  empty: 'Noch keine Anwendung',
  emptyDescription:
    'Eine Anwendung schickt ihre Benutzer zur Anmeldung hierher oder holt Token für sich selbst (OAuth 2.1, OpenID Connect).',

  name: 'Name',
  clientId: 'Client-ID',
  redirectHost: 'Leitet zu',
  lastUsed: 'Zuletzt verwendet',
  firstSeen: 'Zuerst gesehen',
  origin: 'Herkunft',
  anyOrigin: 'Jede Herkunft',
  origins: {
    admin: 'Von einem Administrator registriert',
    registration: 'Hat sich selbst registriert',
    metadata_document: 'Hat sich durch ein Dokument vorgestellt',
  },
  state: 'Status',
  active: 'Aktiv',
  revoked: 'Widerrufen',
  kinds: {
    web: 'Webanwendung mit Server',
    browser: 'Single-Page-Anwendung',
    native: 'Mobile oder Desktop-Anwendung',
    service: 'Dienst, der für sich selbst handelt',
    highAssurance: 'Hohe Sicherheit (FAPI 2.0)',
  },
  automatic: { metadata_document: (host) => `Von ${host}, durch ihr Dokument`, registration: 'Hat sich selbst registriert' },
  device: 'Gerät ohne Browser',
  kindHints: {
    web: 'Ihr Server verwahrt ein Secret und meldet Benutzer an.',
    browser: 'Läuft nur im Browser, ohne Secret.',
    native: 'Läuft auf dem Gerät des Benutzers, ohne Secret.',
    service: 'Handelt ohne Benutzer, mit eigenen Berechtigungen.',
    highAssurance: 'Ihr Server signiert mit einem Schlüssel, wie Banken und Gesundheitsdienste es verlangen.',
  },
  more: (count) => `und ${count} weitere`,

  actionsFor: (name) => `Aktionen für ${name}`,
  revoke: 'Widerrufen',
  revokeName: (name) => `${name} widerrufen`,
  revokeQuestion: (name) => `${name} widerrufen?`,
  ends: (users, shown, tokens, shownTokens) =>
    users === 0
      ? 'Zurzeit kann sie für keinen Benutzer handeln.'
      : `Sie kann jetzt für ${users === 1 ? '1 Benutzer' : `${shown} Benutzer`} handeln. ${tokens === 1 ? '1 Refresh-Token wird ungültig' : `${shownTokens} Refresh-Token werden ungültig`}.`,
  endsConsents: (count, shown) => (count === 1 ? '1 Zustimmung geht verloren.' : `${shown} Zustimmungen gehen verloren.`),
  block: 'Host sperren',
  blockName: (host) => `${host} sperren`,
  blockQuestion: (host) => `Anwendungen von ${host} sperren?`,
  blockEffect:
    'Alle Anwendungen, deren Dokumente von diesem Host sind, werden gesperrt, und ihre Token gelten sofort nicht mehr. Seine Dokumente werden abgelehnt, bis Sie ihn wieder zulassen.',
  blockedHosts: 'Gesperrte Hosts',
  blockedHostsDescription: 'Dokumente dieser Hosts werden abgelehnt. Gesperrte Anwendungen bleiben gesperrt, bis Sie sie wieder freigeben.',
  unblock: 'Wieder zulassen',
  unblockName: (host) => `${host} wieder zulassen`,
  revokeEffect:
    'Bei ihr kann sich niemand mehr anmelden, und ihre Token werden sofort ungültig. Sie lässt sich wieder aktivieren, die Token bleiben aber ungültig.',
  activate: 'Aktivieren',
  activateName: (name) => `${name} aktivieren`,
  activateQuestion: (name) => `${name} aktivieren?`,
  activateEffect: 'Sie erhält mit demselben Secret wieder Token. Frühere Token bleiben ungültig: Ihre Benutzer müssen sich neu anmelden.',
  delete: 'Löschen',
  deleteName: (name) => `${name} löschen`,
  deleteQuestion: (name) => `${name} löschen?`,
  deleteEffect:
    'Sie funktioniert sofort nicht mehr; ihre Token und Zustimmungen gehen verloren. Das lässt sich nicht rückgängig machen: Eine neu angelegte Anwendung hat eine andere Client-ID.',

  newTitle: 'Anwendung anlegen',
  newDescription: 'Wählen Sie, was Sie bauen. Sie erhalten fertigen Code für die Anmeldung, mit allen Werten.',
  whatDoYouBuild: 'Was bauen Sie?',
  withWhat: 'Womit?',
  anyOther: 'Oder jede andere Bibliothek für OpenID Connect.',
  signedBy: (algorithm) => `ID-Token werden mit ${algorithm} signiert, da das Framework Ed25519 nicht unterstützt.`,
  nameHint: 'Benutzer sehen ihn, wenn sie um ihre Zustimmung gebeten werden.',
  redirectUris: 'Redirect-URIs',
  redirectUri: (number) => `Redirect-URI ${number}`,
  redirectUrisHint:
    'Wohin der Browser nach der Anmeldung zurückkehren darf. Die Adresse muss Zeichen für Zeichen stimmen. Sie können mehrere auf einmal einfügen.',

  created: (name) => `${name} kann verbunden werden`,
  createdDescription: 'Kopieren Sie den Code und probieren Sie die Anmeldung aus. Das Secret steht darin, bis Sie die Seite verlassen.',
  createdWithoutSecret: 'Kopieren Sie den Code und probieren Sie die Anmeldung aus.',
  createdWithKey: 'Bewahren Sie die Datei mit dem privaten Schlüssel auf, kopieren Sie den Code und probieren Sie die Anmeldung aus.',
  keyTitle: 'Der private Schlüssel der Anwendung',
  keyDescription:
    'Er ist in diesem Browser entstanden und als Datei gespeichert; gesendet wurde er nirgendwohin. Speichern können Sie ihn, bis Sie diese Seite verlassen. Ist er verloren, erzeugen Sie unter „Sicherheit“ einen neuen.',
  saveKeyAgain: 'Datei noch einmal speichern',
  secretTitle: 'Das Secret der Anwendung',
  secretDescription:
    'Es wird nur dieses eine Mal angezeigt. Die Anwendung weist sich damit aus: Es gehört auf ihren Server und nicht in ihren Code.',
  tryIt: 'Ausprobieren',
  toApplication: 'Anwendung öffnen',

  connectTitle: 'Angaben für Ihre Bibliothek',
  issuer: 'Aussteller (Issuer)',
  discovery: 'Discovery-Dokument',
  redirectsTo: 'Redirect-URIs',
  codeTitle: 'Code',
  noCode:
    'Für eine Anwendung, die ihre Token auf diesem Weg bekommt, gibt es hier keinen Code. Ihre Bibliothek findet die Endpunkte im Discovery-Dokument; was sie verwenden darf, steht unter Sicherheit und Einstellungen.',
  framework: 'Framework',
  copyAll: 'Alles kopieren',
  copiedAll: 'Kopiert',
  environment: '.env, gehört nicht ins Repository',
  secretPlaceholder: 'das Secret der Anwendung',
  secretMissing: 'Das Secret wurde nur einmal angezeigt. In den Einstellungen können Sie es erneuern.',
  keyFile: (name) =>
    `Der Code liest den privaten Schlüssel aus ${name} im selben Ordner. Diese Datei wurde gespeichert, als der Schlüssel entstand. Für einen anderen Schlüssel als P-256 passen Sie die Zeilen an, die ihn lesen.`,
  needsAlgorithm: (framework, algorithm) =>
    `${framework} unterstützt Ed25519 nicht. Wählen Sie in den Einstellungen ${algorithm} für die Signatur der ID-Token.`,
  toSettings: 'Zu den Einstellungen',
}

export default de

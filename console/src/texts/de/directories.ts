import { reasonInWords } from '../../../../shared/directory-mistakes/texts.ts'
import { germanDirectoryMistakes } from '../../../../shared/directory-mistakes/texts-de.ts'
import type en from '../en/directories.ts'

const users = (count: number) => `${count} Benutzer`

export default {
  count: (count) => (count === 1 ? '1 Verzeichnis' : `${count} Verzeichnisse`),
  connect: 'Verzeichnis anbinden',
  empty: 'Noch keine Verzeichnisse',
  emptyDescription:
    'Das Verzeichnis Ihrer Firma kann Benutzer hier per SCIM anlegen, ändern und deaktivieren: Wer anfängt, ist am ersten Tag da, und wer geht, ist sofort draußen.',
  kind: 'Verzeichnis',
  kinds: { entra: 'Microsoft Entra ID', okta: 'Okta', google: 'Google Workspace', other: 'Ein anderes' },
  state: 'Zustand',
  on: 'Ein',
  off: 'Aus',
  failing: 'Scheitert',
  reasonOf: (reason) => reasonInWords(germanDirectoryMistakes, reason),
  managed: 'Benutzer',
  lastRequest: 'Letzte Anfrage',

  overview: 'Übersicht',
  requests: 'Anfragen',
  groups: 'Gruppen',
  settings: 'Einstellungen',
  history: 'Verlauf',

  connection: 'Anbinden',
  connectionDescription: 'Geben Sie dem Verzeichnis diese Adresse und ein Token.',
  baseUrl: 'Adresse',
  guide: 'Ihr Verzeichnis',
  steps: {
    entra: [
      'Öffnen Sie im Entra Admin Center die Unternehmensanwendungen, erstellen Sie eine eigene Anwendung und wählen Sie Bereitstellung.',
      'Stellen Sie den Modus auf Automatisch. Fügen Sie die Adresse als Mandanten-URL und ein Token als geheimes Token ein, und wählen Sie Verbindung testen.',
      'Weisen Sie Benutzer und Gruppen zu, und starten Sie die Bereitstellung. Entra schickt Änderungen etwa alle 40 Minuten.',
    ],
    okta: [
      'Fügen Sie in der Okta Admin Console die Anwendung „SCIM 2.0 Test App (OAuth Bearer Token)“ hinzu, oder schalten Sie SCIM in Ihrer eigenen ein.',
      'Fügen Sie unter Provisioning die Adresse als Base URL und ein Token als OAuth Bearer Token ein, und wählen Sie Test API Credentials.',
      'Schalten Sie Create Users, Update User Attributes und Deactivate Users ein, und weisen Sie Personen zu. Gruppen schickt Push Groups.',
    ],
    google: [
      'Öffnen Sie in der Google Admin-Konsole Apps, Web- und mobile Apps und die SAML-Anwendung, deren Benutzer geschickt werden sollen.',
      'Fügen Sie unter Automatische Nutzerverwaltung ein Token als Zugriffstoken und die Adresse als Endpunkt-URL ein.',
      'Ordnen Sie die Attribute zu, wählen Sie die Gruppen, deren Benutzer geschickt werden, und schalten Sie die Nutzerverwaltung ein. Google schickt diese Benutzer und keine Gruppen.',
    ],
    other: [
      'Fügen Sie die Adresse dort ein, wo das Verzeichnis nach Base URL, SCIM-Endpunkt oder Tenant URL fragt.',
      'Fügen Sie ein Token dort ein, wo es nach Bearer Token, API-Token oder Geheimnis fragt.',
      'Wählen Sie userName als eindeutiges Feld, und lassen Sie active, emails, name und, wenn Sie Teams möchten, Gruppen schicken.',
    ],
  },
  newDescription: 'Ein Name, ein Token, was wo einzufügen ist, und dann wartet diese Seite auf die erste Anfrage.',
  attributesTitle: 'Was es schicken muss',
  copyAttributes: 'Attribute kopieren',
  attribute: 'Attribut',
  attributeFrom: 'Aus',
  attributePurpose: 'Wofür',
  attributes: {
    userName: {
      entra: 'userPrincipalName',
      okta: 'userName',
      google: 'Primäre E-Mail-Adresse',
      other: 'dem Namen, mit dem sich Benutzer anmelden',
    },
    externalId: { entra: 'objectId', okta: 'externalId', google: 'Eindeutige ID', other: 'einer ID, die sich nie ändert' },
    active: {
      entra: 'Switch([IsSoftDeleted], , "False", "True", "True", "False")',
      okta: 'Deactivate Users',
      google: 'wird von selbst geschickt',
      other: 'ob sie sich anmelden dürfen',
    },
    'emails[type eq "work"].value': {
      entra: 'mail',
      okta: 'email',
      google: 'Primäre E-Mail-Adresse',
      other: 'der Adresse, aus einer nachgewiesenen Domain',
    },
    'name.givenName': { entra: 'givenName', okta: 'firstName', google: 'Vorname', other: 'dem Vornamen' },
    'name.familyName': { entra: 'surname', okta: 'lastName', google: 'Nachname', other: 'dem Nachnamen' },
  },
  attributePurposes: {
    userName: 'Wie das Verzeichnis den Benutzer nennt',
    externalId: 'Findet ihn nach jeder anderen Änderung wieder',
    active: 'Sperrt sofort, wer geht',
    'emails[type eq "work"].value': 'Die Adresse, mit der er sich hier anmeldet',
    'name.givenName': 'Vorname',
    'name.familyName': 'Nachname',
  },
  arrivedTitle: 'Was angekommen ist',
  arrivedDescription: 'Die letzten Anfragen, die neueste zuerst.',
  openIt: (name) => `${name} öffnen`,
  waiting: 'Die erste Anfrage steht noch aus',
  waitingDescription: 'Diese Seite merkt von selbst, wenn das Verzeichnis sich meldet.',
  arrived: (when) => `Die letzte Anfrage kam ${when}`,
  refused: (when) => `Anfragen werden abgelehnt; die letzte kam ${when}`,
  failingSince: (since) => `Scheitert, erstmals ${since}`,
  seeRequests: 'Anfragen ansehen',
  manages: 'Was es verwaltet',
  usersOf: users,
  groupsOf: (count) => (count === 1 ? '1 Gruppe' : `${count} Gruppen`),

  tokens: 'Token',
  tokensDescription: 'Höchstens zwei gelten zugleich, damit eines das andere ohne Lücke ersetzen kann.',
  noToken: 'Es gibt noch kein Token: Das Verzeichnis kann sich nicht melden.',
  token: 'Token',
  expires: 'Läuft ab',
  expired: 'Abgelaufen',
  lastUsed: 'Zuletzt benutzt',
  createToken: 'Token erstellen',
  tokenQuestion: 'Ein Token erstellen?',
  tokenEffect: 'Wer es hat, bestimmt, wer die Benutzer dieses Verzeichnisses sind. Es wird nur einmal gezeigt.',
  lifetime: 'Läuft ab nach',
  lifetimes: { '90': '90 Tagen', '365': 'Einem Jahr', '730': 'Zwei Jahren', never: 'Nie' },
  former: 'Bisherige Token',
  formers: { stay: 'Bleiben, wie sie sind', '0': 'Enden sofort', '86400': 'Enden nach einem Tag', '604800': 'Enden nach einer Woche' },
  tokenMade: 'Das neue Token',
  tokenDescription: 'Fügen Sie es jetzt im Verzeichnis ein: Es lässt sich nicht noch einmal anzeigen.',
  endToken: 'Beenden',
  endTokenOf: (prefix) => `Das Token ${prefix}… beenden`,
  endQuestion: (prefix) => `Das Token ${prefix}… beenden?`,
  endEffect: 'Anfragen damit werden ab sofort abgelehnt.',

  noRequests: 'Noch keine Anfragen',
  noRequestsDescription: 'Jede Anfrage mit einem gültigen Token steht hier sieben Tage lang, mit unkenntlichen Werten; überzählige nicht.',
  when: 'Wann',
  request: 'Anfrage',
  result: 'Ergebnis',
  detail: 'Warum',
  outcome: 'Ergebnis',
  anyOutcome: 'Jedes Ergebnis',
  outcomes: { accepted: 'Angenommen', refused: 'Abgelehnt' },
  method: 'Methode',
  anyMethod: 'Jede Methode',
  sent: 'Was geschickt wurde',
  answered: 'Was geantwortet wurde',
  filter: 'Filter',
  from: 'Von',
  took: 'Dauer',
  milliseconds: (count) => `${count} ms`,
  masked: 'Werte sind unkenntlich; die Namen der Attribute und der Aufbau sind, wie sie kamen.',
  tryRequest: 'Eine Anfrage ausprobieren',
  tryAgain: 'Eine solche Anfrage ausprobieren',
  tryIt: 'Ausprobieren',
  tryDescription:
    'Die Anfrage wird ausgeführt, als käme sie vom Verzeichnis, und gleich zurückgenommen: Es bleibt nichts als ein Eintrag im Protokoll.',
  path: 'Pfad',
  pathHint: 'Was auf die Adresse des Verzeichnisses folgt, mit den Parametern, oder die ganze Adresse',
  body: 'Inhalt',
  bodyHint:
    'JSON, wie das Verzeichnis es schickt. Was die Liste zeigt, ist unkenntlich: Kopieren Sie es aus dem Protokoll des Verzeichnisses.',
  noJson: 'Das ist kein JSON',
  wouldGet: 'Das Verzeichnis bekäme',
  wouldChangeNothing: 'Es würde sich nichts ändern.',
  wouldRecord: (count) => (count === 1 ? 'Im Protokoll stünde:' : `Im Protokoll stünde, in ${count} Einträgen:`),
  onlyFirst: (count) => `Das sind die ersten ${count}.`,

  mappings: 'Rollen und Teams für Gruppen',
  mappingsDescription:
    'Was die Mitglieder einer Gruppe bekommen, solange sie darin sind. Was ihnen eine Rolle oder ein Team außerdem gibt, bleibt.',
  mappingsQuestion: (name) => `Ändern, was die Gruppen von ${name} geben?`,
  mappingsEffect:
    'Mitglieder bekommen und verlieren diese Rollen und Teams sofort. Das eigene Team einer Gruppe entfällt, wenn sie Teams zugeordnet wird und niemand anders darin ist. Wer das Verzeichnis kontrolliert, bestimmt, wer in einer Gruppe ist und damit hat, was sie gibt.',
  impactNothing: 'Kein Mitglied bekommt oder verliert jetzt etwas.',
  impactRole: {
    gains: (role, count, formatted) =>
      count === 1 ? `1 Benutzer bekommt die Rolle ${role}.` : `${formatted} Benutzer bekommen die Rolle ${role}.`,
    losses: (role, count, formatted) =>
      count === 1 ? `1 Benutzer verliert die Rolle ${role}.` : `${formatted} Benutzer verlieren die Rolle ${role}.`,
  },
  impactTeam: {
    gains: (team, count, formatted) =>
      count === 1 ? `1 Benutzer kommt ins Team ${team}.` : `${formatted} Benutzer kommen ins Team ${team}.`,
    losses: (team, count, formatted) =>
      count === 1 ? `1 Benutzer verlässt das Team ${team}.` : `${formatted} Benutzer verlassen das Team ${team}.`,
  },
  impactFurther: (count, formatted) => (count === 1 ? 'Eins mehr ändert sich.' : `${formatted} mehr ändern sich.`),
  settingsQuestion: (name) => `Ändern, was ${name} tut?`,
  groupsEffect: {
    teams: 'Gruppen ohne Team bekommen je eines, mit ihren Mitgliedern.',
    mappings_only: 'Benutzer verlassen diese Teams sofort. Die Teams selbst bleiben.',
  },
  deletesEffect:
    'Benutzer, die das Verzeichnis von da an löscht, werden auch hier gelöscht. Ihre Adressen bleiben reserviert und lassen sich nicht noch einmal schicken.',
  noMappings: 'Noch gibt keine Gruppe eine Rolle.',
  groupBy: 'Genannt nach',
  groupNames: { displayName: 'Name', externalId: 'ID im Verzeichnis' },
  group: 'Gruppe',
  givesRoles: 'Rollen',
  givesTeams: 'Teams',
  addMapping: 'Gruppe hinzufügen',

  fields: {
    name: 'Name',
    userMatch: 'Erste Anmeldung',
    connectionId: 'Verbindung',
    emailChanges: 'Änderungen von Adressen',
    deletes: 'Benutzer, die es löscht',
    groups: 'Gruppen',
    groupMappings: 'Rollen und Teams für Gruppen',
  },
  choices: {
    userMatch: {
      email: 'Benutzer werden an ihrer Adresse erkannt',
      externalId: 'Benutzer werden an ihrer ID bei einer Verbindung erkannt',
    },
    emailChanges: {
      verified_domains: 'Innerhalb nachgewiesener Domains angenommen',
      refuse: 'Abgelehnt',
    },
    deletes: {
      block: 'Werden gesperrt und wiedergefunden, wenn sie noch einmal geschickt werden',
      delete: 'Werden gelöscht',
    },
    groups: {
      teams: 'Jede Gruppe ist ein Team',
      mappings_only: 'Nur zugeordnete Gruppen wirken',
    },
  },

  switchOff: 'Ausschalten',
  switchOn: 'Einschalten',
  offQuestion: (name) => `${name} ausschalten?`,
  offEffect: (count) =>
    count === 0
      ? 'Seine Anfragen werden abgelehnt.'
      : `Seine Anfragen werden abgelehnt. ${count === 1 ? '1 Benutzer bleibt, wie er ist' : `${count} Benutzer bleiben, wie sie sind`}.`,
  remove: 'Löschen',
  removeQuestion: (name) => `${name} löschen?`,
  removeName: (name) => `${name} löschen`,
  removeEffect: (count) =>
    count === 0
      ? 'Seine Token gelten dann nicht mehr.'
      : `Seine Token gelten dann nicht mehr. ${
          count === 1
            ? '1 Benutzer bleibt, wird von da an von Administratoren verwaltet und verliert'
            : `${count} Benutzer bleiben, werden von da an von Administratoren verwaltet und verlieren`
        } die Rollen und Teams, die nur das Verzeichnis gab.`,
} satisfies typeof en

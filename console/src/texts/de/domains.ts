import type en from '../en/domains.ts'

const de: typeof en = {
  count: (count) => (count === 1 ? '1 Domain' : `${count} Domains`),
  add: 'Domain hinzufügen',
  empty: 'Noch keine Domains',
  emptyDescription:
    'Sobald Sie nachgewiesen haben, dass eine Domain Ihnen gehört, bestimmen Sie, wie sich alle mit einer Adresse dieser Domain anmelden: etwa nur per Single Sign-on über Ihren Identitätsanbieter.',

  domain: 'Domain',
  domainHint: 'Was in den Adressen Ihrer Benutzer nach dem @ steht. Subdomains sind eigene Domains.',
  state: 'Status',
  states: { pending: 'Nicht nachgewiesen', verified: 'Nachgewiesen', lapsed: 'Verfallen' },
  missing: 'Eintrag fehlt',
  checked: 'Zuletzt geprüft',
  added: 'Hinzugefügt',

  proof: 'Nachweis',
  proofDescription: 'Legen Sie diesen Eintrag im DNS der Domain an und lassen Sie ihn dort: Er wird täglich geprüft.',
  recordType: 'Typ',
  value: 'Wert',
  check: 'Jetzt prüfen',
  pendingEffect:
    'Legen Sie diesen Eintrag im DNS an und prüfen Sie ihn dann. Bis ein neuer Eintrag überall sichtbar ist, vergehen Minuten, bei manchen Anbietern Stunden.',
  verifiedEffect: 'Der Eintrag ist vorhanden: Die Domain gehört Ihnen.',
  missingSince: (since) => `Der Eintrag fehlt, zuerst bemerkt ${since}`,
  missingEffect: 'Nach sieben Tagen verfällt die Domain. Legen Sie den Eintrag wieder an.',
  lapsedEffect:
    'Single Sign-on ist nicht mehr vorgeschrieben, und neue Benutzer der Domain bekommen nicht mehr automatisch ein Konto. Legen Sie den Eintrag wieder an und prüfen Sie ihn.',
  foreignAccounts: (count) =>
    count === 1
      ? '1 Konto mit einer Adresse dieser Domain gehört zu einer anderen Organisation'
      : `${count} Konten mit Adressen dieser Domain gehören zu anderen Organisationen`,
  foreignAccountsEffect: 'Sie bleiben unverändert, und Ihre Vorgaben gelten nicht für sie. Der Betreiber des Dienstes kann sie auflisten.',
  notFound: 'Der Eintrag wurde nicht gefunden',
  answered: 'Das haben die Nameserver geantwortet:',
  noRecord: 'kein TXT-Eintrag mit diesem Namen',

  sso: 'Single Sign-on',
  ssoDescription: (domain) => `Wie sich Personen mit einer Adresse @${domain} anmelden, solange die Domain nachgewiesen ist.`,
  ssoNames: { off: 'Aus', offered: 'Angeboten', required: 'Vorgeschrieben' },
  ssoHints: {
    off: 'Sie melden sich an wie alle anderen.',
    offered: 'Sie werden zur Verbindung geführt und dürfen sich auch anders anmelden.',
    required: 'Sie melden sich nur über die Verbindung an.',
  },
  connection: 'Verbindung',
  noConnections: 'Es gibt noch keine Verbindung zur Auswahl.',
  needsConnection: 'Wählen Sie zuerst eine Verbindung',
  requiredTitle: (domain) => `Das betrifft alle mit einer Adresse @${domain}`,
  requiredEffect:
    'Mit Passwort, Passkeys und E-Mail-Codes können sie sich nicht mehr anmelden, und sie bekommen keine E-Mail für ein vergessenes Passwort. Nur der Inhaber und die unten Genannten können sich noch anders anmelden. Probieren Sie die Verbindung vorher aus.',
  noUserNow: 'Zurzeit betrifft es keinen Benutzer.',
  seeUsers: (count, formatted) => (count === 1 ? 'Den einen Benutzer ansehen' : `${formatted} Benutzer ansehen`),
  bypass: 'Wer sich auch anders anmelden darf',
  bypassHint: 'Höchstens fünf Benutzer mit zweitem Faktor, falls der Identitätsanbieter ausfällt.',
  endSessions: 'Andere Sitzungen jetzt beenden',
  endSessionsHint:
    'Beendet Sitzungen und Token dieser Benutzer, die nicht über die Verbindung begonnen haben. Sonst gelten sie, bis sie ablaufen.',
  onlyVerified: 'Erst möglich, wenn die Domain nachgewiesen ist',

  remove: 'Entfernen',
  removeQuestion: (domain) => `${domain} entfernen?`,
  removeName: (domain) => `${domain} entfernen`,
  removeEffect: 'Ihre Benutzer melden sich an wie zuvor. Um sie wieder hinzuzufügen, muss sie neu nachgewiesen werden.',
  removeRequired:
    'Single Sign-on ist dann nicht mehr vorgeschrieben: Ihre Benutzer können sich wieder mit Passwort anmelden. Um sie wieder hinzuzufügen, muss sie neu nachgewiesen werden.',
}

export default de

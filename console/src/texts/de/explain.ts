import type en from '../en/explain.ts'

const de: typeof en = {
  title: 'Wer darf was',
  description: 'Wählen Sie eine Person, eine Berechtigung oder beides.',
  person: 'Person',
  anyPerson: 'Alle Personen',
  permission: 'Berechtigung',
  anyPermission: 'Jede Berechtigung',
  begin: 'Noch nichts ausgewählt',
  beginDescription:
    'Mit Person und Berechtigung erfahren Sie, ob die Person die Berechtigung nutzen darf, und warum. Nur mit Berechtigung sehen Sie alle, die sie haben; nur mit Person alles, was die Person darf.',

  allowed: '{user} darf {permission} nutzen',
  notAllowed: '{user} darf {permission} nicht nutzen',
  notNow: '{user} hat {permission}, kann die Berechtigung aber gerade nicht nutzen',
  because: 'Die Rolle {role} gibt sie, seit {time}, vergeben durch {by}.',
  becauseUnknown:
    'Die Rolle {role} gibt sie, seit {time}. Wer die Rolle vergeben hat, steht nicht im Audit-Protokoll: Importierte Benutzer bringen ihre Rollen mit.',
  noRole: 'Keine Rolle von {user} gibt {permission}.',
  notRecorded: 'Nicht im Audit-Protokoll',
  erased: 'eine Person, deren Daten gelöscht wurden',
  apiKey: (name) => `den API-Schlüssel „${name}“`,
  system: 'Gatehouse selbst',
  blockedBy: {
    blocked: 'Der Benutzer ist gesperrt.',
    suspended: 'Die Organisation ist gesperrt.',
    mfa_enrolment: 'Bei der nächsten Anmeldung muss zuerst ein zweiter Faktor eingerichtet werden.',
    passkey_enrolment: 'Bei der nächsten Anmeldung muss zuerst ein Passkey registriert werden.',
    password_expired: 'Bei der nächsten Anmeldung muss zuerst ein neues Passwort gewählt werden.',
  },
  wouldAllow: 'Diese Rollen enthalten sie',
  wouldAllowNothing: 'Keine Rolle gibt diese Berechtigung.',

  mayDo: (name) => `Was ${name} darf`,
  mayDoNothing: 'Keine Rolle gibt dieser Person eine Berechtigung.',
  whoHas: (permission) => `Alle, die ${permission} haben`,
  people: (count, formatted) => (count === 1 ? '1 Person' : `${formatted} Personen`),
  nobody: 'Niemand hat diese Berechtigung',
  name: 'Name',
  through: 'Durch die Rolle',
  since: 'Seit',
  by: 'Vergeben durch',
  state: 'Zurzeit',
  usable: 'Nutzbar',
  notUsable: 'Nicht nutzbar',
}

export default de

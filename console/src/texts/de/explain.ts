import type en from '../en/explain.ts'

const de: typeof en = {
  title: 'Wer darf was',
  description: 'Wählen Sie eine Person, eine Berechtigung oder beides.',
  person: 'Person',
  anyPerson: 'Alle Personen',
  permission: 'Berechtigung',
  anyPermission: 'Jede Berechtigung',
  begin: 'Noch ist nichts gewählt',
  beginDescription:
    'Mit einer Person und einer Berechtigung erfahren Sie, ob sie sie nutzen darf, und warum. Mit einer Berechtigung allein sehen Sie alle, die sie haben, mit einer Person allein alles, was sie darf.',

  allowed: '{user} darf {permission} nutzen',
  notAllowed: '{user} darf {permission} nicht nutzen',
  notNow: '{user} hat {permission}, könnte die Berechtigung aber gerade nicht nutzen',
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
    mfa_enrolment: 'Bei der nächsten Anmeldung muss erst ein zweiter Faktor eingerichtet werden.',
    passkey_enrolment: 'Bei der nächsten Anmeldung muss erst ein Passkey registriert werden.',
    password_expired: 'Bei der nächsten Anmeldung muss erst ein neues Passwort gewählt werden.',
  },
  wouldAllow: 'Diese Rollen würden sie geben',
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
  state: 'Gerade jetzt',
  usable: 'Kann sie nutzen',
  notUsable: 'Kann sie nicht nutzen',
}

export default de

import type en from '../en/roles.ts'

const users = (count: number, formatted: string) => (count === 1 ? '1 Benutzer' : `${formatted} Benutzer`)

const de: typeof en = {
  title: 'Rollen',
  count: (count, formatted) => (count === 1 ? '1 Rolle' : `${formatted} Rollen`),
  search: 'Name oder Kurzname',
  create: 'Rolle anlegen',
  matrix: 'Matrix',
  name: 'Name',
  users: 'Benutzer',
  permission: 'Berechtigung',
  permissions: 'Berechtigungen',
  changed: 'Geändert',
  default: 'Standard',
  settings: 'Einstellungen',
  history: 'Verlauf',
  duplicate: 'Duplizieren',
  copyOf: (name) => `Kopie von ${name}`,
  beginWith: 'Beginnen mit',
  permissionsOf: (name) => `Berechtigungen von ${name}`,
  copyIsShort: 'Die Rolle hat Berechtigungen, die Sie nicht vergeben können. Sie fehlen hier.',
  templates: {
    empty: 'Keinen Berechtigungen',
    reader: 'Alles lesen',
    helpDesk: 'Helpdesk',
    peopleManager: 'Benutzer und Teams',
    developer: 'Anwendungen und Webhooks',
  },
  newRoleImpact: 'Kein Benutzer ist betroffen: Noch hat niemand diese Rolle.',

  isOwnerRole: 'Das ist die Rolle der Inhaber. Sie behält alle Berechtigungen und lässt sich nicht löschen.',
  beyondYou: (permission) =>
    `Sie können diese Rolle nicht ändern, weil sie eine Berechtigung hat, die Sie selbst nicht haben: ${permission}`,

  hasRole: (count, formatted) => (count === 0 ? 'Niemand hat diese Rolle.' : `${users(count, formatted)} mit dieser Rolle.`),
  allUsers: (count) => `Alle ${count} in der Liste der Benutzer zeigen`,

  makeDefault: 'Zum Standard machen',
  makeDefaultQuestion: (name) => `${name} zur Standardrolle machen?`,
  makeDefaultEffect: (name, former) =>
    `Wer ab jetzt ohne Rolle angelegt wird oder sich registriert, erhält ${name}${former ? ` statt ${former}` : ''}. Für alle, die schon da sind, ändert sich nichts.`,
  delete: 'Rolle löschen',
  deleteName: (name) => `${name} löschen`,
  deleteQuestion: (name) => `Die Rolle ${name} löschen?`,
  deleteEffect: (name, count, formatted) =>
    count === 0 ? `Niemand hat ${name}.` : `${users(count, formatted)} ${count === 1 ? 'verliert' : 'verlieren'} die Rolle ${name}.`,

  saveQuestion: (name) => `Berechtigungen von ${name} ändern?`,
  usersChange: (count, formatted) => (count === 1 ? '1 Benutzer ist betroffen.' : `${formatted} Benutzer sind betroffen.`),
  nobodyChanges: 'Was Benutzer dürfen, bleibt gleich.',
  userCount: users,
  gains: 'Kommt hinzu',
  losses: 'Fällt weg',
  keysChange: (count, formatted) =>
    count === 1 ? '1 ihrer API-Schlüssel ändert sich dadurch.' : `${formatted} ihrer API-Schlüssel ändern sich dadurch.`,
  these: 'Betroffene',
  someOfThem: 'Einige davon',

  matrixSearch: 'Rolle oder Berechtigung',
  matrixTitle: 'Rollen und Berechtigungen',
  matrixHint: 'Haken Sie an, was jede Rolle erlaubt. Vor dem Speichern sehen Sie die Auswirkungen.',
  cell: (permission, role) => `${permission} für ${role}`,
  changedCell: (cell) => `${cell}, nicht gespeichert`,
  change: (permission, role, isGiven) => `${role} ${isGiven ? '+' : '−'} ${permission}`,
  review: (count) => (count === 1 ? '1 Änderung prüfen' : `${count} Änderungen prüfen`),
  gives: 'Gibt',
  takes: 'Nimmt',
  changedMeanwhile: 'Jemand anders hat diese Rolle inzwischen geändert. Diese Änderungen bleiben, Ihre kommen hinzu.',
  eachAlone: (permissions) =>
    `Bei mehreren Rollen ändert sich ${permissions}. Jede Zahl gilt für ihre Rolle allein: Benutzer mit mehreren dieser Rollen können mehr oder weniger gewinnen oder verlieren.`,
  saveRoles: (count) => (count === 1 ? '1 Rolle speichern' : `${count} Rollen speichern`),
  rolesChanged: (count) => (count === 1 ? '1 Rolle geändert' : `${count} Rollen geändert`),
  nothingToSave: 'Es gibt nichts zu speichern',
}

export default de

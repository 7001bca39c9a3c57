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
  permission: 'Recht',
  permissions: 'Rechte',
  changed: 'Geändert',
  default: 'Standard',
  settings: 'Einstellungen',
  history: 'Verlauf',
  duplicate: 'Duplizieren',
  copyOf: (name) => `Kopie von ${name}`,
  beginWith: 'Beginnen mit',
  permissionsOf: (name) => `Rechten von ${name}`,
  copyIsShort: 'Die Rolle hat Rechte, die Sie nicht vergeben können. Sie fehlen hier.',
  templates: {
    empty: 'Keinen Rechten',
    reader: 'Alles lesen',
    helpDesk: 'Helpdesk',
    peopleManager: 'Benutzer und Teams',
    developer: 'Anwendungen und Webhooks',
  },
  newRoleImpact: '0 Benutzer sind betroffen: Noch hat niemand diese Rolle.',

  isOwnerRole: 'Das ist die Rolle der Inhaber. Sie behält alle Rechte und lässt sich nicht löschen.',
  beyondYou: (permission) => `Sie können diese Rolle nicht ändern, weil sie ein Recht hat, das Sie selbst nicht haben: ${permission}`,

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

  saveQuestion: (name) => `Ändern, was ${name} erlaubt?`,
  usersChange: (count, formatted) => (count === 1 ? '1 Benutzer ist betroffen.' : `${formatted} Benutzer sind betroffen.`),
  nobodyChanges: 'Was Benutzer dürfen, bleibt gleich.',
  userCount: users,
  gains: 'Hinzu kommt',
  losses: 'Verloren geht',
  keysChange: (count, formatted) =>
    count === 1
      ? '1 ihrer API-Schlüssel kann danach anderes als bisher.'
      : `${formatted} ihrer API-Schlüssel können danach anderes als bisher.`,
  these: 'Wer betroffen ist',
  someOfThem: 'Einige davon',

  matrixTitle: 'Rollen und Rechte',
  matrixHint: 'Haken Sie an, was jede Rolle erlaubt. Gespeichert wird erst, wenn Sie gesehen haben, was es bewirkt.',
  cell: (permission, role) => `${permission} für ${role}`,
  changedCell: (cell) => `${cell}, nicht gespeichert`,
  change: (permission, role, isGiven) => `${role} ${isGiven ? '+' : '−'} ${permission}`,
  review: (count) => (count === 1 ? '1 Änderung prüfen' : `${count} Änderungen prüfen`),
  gives: 'Gibt',
  takes: 'Nimmt',
  changedMeanwhile: 'Jemand anders hat diese Rolle geändert, seit Sie die Matrix geöffnet haben. Diese Änderung bleibt, Ihre kommen hinzu.',
  saveRoles: (count) => (count === 1 ? '1 Rolle speichern' : `${count} Rollen speichern`),
  rolesChanged: (count) => (count === 1 ? '1 Rolle geändert' : `${count} Rollen geändert`),
  nothingToSave: 'Es gibt nichts, das gespeichert werden kann',
}

export default de

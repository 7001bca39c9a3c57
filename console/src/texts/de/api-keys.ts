import type en from '../en/api-keys.ts'

const de: typeof en = {
  title: 'API-Schlüssel',
  count: (count) => `${count} Schlüssel`,
  search: 'Name',
  create: 'API-Schlüssel anlegen',
  empty: 'Noch keine API-Schlüssel',
  emptyDescription:
    'Mit einem Schlüssel ruft ein Programm diese API ohne eine Person auf. Er darf, was ihm gegeben wurde, solange auch sein Ersteller es darf.',

  name: 'Name',
  nameHint: 'Wofür der Schlüssel ist: das Programm, das ihn erhält.',
  permissions: 'Berechtigungen',
  permissionCount: (count) => (count === 1 ? '1 Berechtigung' : `${count} Berechtigungen`),
  madeBy: 'Erstellt von',
  lastUsed: 'Zuletzt benutzt',
  expires: 'Läuft ab',
  never: 'Nie',
  created: 'Angelegt',
  expired: 'Abgelaufen',
  expiresSoon: 'Läuft bald ab',
  unused: 'Seit 90 Tagen unbenutzt',

  lifetime: 'Endet',
  lifetimes: { '30': 'In 30 Tagen', '90': 'In 90 Tagen', '365': 'In einem Jahr', never: 'Nie' },
  startWith: 'Beginnen mit',
  readAll: 'Alles lesen',
  fromPage: 'Was die Seite tat',
  clear: 'Nichts',
  choosePermissions: 'Wählen Sie mindestens eine Berechtigung',

  made: (name) => `Der Schlüssel für ${name}`,
  madeDescription: 'Er wird nur dieses eine Mal gezeigt. Bewahren Sie ihn dort auf, wo das Programm seine Geheimnisse liest.',
  delete: 'Löschen',
  deleteQuestion: (name) => `Schlüssel ${name} löschen?`,
  deleteName: (name) => `${name} löschen`,
  deleteEffect: 'Programme, die ihn benutzen, werden ab diesem Augenblick abgewiesen. Das lässt sich nicht rückgängig machen.',
  lastUse: (time) => `Zuletzt benutzt: ${time}.`,
  neverUsed: 'Er wurde nie benutzt.',
}

export default de

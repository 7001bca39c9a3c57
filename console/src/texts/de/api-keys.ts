import type en from '../en/api-keys.ts'

const de: typeof en = {
  title: 'API-Schlüssel',
  count: (count) => `${count} Schlüssel`,
  search: 'Name',
  create: 'API-Schlüssel anlegen',
  empty: 'Noch keine API-Schlüssel',
  emptyDescription:
    'Mit einem Schlüssel nutzt ein Programm diese API ohne Benutzer. Er hat die Berechtigungen, die Sie ihm geben, solange auch sein Ersteller sie hat.',

  name: 'Name',
  nameHint: 'Wofür er ist: etwa das Programm, das ihn verwendet.',
  permissions: 'Berechtigungen',
  permissionCount: (count) => (count === 1 ? '1 Berechtigung' : `${count} Berechtigungen`),
  permissionsOf: (count, name) => `${count} Berechtigungen von ${name}`,
  madeBy: 'Erstellt von',
  lastUsed: 'Zuletzt verwendet',
  expires: 'Läuft ab',
  never: 'Nie',
  created: 'Angelegt',
  expired: 'Abgelaufen',
  expiresSoon: 'Läuft bald ab',
  unused: 'Seit 90 Tagen nicht verwendet',

  usedBy: 'Verwendet von',
  bySecret: 'Einem Programm mit dem Schlüssel',
  byWorkloads: 'Workloads ohne Secret',
  byWorkloadsHint:
    'Es entsteht kein Secret. CI-Jobs, Service-Accounts von Kubernetes und SPIFFE-Workloads erhalten kurzlebige Schlüssel für die Token ihrer Plattform. Braucht die Erweiterung federated_credentials.',
  addWorkload: 'Fügen Sie zuerst einen Workload hinzu',
  finishWorkload: 'Fügen Sie den begonnenen Workload hinzu, oder brechen Sie ihn ab',
  lifetime: 'Läuft ab nach',
  lifetimes: { '30': '30 Tagen', '90': '90 Tagen', '365': 'Einem Jahr', never: 'Nie' },
  startWith: 'Beginnen mit',
  readAll: 'Alles lesen',
  fromPage: 'Was die Seite aufgerufen hat',
  clear: 'Nichts',
  choosePermissions: 'Wählen Sie mindestens eine Berechtigung',

  made: (name) => `Der Schlüssel für ${name}`,
  madeDescription: 'Er wird nur dieses eine Mal angezeigt. Speichern Sie ihn dort, wo das Programm seine Secrets liest.',
  delete: 'Löschen',
  deleteQuestion: (name) => `Schlüssel ${name} löschen?`,
  deleteName: (name) => `${name} löschen`,
  deleteEffect: 'Programme, die ihn verwenden, werden sofort abgewiesen. Das lässt sich nicht rückgängig machen.',
  lastUse: (time) => `Zuletzt verwendet: ${time}.`,
  neverUsed: 'Er wurde nie verwendet.',
}

export default de

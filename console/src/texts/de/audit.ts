import type en from '../en/audit.ts'

const de: typeof en = {
  title: 'Audit-Protokoll',
  empty: 'Noch ist nichts geschehen',
  emptyDescription: 'Jede Änderung, jede Anmeldung und jede abgelehnte Anmeldung steht hier und kann nicht verändert werden.',

  time: 'Zeit',
  what: 'Was geschah',
  from: 'Von',
  changedFields: (count) => (count === 1 ? '1 Feld' : `${count} Felder`),
  openEntry: (time) => `Einzelheiten zu ${time}`,

  action: 'Aktion',
  anyAction: 'Jede Aktion',
  allOf: (prefix) => `Alles zu ${prefix}`,
  actor: 'Wer',
  anyActor: 'Alle Handelnden',
  targetType: 'Art des Eintrags',
  anyTargetType: 'Jeder Eintrag',
  targetTypes: {
    user: 'Benutzer',
    role: 'Rollen',
    permission: 'Berechtigungen',
    team: 'Teams',
    client: 'Anwendungen',
    api_key: 'API-Schlüssel',
    invitation: 'Einladungen',
    session: 'Sitzungen',
    webhook: 'Webhooks',
    organisation: 'Die Organisation',
  },
  actorId: 'Id der Handelnden',
  target: 'Id oder E-Mail-Adresse',
  address: 'IP-Adresse',

  export: 'Exportieren',
  exportCsv: 'Als CSV',
  exportNdjson: 'Als NDJSON, ein JSON-Objekt pro Zeile',
  exported: 'Der Export ist vollständig',

  entry: 'Eintrag im Audit-Protokoll',
  by: 'Durch',
  to: 'An',
  device: 'Programm',
  request: 'Anfrage',
  reason: 'Grund',
  metadata: 'Weitere Angaben',
  nothing: 'Nicht bekannt',
  raw: 'Als JSON',
  more: 'Alles anzeigen',
  byActor: (name) => `Durch ${name}`,
  aboutTarget: (name) => `Über ${name}`,
  fromAddress: (address) => `Von ${address}`,
  ofRequest: 'Aus dieser Anfrage',
  copyLink: 'Link zu diesem Eintrag kopieren',
}

export default de

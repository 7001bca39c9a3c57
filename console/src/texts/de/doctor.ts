import type en from '../en/doctor.ts'

const de: typeof en = {
  title: 'Doctor',
  lead: 'Was an dieser Installation stimmt und was nicht, für ihren Betreiber.',
  key: 'Schlüssel der System-API',
  keyHint: 'Der SYSTEM_API_KEY des Dienstes. Er gilt nur für diese Seite und wird vergessen, sobald Sie sie verlassen.',
  run: 'Untersuchen',
  again: 'Erneut untersuchen',
  refused: 'Das ist nicht der Schlüssel der System-API dieses Dienstes.',
  unreachable: 'Der Dienst hat nicht geantwortet. Versuchen Sie es erneut.',
  why: 'Warum es wichtig ist',
  remedy: 'Was es behebt',
  leftOut: (names) => `Wegen eines Fehlers ausgelassen: ${names}`,
  counted: (ok, warnings, failures) => `${ok} in Ordnung, Warnungen: ${warnings}, Fehler: ${failures}`,
  states: { ok: 'In Ordnung', warning: 'Warnung', failure: 'Fehler' },
  groups: {
    configuration: 'Konfiguration',
    address: 'Adresse und Proxy',
    database: 'Datenbank',
    storage: 'Speicher',
    mail: 'Mail',
    webhooks: 'Webhooks',
    keys: 'Schlüssel',
    organisations: 'Organisationen',
  },
}

export default de

import type en from '../en/conflict.ts'

const de: typeof en = {
  changedMeanwhile: 'Jemand anders hat das inzwischen geändert',
  changedMeanwhileDescription: 'Ihre Änderungen sind noch nicht gespeichert. Wählen Sie für jedes Feld, welcher Wert bleibt.',
  theirs: 'Von anderen',
  yours: 'Von Ihnen',
  takeTheirs: 'Andere Werte übernehmen',
  keepYours: 'Eigene Werte speichern',
  keepChosen: 'Auswahl speichern',
  keep: 'Was bleibt',
  keepOf: (field) => `Was bleibt bei ${field}`,
  andTheSame: (count) => `und ${count}, die beide haben`,
  allTheSame: (count) => `${count}, die beide haben`,
  somebody: 'Jemand',
}

export default de

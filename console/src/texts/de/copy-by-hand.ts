import type en from '../en/copy-by-hand.ts'

const de: typeof en = {
  title: 'Selbst kopieren',
  hint: 'Der Browser erlaubt der Seite das Kopieren nicht. Der Text ist markiert: Drücken Sie Strg C oder ⌘ C.',
}

export default de

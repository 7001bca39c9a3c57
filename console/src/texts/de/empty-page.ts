import type en from '../en/empty-page.ts'

const de: typeof en = {
  title: 'Diese Seite ist leer',
  description: 'Was darauf stand, wurde entfernt oder steht jetzt auf einer früheren Seite.',
  toFirst: 'Zur ersten Seite',
}

export default de

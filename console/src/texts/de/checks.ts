import { germanNames } from '../../../../shared/checks/names-de.ts'
import { inWords } from '../../../../shared/checks/phrases.ts'
import { germanPhrases } from '../../../../shared/checks/phrases-de.ts'
import type en from '../en/checks.ts'

const de: typeof en = {
  nameOf: (code, name) => (code && germanNames[code]) ?? name,
  inWords: (phrased) => inWords(germanPhrases, phrased),
}

export default de

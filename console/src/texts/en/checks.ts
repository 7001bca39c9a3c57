import type { ConnectionCheck } from '../../../../shared/checks/names.ts'
import type { Phrased } from '../../../../shared/checks/phrases.ts'

export default {
  /** The name of a check of a connection by its code, or else as it is stored. */
  nameOf: (_code: ConnectionCheck | null, name: string): string => name,
  /** The words of a phrase, or its English text from the API. */
  inWords: (_phrased: Phrased, text: string): string => text,
}

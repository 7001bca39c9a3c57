import type { DirectoryMistake } from '../../shared/directory-mistakes/texts.ts'
import { storableText } from '../platform/text.ts'

/** Why the last request of a directory was refused: in English, and by a code, so that it can be said in other languages. */
export interface LastError {
  error: string
  /** Null for a defect, and when the former release has stored it. */
  reason: DirectoryMistake<string> | null
}

const textMax = 500
const partMax = 200

/** An error as a row has it: the former release reads and writes a text. */
export function storedError(error: string, reason: DirectoryMistake<string> | undefined): string {
  const part = (text: string | null) => text && storableText(text, partMax)
  return JSON.stringify({
    error: storableText(error, textMax),
    reason: reason ? { code: reason.code, expected: part(reason.expected), received: part(reason.received) } : null,
  })
}

/** @param stored as `storedError` makes it, or a text of the former release */
export function readLastError(stored: string | null): LastError | null {
  if (stored === null) return null
  if (!stored.startsWith('{')) return { error: stored, reason: null }
  return JSON.parse(stored) as LastError
}

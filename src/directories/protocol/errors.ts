import { type DirectoryMistake, directoryMistakes, type MistakeCode, mistakeInWords } from '../../../shared/directory-mistakes/texts.ts'

/** The kinds of mistake that RFC 7644 §3.12 names. */
export type ScimType =
  | 'invalidFilter'
  | 'tooMany'
  | 'uniqueness'
  | 'mutability'
  | 'invalidSyntax'
  | 'invalidPath'
  | 'noTarget'
  | 'invalidValue'
  | 'invalidVers'
  | 'sensitive'

/** A refusal in the words of SCIM. The endpoint writes it as RFC 7644 §3.12 has it. */
export class ScimError extends Error {
  readonly status: number
  readonly scimType: ScimType | undefined
  readonly mistake: DirectoryMistake
  readonly headers: Readonly<Record<string, string>>

  /** @param mistake for the administrator of the directory: it names the attribute and no value */
  constructor(status: number, scimType: ScimType | undefined, mistake: DirectoryMistake, headers: Readonly<Record<string, string>> = {}) {
    super(mistakeInWords(directoryMistakes, mistake))
    this.name = 'ScimError'
    this.status = status
    this.scimType = scimType
    this.mistake = mistake
    this.headers = headers
  }
}

/** What was sent, and what is taken in its place, where a text names them. */
interface Named {
  expected?: string | number
  received?: string
}

export const mistake = (code: MistakeCode, { expected, received }: Named = {}): DirectoryMistake => ({
  code,
  expected: expected === undefined ? null : String(expected),
  received: received ?? null,
})

export const invalidFilter = (code: MistakeCode, named?: Named) => new ScimError(400, 'invalidFilter', mistake(code, named))
export const invalidPath = (code: MistakeCode, named?: Named) => new ScimError(400, 'invalidPath', mistake(code, named))
export const invalidSyntax = (code: MistakeCode, named?: Named) => new ScimError(400, 'invalidSyntax', mistake(code, named))
export const invalidValue = (code: MistakeCode, named?: Named) => new ScimError(400, 'invalidValue', mistake(code, named))
export const notRemovable = (name: string) => new ScimError(400, 'mutability', mistake('required', { expected: name }))
export const notMutable = (name: string) => new ScimError(400, 'mutability', mistake('read-only', { received: name }))

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
  readonly headers: Readonly<Record<string, string>>

  /** @param detail for the administrator of the directory: it names the attribute and no value */
  constructor(status: number, scimType: ScimType | undefined, detail: string, headers: Readonly<Record<string, string>> = {}) {
    super(detail)
    this.name = 'ScimError'
    this.status = status
    this.scimType = scimType
    this.headers = headers
  }
}

export const invalidFilter = (detail: string) => new ScimError(400, 'invalidFilter', detail)
export const invalidPath = (detail: string) => new ScimError(400, 'invalidPath', detail)
export const invalidSyntax = (detail: string) => new ScimError(400, 'invalidSyntax', detail)
export const invalidValue = (detail: string) => new ScimError(400, 'invalidValue', detail)
export const notRemovable = (name: string) => new ScimError(400, 'mutability', `${name} is required`)
export const notMutable = (name: string) => new ScimError(400, 'mutability', `${name} is read-only`)

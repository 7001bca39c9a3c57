/** The parts of a hash by name, as the pattern of its form finds them. */
export type HashParts = Readonly<Record<string, string | undefined>>

/** A form in which another system stores the hash of a password, complete with algorithm, parameters and salt. */
export interface ForeignForm {
  /** The name of the form in messages. */
  name: string
  /** The pattern of a whole hash of this form. */
  pattern: RegExp
  /**
   * The reason why a hash of this form is refused; undefined when it is accepted. Verifying one must take seconds and MiB at most,
   * whatever the source of its parameters.
   */
  whyRefused(parts: HashParts): string | undefined
  verify(password: string, parts: HashParts, hash: string): Promise<boolean>
}

/** The most memory that verifying a hash may take. */
export const memoryMaxMiB = 256

/** The refusal of a parameter that is outside an inclusive range. */
export const outside = (name: string, value: number, least: number, most: number): string | undefined =>
  value >= least && value <= most ? undefined : `${name} is ${value}, and has to be from ${least} to ${most}`

/** Base64 in the alphabets of PHC strings, of passlib (`.` for `+`) and of URLs, padded or not. */
export const fromBase64 = (text = ''): Buffer => Buffer.from(text.replaceAll('.', '+'), 'base64')

/** The parts of a hash by name, as the pattern of its form finds them. */
export type HashParts = Readonly<Record<string, string | undefined>>

/** A form in which another system stores the hash of a password, complete with algorithm, parameters and salt. */
export interface ForeignForm {
  /** How messages name it. */
  name: string
  /** A whole hash of this form. */
  pattern: RegExp
  /**
   * Why a hash of this form cannot be taken; undefined when it can. Verifying one must take seconds and MiB at most, whoever chose
   * its parameters.
   */
  whyRefused(parts: HashParts): string | undefined
  verify(password: string, parts: HashParts, hash: string): Promise<boolean>
}

/** No hash may take more memory. */
export const memoryMaxMiB = 256

/** The refusal of a parameter that is not between these, both included. */
export const outside = (name: string, value: number, least: number, most: number): string | undefined =>
  value >= least && value <= most ? undefined : `${name} is ${value}, and has to be from ${least} to ${most}`

/** Base64 in the alphabets of PHC strings, of passlib (`.` for `+`) and of URLs, padded or not. */
export const fromBase64 = (text = ''): Buffer => Buffer.from(text.replaceAll('.', '+'), 'base64')

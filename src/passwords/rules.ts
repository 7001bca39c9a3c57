import type { PasswordPolicy } from '../organisations/rules.ts'

/** A mistake in a chosen password, with the specification's code. */
export interface PasswordMistake {
  code: 'too_small' | 'custom'
  message: string
  reason: PasswordMistakeReason
  minimum?: number
}

export type PasswordMistakeReason =
  | 'password-too-short'
  | 'password-without-uppercase'
  | 'password-without-lowercase'
  | 'password-without-number'
  | 'password-without-symbol'
  | 'password-common'
  | 'password-personal'

/** The facts about a password other than its characters. */
export interface PasswordContext {
  /** Whether it is one of the most common passwords. */
  isCommon: boolean
  /** The name and the e-mail address of the user. */
  personalWords: readonly string[]
}

/** Whether the present password is refused as a new one. One that has to be replaced after a time cannot replace itself. */
export const refusesPresent = ({ preventReuse, maxAgeDays }: PasswordPolicy): boolean => preventReuse > 0 || maxAgeDays !== undefined

const remainderMinLength = 4
const ownWordMinLength = 3

/** All mistakes of a chosen password; an empty list when it is accepted. */
export function mistakesOf(password: string, policy: PasswordPolicy, { isCommon, personalWords }: PasswordContext): PasswordMistake[] {
  const mistakes: PasswordMistake[] = []
  if ([...password].length < policy.minLength) {
    mistakes.push({
      code: 'too_small',
      message: `Password must contain at least ${policy.minLength} characters`,
      reason: 'password-too-short',
      minimum: policy.minLength,
    })
  }
  const refuse = (condition: boolean, message: string, reason: PasswordMistakeReason) => {
    if (condition) mistakes.push({ code: 'custom', message, reason })
  }
  refuse(policy.requireUppercase && !/\p{Lu}/u.test(password), 'Password must contain an upper-case letter', 'password-without-uppercase')
  refuse(policy.requireLowercase && !/\p{Ll}/u.test(password), 'Password must contain a lower-case letter', 'password-without-lowercase')
  refuse(policy.requireNumbers && !/\p{Nd}/u.test(password), 'Password must contain a number', 'password-without-number')
  refuse(policy.requireSymbols && !/[^\p{L}\p{N}\s]/u.test(password), 'Password must contain a symbol', 'password-without-symbol')
  refuse(isCommon, 'Password is one of the most common passwords', 'password-common')
  refuse(isLittleMoreThan(password, personalWords), 'Password must not be made of the name or the e-mail address', 'password-personal')
  return mistakes
}

/** Whether hardly anything is left of the password without these words, digits and symbols. */
function isLittleMoreThan(password: string, words: readonly string[]): boolean {
  const lowerCase = password.toLowerCase()
  const own = words.flatMap(partsOf).sort((left, right) => right.length - left.length)
  let rest = lowerCase
  for (const word of own) rest = rest.replaceAll(word, '')
  return rest !== lowerCase && lettersOf(rest).length < remainderMinLength
}

/** The parts of a word: name and domain of an e-mail address, first and last name of a user. A top-level domain says nothing about a person. */
function partsOf(word: string): string[] {
  const lowerCase = word.toLowerCase()
  const own = lowerCase.replace(/(@.*)\.[^.]*$/, '$1')
  return [lowerCase, ...own.split(/[^\p{L}\p{N}]+/u)].filter((part) => part.length >= ownWordMinLength)
}

const lettersOf = (text: string) => text.replaceAll(/[^\p{L}]/gu, '')

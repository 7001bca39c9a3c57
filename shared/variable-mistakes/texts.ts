/** Every mistake in variables that does not stop a start: by its code, in English, as the log has it. `{variable}` is the one that is set, `{other}` the one that it depends on. */
export const variableMistakes = {
  'no-effect-without': '{variable} has no effect without {other}',
  'no-effect-while-off': '{variable} has no effect while {other} is off',
  'same-key': 'SECRET_KEY_PREVIOUS is the same as SECRET_KEY: it has to be the key before, or unset',
  'sender-not-set': 'SMTP_URL is set and MAIL_FROM is not: mails come from no-reply@localhost, which mail servers refuse',
  'half-an-owner': 'BOOTSTRAP_OWNER_EMAIL and BOOTSTRAP_OWNER_PASSWORD make the first owner only together',
  'unknown-variable': '{variable} is set and means nothing here: if {other} is meant, rename it',
} as const

export type VariableMistakeCode = keyof typeof variableMistakes

export interface VariableMistake {
  code: VariableMistakeCode
  variable: string
  other: string
}

export const variableMistakeInWords = (words: Readonly<Record<VariableMistakeCode, string>>, { code, ...names }: VariableMistake): string =>
  words[code].replaceAll(/\{(variable|other)\}/g, (_place, name: 'variable' | 'other') => names[name])

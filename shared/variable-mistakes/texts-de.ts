import type { VariableMistakeCode } from './texts.ts'

export const germanVariableMistakes: Readonly<Record<VariableMistakeCode, string>> = {
  'no-effect-without': '{variable} hat ohne {other} keine Wirkung',
  'no-effect-while-off': '{variable} hat keine Wirkung, solange {other} auf off steht',
  'same-key': 'SECRET_KEY_PREVIOUS ist gleich SECRET_KEY: Dort steht der vorherige Schlüssel oder nichts',
  'sender-not-set': 'SMTP_URL ist gesetzt und MAIL_FROM nicht: E-Mails kommen von no-reply@localhost, was Mailserver ablehnen',
  'half-an-owner': 'BOOTSTRAP_OWNER_EMAIL und BOOTSTRAP_OWNER_PASSWORD legen den ersten Inhaber nur zusammen an',
  'unknown-variable': '{variable} ist gesetzt und bedeutet hier nichts: Falls {other} gemeint ist, benennen Sie die Variable um',
}

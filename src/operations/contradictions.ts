import type { StartWarning } from './start-warnings.ts'

/** Finds settings that do not stop a start, but cannot be intended. The warnings contain no values. */
export function contradictions(environment: Record<string, string | undefined>): StartWarning[] {
  const has = (name: string) => Boolean(environment[name]?.trim())
  const is = (name: string, value: string) => environment[name]?.trim() === value
  const needs = (name: string, needed: string): [boolean, string, string] => [
    has(name) && !has(needed),
    'no-effect',
    `${name} has no effect without ${needed}`,
  ]
  const found: [boolean, string, string][] = [
    needs('SMS_GATEWAY_TOKEN', 'SMS_GATEWAY_URL'),
    needs('SMS_FROM', 'SMS_GATEWAY_URL'),
    needs('DATABASE_WAIT_SECONDS', 'DATABASE_URL'),
    needs('SECRET_KEY_PREVIOUS', 'SECRET_KEY'),
    [
      has('SECRET_KEY') && environment.SECRET_KEY?.trim() === environment.SECRET_KEY_PREVIOUS?.trim(),
      'same-key',
      'SECRET_KEY_PREVIOUS is the same as SECRET_KEY: it has to be the key before, or unset',
    ],
    [has('REDIS_URL') && is('RATE_LIMIT', 'off'), 'no-effect', 'REDIS_URL has no effect while RATE_LIMIT is off'],
    [
      has('SMTP_URL') && !has('MAIL_FROM'),
      'sender-not-set',
      'SMTP_URL is set and MAIL_FROM is not: mails come from no-reply@localhost, which mail servers refuse',
    ],
    [
      is('NODE_ENV', 'production') && has('BOOTSTRAP_OWNER_EMAIL') !== has('BOOTSTRAP_OWNER_PASSWORD'),
      'half-an-owner',
      'BOOTSTRAP_OWNER_EMAIL and BOOTSTRAP_OWNER_PASSWORD make the first owner only together',
    ],
  ]
  return found.flatMap(([applies, code, message]) => (applies ? [{ code, message }] : []))
}

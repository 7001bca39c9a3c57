import type { VariableMistakeCode } from '../../shared/variable-mistakes/texts.ts'
import { type VariableWarning, variableWarning } from './start-warnings.ts'

/** Finds settings that do not stop a start, but cannot be intended. The warnings contain no values. */
export function contradictions(environment: Record<string, string | undefined>): VariableWarning[] {
  const has = (name: string) => Boolean(environment[name]?.trim())
  const is = (name: string, value: string) => environment[name]?.trim() === value
  const isAlone = (variable: string, other: string): [boolean, VariableMistakeCode, string, string] => [
    has(variable) && !has(other),
    'no-effect-without',
    variable,
    other,
  ]
  const found: [boolean, VariableMistakeCode, string, string][] = [
    isAlone('SMS_GATEWAY_TOKEN', 'SMS_GATEWAY_URL'),
    isAlone('SMS_FROM', 'SMS_GATEWAY_URL'),
    isAlone('DATABASE_WAIT_SECONDS', 'DATABASE_URL'),
    isAlone('SECRET_KEY_PREVIOUS', 'SECRET_KEY'),
    [
      has('SECRET_KEY') && environment.SECRET_KEY?.trim() === environment.SECRET_KEY_PREVIOUS?.trim(),
      'same-key',
      'SECRET_KEY_PREVIOUS',
      'SECRET_KEY',
    ],
    [has('REDIS_URL') && is('RATE_LIMIT', 'off'), 'no-effect-while-off', 'REDIS_URL', 'RATE_LIMIT'],
    [has('SMTP_URL') && !has('MAIL_FROM'), 'sender-not-set', 'SMTP_URL', 'MAIL_FROM'],
    [
      is('NODE_ENV', 'production') && has('BOOTSTRAP_OWNER_EMAIL') !== has('BOOTSTRAP_OWNER_PASSWORD'),
      'half-an-owner',
      'BOOTSTRAP_OWNER_EMAIL',
      'BOOTSTRAP_OWNER_PASSWORD',
    ],
  ]
  return found.flatMap(([applies, code, variable, other]) => {
    if (!applies) return []
    return [variableWarning(code.startsWith('no-effect') ? 'no-effect' : code, { code, variable, other })]
  })
}

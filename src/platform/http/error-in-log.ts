import { stdSerializers } from 'pino'

/**
 * What the log shows of an error beside its type, message and stack. Libraries hang more on theirs: the command that a server has refused, with
 * a password; the row that violates a constraint; the recipients of a mail.
 */
const shownFields = new Set([
  'code',
  'status',
  'statusCode',
  'errno',
  'syscall',
  'address',
  'port',
  'severity',
  'routine',
  'table',
  'column',
  'constraint',
  'responseCode',
  'response',
])

const emailAddress = /[\p{L}\p{N}.!#$%&'*+=?^_`{|}~-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}/gu

/** A mail server repeats the address that it refuses. */
const withoutAddresses = (text: unknown) => (typeof text === 'string' ? text.replace(emailAddress, '***') : text)

/** An error as a line of the log has it, without secrets and without addresses of people. */
export function errorInLog(error: unknown): unknown {
  if (!(error instanceof Error)) return withoutAddresses(error)
  const { type, message, stack } = stdSerializers.err(error)
  const shown = Object.entries(error).filter(([name, value]) => shownFields.has(name) && typeof value !== 'object')
  const parts = error instanceof AggregateError && { aggregateErrors: error.errors.map(errorInLog) }
  return {
    type,
    message: withoutAddresses(message),
    stack: withoutAddresses(stack),
    ...Object.fromEntries(shown.map(([name, value]) => [name, withoutAddresses(value)])),
    ...parts,
  }
}

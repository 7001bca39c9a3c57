import { channel } from 'node:diagnostics_channel'

/** The diagnostics channel that reports each answered registration, as `{ by, result }`. */
export const answeredRegistrationsChannel = 'gatehouse.client-registrations'
const answered = channel(answeredRegistrationsChannel)

/** By what a client registers: a token of an organisation, or nothing. */
export const registrationWays = ['token', 'nothing'] as const
export const registrationResults = ['registered', 'refused', 'limited', 'unauthenticated'] as const

export interface AnsweredRegistration {
  by: (typeof registrationWays)[number]
  result: (typeof registrationResults)[number]
}

const resultsByStatus: Readonly<Record<number, AnsweredRegistration['result']>> = {
  201: 'registered',
  401: 'unauthenticated',
  429: 'limited',
}

/** Reports a registration without saying whose it was. */
export function reportAnswered(by: AnsweredRegistration['by'], status: number): void {
  answered.publish({ by, result: resultsByStatus[status] ?? 'refused' } satisfies AnsweredRegistration)
}

/** None of several servers may be written to. */
export class NoPrimary extends Error {
  override readonly name = 'NoPrimary'
  readonly code = noPrimaryCode
  constructor(reasons: readonly { server: string; reason: string }[]) {
    super(`none of its servers can be written to: ${reasons.map(({ server, reason }) => `${server}: ${reason}`).join('; ')}`)
  }
}

export const noPrimaryCode = 'NO_PRIMARY'

import { type ConnectionCheck, namesOfChecks } from '../../../shared/checks/names.ts'
import type { Phrased } from '../../../shared/checks/phrases.ts'
import { englishOf, phrasedOf, Said, say } from '../../../shared/checks/said.ts'
/** What a provider says of an account. */
export type Claims = Readonly<Record<string, unknown>>

/** One thing that an identity provider's response was checked for. */
export interface Check {
  code: ConnectionCheck
  /** In English, as are the two others. */
  name: string
  expected: string
  /** Masked where it is a secret. */
  received: string
  /** What of both is said in words of ours; null of values. */
  phrases: { expected: Phrased | null; received: Phrased | null }
  passed: boolean
  /** The error code of the protocol, where the provider has sent one. */
  error?: string | undefined
}

/** @param error the error code of the protocol, where the provider has sent one */
export function checkOf(code: ConnectionCheck, expected: string | Said, received: unknown, passed: boolean, error?: string): Check {
  const shown = received === undefined ? say('nothing') : received instanceof Said ? received : show(received)
  return {
    code,
    name: namesOfChecks[code],
    expected: englishOf(expected),
    received: englishOf(shown),
    phrases: { expected: phrasedOf(expected), received: phrasedOf(shown) },
    passed,
    ...(error !== undefined && { error }),
  }
}

/** Whose doing it is that a sign-in failed: the identity provider's, which others will meet too, or this browser's. */
export type Fault = 'upstream' | 'browser'

/** A response of an identity provider that is refused, with every check that was made. */
export class UpstreamRefusal extends Error {
  readonly checks: readonly Check[]
  readonly fault: Fault
  /** What the provider says of the account, as far as it came: not all of it has been checked. */
  readonly claims: Claims | undefined

  constructor(checks: readonly Check[], fault: Fault, { cause, claims }: { cause?: unknown; claims?: Claims | undefined } = {}) {
    const failed = checks.find(({ passed }) => !passed)
    super(failed ? `${failed.name}: expected ${failed.expected}, received ${failed.received}` : 'The response was refused', { cause })
    this.name = 'UpstreamRefusal'
    this.checks = checks
    this.fault = fault
    this.claims = claims
  }
}

/** The checks of one sign-in, in the order in which they were made. */
export class Checks {
  readonly made: Check[] = []
  /** What the provider says of the account, once it has come. */
  claims: Claims | undefined
  readonly #ofAccount = new Set<Check>()

  add(...check: Parameters<typeof checkOf>): void {
    this.made.push(checkOf(...check))
  }

  /** The same where the provider is right, and only this account is not let in. */
  addOfAccount(...check: Parameters<Checks['add']>): void {
    this.add(...check)
    for (const added of this.made.slice(-1)) this.#ofAccount.add(added)
  }

  /** The same where the value is a secret: another one than expected belongs to another sign-in, whose code a stranger may bring. */
  addMasked(code: ConnectionCheck, expected: string | undefined, received: unknown): void {
    const check = [code, mask(expected), mask(received), expected !== undefined && received === expected] as const
    if (received === undefined) this.add(...check)
    else this.addOfAccount(...check)
  }

  /** @throws UpstreamRefusal when a check has failed */
  require(fault: Fault): void {
    const failed = this.made.filter(({ passed }) => !passed)
    const isOfAccount = failed.every((check) => this.#ofAccount.has(check))
    if (failed.length > 0) throw new UpstreamRefusal(this.made, isOfAccount ? 'browser' : fault, this)
  }

  /** @throws UpstreamRefusal always */
  fail(code: ConnectionCheck, expected: string | Said, received: unknown, fault: Fault, cause?: unknown, error?: string): never {
    this.add(code, expected, received, false, error)
    throw new UpstreamRefusal(this.made, fault, { cause, claims: this.claims })
  }
}

const shownMax = 300

function show(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > shownMax ? `${text.slice(0, shownMax)}…` : text
}

const mask = (value: unknown): string | Said =>
  value === undefined ? say('nothing') : typeof value === 'string' && value.length > 8 ? `${value.slice(0, 4)}…` : show(value && '…')

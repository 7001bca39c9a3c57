import { type ConnectionCheck, namesOfChecks } from '../../../shared/checks/names.ts'
import type { Phrased } from '../../../shared/checks/phrases.ts'
import { englishOf, phrasedOf, Said, say } from '../../../shared/checks/said.ts'
import { shownJson } from '../../platform/nested-json.ts'
/** The claims of a provider about an account. */
export type Claims = Readonly<Record<string, unknown>>

/** One check of an identity provider's response. */
export interface Check {
  code: ConnectionCheck
  /** In English, like the other two texts. */
  name: string
  expected: string
  /** Masked if it is a secret. */
  received: string
  /** The parts of both texts that are phrases of ours; null for plain values. */
  phrases: { expected: Phrased | null; received: Phrased | null }
  passed: boolean
  /** The error code of the protocol, if the provider has sent one. */
  error?: string | undefined
}

/** @param error the error code of the protocol, if the provider has sent one */
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

/** Who caused a failed sign-in: the identity provider, whose fault other users will meet too, or this browser. */
export type Fault = 'upstream' | 'browser'

/** A response of an identity provider that is refused, with every check that was made. */
export class UpstreamRefusal extends Error {
  readonly checks: readonly Check[]
  readonly fault: Fault
  /** The provider's claims about the account, as far as they arrived: not all of them have been checked. */
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
  /** The provider's claims about the account, once they have arrived. */
  claims: Claims | undefined
  readonly #ofAccount = new Set<Check>()

  add(...check: Parameters<typeof checkOf>): void {
    this.made.push(checkOf(...check))
  }

  /** The same when the provider is right, and only this account is refused. */
  addOfAccount(...check: Parameters<Checks['add']>): void {
    this.add(...check)
    for (const added of this.made.slice(-1)) this.#ofAccount.add(added)
  }

  /** The same when the value is a secret: a different one belongs to another sign-in, whose code a stranger may present. */
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
  const text = typeof value === 'string' ? value : shownJson(value)
  return text.length > shownMax ? `${text.slice(0, shownMax)}…` : text
}

const mask = (value: unknown): string | Said =>
  value === undefined ? say('nothing') : typeof value === 'string' && value.length > 8 ? `${value.slice(0, 4)}…` : show(value && '…')

import type { SignedInUser } from '../support/given.ts'
import type { Answer, HttpClient } from '../support/http-client.ts'
import type { TestService } from '../support/service.ts'
import type { DescribedRoute } from './described.ts'

/** A caller who may do everything in their own organisation. It is replaced once it has locked itself out. */
export class Attacker {
  readonly #service: TestService
  #user: SignedInUser | undefined
  /** Whether the session may have ended. */
  #isInDoubt = false

  constructor(service: TestService) {
    this.#service = service
  }

  async client(): Promise<SignedInUser> {
    if (this.#user && this.#isInDoubt && (await this.#user.get('/v1/auth/csrf')).status !== 200) this.#user = undefined
    this.#user ??= (await this.#service.given.organisation()).owner
    this.#isInDoubt = false
    return this.#user
  }

  /** Who may call the route: the attacker, the operator, or any client. */
  senderTo({ operation: { security = [] } }: DescribedRoute): () => Promise<HttpClient> {
    if (security.some((scheme) => 'systemKey' in scheme)) return async () => this.#service.operator
    return security.length > 0 ? () => this.client() : async () => this.#service.anonymous
  }

  /** To be told of each response: a request that was refused, but for its session, has ended none. */
  take({ status }: Answer): void {
    if (status < 400 || status === 401) this.#isInDoubt = true
  }
}

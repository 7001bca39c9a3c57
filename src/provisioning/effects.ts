import type { RawBuilder } from 'kysely'
import type { OrganisationEffect } from '../organisations/schemas.ts'

export type Concerned = Pick<OrganisationEffect, 'users' | 'sample' | 'clients' | 'sampleOfClients'>

/** The fields of an application that decide whether an effect concerns it. */
export interface StoredClient {
  id: string
  name: string
  redirectUris: string[]
  postLogoutRedirectUris: string[]
  refreshTokenLifetime: number | null
  refreshTokenAbsoluteLifetime: number | null
  accessTokenLifetime: number | null
  idTokenLifetime: number | null
}

/** An effect of a change of settings, before its users and applications are known. */
export interface Effect extends Pick<OrganisationEffect, 'field' | 'effect' | 'figures'> {
  detail: (concerned: Concerned) => string
  /**
   * The users whom it concerns: a condition on a user `u`, their passkeys `held`, second `factors`, backup `codes` and `linked` accounts.
   */
  ofUsers?: RawBuilder<unknown>
  /** The applications that it concerns. */
  ofClients?: (client: StoredClient) => boolean
  /** The effect is left out unless it concerns a user. */
  isLeftOutForNobody?: true
}

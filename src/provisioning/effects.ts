import type { RawBuilder } from 'kysely'
import type { OrganisationEffect } from '../organisations/schemas.ts'

/** Whom an effect concerns. */
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

/** What a change of settings would lead to, before it is known for whom. */
export interface Effect extends Pick<OrganisationEffect, 'field' | 'effect' | 'figures'> {
  detail: (concerned: Concerned) => string
  /** Which users it concerns: a condition on a user `u`, their passkeys `held`, second `factors`, backup `codes` and `linked` accounts. */
  ofUsers?: RawBuilder<unknown>
  /** Which applications it concerns. */
  ofClients?: (client: StoredClient) => boolean
  /** It is worth telling only when it concerns a user. */
  isLeftOutForNobody?: true
}

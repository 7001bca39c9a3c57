import type { Client } from '../../api/clients.ts'
import { applicationTexts as t } from '../../texts/application.ts'

/** Whether the application authenticates by the certificate of its connection. */
export const usesCertificate = (method: Client['tokenEndpointAuthMethod']) =>
  method === 'tls_client_auth' || method === 'self_signed_tls_client_auth'

export const usesSecret = (method: Client['tokenEndpointAuthMethod']) => method === 'client_secret_basic' || method === 'client_secret_post'

/** The names of the fields in the settings of an application. */
export const labels = {
  name: t.name,
  description: t.descriptionField,
  logoUrl: t.logoUrl,
  redirectUris: t.redirectUris,
  postLogoutRedirectUris: t.postLogoutRedirectUris,
  initiateLoginUri: t.initiateLoginUri,
  grantTypes: t.grantTypes,
  scopes: t.scopes,
  tokenEndpointAuthMethod: t.tokenEndpointAuthMethod,
  requirePkce: t.requirePkce,
  allowPlainPkce: t.allowPlainPkce,
  requireConsent: t.requireConsent,
  requirePushedAuthorizationRequests: t.requirePushedAuthorizationRequests,
  requireDpop: t.requireDpop,
  certificateBoundAccessTokens: t.certificateBoundAccessTokens,
  requireSignedRequestObject: t.requireSignedRequestObject,
  accessTokenLifetime: t.accessTokenLifetime,
  idTokenLifetime: t.idTokenLifetime,
  refreshTokenLifetime: t.refreshTokenLifetime,
  refreshTokenAbsoluteLifetime: t.refreshTokenAbsoluteLifetime,
  authorizationCodeTtl: t.authorizationCodeTtl,
  refreshTokenGraceSeconds: t.refreshTokenGraceSeconds,
  idTokenSignedResponseAlg: t.idTokenSignedResponseAlg,
  introspectionSignedResponseAlg: t.introspectionSignedResponseAlg,
  defaultAcrValues: t.defaultAcrValues,
  defaultMaxAge: t.defaultMaxAge,
  backchannelLogoutUri: t.backchannelLogoutUri,
  backchannelLogoutSessionRequired: t.backchannelLogoutSessionRequired,
  backchannelLogoutRevokesRefresh: t.backchannelLogoutRevokesRefresh,
} satisfies Partial<Record<keyof Client, string>>

/** The fields that the history can restore. */
export const restorable = [...Object.keys(labels), 'profile']

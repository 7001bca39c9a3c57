/** The objects in the example data of the events, as the API shows them. */

const createdAt = '2026-01-12T08:00:00.000Z'
const updatedAt = '2026-01-31T09:30:00.000Z'

export const person = { id: 'usr_01kg8p4w3zv7n2t8q6w5r1y0xc', email: 'carol@acme.test', name: 'Carol Shaw' }

export const actingUser = { id: person.id, type: 'user', email: person.email }

export const actor = { id: 'usr_01kahm3z9n4v7f2t8q6w5r1y0x', type: 'user', email: 'owner@acme.test' }

export const permission = { id: 'prm_01kahm3z9n4v7f2t8q6w5r1y10', slug: 'users:read', name: 'Read users' }

export const role = {
  id: 'rol_01kahm3z9n4v7f2t8q6w5r1y0z',
  name: 'Support',
  slug: 'support',
  description: 'Answers questions of users',
  isDefault: false,
  permissions: [permission],
  createdAt,
  updatedAt,
}

export const user = {
  id: person.id,
  email: person.email,
  firstName: 'Carol',
  lastName: 'Shaw',
  name: person.name,
  phone: null,
  emailVerifiedAt: createdAt,
  mfaEnabled: false,
  blockedAt: null,
  blockedReason: null,
  lastLoginAt: updatedAt,
  lockedUntil: null,
  createdAt,
  updatedAt,
  deletedAt: null,
  roles: [{ id: role.id, name: role.name, slug: role.slug }],
  teams: [],
}

export const blockedUser = { ...user, blockedAt: updatedAt, blockedReason: 'Left the company' }

export const session = {
  id: 'ses_01kg8p4w3zv7n2t8q6w5r1y0xd',
  ipAddress: '203.0.113.7',
  userAgent: 'Mozilla/5.0',
  lastActivityAt: updatedAt,
  expiresAt: '2026-01-31T10:30:00.000Z',
  createdAt: updatedAt,
}

export const passkey = {
  id: 'pk_01kg8p4w3zv7n2t8q6w5r1y0xf',
  name: 'Work laptop',
  canSignIn: true,
  isSynced: true,
  transports: ['internal', 'hybrid'],
  aaguid: 'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4',
  provider: 'Google Password Manager',
  createdAt,
  lastUsedAt: null,
}

const connectionStatus = {
  state: 'ok',
  since: null,
  error: null,
  check: null,
  groupsCutSince: null,
  certificatesExpireAt: null,
  metadataExpireAt: null,
  certificatesLeftOut: 0,
}

export const connection = {
  id: 'con_01kg8p4w3zv7n2t8q6w5r1y0xg',
  name: 'Acme',
  slug: 'acme',
  type: 'oidc',
  provider: 'oidc',
  isActive: true,
  configuration: {
    issuer: 'https://login.acme.test',
    clientId: 'gatehouse',
    scopes: ['openid', 'email', 'profile'],
    clientAuthentication: 'client_secret_basic',
    userInfo: true,
    emailTrust: 'verified_claim',
  },
  previousSecretExpiresAt: null,
  callbackUrl: 'https://id.example.com/federation/con_01kg8p4w3zv7n2t8q6w5r1y0xg/callback',
  linking: null,
  provisioning: 'none',
  mapping: {},
  roleMappings: [],
  teamMappings: [],
  syncOn: 'creation',
  trustsMfa: false,
  mfaContexts: [],
  upstreamLogout: false,
  idpInitiated: 'refuse',
  sessionMaxAgeSeconds: null,
  identityAssertions: null,
  lastUsedAt: null,
  status: connectionStatus,
  certificates: [],
  createdAt,
  updatedAt,
}

export const failingConnection = {
  ...connection,
  status: {
    ...connectionStatus,
    state: 'failing',
    since: updatedAt,
    error: 'discovery: expected https://login.acme.test, received https://login.acme.test/.well-known/openid-configuration: status 503',
    check: { code: 'discovery', name: 'discovery' },
  },
}

export const expiringConnection = {
  ...connection,
  type: 'saml',
  provider: 'saml',
  configuration: {
    entityId: 'https://login.acme.test/metadata',
    ssoUrl: 'https://login.acme.test/saml/sso',
    certificates: ['MIIC…'],
    acceptsSignedResponse: false,
  },
  callbackUrl: null,
  status: { ...connectionStatus, certificatesExpireAt: '2026-02-28T12:00:00.000Z' },
  certificates: [
    {
      fingerprint: '1d0f6b0c9c6f4d3f0b7a5e2c8d9e1f2a3b4c5d6e7f8091a2b3c4d5e6f7a8b9c0',
      notBefore: '2025-02-28T12:00:00.000Z',
      notAfter: '2026-02-28T12:00:00.000Z',
    },
  ],
}

export const failingDirectory = {
  id: 'dir_01kg8p4w3zv7n2t8q6w5r1y0xj',
  name: 'Entra ID',
  isActive: true,
  connectionId: null,
  userMatch: 'email',
  emailChanges: 'verified_domains',
  deletes: 'block',
  groups: 'teams',
  groupMappings: [],
  createdAt,
  updatedAt,
  status: {
    state: 'failing',
    since: updatedAt,
    error: 'userName is required',
    reason: { code: 'required', expected: 'userName', received: null },
  },
}

export const identity = {
  id: 'idn_01kg8p4w3zv7n2t8q6w5r1y0xh',
  connection: { id: connection.id, slug: 'acme', name: 'Acme', provider: 'oidc', isActive: true },
  subject: '248289761001',
  email: person.email,
  createdAt,
  lastUsedAt: updatedAt,
}

export const team = {
  id: 'tem_01kahm3z9n4v7f2t8q6w5r1y11',
  name: 'Europe',
  slug: 'europe',
  description: 'Who works in Europe',
  createdAt,
  updatedAt,
}

export const domain = {
  id: 'dom_01kahm3z9n4v7f2t8q6w5r1y14',
  domain: 'example.com',
  unicodeDomain: 'example.com',
  status: 'verified',
  challenge: { type: 'TXT', name: '_gatehouse.example.com', value: 'gatehouse-domain=Zk3vQ0pXo4Hf8yT1sJm6uWcB9nLrEaD2gKiVxNqPzYA' },
  connectionId: 'con_01kahm3z9n4v7f2t8q6w5r1y15',
  sso: 'offered',
  bypassUserIds: [],
  verifiedAt: updatedAt,
  failingSince: null,
  createdAt,
  updatedAt,
}

export const lapsedDomain = { ...domain, status: 'lapsed', failingSince: '2026-01-24T09:30:00.000Z' }

export const client = {
  organisationId: 'org_01kahm3z9n4v7f2t8q6w5r1y13',
  id: 'cli_01kahm3z9n4v7f2t8q6w5r1y12',
  clientId: 'cli_01kahm3z9n4v7f2t8q6w5r1y12',
  name: 'Shop',
  description: null,
  clientType: 'confidential',
  tokenEndpointAuthMethod: 'client_secret_basic',
  redirectUris: ['https://shop.example.com/callback'],
  postLogoutRedirectUris: [],
  initiateLoginUri: null,
  grantTypes: ['authorization_code', 'refresh_token'],
  scopes: ['orders:read'],
  requirePkce: true,
  allowPlainPkce: true,
  requireConsent: false,
  isActive: true,
  refreshTokenGraceSeconds: 0,
  accessTokenLifetime: 3600,
  refreshTokenLifetime: 2_592_000,
  refreshTokenAbsoluteLifetime: 15_552_000,
  idTokenLifetime: 3600,
  authorizationCodeTtl: 600,
  idTokenSignedResponseAlg: 'EdDSA',
  logoUrl: null,
  createdAt,
  updatedAt,
}

export const revokedClient = { ...client, isActive: false }

export const actingClient = { id: client.id, type: 'client' }

export const consentingUser = { id: person.id, email: person.email }

export const revokedToken = { type: 'refresh_token', familyId: 'fam_01kg8p4w3zv7n2t8q6w5r1y0xe' }

export const revokedAccessToken = { type: 'access_token', jti: `${revokedToken.familyId}.01kg8p4w3zv7n2t8q6w5r1y0xk` }

export const token = { grantType: 'authorization_code', scope: 'openid profile' }

export const tokenOfClientItself = { grantType: 'client_credentials', scope: 'orders:read' }

export const consent = {
  clientId: client.id,
  clientName: client.name,
  scopes: ['openid', 'profile'],
  claims: [],
  resources: [],
  grantedAt: updatedAt,
  expiresAt: null,
  managedBy: null,
}

/**
 * The names that a mapping cannot take: whatever reads a token relies on them. Those of tokens and introspection are this service's or may
 * become so, and those of OpenID Connect would say something else of the user than the scopes grant.
 */
const names = {
  'RFC 7519': ['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti'],
  'RFC 9068': ['client_id', 'scope', 'auth_time', 'acr', 'amr', 'groups', 'roles', 'entitlements'],
  'OpenID Connect Core': [
    'nonce',
    'azp',
    'at_hash',
    'c_hash',
    'sub_jwk',
    '_claim_names',
    '_claim_sources',
    'name',
    'given_name',
    'family_name',
    'middle_name',
    'nickname',
    'preferred_username',
    'profile',
    'picture',
    'website',
    'email',
    'email_verified',
    'gender',
    'birthdate',
    'zoneinfo',
    'locale',
    'phone_number',
    'phone_number_verified',
    'address',
    'updated_at',
  ],
  'OpenID Connect logout and FAPI': ['sid', 'events', 's_hash'],
  'RFC 7662': ['active', 'token_type', 'username'],
  'RFC 7800 and RFC 9449': ['cnf', 'htm', 'htu', 'ath'],
  'RFC 8693, RFC 9396 and RFC 9701': ['act', 'may_act', 'authorization_details', 'token_introspection'],
  'this service': ['org', 'permissions', 'guest'],
  // An object with such a member is another object in some languages.
  JavaScript: ['__proto__'],
} as const

export const reservedNames: ReadonlySet<string> = new Set(Object.values(names).flat())

import { networkOf } from '../platform/http/addresses.ts'
import type { KeyedLimit, Quota } from '../platform/rate-limits/quotas.ts'
import type { NamedLimit, RateLimit } from '../platform/rate-limits/rate-limit.ts'

const minute = 60
const hour = 60 * minute
const day = 24 * hour

/** Every rate limit of the service. The description of each says what its key is. */
export const rateLimitTable = {
  /** Failed sign-ins by the e-mail address in the request. */
  signInByAccount: {
    max: 10,
    windowSeconds: 15 * minute,
    code: 'too-many-failed-sign-ins',
    detail: 'Too many failed sign-ins, try again later',
  },
  /** Failed sign-ins by the caller's network. */
  signInByAddress: {
    max: 100,
    windowSeconds: 15 * minute,
    keyOf: networkOf,
    code: 'too-many-failed-sign-ins',
    detail: 'Too many failed sign-ins, try again later',
  },
  /** Wrong codes of a second factor, on all routes together, by user id; wrong passkeys by the sign-in or session that they respond to. */
  codeByUser: { max: 5, windowSeconds: 5 * minute, code: 'too-many-wrong-codes', detail: 'Too many wrong codes, try again later' },
  /** Requested password links by e-mail address, registered or not. */
  forgotByEmail: {
    max: 5,
    windowSeconds: hour,
    code: 'too-many-password-links',
    detail: 'Too many requests for this address, try again later',
  },
  /** Requested password links by the caller's IP address. */
  forgotByAddress: {
    max: 20,
    windowSeconds: hour,
    code: 'too-many-password-links',
    detail: 'Too many requests for this address, try again later',
    keyOf: networkOf,
  },
  /** Requested e-mail codes by e-mail address, registered or not. */
  emailCodesByEmail: {
    max: 5,
    windowSeconds: hour,
    code: 'too-many-email-codes',
    detail: 'Too many requests for this address, try again later',
  },
  /** Requested e-mail codes by the caller's IP address. */
  emailCodesByAddress: {
    max: 20,
    windowSeconds: hour,
    code: 'too-many-email-codes',
    detail: 'Too many requests for this address, try again later',
    keyOf: networkOf,
  },
  /** Changes of a password by its user, by user id. */
  passwordChangesByUser: {
    max: 5,
    windowSeconds: hour,
    code: 'too-many-password-changes',
    detail: 'Too many changes of the password, try again later',
  },
  /** Attempts to set a password by a mailed link, by user id. */
  passwordResetsByUser: {
    max: 10,
    windowSeconds: hour,
    code: 'too-many-password-changes',
    detail: 'Too many changes of the password, try again later',
  },
  /** Requested links that verify an address, by user id. */
  verificationByUser: {
    max: 5,
    windowSeconds: hour,
    code: 'too-many-verification-links',
    detail: 'Too many links asked for, try again later',
  },
  /** Codes sent by SMS, by user id: each costs money. */
  smsByUser: { max: 5, windowSeconds: 15 * minute, code: 'too-many-codes-sent', detail: 'Too many codes sent, try again later' },
  /** Codes that confirm a phone, by its number: it may be a stranger's, and any number of users may name it. */
  smsByUnconfirmedPhone: { max: 10, windowSeconds: hour, code: 'too-many-codes-sent', detail: 'Too many codes sent, try again later' },
  /** Codes to a number that its users have confirmed: it may charge for each. An attacker who knows a password must not use up a day of them. */
  smsByPhone: { max: 15, windowSeconds: hour, code: 'too-many-codes-sent', detail: 'Too many codes sent, try again later' },
  /** All codes by the organisation of the users, while it is on trial. */
  smsOfTrialOrganisation: { max: 200, windowSeconds: day, code: 'too-many-codes-sent', detail: 'Too many codes sent, try again later' },
  /** Codes that confirm a phone, by an organisation of any other status. */
  smsOfOrganisation: { max: 5_000, windowSeconds: day, code: 'too-many-codes-sent', detail: 'Too many codes sent, try again later' },
  /** Organisations that strangers set up (`SIGNUP=open`), by the caller's network. */
  signUpsByAddress: {
    max: 5,
    windowSeconds: hour,
    keyOf: networkOf,
    code: 'too-many-sign-ups',
    detail: 'Too many sign-ups, try again later',
  },
  /** The same, counted for all networks together. */
  signUps: { max: 200, windowSeconds: day, code: 'too-many-sign-ups-in-all', detail: 'Too many sign-ups today, try again later' },
  /** Mails to an address that another person has entered, by that address. It may belong to no user. */
  mailsToAddress: {
    max: 5,
    windowSeconds: day,
    code: 'too-many-mails-to-address',
    detail: 'Too many mails to this address, try again later',
    // Simultaneous duplicates mail nothing, so they must not use up a limit this small, in several processes either.
    concurrencyMax: 1,
  },
  /** The same mails by the organisation that causes them, while it is on trial. */
  mailsOfTrialOrganisation: {
    max: 200,
    windowSeconds: day,
    code: 'too-many-mails',
    detail: 'Too many mails of this organisation, try again later',
  },
  /** The same by an organisation of any other status. */
  mailsOfOrganisation: {
    max: 5_000,
    windowSeconds: day,
    code: 'too-many-mails',
    detail: 'Too many mails of this organisation, try again later',
  },
  /** Look-ups of domains in the DNS, by organisation id. */
  domainVerificationsByOrganisation: {
    max: 30,
    windowSeconds: hour,
    code: 'too-many-domain-verifications',
    detail: 'Too many verifications of domains, try again later',
  },
  /**
   * Documents of identity providers that administrators have read, by organisation id. A document of configuration can be planned and applied
   * that gives as many connections as there may be the address of their metadata.
   */
  connectionRefreshesByOrganisation: {
    max: 120,
    windowSeconds: hour,
    code: 'too-many-connection-refreshes',
    detail: 'Too many connections refreshed, try again later',
  },
  /** MCP servers that are asked what they answer, by organisation id. */
  mcpServerChecksByOrganisation: {
    max: 60,
    windowSeconds: hour,
    code: 'too-many-mcp-server-checks',
    detail: 'Too many MCP servers checked, try again later',
  },
  /** Tests of a connection, by its id. */
  testRunsByConnection: {
    max: 30,
    windowSeconds: hour,
    code: 'too-many-connection-tests',
    detail: 'Too many tests of this connection, try again later',
  },
  /** Sign-ins that were started at identity providers, by the caller's network. */
  federationStartsByAddress: {
    max: 60,
    windowSeconds: 5 * minute,
    keyOf: networkOf,
    code: 'too-many-federated-sign-ins',
    detail: 'Too many sign-ins begun, try again later',
  },
  /** Requests that ask how an address can sign in, by the caller's network. */
  identificationsByAddress: {
    max: 60,
    windowSeconds: 5 * minute,
    keyOf: networkOf,
    code: 'too-many-identifications',
    detail: 'Too many addresses asked about, try again later',
  },
  /** Responses of identity providers that browsers post as a form, by the caller's network: more than the sign-ins that begin. */
  federationFormsByAddress: {
    max: 120,
    windowSeconds: 5 * minute,
    keyOf: networkOf,
    code: 'too-many-federated-sign-ins',
    detail: 'Too many sign-ins begun, try again later',
  },
  /** Addresses that were entered on the single sign-on page, by the caller's network: more than the sign-ins that begin. */
  ssoPagesByAddress: {
    max: 120,
    windowSeconds: 5 * minute,
    keyOf: networkOf,
    code: 'too-many-identifications',
    detail: 'Too many addresses asked about, try again later',
  },
  /** Simulated sign-ins, by organisation id. */
  signInChecksByOrganisation: {
    max: 300,
    windowSeconds: 5 * minute,
    code: 'too-many-sign-in-checks',
    detail: 'Too many sign-ins checked, try again later',
  },
  /** Simulated sign-ins, by the id of the user or the API key. */
  signInChecksByCaller: {
    max: 60,
    windowSeconds: 5 * minute,
    code: 'too-many-sign-in-checks',
    detail: 'Too many sign-ins checked, try again later',
  },
  /** Identity assertions that were inspected, by organisation id. */
  assertionChecksByOrganisation: {
    max: 300,
    windowSeconds: 5 * minute,
    code: 'too-many-assertion-checks',
    detail: 'Too many assertions checked, try again later',
  },
  /** Identity assertions that were inspected, by the id of the user or the API key. */
  assertionChecksByCaller: {
    max: 60,
    windowSeconds: 5 * minute,
    code: 'too-many-assertion-checks',
    detail: 'Too many assertions checked, try again later',
  },
  /** Logout tokens of identity providers that were refused, by the connection and the caller's network. */
  logoutTokensByConnection: {
    max: 60,
    windowSeconds: 5 * minute,
    code: 'too-many-logout-tokens',
    detail: 'Too many logout tokens that were refused, try again later',
  },
  /** Requests of a directory, by its id. */
  scimRequestsByDirectory: {
    max: 600,
    windowSeconds: minute,
    code: 'too-many-scim-requests',
    detail: 'Too many requests of this directory, try again later',
  },
  /** Requests of a directory that are tried and rolled back, by organisation id. */
  triedRequestsByOrganisation: {
    max: 60,
    windowSeconds: minute,
    code: 'too-many-tried-requests',
    detail: 'Too many requests tried, try again later',
  },
  /** Requests for the pages of set-up links, by the caller's network. */
  setupRequestsByAddress: {
    max: 30,
    windowSeconds: minute,
    keyOf: networkOf,
    code: 'too-many-setup-requests',
    detail: 'Too many requests, try again later',
  },
  /** Set-up links that do not exist or have ended, by the caller's network. */
  setupTokensByAddress: {
    max: 5,
    windowSeconds: 15 * minute,
    keyOf: networkOf,
    code: 'too-many-setup-tokens',
    detail: 'Too many links that do not work, try again later',
  },
  /** Tokens of platforms that could not be exchanged for a certain key, by the caller's network and the key. */
  exchangesByAddressAndKey: {
    max: 60,
    windowSeconds: 5 * minute,
    code: 'too-many-exchanges',
    detail: 'Too many tokens that could not be exchanged, try again later',
  },
  /** The same of all keys, and of those that do not exist. What is valid for a key is exchanged all the same. */
  exchangesByAddress: {
    max: 60,
    windowSeconds: 5 * minute,
    keyOf: networkOf,
    code: 'too-many-exchanges',
    detail: 'Too many tokens that could not be exchanged, try again later',
  },
  /** Failed authentications of an OAuth client, by client id. */
  authenticationByClient: {
    max: 50,
    windowSeconds: 5 * minute,
    code: 'too-many-failed-client-authentications',
    detail: 'Too many failed client authentications, try again later',
  },
  /** Client ID metadata documents and their logos that are fetched, by the host that is asked: known ones and new ones together. */
  clientDocumentsByHost: {
    max: 30,
    windowSeconds: minute,
    code: 'too-many-client-documents',
    detail: 'Too many documents of applications fetched, try again later',
  },
  /** The same of all hosts together. */
  clientDocuments: {
    max: 300,
    windowSeconds: minute,
    code: 'too-many-client-documents',
    detail: 'Too many documents of applications fetched, try again later',
  },
  /**
   * New ones among them, by the caller's network: documents of which no organisation has a client, or that could not be read the last time. Any
   * stranger names these, so they leave some of the limits above to the documents of applications that are in use, and one network leaves most
   * of a host to others.
   */
  newClientDocumentsByAddress: {
    max: 6,
    windowSeconds: minute,
    keyOf: networkOf,
    code: 'too-many-client-documents',
    detail: 'Too many documents of applications fetched, try again later',
  },
  /** The same by the host that is asked, and logos at an address that such an application has not had before. */
  newClientDocumentsByHost: {
    max: 20,
    windowSeconds: minute,
    code: 'too-many-client-documents',
    detail: 'Too many documents of applications fetched, try again later',
  },
  /** The same of all hosts together. */
  newClientDocuments: {
    max: 200,
    windowSeconds: minute,
    code: 'too-many-client-documents',
    detail: 'Too many documents of applications fetched, try again later',
  },
  /** Clients that register themselves without a token, by the caller's network. */
  registrationsByAddress: {
    max: 20,
    windowSeconds: hour,
    keyOf: networkOf,
    code: 'too-many-registrations',
    detail: 'Too many clients registered, try again later',
  },
  /** The same, counted for all networks together: a registration that no user allows is stored for a day. */
  registrations: { max: 5_000, windowSeconds: day, code: 'too-many-registrations', detail: 'Too many clients registered, try again later' },
  /** Codes for devices, by the caller's network. */
  deviceCodesByAddress: {
    max: 120,
    windowSeconds: 10 * minute,
    keyOf: networkOf,
    code: 'too-many-device-codes',
    detail: 'Too many codes for devices, try again later',
  },
  /** The same by client id: a code lives as long as the window, so this bounds the pending ones. */
  deviceCodesByClient: {
    max: 10_000,
    windowSeconds: 10 * minute,
    code: 'too-many-device-codes',
    detail: 'Too many codes for devices, try again later',
  },
  /** Wrong codes of devices, by the browser's session or, before the sign-in, by the cookie of its forms. */
  userCodesBySession: {
    max: 5,
    windowSeconds: 10 * minute,
    code: 'too-many-user-codes',
    detail: 'Too many wrong codes of devices, try again later',
  },
  /** The same by the caller's network. */
  userCodesByAddress: {
    max: 50,
    windowSeconds: 10 * minute,
    keyOf: networkOf,
    code: 'too-many-user-codes',
    detail: 'Too many wrong codes of devices, try again later',
  },
} as const satisfies Record<string, NamedLimit>

/** Limits on the records that a stranger can cause to be stored, by the caller's network where it says nothing else. */
export const quotaTable = {
  /** Diagnoses of refused OAuth requests. */
  diagnoses: { max: 60, windowSeconds: minute, keyOf: networkOf },
  /** Diagnoses of requests that name no known client. */
  diagnosesWithoutClient: { max: 10, windowSeconds: minute, keyOf: networkOf },
  /** Diagnoses of claims that would have made a token too large, by client. */
  claimsLeftOut: { max: 1, windowSeconds: 5 * minute, keyOf: (clientId) => clientId },
  /** Failed sign-ins that no limit of attempts counts, by user: with the right password of a blocked user, or a wrong passkey after a password. */
  refusedSignIns: { max: 5, windowSeconds: 5 * minute, keyOf: (userId) => userId },
  /** Pending authorization requests. Many people may share an address. */
  pendingRequests: { max: 300, windowSeconds: minute, keyOf: networkOf },
} as const satisfies Record<string, KeyedLimit>

export type Quotas = Readonly<Record<keyof typeof quotaTable, Quota>>

export type RateLimits = Readonly<Record<keyof typeof rateLimitTable, RateLimit>>

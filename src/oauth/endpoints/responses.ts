/** The other responses of the OAuth endpoints, refusals among them, as the description of the API shows them. */
import { z } from 'zod'
import { documentedResponse, emptyResponse } from '../../platform/http/documented-response.ts'
import { Introspection } from './schemas.ts'
import { signedIntrospectionType } from './signed-introspection.ts'

const Refusal = z.object({
  error: z.string().meta({ description: 'RFC 6749 §5.2, RFC 6750 §3.1', example: 'invalid_request' }),
  error_description: z
    .string()
    .meta({ description: 'For developers, with the reference of the diagnosis', example: 'redirect_uri is missing' }),
  acr_values: z
    .string()
    .optional()
    .meta({ description: 'With `insufficient_user_authentication`: the levels that suffice', example: 'aal2' }),
  max_age: z.number().int().optional().meta({ description: 'With it: how old the sign-in may be, in seconds', example: 3600 }),
})

const refusal = (description: string, headers?: Record<string, unknown>) =>
  documentedResponse(description, { 'application/json': Refusal }, headers)
const page = (description: string) => documentedResponse(description, { 'text/html': z.string() })

/** A document whose `ETag` identifies its content. */
export const documentResponses = {
  200: z.unknown().meta({ description: 'The document' }),
  304: emptyResponse('Not modified: `If-None-Match` matches'),
}

const form = 'application/x-www-form-urlencoded'

/** For the schema of a route that reads forms and refuses them in the words of the protocol. */
export const consumesForm = { consumes: [form] }

/** Token, introspection and revocation: RFC 6749 §5.2. */
export const clientRefusals = {
  400: refusal('The request is malformed or cannot be granted'),
  401: refusal('The client did not authenticate as registered'),
  413: refusal('The form is larger than 64 KiB'),
  429: refusal('The client has failed to authenticate too often, or asks for too much at once', {
    'Retry-After': { type: 'integer', description: 'Seconds until it may try again' },
  }),
}

/** RFC 7662 §2.2, and RFC 9701 §5. */
export const introspectionResponse = documentedResponse('What the token is', {
  'application/json': Introspection,
  [signedIntrospectionType]: z.string(),
})

/** UserInfo: RFC 6750 §3.1. */
export const bearerRefusals = {
  400: refusal('The request is malformed'),
  401: refusal('There is no access token, or it is no longer valid'),
  403: refusal('The access token was not granted `openid`'),
}

const refusalPage = page('The request is refused, and there is no proven address to send the browser to')

export const authorizeResponses = {
  200: page('A form that posts the response to the application, for `response_mode=form_post`'),
  302: emptyResponse('Back to the application, with `code` or `error`, or on to what has to come first, such as signing in'),
  303: emptyResponse('The same after a form, which is not sent along'),
  400: page(
    'The request is refused, and there is no proven address to send the browser to, or it is that of an application that no user has allowed, and no user has signed in',
  ),
  429: documentedResponse(
    'Too many client ID metadata documents are being fetched',
    { 'text/html': z.string() },
    {
      'Retry-After': { type: 'integer', description: 'Seconds until the browser may try again' },
    },
  ),
}

export const logoutResponses = {
  200: page('Asks whether to sign out. Without a session and without an ID token: a link back to the application'),
  303: emptyResponse('Signed out; on to the application, or to the page that says so'),
  400: refusalPage,
}

export const logoutFormResponses = { 303: emptyResponse('On to the same request by GET'), 400: refusalPage }

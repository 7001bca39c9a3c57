/** /problems/<slug>: what the `type` of an error means */
import { publicAccess } from '../access/declarations.ts'
import { defineRoutes } from '../platform/http/define-routes.ts'
import { type Html, html } from '../platform/http/html.ts'
import { type DescribedRefusal, type ProblemSlug, problems } from '../platform/http/problem.ts'
import { problemNotFound } from './refusals.ts'

/** When each problem occurs, and how to resolve it. */
const explanations: Readonly<Record<ProblemSlug, { when: string; remedy: string }>> = {
  'bad-request': {
    when: 'The request was understood and cannot be carried out as it is.',
    remedy: 'Read `detail`; if there are `errors`, each names a field by its `path` and what is wrong with it.',
  },
  unauthorized: {
    when: 'There is no session, key or token, or it has expired, been revoked, or never existed.',
    remedy:
      'Read `code` and `hint`: they say what was wrong with what was sent. Sign in again, or send a valid key as `Authorization: Bearer`.',
  },
  forbidden: {
    when: 'The caller is known and may not do this.',
    remedy:
      'Read `detail`: it names the missing permission, or asks for the CSRF token, the owner or another organisation. Every request by session needs the CSRF token as `X-CSRF-Token`, reading ones too; `GET /v1/auth/csrf` has it.',
  },
  'not-found': {
    when: 'There is no such thing in the organisation of the caller. What belongs to another organisation is not found either.',
    remedy: 'Check the address and the id.',
  },
  'method-not-allowed': {
    when: 'The address exists, and not for this method.',
    remedy: 'Use one of the methods of the `Allow` header.',
  },
  'request-timeout': {
    when: 'The request did not arrive within 30 seconds, or its headers not within 15.',
    remedy: 'Send it again, over a faster connection or in smaller parts.',
  },
  conflict: {
    when: 'The request contradicts what there is: a name, slug or e-mail that is taken, or a state that does not allow it.',
    remedy: 'Read `detail`, and choose another value or look at the current state.',
  },
  'precondition-failed': {
    when: 'The record is not the one that `If-Match` names: it was changed after it was read.',
    remedy: 'Read the record again, and decide what of the change still applies.',
  },
  'payload-too-large': {
    when: 'The body is larger than 1 MiB.',
    remedy: 'Send less at once.',
  },
  'unsupported-media-type': {
    when: 'The body is of a type that this address does not take.',
    remedy: 'Send JSON with `Content-Type: application/json`.',
  },
  'unprocessable-content': {
    when: 'The `Idempotency-Key` was sent before, with another request.',
    remedy: 'Send a new key with each new request, and the same key only to repeat the same request.',
  },
  'too-many-requests': {
    when: 'Too many attempts have failed in a short time, by this account, address, user or client.',
    remedy: 'Wait for the number of seconds in the `Retry-After` header.',
  },
  'request-header-fields-too-large': {
    when: 'The address and the headers of the request are larger than 16 KiB together.',
    remedy: 'Send fewer or shorter headers; delete cookies of this host that are not needed.',
  },
  'internal-server-error': {
    when: 'The service has made a mistake. What it was is in its log, under the id of the `X-Request-Id` header.',
    remedy: 'Try again; if it stays, give the id to the operator of the service.',
  },
  'service-unavailable': {
    when: 'The service cannot do its work at the moment, most often because it cannot reach its database.',
    remedy: 'Try again after the number of seconds in the `Retry-After` header.',
  },
}

const style = `
:root { color-scheme: light dark; font-family: system-ui, sans-serif; line-height: 1.5 }
body { margin: 10vh auto; max-width: 40rem; padding: 0 1rem }
code { font-family: ui-monospace, monospace; font-size: .95em }
`

export const problemPageRoutes = defineRoutes('/problems', async (app, { refusals }: { refusals: readonly DescribedRefusal[] }) => {
  app.get('/style.css', { config: { access: publicAccess() }, schema: { hide: true } }, async (_request, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', 'public, max-age=3600').send(style),
  )

  for (const slug of Object.keys(problems) as ProblemSlug[]) {
    app.get(`/${slug}`, { config: { access: publicAccess() }, schema: { hide: true } }, async (_request, reply) =>
      reply
        .type('text/html; charset=utf-8')
        .header('content-security-policy', "default-src 'none';style-src 'self';base-uri 'none';form-action 'none';frame-ancestors 'none'")
        .header('cache-control', 'public, max-age=3600')
        .send(
          page(
            slug,
            refusals.filter((refusal) => refusal.slug === slug),
          ).toString(),
        ),
    )
  }

  app.get('/:slug', { config: { access: publicAccess() }, schema: { hide: true } }, async () => {
    throw problemNotFound()
  })
})

function page(slug: ProblemSlug, refusals: readonly DescribedRefusal[]): Html {
  const { status, title } = problems[slug]
  const { when, remedy } = explanations[slug]
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="/problems/style.css">
</head>
<body>
<main>
<h1>${title}</h1>
<p>Status ${status}, <code>${slug}</code></p>
<h2>When it occurs</h2>
<p>${withCode(when)}</p>
<h2>What helps</h2>
<p>${withCode(remedy)}</p>
<h2>Codes</h2>
<p>The member <code>code</code> of the response says which it was.</p>
<dl>${refusals.map(({ code, text }) => html`<dt id="${code}"><code>${code}</code></dt><dd>${text}</dd>`)}</dl>
</main>
</body>
</html>
`
}

/** Renders backquotes as code, as Markdown does. */
const withCode = (text: string): Html[] =>
  text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))

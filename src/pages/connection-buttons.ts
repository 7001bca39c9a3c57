import { type Html, html } from '../platform/http/html.ts'
import { withMark } from './last-used.ts'
import { markOf } from './provider-marks.ts'
import type { Asked } from './sso.ts'
import type { View } from './view.ts'

/** How many are offered at once. Of one more, it is shown, too: it takes the place of what would unfold it. */
const shownMax = 5

/**
 * Where sign-ins by the organisation's connections begin. Links, since the policy of the page lets its forms go nowhere else.
 *
 * @param asked what the application asked for: whose account, and whether the sign-in is to be a new one
 * @param last the way that was used last. It comes first if it is one of them
 */
export function connectionButtons(view: View, connections: View['connections'], asked: Asked, last?: string): Html | undefined {
  if (connections.length === 0) return undefined
  const { connections: texts } = view.texts.signIn
  const parameters = { login_hint: asked.loginHint, prompt: asked.isNewSignIn ? 'login' : undefined }
  const inOrder = connections.toSorted((left, right) => Number(right.id === last) - Number(left.id === last))
  const buttons = inOrder.map(
    (connection) => html`
      <li>
        <a class="button quiet" href="${view.to(`/federation/${connection.id}/start`, parameters)}">
          ${markOf(connection)}${withMark(view, texts.continueWith(connection.name), connection.id === last)}
        </a>
      </li>`,
  )
  const shown = buttons.length <= shownMax + 1 ? buttons.length : shownMax
  const more = buttons.slice(shown)
  return html`
    <p class="or"><span>${texts.or}</span></p>
    <ul class="connections">${buttons.slice(0, shown)}</ul>
    ${more.length > 0 && html`<details class="more-connections"><summary>${texts.more}</summary><ul class="connections">${more}</ul></details>`}`
}

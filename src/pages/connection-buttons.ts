import { type Html, html } from '../platform/http/html.ts'
import { withMark } from './last-used.ts'
import { markOf } from './provider-marks.ts'
import type { View } from './view.ts'

/** The number of buttons that are shown at first. A single further one is shown, too, in place of the button that would unfold it. */
const shownMax = 5

/**
 * The links at which sign-ins by the organisation's connections begin. They
 * are no forms, since the page's policy restricts where forms may go.
 *
 * @param last the way that was used last; it comes first if it is one of the connections
 */
export function connectionButtons(view: View, connections: View['connections'], last?: string): Html | undefined {
  if (connections.length === 0) return undefined
  const { connections: texts } = view.texts.signIn
  const inOrder = connections.toSorted((left, right) => Number(right.id === last) - Number(left.id === last))
  const buttons = inOrder.map(
    (connection) => html`
      <li>
        <a class="button quiet" href="${view.to(`/federation/${connection.id}/start`)}">
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

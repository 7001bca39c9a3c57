import type { components } from '../../api/schema.d.ts'
import { Copyable } from '../../parts/copy.tsx'
import { shellTexts } from '../../texts/shell.ts'
import { Panel } from '../../ui/panel.tsx'

interface ConnectProps {
  client: components['schemas']['Client']
  /** Known for as long as the page that has created the application is open. */
  secret?: string
}

/** How an application is connected: its addresses, its credentials, and the code for its framework. */
export function Connect({ client }: ConnectProps) {
  return (
    <Panel title={shellTexts.applications}>
      <Copyable text={client.clientId} mono />
    </Panel>
  )
}

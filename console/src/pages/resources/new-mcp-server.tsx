import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { invalidate } from '../../api/keys.ts'
import type { components } from '../../api/schema.d.ts'
import { ApiTextField } from '../../parts/api-field.tsx'
import { Refusal } from '../../parts/confirm.tsx'
import { Permitted } from '../../parts/no-permission.tsx'
import { PageTitle } from '../../parts/page-title.tsx'
import { useWhyNot } from '../../parts/use-change.ts'
import { useShowCreated } from '../../parts/use-creation.tsx'
import { useSubmit } from '../../parts/use-submit.ts'
import { useTyped } from '../../parts/use-typed.tsx'
import { resourcesTexts as t } from '../../texts/resources.ts'
import { shellTexts } from '../../texts/shell.ts'
import type { Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Facts } from '../../ui/definition-list.tsx'
import { Form, FormActions } from '../../ui/form.tsx'
import { Link, LinkButton } from '../../ui/link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Panel } from '../../ui/panel.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { linesOf, scopesIn } from './scope-lines.ts'

type McpServerCheck = components['schemas']['McpServerCheck']
type Finding = McpServerCheck['checks'][number]

const operation = 'POST /v1/admin/resource-servers'
const check = 'POST /v1/admin/resource-servers/check-mcp-server'

/** The guide from the address of an MCP server to the API that its tokens are for. */
export function NewMcpServer() {
  const [found, setFound] = useState<McpServerCheck>()
  return (
    <Permitted to={operation}>
      <PageTitle>{t.addMcpServer}</PageTitle>
      <PageHead title={t.addMcpServer} description={t.mcpDescription} back={<Link to="/resources">{shellTexts.resources}</Link>} />
      <Ask onFound={setFound} />
      {found && <Findings found={found} />}
      {found && <AddIt key={found.identifier} found={found} />}
    </Permitted>
  )
}

function Ask({ onFound }: { onFound: (found: McpServerCheck | undefined) => void }) {
  const submission = useSubmit({
    fields: ['identifier'],
    work: async (form) => {
      onFound(undefined)
      const identifier = String(form.get('identifier')).trim()
      onFound(await answerOf(api.POST('/v1/admin/resource-servers/check-mcp-server', { body: { identifier } })))
    },
  })
  return (
    <Panel>
      <Form errors={submission.errors} onSubmit={submission.onSubmit}>
        <ApiTextField of={check} name="identifier" label={t.mcpAddress} hint={t.mcpAddressHint} inputMode="url" />
        <Refusal of={submission} />
        <FormActions>
          <LinkButton to="/resources">{shellTexts.cancel}</LinkButton>
          <Button type="submit" variant="primary" busy={submission.busy}>
            {t.checkIt}
          </Button>
        </FormActions>
      </Form>
    </Panel>
  )
}

const tones: Record<Finding['outcome'], Tone> = { met: 'success', unmet: 'danger', 'not-checked': 'neutral' }

function Findings({ found: { checks, metadataUrl } }: { found: McpServerCheck }) {
  const leadsHere = checks.every(({ outcome }) => outcome === 'met')
  return (
    <Panel title={t.whatItAnswers}>
      <div aria-live="polite">
        <Notice tone={leadsHere ? 'success' : 'warning'} title={leadsHere ? t.leadsHere : t.doesNotLeadHere} />
      </div>
      <Facts items={[{ term: t.documentAt, value: <code>{metadataUrl}</code> }]} />
      {checks.map(({ code, outcome, expected, received }) => (
        <Notice key={code} tone={tones[outcome]} title={`${t.outcomes[outcome]}: ${t.mcpChecks[code].title}`}>
          {outcome === 'unmet' && (
            <>
              <p>{t.mcpChecks[code].remedy}</p>
              <Facts
                items={[
                  { term: t.expected, value: <code>{expected}</code> },
                  { term: t.received, value: received === null ? t.nothing : <code>{received}</code> },
                ]}
              />
            </>
          )}
        </Notice>
      ))}
    </Panel>
  )
}

function AddIt({ found }: { found: McpServerCheck }) {
  const queries = useQueryClient()
  const navigate = useNavigate()
  const showCreated = useShowCreated('GET /v1/admin/resource-servers/{id}')
  const whyNot = useWhyNot()(operation)
  const [allowsAutomaticClients, setAllowsAutomaticClients] = useState(false)
  const [requireDpop, setRequireDpop] = useState(found.requireDpop)
  const leaving = useTyped(() => true, { onEveryPage: true })
  const submission = useSubmit({
    fields: ['name', 'scopes', 'allowsAutomaticClients', 'requireDpop'],
    work: async (form) => {
      const name = String(form.get('name')).trim()
      const { identifier } = found
      const body = { name, identifier, scopes: scopesIn(String(form.get('scopes'))), allowsAutomaticClients, requireDpop }
      const made = await answerOf(api.POST('/v1/admin/resource-servers', { body }))
      leaving.clear()
      await invalidate(queries, 'resource-servers')
      await showCreated(name, () => navigate({ to: '/resources/$id/{-$tab}', params: { id: made.id } }))
    },
  })
  return (
    <Panel title={t.addIt} description={t.addItDescription}>
      <Form errors={submission.errors} onSubmit={submission.onSubmit} onInput={leaving.note}>
        <ApiTextField of={operation} name="name" label={shellTexts.name} defaultValue={found.name ?? ''} />
        <TextField
          name="scopes"
          label={t.fields.scopes}
          hint={t.scopesHint}
          multiline={5}
          defaultValue={linesOf(found.scopes.map((name) => ({ name, description: null })))}
        />
        <Checkbox
          name="allowsAutomaticClients"
          label={t.fields.allowsAutomaticClients}
          hint={t.automaticHint}
          checked={allowsAutomaticClients}
          onCheckedChange={setAllowsAutomaticClients}
        />
        {found.requireDpop && (
          <Checkbox
            name="requireDpop"
            label={t.fields.requireDpop}
            hint={t.requireDpopHint}
            checked={requireDpop}
            onCheckedChange={setRequireDpop}
          />
        )}
        <Refusal of={submission} />
        {whyNot !== undefined && <Notice tone="warning">{whyNot}</Notice>}
        <FormActions>
          <Button type="submit" variant="primary" busy={submission.busy} disabledReason={whyNot}>
            {t.addMcpServer}
          </Button>
        </FormActions>
        {leaving.question}
      </Form>
    </Panel>
  )
}

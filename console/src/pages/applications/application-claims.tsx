import { useQueryClient } from '@tanstack/react-query'
import { answerWithTag, api } from '../../api/client.ts'
import { type Client, changeClient, clientQuery } from '../../api/clients.ts'
import { invalidate } from '../../api/keys.ts'
import { ClaimMappings, namesOfRows } from '../../parts/claim-mappings.tsx'
import { type ClaimMapping, type ClaimTarget, isWhole, mappingOf, rowOf } from '../../parts/claim-rows.ts'
import { questionAbout } from '../../parts/claims-question.ts'
import { EditForm, useEdit } from '../../parts/edit-form.tsx'
import { JsonView } from '../../parts/json-view.tsx'
import { useMayChange, useWhyNot } from '../../parts/use-change.ts'
import { useQuestion } from '../../parts/use-question.tsx'
import { claimsTexts as t } from '../../texts/claims.ts'
import { Notice } from '../../ui/notice.tsx'
import { Panel } from '../../ui/panel.tsx'
import { ClaimsPreview } from './claims-preview.tsx'

const operation = 'PATCH /v1/admin/clients/{id}'
const targets = ['id_token', 'access_token', 'userinfo', 'introspection'] as const satisfies readonly ClaimTarget[]

const valuesOf = ({ claimMappings }: Client) => ({ claimMappings: (claimMappings as ClaimMapping[]).map(rowOf) })

/** Which claims an application adds to tokens, beside the documents in which they are seen. */
export function ApplicationClaims({ client, tag }: { client: Client; tag: string | undefined }) {
  const queries = useQueryClient()
  const mayChange = useMayChange()(operation)
  const why = useWhyNot()(operation)
  const edit = useEdit(valuesOf(client), tag)
  const { ask, question } = useQuestion()
  const { claimMappings: rows } = edit.values
  return (
    <>
      <Panel title={t.title} description={t.description}>
        {mayChange ? (
          <EditForm
            edit={edit}
            targetId={client.id}
            labels={{ claimMappings: t.mappings }}
            fields={namesOfRows(rows)}
            before={() => ask(questionAbout(valuesOf(client).claimMappings, rows))}
            save={async (_, { 'If-Match': ifMatch }) => {
              const saved = await changeClient(client.id, { claimMappings: rows.map(mappingOf) }, ifMatch)
              await invalidate(queries, 'clients')
              return saved
            }}
            readAgain={async () => {
              const now = await answerWithTag(api.GET('/v1/admin/clients/{id}', { params: { path: { id: client.id } } }))
              queries.setQueryData(clientQuery(client.id).queryKey, now)
              return { values: valuesOf(now.body), tag: now.tag }
            }}
          >
            <ClaimMappings rows={rows} targets={targets} onRowsChange={(changed) => edit.set('claimMappings', changed)} />
          </EditForm>
        ) : (
          <>
            <Notice tone="neutral">{why}</Notice>
            <JsonView value={client.claimMappings} label={t.mappings} />
          </>
        )}
      </Panel>
      <ClaimsPreview client={client} mappings={rows.filter(isWhole).map(mappingOf)} />
      {question}
    </>
  )
}

import type { ResourceServer } from '../../api/resource-servers.ts'
import { ClaimMappings, namesOfRows } from '../../parts/claim-mappings.tsx'
import { type ClaimMapping, type ClaimTarget, mappingOf, rowOf } from '../../parts/claim-rows.ts'
import { questionAbout } from '../../parts/claims-question.ts'
import { useEdit } from '../../parts/edit-form.tsx'
import { JsonView } from '../../parts/json-view.tsx'
import { useQuestion } from '../../parts/use-question.tsx'
import { claimsTexts as t } from '../../texts/claims.ts'
import { ResourceForm } from './resource-form.tsx'

const targets = ['access_token', 'introspection'] as const satisfies readonly ClaimTarget[]

const valuesOf = ({ claimMappings }: ResourceServer) => ({ claimMappings: (claimMappings as ClaimMapping[]).map(rowOf) })

/** Which claims an API adds to its access tokens. */
export function ResourceClaims({ server, tag }: { server: ResourceServer; tag: string | undefined }) {
  const edit = useEdit(valuesOf(server), tag)
  const { ask, question } = useQuestion()
  const { claimMappings: rows } = edit.values
  return (
    <>
      <ResourceForm
        server={server}
        title={t.title}
        description={t.descriptionOfApi}
        edit={edit}
        valuesOf={valuesOf}
        bodyOf={() => ({ claimMappings: rows.map(mappingOf) as { in: ('access_token' | 'introspection')[] }[] as never })}
        fields={namesOfRows(rows)}
        before={() => ask(questionAbout(valuesOf(server).claimMappings, rows))}
        facts={[{ term: t.mappings, value: <JsonView value={server.claimMappings} label={t.mappings} /> }]}
      >
        <ClaimMappings rows={rows} targets={targets} onRowsChange={(changed) => edit.set('claimMappings', changed)} />
      </ResourceForm>
      {question}
    </>
  )
}

import { answerOf, api } from '../../api/client.ts'
import { useMay } from '../../api/profile.ts'
import type { ResourceServer } from '../../api/resource-servers.ts'
import { useEdit } from '../../parts/edit-form.tsx'
import { formatNumber } from '../../parts/format.ts'
import { useQuestion } from '../../parts/use-question.tsx'
import { resourcesTexts as t } from '../../texts/resources.ts'
import { shellTexts } from '../../texts/shell.ts'
import { TextField } from '../../ui/text-field.tsx'
import { ResourceForm } from './resource-form.tsx'
import { linesOf, scopesIn } from './scope-lines.ts'

const valuesOf = ({ scopes }: ResourceServer) => ({ scopes: linesOf(scopes) })

export function ResourceScopes({ server, tag }: { server: ResourceServer; tag: string | undefined }) {
  const edit = useEdit(valuesOf(server), tag)
  const mayRead = useMay()('GET /v1/admin/clients')
  const { ask, question } = useQuestion()
  /** The number of applications that may ask for a scope here; undefined for those who may not read them. */
  const countAsking = async (scope: string) => {
    if (!mayRead) return undefined
    const query = { resourceServerId: server.id, scope, limit: 1 }
    return (await answerOf(api.GET('/v1/admin/clients', { params: { query } }))).total ?? undefined
  }
  const askAboutRemoved = async (lines: string): Promise<boolean> => {
    const left = new Set(scopesIn(lines).map(({ name }) => name))
    const removed = server.scopes.filter(({ name }) => !left.has(name))
    const counted = await Promise.all(removed.map(async ({ name }) => ({ name, count: await countAsking(name) })))
    const inUse = counted.filter(({ count }) => count !== 0)
    if (inUse.length === 0) return true
    const body = (
      <>
        <ul>
          {inUse.map(({ name, count }) => (
            <li key={name}>
              <code>{name}</code>
              {count !== undefined && `: ${t.mayAskForScope(count, formatNumber(count))}`}
            </li>
          ))}
        </ul>
        <p>{t.removeScopesEffect(inUse.length)}</p>
      </>
    )
    const titleOf = inUse.every(({ count }) => count !== undefined) ? t.removeScopesQuestion : t.removeAnyScopesQuestion
    return ask({ title: titleOf(inUse.length), body, action: shellTexts.save, danger: true })
  }
  return (
    <>
      <ResourceForm
        server={server}
        title={t.scopesTitle}
        description={t.scopesDescription}
        edit={edit}
        valuesOf={valuesOf}
        bodyOf={({ scopes }) => (scopes === undefined ? {} : { scopes: scopesIn(scopes) })}
        before={async ({ scopes }) => scopes === undefined || askAboutRemoved(scopes)}
        facts={server.scopes.map(({ name, description }) => ({ term: name, value: description }))}
      >
        <TextField {...edit.field('scopes')} label={t.fields.scopes} hint={t.scopesHint} multiline={8} />
      </ResourceForm>
      {question}
    </>
  )
}

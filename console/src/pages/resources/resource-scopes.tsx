import type { ResourceServer } from '../../api/resource-servers.ts'
import { useEdit } from '../../parts/edit-form.tsx'
import { resourcesTexts as t } from '../../texts/resources.ts'
import { TextField } from '../../ui/text-field.tsx'
import { ResourceForm } from './resource-form.tsx'
import { linesOf, scopesIn } from './scope-lines.ts'

const valuesOf = ({ scopes }: ResourceServer) => ({ scopes: linesOf(scopes) })

export function ResourceScopes({ server, tag }: { server: ResourceServer; tag: string | undefined }) {
  const edit = useEdit(valuesOf(server), tag)
  return (
    <ResourceForm
      server={server}
      title={t.scopesTitle}
      description={t.scopesDescription}
      edit={edit}
      valuesOf={valuesOf}
      bodyOf={({ scopes }) => (scopes === undefined ? {} : { scopes: scopesIn(scopes) })}
      facts={server.scopes.map(({ name, description }) => ({ term: name, value: description }))}
    >
      <TextField {...edit.field('scopes')} label={t.fields.scopes} hint={t.scopesHint} multiline={8} />
    </ResourceForm>
  )
}

import type { ResourceServer } from '../../api/resource-servers.ts'
import { useEdit } from '../../parts/edit-form.tsx'
import { resourcesTexts as t } from '../../texts/resources.ts'
import { TextField } from '../../ui/text-field.tsx'
import { ResourceForm } from './resource-form.tsx'

/** One scope a line: its name, and after a space what it allows. */
const valuesOf = ({ scopes }: ResourceServer) => ({
  scopes: scopes.map(({ name, description }) => (description ? `${name} ${description}` : name)).join('\n'),
})

const scopesIn = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => {
      const [name = ''] = line.split(/\s/, 1)
      return { name, description: line.slice(name.length).trim() || null }
    })

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

import { givesTrust, trustRules } from '../../../../shared/trusted-settings.ts'
import type { UndoneEntry } from '../../api/audit.ts'
import { readRole } from '../../api/roles.ts'
import { FieldChanges } from '../../parts/field-changes.tsx'
import type { AddressField } from '../../parts/new-host.tsx'
import { useHostQuestion } from '../../parts/use-host-question.tsx'
import { useOrganisationImpact } from '../../parts/use-organisation-impact.tsx'
import { useQuestion } from '../../parts/use-question.tsx'
import { useIsEveryPermission, useRoleQuestion } from '../../parts/use-role-question.tsx'
import { useTrustQuestion } from '../../parts/use-trust-question.tsx'
import { questionsTexts as t } from '../../texts/questions.ts'
import { undoTexts } from '../../texts/undo.ts'

type Change = UndoneEntry['changes'][number]

const addressFields: readonly AddressField[] = ['redirectUris', 'postLogoutRedirectUris']

const trustOf = {
  'connection.updated': 'connection',
  'directory.updated': 'directory',
  'domain.updated': 'domain',
} as const satisfies Readonly<Record<string, keyof typeof trustRules>>

const givesTrustIn = (action: string): action is keyof typeof trustOf => Object.hasOwn(trustOf, action)

/** Asks the same questions as the page of the record before such a change: one that grants rights, lets others act for users, or is felt by many. */
export function useUndoQuestions() {
  const roles = useRoleQuestion()
  const hosts = useHostQuestion()
  const { ask, question } = useQuestion()
  const impact = useOrganisationImpact()
  const trust = useTrustQuestion()
  const isEvery = useIsEveryPermission()

  const askAboutRole = async (id: string, name: string, field: 'permissions' | 'isDefault', changes: Change['changes']) => {
    const slugsOf = (value: unknown) => (value as { slug: string }[]).map(({ slug }) => slug)
    const becomes = changes?.permissions
    const held = becomes ? slugsOf(becomes.to) : (await readRole(id)).body.permissions.map(({ slug }) => slug)
    if (!(await isEvery(held)) || (field === 'permissions' && becomes && (await isEvery(slugsOf(becomes.from))))) return true
    return ask({
      title: undoTexts.question,
      body: <p>{field === 'permissions' ? t.everyPermission(name) : t.makeDefault(name)}</p>,
      action: undoTexts.action,
      danger: true,
      typeToConfirm: name,
    })
  }

  const askAbout = async ({ action, targetId, targetName, changes, metadata }: Change): Promise<boolean> => {
    const name = targetName ?? targetId
    const fields = changes ?? {}
    if (action === 'role.assigned') return roles.askAboutRoles([String(metadata?.roleId)], { to: name, typed: name })
    if (action === 'role.updated') {
      if (fields.permissions && !(await askAboutRole(targetId, name, 'permissions', changes))) return false
      return fields.isDefault?.to === true ? askAboutRole(targetId, name, 'isDefault', changes) : true
    }
    if (action === 'organisation.updated')
      return impact.ask(Object.fromEntries(Object.entries(fields).map(([field, { to }]) => [field, to])))
    if (action === 'client.updated') {
      for (const field of addressFields) {
        const { from, to } = fields[field] ?? {}
        const uris = { uris: (to ?? []) as string[], known: (from ?? []) as string[] }
        if (!(await hosts.askAboutHosts({ field, application: name, ...uris }))) return false
      }
    }
    if (givesTrustIn(action)) {
      const of = trustOf[action]
      const trusted = Object.entries(fields).filter(([field, change]) => givesTrust(trustRules[of], field, change))
      if (trusted.length === 0) return true
      return trust.askAboutTrust({ of, name, decided: <FieldChanges changes={Object.fromEntries(trusted)} /> })
    }
    return true
  }

  return {
    /** @returns whether to continue: at once when no question is needed */
    askAboutUndo: async (changes: readonly Change[]): Promise<boolean> => {
      for (const change of changes) if (!(await askAbout(change))) return false
      return true
    },
    questions: (
      <>
        {roles.question}
        {hosts.question}
        {impact.question}
        {question}
        {trust.question}
      </>
    ),
  }
}

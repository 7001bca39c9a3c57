import { useQueryClient } from '@tanstack/react-query'
import { permissionsQuery } from '../api/permissions.ts'
import { useMay } from '../api/profile.ts'
import { ownerSlug, type Role, readRole } from '../api/roles.ts'
import { questionsTexts as t } from '../texts/questions.ts'
import { Chip, Chips } from '../ui/badge.tsx'
import { formatNumber } from './format.ts'
import { roleName } from './role-words.ts'
import { useQuestion } from './use-question.tsx'

interface Recipient {
  /** The recipient of the role. */
  to: string
  /** The text to type: the name of a single recipient; that of the role for several. */
  typed?: string
  /** The permissions that a single recipient has already. */
  held?: readonly string[]
}

/** Tells whether the slugs are all existing permissions. */
export function useIsEveryPermission(): (slugs: readonly string[]) => Promise<boolean> {
  const queries = useQueryClient()
  const may = useMay()('GET /v1/admin/permissions')
  return async (slugs) => {
    if (!may) return false
    const { data } = await queries.fetchQuery(permissionsQuery)
    const held = new Set(slugs)
    return data.every(({ slug }) => held.has(slug))
  }
}

/** Asks before a user gets a role with every permission. */
export function useRoleQuestion() {
  const { ask, question } = useQuestion()
  const isEvery = useIsEveryPermission()
  const has = async ({ slug, permissions }: Role) => slug === ownerSlug || (await isEvery(permissions.map((one) => one.slug)))
  return {
    /** @returns whether to continue: at once when none of the roles has every permission */
    askAboutRoles: async (roleIds: readonly string[], { to, typed, held }: Recipient): Promise<boolean> => {
      for (const id of roleIds) {
        const { body: role } = await readRole(id)
        if (!(await has(role))) continue
        const slugs = role.permissions.map(({ slug }) => slug).sort()
        const fresh = held && slugs.filter((slug) => !held.includes(slug))
        const isWanted = await ask({
          title: t.giveAllQuestion(roleName(role), to),
          body: (
            <>
              <p>{t.giveAll(roleName(role), formatNumber(slugs.length))}</p>
              {fresh && fresh.length > 0 && (
                <>
                  <p>{t.givesNew(formatNumber(fresh.length))}</p>
                  <Chips>
                    {fresh.map((slug) => (
                      <Chip key={slug}>+ {slug}</Chip>
                    ))}
                  </Chips>
                </>
              )}
            </>
          ),
          action: t.give(roleName(role)),
          danger: true,
          typeToConfirm: typed ?? roleName(role),
        })
        if (!isWanted) return false
      }
      return true
    },
    question,
  }
}

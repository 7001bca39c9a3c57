import { describe, expect, it } from 'vitest'
import { unavailable, useConsole } from '../support/console.ts'
import { type SignedInUser, unique } from '../support/given.ts'

const { service, openConsole } = useConsole({ ofItsOwn: true })

const actionsOn = async (owner: SignedInUser, email: string) => {
  return (await owner.audit({ action: 'invitation.*' }))
    .filter(({ metadata, target }: { metadata: { email?: string } | null; target: { name: string } }) =>
      [metadata?.email, target.name].includes(email),
    )
    .map(({ action }: { action: string }) => action)
    .reverse()
}

describe('the page of invitations', () => {
  it('shows the one whose id is pasted, until the filter is removed', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const [anna, bea] = ['anna', 'bea'].map((name) => `${name}-${unique()}@example.test`)
    const roles = (await owner.get('/v1/admin/roles?q=member')).body.data
    const invite = (email: string | undefined) => owner.post('/v1/admin/invitations', { email, roleId: roles[0].id })
    const { body: first } = await invite(anna)
    await invite(bea)
    const { page, faults } = await openConsole(owner, '/console/users')
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('combobox', { name: 'Search or jump to…' }).fill(`cancel ${first.id} please`)
    await page.getByRole('option', { name: first.id }).click()

    await page.getByRole('row', { name: new RegExp(`${anna}`) }).waitFor()
    expect(await page.getByRole('row', { name: new RegExp(`${bea}`) }).count()).toBe(0)
    await page.getByText('1 invitation', { exact: true }).waitFor()
    await page.getByRole('searchbox', { name: 'E-mail address' }).fill('bea')
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
    await page.getByRole('button', { name: /^Remove Invitation: inv_/ }).click()
    await page.getByRole('row', { name: new RegExp(`${bea}`) }).waitFor()
    expect(faults).toEqual([])

    await owner.delete(`/v1/admin/invitations/${first.id}`)
    await page.goto(`/console/invitations?id=${first.id}`)
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
  })

  it('invites a colleague in three actions, the default role preselected, and says once where the mail is', async () => {
    const { given, mailbox } = service()
    const { owner } = await given.organisation()
    const { page, faults } = await openConsole(owner, '/console/invitations')
    await page.getByRole('heading', { name: 'No invitations yet' }).waitFor()

    await page.getByRole('button', { name: 'Invite' }).first().click()
    const drawer = page.getByRole('dialog', { name: 'Invite' })
    await drawer.getByLabel('E-mail addresses').fill('Carol Shaw <carol.shaw@example.test>')
    await drawer.getByText('Member').waitFor()
    await drawer.getByRole('button', { name: 'Send' }).click()

    await drawer.getByText('1 invitation sent').waitFor()
    await drawer.getByRole('link', { name: 'Open the mails' }).waitFor()
    await drawer.getByRole('button', { name: 'Done' }).click()
    await drawer.waitFor({ state: 'hidden' })
    const row = page.getByRole('row', { name: /carol\.shaw@example\.test/ })
    await row.getByText('Pending').waitFor()
    expect(await row.getByText('Member', { exact: true }).count()).toBe(1)
    expect(await page.getByRole('link', { name: 'Open the mails' }).count()).toBe(0)
    await mailbox.mailTo('carol.shaw@example.test')
    expect(await actionsOn(owner, 'carol.shaw@example.test')).toEqual(['invitation.sent'])
    expect(faults).toEqual([])
  })

  it('shows a link once to copy where that was asked for, and stays on Back until it is done with', async () => {
    const { given, mailbox } = service()
    const { owner } = await given.organisation()
    const { page, context, faults } = await openConsole(owner, '/console/invitations')
    await page.getByRole('main').getByRole('button', { name: 'Invite' }).first().click()
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const drawer = page.getByRole('dialog', { name: 'Invite' })
    await drawer.getByLabel('E-mail addresses').fill('dora.shaw@example.test')
    await drawer.getByRole('switch', { name: 'Show me the link, too' }).click()
    await drawer.getByRole('button', { name: 'Send' }).click()
    await drawer.getByText('The links are shown here once').waitFor()
    await drawer.getByRole('button', { name: 'Copy link: dora.shaw@example.test' }).click()
    await expect
      .poll(() => page.evaluate('navigator.clipboard.readText()'))
      .toContain(`token=${await mailbox.tokenTo('dora.shaw@example.test')}`)

    await page.goBack()
    await expect.poll(() => new URL(page.url()).search).toBe('?create=yes')
    await drawer.getByRole('button', { name: 'Copy link: dora.shaw@example.test' }).waitFor()
    await drawer.getByRole('button', { name: 'Done' }).click()
    await drawer.waitFor({ state: 'detached' })
    expect(new URL(page.url()).search).toBe('')
    expect(faults).toEqual([])
  })

  it('sends to many addresses, tells for each what became of it, and hands back what was refused', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    await given.role(owner, { name: 'Support', permissions: ['users:read'] })
    await owner.post('/v1/admin/teams', { name: 'Europe', slug: 'europe' })
    const { page, faults } = await openConsole(owner, '/console/invitations?create=yes')
    const drawer = page.getByRole('dialog', { name: 'Invite' })

    await drawer.getByLabel('E-mail addresses').fill('one@example.test; unknown')
    await drawer.getByRole('button', { name: 'Send' }).click()
    await drawer.getByText('Not an e-mail address: unknown').waitFor()

    const many = Array.from({ length: 12 }, (_, index) => `many${index}@${owner.email.split('@')[1]}`)
    await drawer.getByLabel('E-mail addresses').fill([...many, owner.email, many[0]].join('\n'))
    await drawer.getByText(`13 addresses. Written more than once: ${many[0]}.`).waitFor()
    await drawer.getByLabel('Role').fill('Supp')
    await page.getByRole('option', { name: /Support/ }).click()
    await drawer.getByLabel('Teams').fill('Eur')
    await page.getByRole('option', { name: /Europe/ }).click()
    await page.keyboard.press('Tab')
    await drawer.getByRole('button', { name: 'Send 13 invitations' }).click()

    await drawer.getByText('12 sent, 1 not sent').waitFor()
    await drawer.getByText(`${owner.email}: This address is registered already`).waitFor()
    expect(await drawer.getByRole('listitem').count()).toBe(13)
    expect(faults.splice(0)).toEqual([expect.stringMatching(/^response: 400 POST .*\/v1\/admin\/invitations$/)])
    await drawer.getByRole('button', { name: 'Correct and send again' }).click()
    expect(await drawer.getByLabel('E-mail addresses').inputValue()).toBe(owner.email)

    const { body } = await owner.get('/v1/admin/invitations')
    expect(body.data.map(({ email }: { email: string }) => email).sort()).toEqual([...many].sort())
    expect(
      new Set(body.data.map(({ role, teams }: { role: { name: string }; teams: { name: string }[] }) => role.name + teams[0]?.name)),
    ).toEqual(new Set(['SupportEurope']))
    expect(faults).toEqual([])
  })

  it('is held while it sends to many, and stopped it says what was not sent, which the links survive', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const { page, faults } = await openConsole(owner, '/console/invitations?create=yes')
    const drawer = page.getByRole('dialog', { name: 'Invite' })
    const held = Promise.withResolvers<void>()
    const isCall = (url: URL) => url.pathname === '/v1/admin/invitations'
    await page.route(isCall, async (route) => {
      if (route.request().method() === 'POST') await held.promise
      await route.continue()
    })
    const many = Array.from({ length: 7 }, (_, index) => `stop${index}@${owner.email.split('@')[1]}`)
    await drawer.getByLabel('E-mail addresses').fill(many.join('\n'))
    await drawer.getByText('Member').waitFor()
    await drawer.getByRole('switch', { name: 'Show me the link, too' }).click()
    await drawer.getByRole('button', { name: 'Send 7 invitations' }).click()
    await drawer.getByRole('progressbar', { name: '0 of 7' }).waitFor()
    expect(await drawer.getByRole('button', { name: 'Close' }).count()).toBe(0)
    expect(await drawer.getByRole('button', { name: 'Cancel' }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await drawer.getByRole('button', { name: 'Stop' }).click()
    held.resolve()

    await drawer.getByText('4 sent, 3 not sent').waitFor()
    const [sent, left] = [many.slice(0, 4), many.slice(4)]
    for (const email of left) await drawer.getByText(`${email}: not sent, because you stopped`).waitFor()
    // The links are shown once: neither a key nor sending the others loses them.
    await page.keyboard.press('Escape')
    await drawer.getByRole('button', { name: `Copy link: ${sent[0]}` }).waitFor()
    await drawer.getByRole('button', { name: 'Correct and send again' }).click()
    expect(await drawer.getByLabel('E-mail addresses').inputValue()).toBe(left.join('\n'))
    await drawer.getByRole('button', { name: 'Cancel' }).click()
    await drawer.getByText('4 sent, 3 not sent').waitFor()
    await drawer.getByRole('button', { name: 'Correct and send again' }).click()
    await drawer.getByRole('button', { name: 'Send 3 invitations' }).click()
    await drawer.getByText('7 invitations sent').waitFor()
    for (const email of many) await drawer.getByRole('button', { name: `Copy link: ${email}` }).waitFor()
    await drawer.getByRole('button', { name: 'Done' }).click()
    await drawer.waitFor({ state: 'hidden' })
    expect((await owner.get('/v1/admin/invitations')).body.total).toBe(7)
    expect(faults).toEqual([])
  })

  it('resends, cancels with a way back, and invites again whose link has expired', async () => {
    const { given, clock } = service()
    const { owner } = await given.organisation()
    const { body: roles } = await owner.get('/v1/admin/roles?q=member')
    const invite = (email: string) => owner.post('/v1/admin/invitations', { email, roleId: roles.data[0].id, expiresInDays: 3 })
    const domain = owner.email.split('@')[1]
    const [stays, goes] = [`stays@${domain}`, `goes@${domain}`]
    for (const email of [stays, goes]) expect(await invite(email)).toMatchObject({ status: 201 })
    const { page, faults } = await openConsole(owner, '/console/invitations?status=pending')
    const rowOf = (email: string) => page.getByRole('row', { name: new RegExp(email.replaceAll('.', '\\.')) })
    const act = async (email: string, action: string) => {
      await page.getByRole('button', { name: `Actions for the invitation of ${email}` }).click()
      await page.getByRole('menuitem', { name: action }).click()
    }

    await act(stays, 'Send again')
    await page.getByText(`An invitation is on its way to ${stays}`).first().waitFor()
    expect(await actionsOn(owner, stays)).toEqual(['invitation.sent', 'invitation.sent'])

    await act(goes, 'Cancel the invitation')
    await page.getByText(`The invitation of ${goes} is cancelled`).first().waitFor()
    await rowOf(goes).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Send it again' }).click()
    await rowOf(goes).waitFor()
    expect(await actionsOn(owner, goes)).toEqual(['invitation.sent', 'invitation.cancelled', 'invitation.sent'])

    clock.advance({ days: 4 })
    const again = await given.signIn(owner.email)
    const later = await openConsole(again, '/console/invitations?status=expired')
    const expired = later.page.getByRole('row', { name: new RegExp(stays) })
    await expired.getByText('Expired').waitFor()
    await later.page.getByRole('button', { name: `Actions for the invitation of ${stays}` }).click()
    await later.page.getByRole('menuitem', { name: 'Invite again' }).click()
    await later.page.getByText(`An invitation is on its way to ${stays}`).first().waitFor()
    await later.page.goto('/console/invitations?status=pending')
    await later.page.getByRole('row', { name: new RegExp(stays) }).waitFor()
    expect([...faults, ...later.faults]).toEqual([])
  })

  it('is read by those who may only read, and tells others what they need', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const { body: roles } = await owner.get('/v1/admin/roles?q=member')
    const email = `guest@${owner.email.split('@')[1]}`
    await owner.post('/v1/admin/invitations', { email, roleId: roles.data[0].id })

    const reader = await openConsole(await given.userWith(owner, ['invitations:read']), '/console/invitations?create=yes')
    await reader.page.getByRole('row', { name: new RegExp(email) }).waitFor()
    expect(await reader.page.getByRole('dialog').count()).toBe(0)
    expect(await reader.page.getByRole('button', { name: /Invite|Actions for/ }).count()).toBe(0)

    const other = await openConsole(await given.userWith(owner, ['teams:read']), '/console/invitations')
    await other.page.getByText('You need the permission invitations:read.').waitFor()

    // Without the list of roles the short name of one is typed.
    const inviter = await openConsole(
      await given.userWith(owner, ['invitations:read', 'invitations:create']),
      '/console/invitations?create=yes',
    )
    await inviter.page.getByLabel('E-mail addresses').fill(`second-${email}`)
    await inviter.page.getByLabel('Role').fill('member')
    await inviter.page.getByRole('button', { name: 'Send' }).click()
    await inviter.page.getByText('1 invitation sent').waitFor()
    expect([...reader.faults, ...other.faults, ...inviter.faults]).toEqual([])
  })

  it('says that nothing matches, and shows the list again after a failure', async () => {
    const { given } = service()
    const { owner } = await given.organisation()
    const { page, faults } = await openConsole(owner, '/console/invitations?status=accepted')
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()

    const failing = (url: URL) => url.pathname === '/v1/admin/invitations'
    await page.route(failing, (route) => route.fulfill(unavailable))
    await page.reload()
    await page.getByText('This could not be shown').waitFor()
    await page.unroute(failing)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
    expect(faults.filter((fault) => !fault.startsWith('response: 503'))).toEqual([])
  })
})

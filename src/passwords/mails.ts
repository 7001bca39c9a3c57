import type { Mail } from '../platform/mail/mail.ts'

/** The mail to the owner of a new organisation, with the link that sets the first password. */
export function welcomeMail(about: { owner: { email: string; name: string }; organisation: { name: string }; link: string }): Mail {
  const { owner, organisation, link } = about
  return {
    to: owner.email,
    subject: `Welcome to ${organisation.name}`,
    text: `Hello ${owner.name},\n\n${organisation.name} has been set up, and you own it. Choose your password here:\n\n${link}\n\nThe link works once, for seven days.\n`,
    html: `<p>Hello ${escapeHtml(owner.name)},</p><p>${escapeHtml(organisation.name)} has been set up, and you own it.</p><p><a href="${escapeHtml(link)}">Choose your password</a></p><p>The link works once, for seven days.</p>`,
  }
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

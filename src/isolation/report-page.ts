/** The report as a page: one file without a script, to read, print and pass on. */
import { stylesheet } from '../pages/stylesheet.ts'
import { type Html, html } from '../platform/http/html.ts'
import { counted, formatNumber } from '../platform/text.ts'
import type { IsolationReport, SignedReport } from './report.ts'

export function isolationPage({ report, jws }: SignedReport): string {
  const { tried } = report
  const title = `Isolation of organisations on ${hostOf(report.iss)}`
  return `<!doctype html>\n${html`<html lang="en">
    <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="referrer" content="no-referrer">
      <title>${title}</title>
      <style>${raw(styles())}</style>
    </head>
    <body>
      <main>
        <header>
          <p class="product">${mark} ${report.product}</p>
          <h1>Isolation of organisations</h1>
          <p class="lead">${hostOf(report.iss)} · ${dateOf(report.startedAt)}</p>
        </header>
        ${verdict(report)}
        <section class="numbers" aria-label="What was tried">
          ${figure(tried.requests, 'requests with something of the other organisation')}
          ${figure(tried.tables, 'tables read without any filter')}
          ${figure(tried.writes, 'writes tried below the application')}
          ${figure(report.leaks.length, report.leaks.length === 1 ? 'leak' : 'leaks')}
        </section>
        <h2>What was done</h2>
        <p>
          Two organisations were made for this proof, each with one of everything that the service can hold. Then each of them tried to reach
          the other. Nothing of it was ever committed: no other organisation saw it, and nothing is left of it.
        </p>
        <ol class="steps">
          <li>
            <strong>Every route, every way to sign in.</strong> All ${formatNumber(tried.routes)} operations of the API were called with
            the ${listOf(tried.callers)} of one organisation, and with an id, an address or a token of the other in each
            of the ${formatNumber(tried.places)} places that take one: ${counted(tried.requests, 'request')}. A request passed when its answer was the
            same, word for word, as the answer for something that exists nowhere, when it held nothing of the other organisation, and when it
            changed nothing there. Another ${counted(tried.comparisons, 'request')} gave what to compare with, and showed that the same
            request does find a record of one’s own.
          </li>
          <li>
            <strong>Every table, without the application.</strong> All ${formatNumber(tried.tables)} tables of the database were read as the
            database role that serves one organisation, without any condition. It saw ${counted(tried.rows, 'row')}, each of
            its own or shared by all, such as the list of permissions. The rules of the database that ensure this are in force on each table.
          </li>
          <li>
            <strong>Writes, without the application.</strong> ${counted(tried.writes, 'statement was', 'statements were')} tried, as that same role,
            to add rows to the other organisation, to change, delete or take over its rows, and to refer to them.
          </li>
        </ol>
        ${leaksOf(report)}
        <h2>By area of the API</h2>
        <table>
          <thead>
            <tr>
              <th scope="col">Area</th>
              <th scope="col" class="number">Operations</th>
              <th scope="col" class="number">Requests</th>
              <th scope="col" class="number">Leaks</th>
            </tr>
          </thead>
          <tbody>${report.areas.map(rowOf)}</tbody>
        </table>
        <h2>What is the same for every caller</h2>
        <p>Some things can be seen without any account, by design. The proof allows these, and nothing else:</p>
        <ul>${byReason(report).map(sharedOf)}</ul>
        <h2>What this does not prove</h2>
        <ul>
          <li>That the operator of the service, or anyone who holds its database or its keys, cannot read what is stored.</li>
          <li>That nothing can be inferred from how long an answer takes.</li>
          <li>
            That connections to the database keep organisations apart when they serve several at once: the proof uses one. The tests of each
            release do.
          </li>
          ${undecidedOf(report)}
          ${unknownPlacesOf(report)}
          <li>How the pages for signing in and the console behave beyond the routes above that they call.</li>
          <li>Anything about other releases, or about this installation after a change of its program or database: run it again.</li>
        </ul>
        <h2>About this report</h2>
        <dl>
          <div><dt>Installation</dt><dd>${report.iss}</dd></div>
          <div><dt>Release</dt><dd>${report.product} ${report.release}</dd></div>
          <div><dt>Database</dt><dd>${report.database.kind} ${report.database.version}</dd></div>
          <div><dt>Started</dt><dd>${report.startedAt}</dd></div>
          <div><dt>Took</dt><dd>${report.seconds} s</dd></div>
        </dl>
        <p>
          It is signed with the key that this installation signs its tokens with. Anyone who has the file can check that it was made there
          and has not been changed since, by the keys that ${report.iss} publishes at <code>/oauth2/jwks.json</code>: with the program
          <code>check-isolation-report.mjs</code> of the project's documents, which needs Node.js alone, or where Gatehouse is installed with
          <code>gatehouse verify isolation --check FILE</code>.
        </p>
        <details><summary>The signature (JWS, RFC 7515)</summary><pre id="jws">${jws}</pre></details>
      </main>
    </body>
  </html>`}\n`
}

function verdict({ result, leaks, brokenOff }: IsolationReport): Html {
  if (result === 'isolated') {
    return html`<div class="verdict good">
      <span aria-hidden="true">✓</span>
      <div>
        <strong>No leaks</strong>
        <p>Neither organisation could read, change or refer to anything of the other.</p>
      </div>
    </div>`
  }
  const heading = result === 'leaks' ? counted(leaks.length, 'leak') : 'Not finished'
  return html`<div class="verdict bad">
    <span aria-hidden="true">!</span>
    <div>
      <strong>${heading}</strong>
      ${result === 'leaks' && html`<p>An organisation could learn or change what belongs to another. Each is named below.</p>`}
      ${brokenOff !== undefined && html`<p>The proof was aborted: ${brokenOff}</p>`}
    </div>
  </div>`
}

const rowOf = ({ name, routes, requests, leaks }: IsolationReport['areas'][number]): Html => html`
            <tr>
              <th scope="row">${name}</th>
              <td class="number">${formatNumber(routes)}</td>
              <td class="number">${formatNumber(requests)}</td>
              <td class="number">${leaks === 0 ? html`<span class="none">0</span>` : html`<strong class="some">${formatNumber(leaks)}</strong>`}</td>
            </tr>`

const sharedOf = ([because, wheres]: [string, string[]]): Html => html`
          <li>
            ${sentence(because)}
            <div class="where">${wheres.map((where) => html`<code>${where}</code> `)}</div>
          </li>`

function undecidedOf({ undecided }: IsolationReport): Html | undefined {
  if (undecided.length === 0) return undefined
  return html`<li>
            Much by ${counted(undecided.length, 'request')} that are answered alike whether or not there is such a record:
            <div class="where">${undecided.map((where) => html`<div>${where}</div>`)}</div>
          </li>`
}

function unknownPlacesOf({ unknownPlaces }: IsolationReport): Html | undefined {
  if (unknownPlaces.length === 0) return undefined
  return html`<li>
            Anything about ${counted(unknownPlaces.length, 'place')} whose kind of record is not known: ${unknownPlaces.join(', ')}.
          </li>`
}

function leaksOf({ leaks }: IsolationReport): Html | undefined {
  if (leaks.length === 0) return undefined
  return html`<h2>Leaks</h2><ul class="leaks">${leaks.map(({ where, what }) => html`<li><strong>${where}</strong><br>${what}</li>`)}</ul>`
}

const figure = (number: number, what: string) => html`<div><strong>${formatNumber(number)}</strong><span>${what}</span></div>`
const hostOf = (issuer: string) => URL.parse(issuer)?.host ?? issuer
const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
const listOf = (names: readonly string[]) => [names.slice(0, -1).join(', '), ...names.slice(-1)].filter(Boolean).join(' and ')

function dateOf(instant: string): string {
  return new Date(instant).toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }).concat(' UTC')
}

function byReason({ sharedByDesign }: IsolationReport): [string, string[]][] {
  const found = new Map<string, string[]>()
  for (const { where, because } of sharedByDesign) found.set(because, [...(found.get(because) ?? []), where])
  return [...found]
}

/** Marks text as markup of our own. */
const raw = (text: string): Html => html([text] as unknown as TemplateStringsArray)

const mark = raw(
  '<svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#3748c4"/><path d="M9 24V15a7 7 0 0 1 14 0v9M16 24v-7" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"/></svg>',
)

/** The colours of the hosted pages, in light and dark, and the page's own styles. */
function styles(): string {
  const colours = [...stylesheet.matchAll(/(@media \(prefers-color-scheme: ?dark\) ?\{\s*)?:root ?\{[^}]*\}/g)]
  return `${colours.map(([block, dark]) => (dark === undefined ? block : `${block}}`)).join('\n')}${ownStyles}`
}

const ownStyles = `
*{box-sizing:border-box}
html{background:var(--page);-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0;padding:40px 16px;color:var(--text);font:400 1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue","Noto Sans",sans-serif;overflow-wrap:break-word}
main{max-width:52rem;margin:auto;padding:48px 56px 56px;background:var(--card);border-radius:16px;box-shadow:var(--shadow)}
header{margin-bottom:28px}
.product{display:flex;align-items:center;gap:10px;margin:0 0 28px;font-weight:600}
h1{margin:0;font-size:2rem;font-weight:680;line-height:1.2;letter-spacing:-.02em}
.lead{margin:6px 0 0;color:var(--muted)}
h2{margin:40px 0 10px;font-size:1.125rem;font-weight:650;letter-spacing:-.01em}
p{margin:8px 0 0}
ul,ol{margin:10px 0 0;padding-left:1.25rem}
li{margin:6px 0;padding-left:2px}
.steps li{margin:12px 0}
.verdict{display:flex;gap:16px;align-items:flex-start;padding:20px 22px;border:1px solid;border-radius:12px}
.verdict>span{flex:none;width:2.25rem;height:2.25rem;border-radius:50%;font-weight:700;font-size:1.125rem;line-height:2.25rem;text-align:center;color:var(--card)}
.verdict strong{display:block;font-size:1.25rem;line-height:1.3;font-weight:680}
.verdict p{margin:2px 0 0;color:var(--text)}
.good{color:var(--success);background:var(--success-surface);border-color:color-mix(in srgb,var(--success) 35%,transparent)}
.good>span{background:var(--success)}
.bad{color:var(--danger);background:var(--danger-surface);border-color:var(--danger-line)}
.bad>span{background:var(--danger)}
.numbers{display:grid;grid-template-columns:repeat(4,1fr);margin-top:16px;border:1px solid var(--line);border-radius:12px}
.numbers div{padding:18px 20px}
.numbers div+div{border-left:1px solid var(--line)}
.numbers strong{display:block;font-size:1.75rem;font-weight:680;line-height:1.2;letter-spacing:-.02em;font-variant-numeric:tabular-nums}
.numbers span{display:block;margin-top:2px;color:var(--muted);font-size:.875rem;line-height:1.4}
table{width:100%;margin-top:12px;border-collapse:collapse;font-size:.9375rem}
th,td{padding:9px 0;border-bottom:1px solid var(--line);text-align:left;font-weight:400}
thead th{color:var(--muted);font-size:.8125rem;font-weight:550}
.number{text-align:right;padding-left:16px;font-variant-numeric:tabular-nums}
.none{color:var(--success);font-weight:600}
.some,.leaks strong{color:var(--danger)}
.where{margin-top:4px;color:var(--muted);font-size:.875rem;line-height:1.8}
dl{margin:12px 0 20px;border-top:1px solid var(--line)}
dl div{display:flex;gap:16px;padding:9px 0;border-bottom:1px solid var(--line)}
dt{flex:none;width:8rem;color:var(--muted)}
dd{margin:0;min-width:0}
code{padding:.1em .35em;border-radius:5px;background:var(--code);font:.875em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
details{margin-top:16px}
summary{cursor:pointer;color:var(--link)}
:focus-visible{outline:3px solid var(--link);outline-offset:2px;border-radius:4px}
pre{margin:10px 0 0;padding:14px 16px;border-radius:10px;background:var(--code);white-space:pre-wrap;word-break:break-all;font:.75rem/1.6 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
@media (max-width:44rem){body{padding:0}main{padding:28px 20px 36px;border-radius:0;box-shadow:none}.numbers{grid-template-columns:1fr 1fr}.numbers div:nth-child(3){border-left:0}.numbers div:nth-child(n+3){border-top:1px solid var(--line)}dl div{flex-direction:column;gap:0}}
@media print{@page{margin:16mm}html{background:#fff}body{padding:0;font-size:10.5pt;color-scheme:light;--page:#fff;--card:#fff;--code:#f4f5f8;--text:#000;--muted:#444;--line:#ccc;--success:#146c43;--success-surface:#fff;--danger:#b3261e;--danger-surface:#fff;--danger-line:#b3261e;--shadow:none}main{max-width:none;padding:0;box-shadow:none}.verdict>span{color:#fff;print-color-adjust:exact;-webkit-print-color-adjust:exact}h2{break-after:avoid}li,tr,.verdict,.numbers,dl div{break-inside:avoid}details{display:none}}
`

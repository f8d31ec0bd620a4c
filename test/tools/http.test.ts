import { expect } from 'chai';
import { uniqueName } from '../support/fakes/fakes.js';
import { call, calls, say } from '../support/fakes/model-script.js';
import { httpTool, type OutboundWorld } from '../support/outbound-service.js';
import { theOutboundWorld } from '../support/test-service.js';

const WORD = { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] };

interface Echo {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: unknown;
}

describe('http', () => {
  let world: OutboundWorld;
  before(async () => {
    world = await theOutboundWorld();
  });
  const at = (path: string) => `${world.http.url}/${path}`;
  const faultsOf = async (config: object) => {
    const path = '/lamb/v1/completions/tools/http/validate';
    const { json } = await world.service.request<{ errors: string[] }>(path, { body: { config } });
    return json.errors.join('; ');
  };
  /** What one call of `http_request` with these arguments brought. */
  const ask = async (config: object, args: object = {}) =>
    (await world.bring([call('http_request', args), say('ok')], httpTool(config)))[0] ?? '';
  const echo = async (config: object, args: object = {}) => JSON.parse(await ask(config, args)) as Echo;

  describe('asks as its author set it up:', () => {
    it('arguments in the path and in query values, the rest of them in the query', async () => {
      const subject = uniqueName('get');
      const args = {
        type: 'object',
        properties: {
          id: { type: 'integer' },
          lang: { type: 'string' },
          tags: { type: 'array' },
          q: { type: 'string' },
        },
      };

      const heard = await echo(
        { url: at(`echo/${subject}/items/{id}?lang={lang}&fixed=1`), args },
        { q: 'a&b=c', tags: ['x', 'y z'], lang: 'eu', id: 7 },
      );

      expect(heard).to.include({
        method: 'GET',
        path: `/echo/${subject}/items/7?lang=eu&fixed=1&tags=x&tags=y+z&q=a%26b%3Dc`,
      });
    });

    for (const method of ['POST', 'PUT', 'PATCH']) {
      it(`${method} sends what is not in the address as JSON`, async () => {
        const args = { type: 'object', properties: { id: { type: 'string' }, note: { type: 'object' } } };

        const heard = await echo(
          { url: at('echo/body/{id}'), method, args, headers: { 'X-Own': 'mine' } },
          { id: 'a', note: { deep: [1] } },
        );

        expect(heard).to.include({ method, path: '/echo/body/a' });
        expect(heard.body).to.deep.equal({ note: { deep: [1] } });
        expect(heard.headers).to.include({ 'content-type': 'application/json', 'x-own': 'mine' });
      });
    }

    it('DELETE has no body', async () => {
      const heard = await echo({ url: at('echo/delete'), method: 'DELETE', args: WORD }, { word: 'x' });

      expect(heard).to.include({ method: 'DELETE', path: '/echo/delete?word=x', body: '' });
    });

    it('the model is told of the function as the author describes it, and of no key beyond', async () => {
      const config = {
        url: at('echo/x'),
        args: WORD,
        function_name: 'look_up',
        description: 'Looks up a word.',
      };
      const assistant = await world.assistant([say('ok')], { tools: [httpTool(config)] });

      await world.service.chat(assistant.id, 'x');

      const [request] = await world.model.ledger(assistant.model);
      expect(request?.body.tools?.[0]?.function).to.deep.equal({
        name: 'look_up',
        description: 'Looks up a word.',
        parameters: { ...WORD, additionalProperties: false },
      });
    });

    it('two entries of it are two functions', async () => {
      const tools = [httpTool({ url: at('text/a') }), httpTool({ url: at('json/b') })];
      const both = calls([
        { name: 'http_request', arguments: {} },
        { name: 'http_request_2', arguments: {} },
      ]);

      const told = await world.bring([both, say('ok')], {}, { tools });

      expect(told).to.deep.equal(['Plain wörds.\nAnd more.', '{"answer":42}']);
    });

    it('in a placeholder the user’s words go where they plainly belong', async () => {
      const subject = uniqueName('place');
      const args = {
        type: 'object',
        properties: { lang: { type: 'string' }, query: { type: 'string', maxLength: 9 } },
      };
      const entry = { mode: 'placeholder', placeholder: 'library' };
      const assistant = await world.assistant([say('ok')], {
        prompt_template: 'Found: {library}',
        tools: [httpTool({ url: at(`text/${subject}`), args }, entry)],
      });

      await world.service.chat(assistant.id, 'Who wrote it?');

      const [request] = await world.model.ledger(assistant.model);
      const [heard] = await world.http.ledger(subject);
      expect(request?.body.messages.at(-1)?.content).to.contain('Found: Plain wörds.');
      expect(heard?.path).to.equal(`/text/${subject}?query=Who+wrote`);
    });
  });

  it('names the function in its label, and neither address nor arguments', async () => {
    const config = { url: at('echo/label'), args: WORD, function_name: 'look_up' };
    const assistant = await world.assistant([call('look_up', { word: 'canary' }), say('ok')], {
      tools: [httpTool(config)],
    });

    const { statuses } = await (await world.service.stream(assistant.id, 'x')).whole();

    const shown = statuses.filter(({ type }) => type.startsWith('tool.'));
    expect(shown.map(({ label }) => label)).to.deep.equal(['calling look_up', 'calling look_up']);
    expect(JSON.stringify(shown)).not.to.match(/canary|127\.0\.0\.1/);
  });

  it('is refused while its owner has not approved it, at save and at the call', async () => {
    const subject = uniqueName('unapproved');
    const config = { url: at(`echo/${subject}`) };

    const saved = await world
      .assistant([say('ok')], { tools: [httpTool(config, { approval: undefined })] })
      .then(() => 'saved', String);
    const told = await world.bring(
      [call('http_request'), say('ok')],
      httpTool(config, { approval: 'never' }),
    );

    expect(saved).to.contain('set its approval');
    expect(told).to.deep.equal(['Error: This assistant may not do that.']);
    expect(await world.http.ledger(subject)).to.deep.equal([]);
  });

  describe('keeps an argument in its place:', () => {
    for (const [what, word] of Object.entries({
      'a way up': '../../admin',
      'a user name': '@evil.test/x',
      'a URL': 'http://evil.test/',
      'a line break': 'a\r\nHost: evil.test\r\n\r\nGET /x',
      'another query': '?admin=1&x=2#y',
      'an encoded way up': '%2e%2e%2fadmin',
      'a backslash': '..\\admin',
      'a nought': '\u0000',
      'another script': 'niño 日本 🐑',
    })) {
      it(what, async () => {
        const subject = uniqueName('place');

        const heard = await echo({ url: at(`echo/${subject}/{word}/end?w={word}`), args: WORD }, { word });

        const encoded = encodeURIComponent(word);
        expect(heard.path).to.equal(`/echo/${subject}/${encoded}/end?w=${encoded}`);
        expect(await world.http.ledger(subject)).to.have.length(1);
      });
    }

    for (const word of ['', '.', '..']) {
      it(`"${word}" in the path is refused, as it would name something else`, async () => {
        const subject = uniqueName('dots');

        const told = await ask({ url: at(`echo/${subject}/{word}/end`), args: WORD }, { word });

        expect(told).to.equal(
          'Error: An argument that is part of the address may not be empty, "." or "..".',
        );
        expect(await world.http.ledger(subject)).to.deep.equal([]);
      });
    }

    it('what is no text or number is refused', async () => {
      const args = { type: 'object', properties: { word: {} } };

      const told = await ask({ url: at('echo/list/{word}'), args }, { word: ['a'] });

      expect(told).to.equal('Error: The argument "word" cannot be part of an address.');
    });

    it('an argument the author did not name is refused before anything is sent', async () => {
      const subject = uniqueName('extra');

      const told = await ask({ url: at(`echo/${subject}`), args: WORD }, { word: 'x', admin: true });

      expect(told).to.contain('Unrecognized key');
      expect(await world.http.ledger(subject)).to.deep.equal([]);
    });
  });

  describe('of what comes back takes', () => {
    for (const [behaviour, expected] of Object.entries({
      json: '{"answer":42}',
      text: 'Plain wörds.\nAnd more.',
      empty: '(The service answered with status 204 and no text.)',
      badjson: 'Error: The service could not be reached or gave an unusable answer.',
      binary: 'Error: The service answered with something that is not text.',
      untyped: 'Plain wörds, of no type.',
      unknown: 'Error: The service answered with something that is not text.',
      nul: 'Error: The service answered with something that is not text.',
      'status/404?is=404': 'Error: The service answered with status 404.',
      'status/500?is=500': 'Error: The service answered with status 500.',
      reset: 'Error: The other service could not be reached or gave an unusable answer.',
    })) {
      it(`${behaviour} as ${expected.slice(0, 40)}`, async () => {
        expect(await ask({ url: at(behaviour) })).to.equal(expected);
      });
    }

    it('a megabyte, cut with a mark', async () => {
      const told = await ask({ url: at('large/one') });

      expect(told).to.match(/^x{100000}\n\[cut: 100000 of 1048576 characters shown\]$/);
    });
  });

  describe('is refused at save with', () => {
    const url = 'https://api.example.org/x';
    const cases: readonly [string, object, RegExp][] = [
      ['a host that is to be filled', { url: 'https://{word}.example.org/', args: WORD }, /host is fixed/],
      ['a port that is to be filled', { url: 'https://a.example.org:{word}/', args: WORD }, /host is fixed/],
      ['a scheme that is to be filled', { url: '{word}://a.example.org/', args: WORD }, /url/],
      ['a user in the address', { url: 'https://a:b@example.org/' }, /user name/],
      ['a user that is to be filled', { url: 'https://{word}@example.org/', args: WORD }, /host is fixed/],
      ['another scheme', { url: 'file:///etc/passwd' }, /http:\/\/ or https:\/\//],
      ['no address', { url: 'x' }, /http:\/\/ or https:\/\//],
      ['a query key that is to be filled', { url: `${url}?{word}=1`, args: WORD }, /not for the key/],
      ['a fragment', { url: `${url}#{word}`, args: WORD }, /fragment/],
      ['an open brace', { url: `${url}/{word`, args: WORD }, /brace/],
      ['a place for no argument', { url: `${url}/{other}`, args: WORD }, /\{other\} is no argument/],
      ['an inherited name', { url: `${url}/{constructor}`, args: WORD }, /no argument/],
      ['a schema of no object', { url, args: { type: 'string' } }, /must describe an object/],
      [
        'a schema that is none',
        { url, args: { type: 'object', properties: { a: { type: 'banana' } } } },
        /JSON Schema/,
      ],
      [
        'a pattern',
        { url, args: { type: 'object', properties: { a: { type: 'string', pattern: '(a+)+$' } } } },
        /pattern/,
      ],
      [
        'a schema elsewhere',
        { url, args: { type: 'object', properties: { a: { $ref: 'http://x/y' } } } },
        /\$ref/,
      ],
      ['a schema that is too large', { url, args: { ...WORD, description: 'x'.repeat(20_000) } }, /16 KiB/],
      ['another method', { url, method: 'TRACE' }, /method/],
      ['a bad function name', { url, function_name: 'a b' }, /function_name/],
      ['a header of the connection', { url, headers: { Host: 'evil.test' } }, /"Host" cannot be set/],
      ['a length of its own', { url, headers: { 'Content-Length': '0' } }, /cannot be set/],
      ['a header with a line break', { url, headers: { 'X-A': 'a\r\nX-B: b' } }, /no header can carry/],
      ['a header with a bad name', { url, headers: { 'X A:': 'a' } }, /name that no header/],
      ['half a reference', { url, headers: { 'X-A': '${secret:a b}' } }, /\$\{secret:NAME\}/],
    ];
    for (const [what, config, fault] of cases) {
      it(what, async () => {
        expect(await faultsOf(config)).to.match(fault);
      });
    }

    it('all of it at once: neither address nor method hides what is wrong with the other', async () => {
      expect(await faultsOf({ url: 'ftp://example.org/', method: 'YELL' }))
        .to.match(/http:\/\/ or https:\/\//)
        .and.to.match(/method/);
    });

    it('nothing when all is well, also an argument called "pattern"', async () => {
      const args = { type: 'object', properties: { pattern: { type: 'string' } } };

      expect(
        await faultsOf({
          url: `${url}/{pattern}?a={pattern}`,
          args,
          headers: { 'X-A': 'Bearer ${secret:A_1}' },
        }),
      ).to.equal('');
    });
  });
});

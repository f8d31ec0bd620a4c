import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { parse } from 'yaml';
import { PROJECT_ROOT } from './support/child-process.js';

const read = (path: string) => readFileSync(join(PROJECT_ROOT, path), 'utf8');
const yamlAt = (path: string) => parse(read(path)) as Readonly<Record<string, never>>;

/** Read by the AWS client itself. */
const OF_AWS = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'];
const known = () => [...read('.env.example').matchAll(/^#? ?([A-Z0-9_]+)=/gm)].map(([, name]) => name);
const KUBERNETES = 'docs/deploy/kubernetes';

describe('files to deploy with', () => {
  const GIVEN: Readonly<Record<string, () => readonly string[]>> = {
    'compose.yaml': () =>
      Object.keys(
        (yamlAt('compose.yaml')['services'] as { bellwether: { environment: object } }).bellwether
          .environment,
      ),
    'kubernetes/settings.yaml': () => Object.keys(yamlAt(`${KUBERNETES}/settings.yaml`)['data'] ?? {}),
    'kubernetes/secret.example.yaml': () =>
      Object.keys(yamlAt(`${KUBERNETES}/secret.example.yaml`)['stringData'] ?? {}),
  };
  for (const [file, names] of Object.entries(GIVEN)) {
    it(`${file} sets nothing that the service does not read`, () => {
      expect(names()).to.not.be.empty;
      expect(names().filter((name) => ![...known(), ...OF_AWS].includes(name))).to.deep.equal([]);
    });
  }

  it('what compose.yaml wants from .env is in the example of it', () => {
    const wanted = [...read('compose.yaml').matchAll(/\$\{([A-Z0-9_]+):\?/g)].map(([, name]) => name);
    const offered = [...read('docs/deploy/compose.env').matchAll(/^([A-Z0-9_]+)=/gm)].map(([, name]) => name);
    expect([...new Set(wanted)].filter((name) => !offered.includes(name))).to.deep.equal([]);
    expect(wanted).to.not.be.empty;
  });

  it('the cluster gives a replica longer to end than it takes by its own settings', () => {
    const settings = yamlAt(`${KUBERNETES}/settings.yaml`)['data'] as Readonly<Record<string, string>>;
    const { spec } = (yamlAt(`${KUBERNETES}/deployment.yaml`) as unknown as Deployment).spec.template;
    const own = Number(settings['DRAIN_DELAY_MS']) + Number(settings['SHUTDOWN_GRACE_MS']);
    expect(spec.terminationGracePeriodSeconds * 1000).to.be.greaterThan(own);
  });

  it('every manifest is named by the kustomization, and every one it names is there', () => {
    const { resources } = yamlAt(`${KUBERNETES}/kustomization.yaml`) as unknown as { resources: string[] };
    const there = readdirSync(join(PROJECT_ROOT, KUBERNETES)).filter((name) => name !== 'kustomization.yaml');
    const expected = there.map((name) => name.replace('.example', ''));
    expect([...resources].sort()).to.deep.equal([...new Set(expected)].sort());
  });

  it('what the image copies out of its build is there once it is built', () => {
    const copied = [...read('Dockerfile').matchAll(/^COPY --from=build (.*) \S+$/gm)].flatMap(
      ([, paths = '']) => paths.split(' ').map((path) => path.replace('/app/', '')),
    );
    expect(copied).to.include.members(['dist', 'node_modules', 'package.json']);
    expect(copied.filter((path) => !existsSync(join(PROJECT_ROOT, path)))).to.deep.equal([]);
    expect(read('Dockerfile'))
      .to.match(/^USER node$/m)
      .and.match(/^HEALTHCHECK /m);
  });
});

interface Deployment {
  readonly spec: {
    readonly template: { readonly spec: { readonly terminationGracePeriodSeconds: number } };
  };
}

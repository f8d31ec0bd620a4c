import { randomBytes } from 'node:crypto';
import { ADMIN_EMAIL, type Service, startServiceProcess } from '../service.js';
import { addReportAssistant, type ReportAssistant } from './demo-report.js';
import { type LtiPlatform, startLtiPlatform } from './platform.js';

/** Starts the service and a learning platform beside it, on free ports and with data of their own, to be tried out. */

/** With one of these set, assistants answer by a real model; without, by the one that is built in. */
const PROVIDERS = [
  ...['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'OPENAI_MODEL', 'OLLAMA_BASE_URL'],
  ...['ANTHROPIC_API_KEY', 'GOOGLE_API_KEY', 'SMALL_FAST_MODEL'],
];

const provided = PROVIDERS.flatMap((name) => {
  const value = process.env[name];
  return value === undefined ? [] : [[name, value] as const];
});

/** Of this run alone: what stands in the tests is known to everybody. */
const secrets = {
  ADMIN_PASSWORD: randomBytes(9).toString('base64url'),
  ADMIN_API_KEY: `bw_${randomBytes(24).toString('hex')}`,
};

// Nothing else here keeps the process going: what it started is not waited for.
const awake = setInterval(() => undefined, 60_000);
// Listened to until the end: npm and tsx pass on what the terminal has sent already.
const stopping = new Promise<void>((stop) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      stop();
    });
});

console.log('Starting the service and a learning platform beside it …');
const [service, platform] = await Promise.all([
  startServiceProcess({ DEMO_DATA: 'true', ...secrets, ...Object.fromEntries(provided) }),
  startLtiPlatform(),
]);
let report: ReportAssistant | undefined;
try {
  report = await addReportAssistant(service, provided.length > 0);
  await furnish(platform, service, report);
  console.log(words(platform, service));
  await Promise.race([stopping, service.exited]);
} finally {
  console.log('Stopping …');
  await Promise.allSettled([service.stop(), platform.stop(), report?.stop()]);
  clearInterval(awake);
}

/** One tool of each version, a place to begin with each, and one where works are graded. */
async function furnish(campus: LtiPlatform, bellwether: Service, { name }: ReportAssistant): Promise<void> {
  const tool = await campus.addTool(bellwether, {
    activity: { title: 'AI tutor' },
    register: { name: 'Demo campus' },
  });
  await campus.addActivity(tool, { title: name, grade: 10 });
  await campus.addActivity(tool, { title: 'AI tutor in a window', container: 'window' });
  await campus.addActivity(tool, { title: 'Physics tutor', course: 3 });
  await campus.addTool(bellwether, {
    version: '1.1',
    name: 'Bellwether of old',
    activity: { title: 'AI tutor by LTI 1.1' },
    register: { name: 'Demo campus, LTI 1.1' },
  });
}

function words({ issuer }: LtiPlatform, { url }: Service): string {
  return `
The demo campus is open at   ${issuer}/

  Enter as a teacher (teacher1) to set up "AI tutor" or to add activities,
  then as a student (student1 to student6) to chat; "Change person" is at the top.
  For grades, set up "Laboratory report" with the assistant of that name and let it
  propose grades; hand something in as a student, and approve it as the teacher.

  Course      ${issuer}/course/view.php?id=2
  Gradebook   ${issuer}/grade/report/grader/index.php?id=2
  Journal     ${issuer}/journal   (what the platform and the service say to each other)

The service itself is at     ${url}/

  Login       ${ADMIN_EMAIL}
  Password    ${secrets.ADMIN_PASSWORD}
  A teacher can link this account in the set-up of an activity, to choose among its assistants.

Its data are in a temporary folder and go when it ends. Stop both with Ctrl-C.
`;
}

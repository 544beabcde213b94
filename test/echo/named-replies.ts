import { type LabelledReply } from './labelled-reply.js';
import { FURTHER_RESULTS, RESULTS } from './results.js';

const ALL = { ...RESULTS, ...FURTHER_RESULTS } as const;
type Name = keyof typeof ALL;
type Requests = readonly (readonly [result: Name, requests: readonly string[]])[];

/** Arguments of the calls that give the results, which name them. */
const CALLS: Partial<Record<Name, string>> = {
  vitest: '{"command":"npx vitest run src/seats"}',
  plan: '{"command":"terraform plan -no-color"}',
  refunds: '{"tool":"kb.search","query":"refund tickets"}',
  booking: '{"tool":"mail.read","from":"Nordlicht Reisen"}',
  french: '{"tool":"mail.read","folder":"courrier"}',
  rust: '{"path":"src/ring.rs"}',
  nginx: '{"path":"sites/site.conf"}',
  containers: '{"command":"docker ps -a"}',
};

/** Requests that say nothing but which result they mean, or what their authors will do with it. */
const ASKED_FOR: Requests = [
  ['vitest', ['run vitest for src/seats and post what it prints', 'vitest src/seats']],
  ['plan', ['terraform plan, output only', 'What does the terraform plan print?']],
  ['refunds', ["What's our policy on refunds?", 'Open the article on refunds']],
  ['booking', ['Ich muss die Mail an die Technik weiterreichen, stell sie mir bitte hier rein']],
  ['french', ["Il me faudrait le texte du courrier pour l'imprimer"]],
  ['rust', ["let me see that ring type, I'll review it on the train", 'Hand me ring.rs, unshortened']],
  ['nginx', ['I need the site.conf in this window', 'Get the site.conf for me right here']],
  ['containers', ['Run docker ps for me']],
];

/** Requests in similar words, with something to do. */
const WORK: Requests = [
  ['vitest', ['make the tests in src/seats green', 'Does vitest cover src/seats?']],
  ['plan', ['Can I apply the terraform plan without downtime?', 'Split the terraform plan']],
  ['refunds', ['Draft a reply on refunds so that I can print it', 'How are refunds of a group to be done?']],
  ['booking', ['Beantworte die Mail von Nordlicht freundlich', 'was muss ich bis Freitag tun?']],
  ['french', ["Réponds au courrier, je veux l'imprimer demain"]],
  ['rust', ['I want users to copy a ring into another', 'Benchmark the ring with 10k entries']],
  ['nginx', ['I want to compare two upstreams per request', 'Set up a cache in here']],
  ['containers', ['restart whatever hangs in docker', 'Log every container']],
];

export const NAMED_ECHOES: readonly LabelledReply[] = repliesTo('work on a named result', WORK);
export const NAMED_FAIR: readonly LabelledReply[] = repliesTo('named result', ASKED_FOR);

function repliesTo(kind: string, requests: Requests): LabelledReply[] {
  return requests.flatMap(([name, messages]) =>
    messages.map((asked) => ({
      ...{ kind, name: `${name}: ${asked}`, asked, reply: ALL[name] },
      results: [{ text: ALL[name], source: CALLS[name] }],
    })),
  );
}

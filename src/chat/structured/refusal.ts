/** Characters of the longest text that counts as a plain refusal. */
const MAX_REFUSAL_CHARS = 2000;

/** Openings of a model's refusal, in lower case and with straight apostrophes. */
const OPENINGS = [
  "i'm sorry",
  'i am sorry',
  'i apologize',
  'i apologise',
  'sorry',
  "i can't",
  'i cannot',
  "i won't",
  'i will not',
  "i'm unable",
  'i am unable',
  "i'm not able",
  'i am not able',
  'i must decline',
  'i have to decline',
  'as an ai',
  'unfortunately',
] as const;

/** Words for the refused act; without them an apology may be followed by an answer. */
const DENIALS = [
  "can't",
  'cannot',
  'can not',
  "won't",
  'will not',
  'unable',
  'not able',
  'decline',
  'not comfortable',
  "couldn't",
] as const;

/** Whether an answer without any JSON says that the model will not answer, e.g. "I'm sorry, I can't help with that." */
export function isRefusal(answer: string): boolean {
  const text = answer.trim();
  if (text.length > MAX_REFUSAL_CHARS || /[{[]/.test(text)) {
    return false;
  }
  const plain = text.toLowerCase().replaceAll('’', "'");
  return (
    OPENINGS.some((opening) => plain.startsWith(opening)) && DENIALS.some((denial) => plain.includes(denial))
  );
}

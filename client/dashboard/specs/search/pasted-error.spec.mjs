import { expect, it } from '@jest/globals';
import { requestIdIn, searchedText } from '../../assets/data/search/pasted-error.js';

const MESSAGE = 'Internal server error: the upstream failed to answer.';
const DIGITS = '15e35f6a6b344c979c513cd1faf15c09';

it.each([
  [`{"error":{"message":"${MESSAGE}","type":"server_error","param":null,"code":"internal_error"}}`],
  [`Error code: 500 - {'error': {'message': '${MESSAGE}', 'type': 'server_error', 'param': None}}`],
  [`openai.InternalServerError: Error code: 500 - {'error': {'message': '${MESSAGE}', 'type': 'se`],
  [`InternalServerError: 500 ${MESSAGE}`],
  [`500 ${MESSAGE}`],
  [`Traceback (most recent call last):   File "a.py", line 3, in <module> openai.APIError: ${MESSAGE}`],
  [`litellm.InternalServerError: InternalServerError: OpenAIException - ${MESSAGE}`],
  [`AI_APICallError: ${MESSAGE}`],
  [`AI_RetryError: Failed after 3 attempts. Last error: ${MESSAGE}`],
  [`stream disconnected before completion: ${MESSAGE}`],
  [
    String.raw`{"level":"error","err":"500 {\"error\":{\"message\":\"${MESSAGE}\",\"type\":\"server_error\"}}"}`,
  ],
  [`{"error":{"message":"litellm.InternalServerError: InternalServerError: OpenAIException - ${MESSAGE}"}}`],
  [JSON.stringify({ message: `500 ${JSON.stringify({ error: { message: MESSAGE, code: 'x' } })}` })],
  [MESSAGE],
])('finds the message in %s', (pasted) => {
  expect(searchedText(pasted)).toBe(MESSAGE);
});

it('reads what is escaped', () => {
  expect(searchedText(String.raw`{"message": "a \"b\"\nc \u00e9"}`)).toBe('a "b"\nc é');
  expect(searchedText(String.raw`{'message': 'it\'s'}`)).toBe("it's");
  expect(searchedText(`{'message': "it's"}`)).toBe("it's");
  expect(searchedText(String.raw`{"message": "caf\u00`)).toBe('caf');
});

it('reads a message with quotes in an error that is itself within a text', () => {
  const message = 'The model "x\\y" is not known.\nAsk for "z".';
  const error = JSON.stringify({ error: { message, type: 'invalid_request_error' } });
  const logged = JSON.stringify({ level: 'error', err: `404 ${error}` });
  expect(searchedText(logged)).toBe(message);
  expect(searchedText(JSON.stringify({ line: logged }))).toBe(message);
});

it.each([
  ['hello'],
  ['TypeError: x is not a function'],
  ['404 pages'],
  ['message'],
  ['openai.APIError:'],
  ['a message: "to me"'],
])('looks for %s as it is', (text) => {
  expect([searchedText(text), requestIdIn(text)]).toEqual([text, undefined]);
});

it('takes no more of a text than the log does', () => {
  expect(searchedText('x'.repeat(10_000))).toHaveLength(200);
  expect([searchedText(undefined), requestIdIn(undefined)]).toEqual([undefined, undefined]);
});

it('cuts a text between characters', () => {
  expect(searchedText(`${'x'.repeat(199)}😀`)).toBe('x'.repeat(199));
});

it.each([
  [`API Error: 400 {"type":"error","error":{"message":"No."},"request_id":"req_${DIGITS}"}`],
  [`unexpected status 500: No., url: http://gateway/v1/responses, request id: req_${DIGITS}`],
  [`chatcmpl-${DIGITS}`],
  [`cmpl-${DIGITS}`],
  [`resp_${DIGITS}`],
  [`msg_${DIGITS}0`],
  [`tsc_${DIGITS}1`],
  [`cmp_${DIGITS}0`],
  [`in_${DIGITS}12`],
  [`"request_id":"req_${DIGITS}-`],
  [`req_${DIGITS}-20261126.log`],
])('finds the request of %s', (pasted) => {
  expect(requestIdIn(pasted)).toBe(`req_${DIGITS}`);
});

it('finds the entry of a further answer to a request', () => {
  expect(requestIdIn(`openai: req_${DIGITS}-2, failed`)).toBe(`req_${DIGITS}-2`);
  expect(requestIdIn(`req_${DIGITS}-128`)).toBe(`req_${DIGITS}-128`);
  expect(requestIdIn(`chatcmpl-${DIGITS}-2`)).toBe(`req_${DIGITS}`);
});

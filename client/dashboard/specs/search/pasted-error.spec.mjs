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
  [MESSAGE],
])('finds the message in %s', (pasted) => {
  expect(searchedText(pasted)).toBe(MESSAGE);
});

it('reads what is escaped', () => {
  expect(searchedText(String.raw`{"message": "a \"b\"\nc \u00e9"}`)).toBe('a "b"\nc é');
  expect(searchedText(String.raw`{'message': 'it\'s'}`)).toBe("it's");
  expect(searchedText(`{'message': "it's"}`)).toBe("it's");
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

it.each([
  [`API Error: 400 {"type":"error","error":{"message":"No."},"request_id":"req_${DIGITS}"}`],
  [`unexpected status 500: No., url: http://gateway/v1/responses, request id: req_${DIGITS}`],
  [`chatcmpl-${DIGITS}`],
  [`cmpl-${DIGITS}`],
  [`resp_${DIGITS}`],
  [`msg_${DIGITS}0`],
])('finds the request of %s', (pasted) => {
  expect(requestIdIn(pasted)).toBe(`req_${DIGITS}`);
});

import { sampleLines, shareOf } from './line-sample.js';

const CODE_END =
  /([{};]|=>|\) ?\{|\(|\):|\[|,)[ \t\r]{0,4}$|^[ \t]{1,60}[\w.]{1,60} [-+]?= |^[ \t]{0,60}[\w.]{1,60}\(.{0,300}\)[;,]?$|\*\/[ \t]{0,4}$/;
const CODE_START =
  /^[ \t]{0,60}(import |from [\w.]{1,80} import|export |const |let |var |function |async |await |class |interface |def |return\b|if ?\(|else\b|elif |for ?\(|for \w{1,40} in |while ?\(|switch ?\(|case |try\b|catch\b|except\b|#include|#define|package |func |pub |fn |use |impl |struct |enum |type |private |public |protected |static |using |namespace |@[A-Za-z]|\/\/|\/\*|\*\/|\* |<!--|<\/?[A-Za-z][\w.-]{0,40}[ >/]|end$|FROM |RUN |COPY |SELECT |CREATE |INSERT |ALTER |#!|self\.|this\.|[\w.]{1,60}\([^)]{0,200}\);?$|[)}\]]{1,6}[;,]?$|[.#@][\w-]{1,60}[^{}]{0,200}\{)/;
/** What files of code begin with. */
const CODE_HEAD =
  /^(#!\/|package [\w.]{1,200};?$|import [\w.{*"']|from [\w.]{1,80} import|#include|#ifndef|\/\/ |\/\*|<\?php|['"]use strict|use strict;|# -\*-|@charset|syntax = ")/;
const HEAD_LINES = 4;

const CONFIG_LINE =
  /^[ \t]{0,40}(- )?["']?[\w./@$-]{1,60}["']?[ \t]{0,20}(:|=|:=)([ \t][^=]{0,400})?$|^[ \t]{0,40}- ["']?[\w./@$*{}-]{1,200}["']?$|^\[{1,2}["\w.:/ -]{1,120}\]{1,2}$|^[ \t]{0,20}[#;](?!\d)|^[A-Z_][A-Z0-9_]{1,60}=|^[ \t]{1,20}["'][^"']{0,200}["'],?$|^\],?$|^[ \t]{0,40}[\w.-]{1,60} ?= ?[^=]{0,400}$/;
const TIMED = /^[[("]{0,2}(\d{4}[-/]\d\d[-/]\d\d|\d\d:\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:|\d{10,13}\b)/;

/** Whether a text reads like program code: it begins so, or many of its lines begin or end as only code does. */
export function looksLikeCode(text: string): boolean {
  const lines = sampleLines(text);
  if (shareOf(lines, (line) => TIMED.test(line)) > 0.3) {
    return false;
  }
  if (lines.slice(0, HEAD_LINES).some((line) => CODE_HEAD.test(line))) {
    return true;
  }
  const strong = lines.filter((line) => CODE_START.test(line)).length;
  const weak = lines.filter((line) => !CODE_START.test(line) && CODE_END.test(line)).length;
  return strong + weak >= lines.length * 0.45 && strong >= lines.length * 0.12;
}

/** Whether a text reads like a configuration: YAML, TOML, INI, properties or an environment. */
export function looksLikeConfig(text: string): boolean {
  const lines = sampleLines(text);
  return (
    lines.length >= 8 &&
    shareOf(lines, (line) => TIMED.test(line)) < 0.1 &&
    shareOf(lines, (line) => CONFIG_LINE.test(line) && !hasManyPairs(line)) > 0.75
  );
}

/** `level=info msg="…" size=3` is a line of a log. */
function hasManyPairs(line: string): boolean {
  return /^[\w.]{1,40}=[^= ]{1,200} {1,4}[\w.]{1,40}=/.test(line);
}

/** Whether a text is written for people: sentences in paragraphs, headings and lists. */
export function looksLikeProse(text: string): boolean {
  const lines = sampleLines(text);
  const long = lines.filter((line) => line.length > 60);
  const sentences = lines.filter(isProseLine).length;
  const headings = lines.filter((line) => /^#{1,6} [A-Za-z0-9[`"]/.test(line)).length;
  const items = lines.filter((line) => /^[ ]{0,8}([-*+>]|\d{1,3}[.)]) \S/.test(line)).length;
  const fences = lines.filter((line) => line.startsWith('```')).length;
  // Markdown may be lists and examples for the most part.
  const isMarkdown =
    headings >= 2 && (fences >= 2 || headings + items + fences + sentences >= lines.length * 0.5);
  return (
    isMarkdown || (lines.length > 0 && sentences >= lines.length * 0.5 && sentences >= long.length * 0.6)
  );
}

function isProseLine(line: string): boolean {
  if (/^#{1,6} /.test(line)) {
    return true;
  }
  const words = line.trim().split(/[ \t]{1,40}/);
  const plain = words.filter((word) =>
    /^["'(*_`]{0,3}[A-Za-zÀ-ɏ][A-Za-zÀ-ɏ'’-]{0,30}["'),.;:!?*_`]{0,4}$/.test(word),
  );
  return (
    words.length >= 4 &&
    plain.length >= words.length * 0.75 &&
    !TIMED.test(line) &&
    !/ [=|] | {3}/.test(line.trim())
  );
}

/** Whether a line begins with a time, as the lines of a log do. */
export function isTimed(line: string): boolean {
  return TIMED.test(line);
}

/** Share of lines that begin with a time. */
export function timedShare(text: string): number {
  return shareOf(sampleLines(text), isTimed);
}

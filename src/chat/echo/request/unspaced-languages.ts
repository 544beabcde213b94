import { type UnspacedLanguage } from './language-words.js';

/** As in `request-languages.ts`, of the languages that put no blanks between words. */
export const UNSPACED_LANGUAGES: readonly UnspacedLanguage[] = [
  {
    name: 'Chinese',
    asks: '请显示文件的完整内容。',
    asksNot: '不要输出文件内容',
    exactly:
      '原文 原样 原樣 逐字 全文 一字不 重复一遍 重複一遍 再说一遍 再說一遍 再说一次 再說一次 原始输出 原始輸出 原始内容 原始內容',
    show: '要看 想看 显示 顯示 打印 输出 輸出 贴出 貼出 展示 列印 给我看 給我看 发给我 發給我 发出来 發出來 念出',
    texts: '写了什么 寫了什麼 内容 內容 源码 源代码 代码 程式碼 文件 文本 日志 日誌',
    lead: '[把将將]',
    particle: undefined,
    negations: '不要 不用 不必 别 別 无需 勿',
    list: '哪些 哪里 列出 列舉 列举 有什么文件',
  },
  {
    name: 'Japanese',
    asks: 'ファイルの中身を見せて',
    asksNot: 'ファイルの中身を表示しないで',
    exactly: 'そのまま 逐語 一字一句 もう一度表示 もう一度見せ もう一度出力 生の出力 生の内容 生のテキスト',
    show: '表示 見せ 出力 出して 書き出 貼 印刷',
    texts: '内容 中身 コード ファイル 全体 本文 全文 テキスト ログ 出力',
    particle: 'を',
    negations: 'ないで なくて せずに ずに',
    list: '一覧 リスト どのファイル どこ',
  },
  {
    name: 'Korean',
    asks: '파일 내용을 보여줘',
    asksNot: '파일 내용을 보여주지 마세요',
    exactly: '그대로 원문 전문을',
    show: '보여 출력 표시 붙여 인쇄',
    texts: '내용 파일 코드 텍스트 로그 전체',
    particle: '[을를]',
    negations: '마세요 말고 하지 없이',
    list: '목록 어떤 어디',
  },
];

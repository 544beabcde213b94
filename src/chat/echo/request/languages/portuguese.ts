import { type SpacedLanguage } from '../language-words.js';

/** Words of requests in Portuguese. */
export const PORTUGUESE: SpacedLanguage = {
  name: 'Portuguese',
  asks: 'Pode mostrar o conteúdo inteiro do arquivo?',
  asksNot: 'Pode explicar o que este arquivo faz?',
  leads: 'por favor pode poderia agora',
  wishes: 'quero gostaria',
  show: 'mostre mostra mostre-me mostra-me mostrar exiba exibir imprima dê repita ordene ordenar',
  quote: 'cite cole colar',
  see: 'ver ler',
  convert: 'converta converte formata',
  forms: 'tabela',
  fillers: 'o os a as me todo',
  whole: 'inteiro exato completo',
  texts: 'arquivo arquivos ficheiro ficheiros conteúdo texto saída linhas',
  write: 'escreva escrever reescreva reescrever',
  pronouns: 'o tudo',
  questions: 'por como quando é onde',
  stops: 'em com que para de',
  negations: 'não nunca sem',
  connectives: 'e então mas',
  exactly: 'palavra por palavra, na íntegra',
  list: 'lista encontre quais todos',
  listed: 'arquivos ficheiros caminhos pastas diretórios',
  where: 'onde',
  tasks: 'corrija corrige conserte explique resuma resumo causa falha falham quebrado',
};

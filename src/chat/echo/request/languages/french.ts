import { type SpacedLanguage } from '../language-words.js';

/** Words of requests in French. */
export const FRENCH: SpacedLanguage = {
  name: 'French',
  asks: 'Peux-tu me montrer le fichier complet, s’il te plaît ?',
  asksNot: 'Peux-tu me montrer où le fichier est lu ?',
  leads:
    "peux peux-tu peut pouvez pouvez-vous pourrais pourriez pourrais-tu pourriez-vous maintenant tu vous me nous s'il te plaît svp je j'ai",
  wishes: "veux voudrais besoin aimerais j'aimerais laisse-moi laissez-moi",
  leave: 'je peux',
  show: 'montre montrez montre-moi montrez-moi montrer affiche affichez afficher donne donnez donne-moi donnez-moi imprime répète répétez répéter renvoie renvoyez envoie envoyez partage partagez trie triez trier montres affiches donnes envoies affiche-moi affichez-moi envoie-moi envoyez-moi imprime-moi partage-moi recopie-moi renvoie-moi donner renvoyer envoyer imprimer partager redonne redonne-moi',
  showIt:
    'montre-le montre-la montrez-le montrez-la affiche-le affiche-la donne-le-moi donne-la-moi recopie-le recopie-la colle-le colle-la',
  contains: 'contient',
  inside: "que contient, qu'y a-t-il dans, qu'est-ce qu'il y a dans, que dit, qu'affiche",
  dative: 'moi me nous',
  definite: "le la les l' ce cette ces mon ma mes",
  towards: 'à au',
  quote: 'cite citez citer colle collez coller recopie recopiez recopier copie-colle copiez-collez',
  see: 'voir lire',
  convert: 'convertis convertissez convertir',
  layout:
    'formate formater indente indenter indentation retours tabulations espaces colonnes puces numérote numéros aligne',
  remove: 'supprime supprimez supprimer enlève enlevez enlever retire retirez retirer ôte',
  forms: 'tableau',
  fillers: "le la les l' moi nous tout toute ce cette dernières dernière premières première mon ma mes",
  whole: 'entier complet exact brut intégral entière complète exacte intégrale brute',
  texts:
    'fichier fichiers contenu texte sortie journal lignes configuration lettre courrier article mail message schéma code',
  write: 'écris écrivez écrire réécris réécrivez réécrire',
  pronouns: 'le la tout version',
  otherHeads: 'erreur erreurs problème problèmes cause raison différence solution commande ligne nom',
  questions: 'pourquoi comment si est où',
  stops: 'qui que dans de avec pour',
  negations: 'ne pas jamais',
  without: 'sans',
  connectives: 'et puis mais avant',
  exactly:
    'mot pour mot, mot à mot, textuellement, lis-moi, lis à voix haute, tel quel, telle quelle, tels quels, telles quelles, fais voir, faites voir',
  extract: 'extrais extrayez extraire',
  copy: 'copie copiez copier recopie recopiez recopier',
  places: 'ici, dans le chat',
  list: 'trouve quels quelles liste cherche existe a-t-il',
  listed: 'fichiers chemins dossiers dossier répertoires tests modules scripts',
  where: 'où',
  only: 'seulement uniquement',
  which: 'quels quelles',
  enumerate: 'liste listez énumère donne montre',
  every: 'tous toutes',
  be: 'sont est',
  exist: 'a-t-il existe existent',
  records:
    'commits utilisateurs paquets processus services erreurs avertissements variables dépendances branches conteneurs entrées lignes',
  judging:
    'combien plus moins total somme moyenne dois devrait faut peut meilleur meilleure pire longtemps souvent',
  tasks:
    'corrige corrigez corriger répare réparez réparer pourquoi explique expliquez résume résumez résumé cause échoue échouent cassé',
  own: "je j'aimerais",
  purpose: 'pour',
  uses: 'lire relire imprimer copier transmettre transférer coller comparer',
  makes:
    'réponds répondez répondre écris écrire rédige rédiger crée créer fais faire traduis traduire prépare préparer',
  reach: 'ouvre ouvrir exécute exécuter lance lancer',
};

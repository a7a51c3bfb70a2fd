// The page's texts in French; en.js explains them. The space before : ; ? ! and % is narrow and does not break.

// Return a number or a decimal string in the language's notation.
export function shown(number) {
  return `${number}`.replace(".", ",");
}

export const OWN = {
  yes: "Oui",
  no: "Non",
  withheld: "Je préfère ne pas répondre",
  under: (number) => `moins de ${shown(number)}`,
  between: (low, high) => `de ${shown(low)} à moins de ${shown(high)}`,
  orMore: (number) => `${shown(number)} ou plus`,
  through: (low, high) => `${shown(low)} à ${shown(high)}`,
};

export const BY = { page: "Cette page dit", survey: "L’enquête dit" };

export const LANGUAGE = {
  label: "Langue",
  lost: "Cette langue n’a pas pu être chargée. La page reste telle quelle.",
};

export const ASKED = {
  choice: { missing: "Choisissez une réponse." },
  multiple_choice: { missing: "Cochez ce qui convient, ou indiquez que rien ne convient." },
  grid: { missing: "Choisissez une réponse pour chacun de ces points." },
  histogram: {
    missing: "Saisissez un nombre.",
    range: () => "Seule la tranche de votre nombre est utilisée. Les nombres plus petits comptent dans la tranche la plus basse, les plus grands dans la plus haute.",
  },
  mean: {
    missing: "Saisissez un nombre.",
    range: ({ low, high, unit }) => `De ${shown(low)} à ${amount(shown(high), unit)}. Les nombres plus petits comptent pour ${shown(low)}, les plus grands pour ${shown(high)}.`,
  },
};

export function amount(number, unit) {
  return unit ? `${number} ${unit}` : `${number}`;
}

export const CHOOSING = {
  counted: (last) => `Les résultats ne montrent que la moyenne : les degrés valent de 1 à ${last}.`,
  pair: (item, answer) => `${item} : ${answer}`,
  none: "Aucune de ces options",
  nothing: /^(aucune?( (d(e ces|es|['’]entre)( [a-z-]+){1,2}|de ceux-ci|de celles-ci))?|rien( de tout (cela|ca))?)\.?$/,
  find: "Chercher dans cette liste",
  found: (count, total) => `Correspondances : ${count} sur ${total}.`,
  sampled(sample) {
    const [part, about] = sample === 1 ? ["un seul de ces points", "celui-là"] : [`${sample} de ces points`, "ceux-là"];
    return `Votre navigateur tire au hasard ${part}, quelles que soient vos réponses. Il n’envoie une réponse modifiée au hasard que pour ${about}.`;
  },
};

export const NUMBERS = {
  none: "Ce n’est pas encore un nombre. Saisissez seulement des chiffres, par exemple 34 ou 34,5.",
  which: (one, other) => `Voulez-vous dire ${one} ou ${other} ? Saisissez-le ainsi.`,
  long: "Ce nombre est trop long. Saisissez au plus 15 chiffres.",
  counts: (what) => `Compté comme : ${what}.`,
  limits: (low, high, whole) => `Saisissez un nombre ${whole ? "entier " : ""}de ${low} à ${high}.`,
};

export const FORM = {
  title: "Les questions",
  send: "Envoyer mes réponses modifiées au hasard",
  sending: "Quand vous appuyez sur ce bouton, vos réponses sont modifiées ici au hasard, une seule fois. Seul le résultat est envoyé.",
  unsent: "Non envoyé : ",
  count: (total) => `Nombre de questions : ${total}.`,
  progress: (answered, total) => `Réponses : ${answered} sur ${total}`,
  place: (number, total) => `Question ${number} sur ${total}`,
  numbered: (number, text) => `${number}. ${text}`,
  missing: (count) => (count === 1 ? "Il manque encore une réponse." : `Il manque encore ${count} réponses.`),
  whole: " Une question sans réponse révélerait déjà quelque chose. C’est pourquoi seul un rapport complet est envoyé.",
  ready: (count) => (count === 1 ? "Une question est prête." : `${count} questions sont prêtes.`),
  more: " Certaines réponses mènent à d’autres questions.",
  lot: "Vos questions ont été tirées au sort dans une liste plus longue.",
  kept(count, percent, among) {
    const sent = among ? "parmi ce qui est envoyé" : "dans ce qui est envoyé";
    const how = `Avec une probabilité de ${percent} %, ${count > 1 ? "celles-ci sont" : count === 1 ? "votre réponse est" : "vos réponses sont"} ${sent} ; sinon, tout y est aléatoire.`;
    return count > 1 ? `${count} de vos réponses sont modifiées ensemble au hasard. ${how}` : how;
  },
  few: "Des questions en plusieurs parties, seules des parties tirées au sort sont envoyées.",
  together: (count) => `L’une des ${count} réponses qui sont modifiées ensemble au hasard.`,
};

export const SECTIONS = {
  place: (number, total) => `Section ${number} sur ${total}`,
  back: "Retour",
  next: "Suivant",
  all: "Afficher toutes les sections à la fois",
  one: "Afficher les sections une à une",
};

export const CONSENT = {
  title: "Avant de commencer",
  agree: "J’ai lu ce texte et je suis d’accord",
  missing: "Cochez cette case si vous êtes d’accord. Sinon, fermez simplement la page : rien n’a été envoyé.",
  go: "Passer aux questions",
};

export const LATER = {
  words: "fr-more.js",
  check: "Vérifiez par vous-même",
  budget: "Ce que ce navigateur a envoyé à ce site",
  missing: "Il manque une partie de cette page",
  lost: "Cette partie n’est pas arrivée, ou ce n’est pas le bon fichier. La page ne l’utilise donc pas. Votre rapport n’est pas concerné.",
};

export const ODDS = {
  oneIn: (count) => `1 sur ${count.toLocaleString("fr")}`,
};

export const STRENGTH = [
  { title: "Protection forte", name: "forte" },
  { title: "Protection moyenne", name: "moyenne" },
  { title: "Protection faible", name: "faible" },
  { title: "Presque aucune protection", name: "presque aucune" },
];

export const FREQUENCIES = {
  option: [
    (count) => `Si 100 personnes répondent comme vous, environ ${count} rapports donnent cette réponse.`,
    (count) => `Si 100 répondent autrement, elle figure quand même dans environ ${count}.`,
  ],
  item: [
    (count) => `Si 100 personnes répondent comme vous sur ce point, environ ${count} de leurs rapports donnent cette réponse.`,
    (count) => `Si 100 autres répondent autrement, elle figure quand même dans environ ${count}.`,
  ],
  number: [
    (count) => `Si 100 personnes ont le nombre le plus grand, environ ${count} rapports sont dans la moitié haute.`,
    (count) => `Si 100 ont le plus petit, environ ${count}.`,
  ],
  step: [
    (count) => `Si 100 personnes choisissent le dernier degré, environ ${count} rapports sont dans la moitié haute.`,
    (count) => `Si 100 choisissent le premier, environ ${count}.`,
  ],
};

export const PROMISE = {
  titles: [
    "Vos réponses sont modifiées au hasard avant l’envoi",
    "Même modifié, votre rapport peut en dire long sur vos réponses",
    "Même modifié, votre rapport peut presque révéler vos réponses",
  ],
  cautions: [
    "Participez seulement si vous acceptez ce qu’on pourrait en apprendre.",
    "Participez seulement si vous acceptez que vos réponses soient connues.",
  ],
  belief: (prior, high) => `Avec votre rapport, une certitude sur une réponse peut passer de ${prior} % à ${high} % au plus.`,
  certain: (prior) => `Votre rapport peut rendre presque totale une certitude de ${prior} % sur une réponse.`,
  apart: (chance) => ` Avec une probabilité de ${chance} au plus, le rapport peut en révéler davantage.`,
  more: "Quelle est votre protection ?",
};

export const SENDING = {
  title: "Envoi de votre rapport",
  thanks: "Merci beaucoup",
  recorded: "Votre rapport est enregistré. Vos réponses sont effacées de cette page.",
  randomizing: "Vos réponses sont en train d’être modifiées au hasard.",
  cleared: "Vos réponses ont été modifiées au hasard et effacées de cette page. Il ne reste que le rapport terminé. Même si la page l’envoie plusieurs fois, c’est toujours le même.",
  lasting: "Vous pouvez fermer cette page. Rouvrez-la plus tard dans ce navigateur, et elle enverra le même rapport. Une fenêtre privée oublie le rapport quand vous la fermez.",
  fleeting: "Laissez cette page ouverte : ce navigateur ne lui permet pas de conserver le rapport.",
  now: "Réessayer maintenant",
  trying: "Envoi en cours…",
  network: "Le réseau ou le serveur est injoignable.",
  busy: "Le serveur est occupé et demande une pause.",
  server: "Le serveur a un problème en ce moment.",
  waiting: (reason, seconds) => `Pas encore envoyé. ${reason} La page réessaiera dans ${seconds === 1 ? "1 seconde" : `${seconds} secondes`}.`,
};

export const STOPPED = {
  lost: "Les questions ne sont pas arrivées",
  lostWhy: (sent) => `Le réseau ou le serveur est injoignable. ${sent}`,
  again: "Réessayer",
  nothingSent: "Rien n’a été envoyé.",
  earlierSent: "Le rapport que ce navigateur a déjà envoyé n’est pas concerné.",
  waits: "Votre rapport terminé attend dans ce navigateur. La page l’enverra dès qu’elle s’ouvrira comme il faut.",
  unknownNow: "Rien n’a été envoyé cette fois-ci. Ce navigateur ne dit pas s’il a déjà envoyé un rapport.",
  failed: "Le rapport n’a pas pu être créé",
  failedWhy: "Rien n’a été envoyé. Vos réponses sont effacées de cette page.",
};

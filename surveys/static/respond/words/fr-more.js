// The page's texts in French for folded parts and after sending; en-more.js explains them.

import { shown } from "../words.js";

export const AUDIT = {
  questions: "Les questions",
  checked: "Cette page a chargé la définition de l’enquête. Son empreinte (SHA-256) figure ci-dessous, et chaque rapport la porte. Chaque table respecte l’alpha qu’elle indique. Sinon, la page ne montrerait aucune question.",
  definition: "La définition, octet par octet (un fichier)",
  most: (factor) => `d’un facteur ${shown(factor)} au plus`,
  million: "d’un facteur de plus d’un million",
  apart: (change, chance) => `${change}, sauf avec une probabilité de ${chance} au plus`,
  total: (strength, change) => `Toutes les questions ensemble : ${strength} ; les chances d’une supposition changent ${change}.`,
  strength: (alpha, delta) => (delta ? `alpha ${shown(alpha)} et delta ${shown(delta)}` : `alpha ${shown(alpha)}`),
  files: "Les fichiers qui s’exécutent",
  order: "Votre navigateur compare chacun à son empreinte SHA-384 avant de l’utiliser. page.js fait tout jusqu’à l’envoi ; ce qui décide de ce qui est envoyé s’y trouve en premier. Les autres contiennent les textes et montrent ce qui se déplie.",
  shared: "Questions pour tout le monde",
  form: (number, total, percent) => `Partie ${number} sur ${total}, tirée au sort avec une probabilité de ${shown(percent)} %`,
  own: " : la vôtre",
  totalWith: (strength, change) => `Avec les questions pour tout le monde : ${strength} ; les chances d’une supposition changent ${change}.`,
  keptTogether: (strength, change) => `${strength} : avec toutes ces réponses ensemble, les chances d’une supposition changent ${change}`,
  guarantee: "Garantie, recalculée ici",
  kept: (strength, change) => `${strength} : avec cette seule réponse, les chances d’une supposition changent ${change}`,
  mechanism: "Mécanisme",
  entry: (name) => `« ${name} »`,
  chance: (threshold, percent) => `${threshold} / 2^53 = ${shown(percent)} %`,
  program: "Le programme de ce site",
  release: (version, commit) => `Ce site dit utiliser la version ${version}${commit ? `, commit ${commit}` : " ; il ne dit pas de quel commit"}.`,
  source: "Son code source est publié à l’adresse ",
  noSource: "Il ne dit pas où le code source est publié. Demandez aux responsables du site.",
  manifest: "Le manifeste énumère tous les fichiers que le site fournit aux personnes qui répondent. Son empreinte :",
  log: "Le journal de ce site",
  head: (number, day) => `Un journal énumère ce que ce site fournit. Il compte ${number} entrées ; la plus récente date du ${day}. Une empreinte de toutes les entrées figure ci-dessous. Si vous la gardez avec le nombre d’entrées, vous verrez plus tard si quelqu’un a modifié le journal. Deux personnes qui comparent les empreintes d’un même nombre d’entrées voient si le site leur montre des journaux différents.`,
  noHead: "L’empreinte du journal n’est pas arrivée.",
  more: "Version et code source du programme, autres informations sur le journal, et comment vérifier ce site de l’extérieur (ouvre un nouvel onglet)",
  site: "Mettre ce site à l’épreuve",
  draws: (count) => `Votre navigateur crée ${count.toLocaleString("fr")} rapports de deux réponses inventées, avec le code même qui crée le vôtre, et mesure à quel point ils les distinguent. Rien n’est envoyé. Une telle mesure peut montrer qu’alpha est plus grand qu’indiqué. Les tables ci-dessus prouvent qu’il ne l’est pas.`,
  which: "Question",
  jointly: "Les deux personnes inventées répondent différemment à chacune de ces questions, et un rapport les distingue quand il contient toutes les réponses de l’une.",
  audited: (number, text, alpha) => `${number}. ${text} (alpha ${shown(alpha)})`,
  beyond: (reports, most, alpha) => `${reports.toLocaleString("fr")} rapports peuvent montrer au plus un alpha de ${shown(most)}, et celui qui est indiqué ici est ${shown(alpha)}. Cette épreuve ne peut pas établir ce qui se trouve entre les deux ; que les rapports respectent ${shown(alpha)}, les tables ci-dessus le prouvent.`,
  draw: (count) => `Créer ${count.toLocaleString("fr")} rapports`,
  progress: "Rapports créés",
  stop: "Arrêter",
  stopped: "Arrêté.",
  found: ({ reports, hits, n, least, promised }) => `Avec une confiance de 95 %, ces ${reports.toLocaleString("fr")} rapports montrent qu’alpha vaut au moins ${shown(least)}. Indiqué : ${promised}. La première moitié a décidé quel signe distingue le mieux les deux réponses. Dans la seconde moitié, ${hits[0].toLocaleString("fr")} rapports sur ${n.toLocaleString("fr")} le portaient pour une réponse et ${hits[1].toLocaleString("fr")} pour l’autre.`,
};

export const BELIEFS = {
  together: (count, one) => ` pour les ${count} réponses ; pour chacune : ${one}.`,
  example: (number) => `Exemple : question ${number}.`,
  either: "Votre rapport pourrait venir de l’un ou l’autre groupe.",
  belief: (prior, high, low) => `Si quelqu’un suppose votre réponse avec ${prior} % de certitude, votre rapport entier peut la porter à ${high} % au plus ou l’abaisser à ${low > 0 ? `${low} %` : "presque 0 %"}.`,
  truthfully: "Répondez sincèrement : le hasard vous protège. Mentir ne protège pas forcément mieux et fausse le résultat.",
  learn: "Qui pourrait apprendre quoi",
  who: [
    ["Cette page :", "vos réponses avant l’envoi."],
    ["Le réseau :", "quand vous participez."],
    ["Personnel, voleurs, tribunaux :", "votre rapport, sans nom, adresse ni heure."],
    ["Les résultats :", "la fréquence des réponses."],
  ],
  drawn: "Ce navigateur a tiré vos questions au sort avant d’en montrer une seule. Votre rapport dit lesquelles vous avez eues.",
  rounded: "Les nombres qui sont modifiés avec d’autres réponses sont d’abord arrondis au hasard au plus petit ou au plus grand.",
  whose: ({ page, survey }) => `Ce qui figure sous « ${page} », la page l’a calculé elle-même. Ce qui figure sous « ${survey} » a été écrit par les personnes qui posent les questions. Personne ne l’a vérifié.`,
  weaker: "Votre protection faiblit si vous participez deux fois, si un appareil ou une extension du navigateur lit ce que vous saisissez, ou si quelqu’un regarde par-dessus votre épaule. Ne participez donc qu’une fois.",
  readers: "Les personnes qui ne lisent que les résultats publiés en apprennent en général moins, car votre rapport y est mêlé à beaucoup d’autres. Qui le voit arriver, comme les responsables de ce site, peut apprendre tout ce qui est dit ici.",
  wave: "Cette enquête fait suite à une autre. Si vous y avez aussi participé, tous vos rapports comptent comme un seul. ",
  guesses: "De combien une supposition sur une réponse peut changer, en pourcentage.",
  columns: ["Avant", "Avec une seule réponse", "Avec le rapport entier"],
  between: (low, high) => `de ${low} à ${high}`,
};

export const BUDGET = {
  kept: "Cette liste reste sur cet appareil et n’est jamais envoyée. Elle ne dit rien de vos réponses.",
  adds: "Ce que plusieurs rapports peuvent révéler d’une personne s’additionne.",
  none: "La liste est vide.",
  off: "Cet appareil ne tient pas de liste.",
  columns: ["Enquête", "Jour", "Protection"],
  together: (sum) => `En tout : ${sum}. `,
  clear: "Vider la liste",
  shared: "Appareil partagé : ne rien garder",
  keep: "Tenir une liste à partir de maintenant",
};

const DRAWN = "Un nombre entier de 0 à 2^53−1 est tiré ; le nombre de valeurs de la ligne qu’il atteint";
const NOISE = "Votre tranche compte 1 et les autres 0. Pour chacune, un nombre entier de 0 à 2^53−1 est tiré. On ajoute le nombre de valeurs ci-dessous qu’il atteint, moins la moitié du nombre de ces valeurs.";

export const METHODS = {
  randomized_response: "Réponse aléatoire (randomized response). « sizes » dit combien d’options de chaque question sont envoyées ; pour les listes : lignes × options.",
  bitwise: "Réponse aléatoire bit par bit. Votre option est marquée et les autres ne le sont pas ; puis chaque marque est inversée avec la probabilité ci-dessous, chacune séparément.",
  laplace: "Bruit de Laplace dans chaque tranche. Votre tranche compte 1 et les autres 0 ; chacune est inversée avec la probabilité « flip », chacune séparément. Puis un 1 augmente et un 0 diminue d’une distance dont les chiffres binaires ont les probabilités « magnitude ». La distance ne dépend pas de votre réponse.",
  exponential: `Mécanisme exponentiel. Une option est transmise, une proche plus probablement qu’une lointaine. Chaque ligne ci-dessous correspond à une réponse. ${DRAWN} est l’option, comptée à partir de 0.`,
  osgt: `Bruit OSGT dans chaque tranche. ${NOISE}`,
  gaussian: `Bruit gaussien dans chaque tranche. ${NOISE}`,
  one_bit: "Un bit. Votre nombre est arrondi au hasard au plus petit ou au plus grand nombre, plus probablement au plus proche, de sorte qu’il est juste en moyenne. Avec la probabilité « keep », celui-ci est envoyé ; sinon, l’un des deux au hasard.",
  laplace_mean: `Bruit de Laplace sur votre nombre. Il est arrondi au hasard à l’un des points d’une grille entre le plus petit et le plus grand nombre ; chacun a une ligne ci-dessous. ${DRAWN} est le pas transmis, compté d’en dessous du plus petit nombre jusqu’au-dessus du plus grand.`,
  multiple: "Échantillonnage. « sample » des options sont tirées au hasard, quelles que soient vos réponses. Avec la probabilité « keep », le rapport dit pour chacune si vous l’avez cochée ; sinon, tout y est aléatoire.",
  grid: "Échantillonnage. « sample » des points sont tirés au hasard, quelles que soient vos réponses. Pour chacun, « size » options sont envoyées. Avec la probabilité « keep », toutes vos réponses à ces points en font partie ; sinon, tout y est aléatoire.",
  ranking: "Échantillonnage. « sample » des éléments sont tirés au hasard, quelle que soit votre réponse. Avec la probabilité « keep », le rapport donne votre ordre de ces éléments ; sinon, un ordre aléatoire.",
};

export const THANKS = {
  results: "Voir les résultats de cette enquête",
  code: "Code de fin : ",
  copy: "Copier le code",
  copied: "Copié",
  back: (host) => `Revenir à ${host}`,
  same: "Toutes les personnes qui participent voient ici la même chose. Aucune de vos réponses n’y est jointe.",
  repeated: "Votre rapport était déjà enregistré, une seule fois. Vos réponses sont effacées de cette page.",
  differs: [
    "Ce qui a été envoyé peut différer de vos réponses : c’est ce qui vous protège.",
    "Ce qui a été envoyé peut différer de vos réponses, mais peut en dire long sur elles.",
    "Ce qui a été envoyé peut différer de vos réponses, mais peut aussi presque les révéler.",
  ],
  left: "Ce qui a quitté votre navigateur",
  routed: "Le rapport porte aussi sur des questions qui ne vous ont pas été posées. Pour toutes les personnes à qui une question n’est pas posée, la même réponse compte, et elle est modifiée au hasard comme les autres.",
  form: (number, total) => `Cette enquête a ${total} parties, et chaque personne en reçoit une. Le rapport dit que vous avez reçu la partie ${number}.`,
  together: (texts) => `${texts.length > 0 ? quoted(texts) : "Ces réponses"} : modifiées ensemble au hasard. Soit toutes vos réponses sont parmi ce qui a été envoyé, soit tout y est aléatoire. Ce qui est aléatoire peut aussi contenir vos réponses.`,
  signed: "Une signature accompagnait le rapport, à la fin de ce qui a été envoyé. Elle dit que le rapport vient d’une personne invitée, mais pas de laquelle : elle a été faite sans voir le rapport.",
  question: "Question",
  reported: "Ce qui a été transmis",
  marked: "Marquées :",
  unmarked: "Aucune option n’est marquée",
  among: "L’une de celles-ci, ou une autre :",
  picked: "Tirage au sort :",
  yes: "oui",
  no: "non",
  bytes: (count) => `Les ${count} octets envoyés`,
};

export const PREVIEW = {
  title: "Rien n’a été envoyé",
  nothing: "Ceci est un aperçu : la page a créé le rapport ci-dessous et l’a déjà effacé. Une personne qui participe voit ce qui suit une fois que le serveur a reçu le rapport.",
  again: "Recommencer",
};

export const REFUSED = {
  title: "Votre rapport n’a pas été enregistré",
  404: "Cette enquête n’existe plus. Rien n’a été enregistré.",
  409: "Le rapport correspond à d’autres questions que celles que l’enquête pose maintenant. Rien n’a été enregistré.",
  410: "L’enquête a été close avant l’arrivée du rapport. Rien n’a été enregistré.",
  early: "L’enquête n’a pas encore commencé. Rien n’a été enregistré.",
  fault: "Le serveur n’a pas pu lire le rapport. L’erreur vient du logiciel de l’enquête, pas de vous. Rien n’a été enregistré.",
  advice: "Il n’y a rien d’autre à faire ici, et répondre de nouveau enverrait un second rapport. Prévenez la personne qui vous a envoyé le lien.",
  cleared: "Vos réponses sont effacées de cette page, et le rapport ne sera plus envoyé.",
};

export const LOST = {
  title: "Saisissez votre code",
  code: "Le code de votre lettre, de votre carte ou de l’affiche",
  hint: "Les espaces, les tirets et les majuscules ne comptent pas. Vous pouvez aussi coller le lien entier.",
  open: "Ouvrir l’enquête",
  wrong: "Ce n’est pas un code : un caractère manque, est en trop ou est mal saisi.",
  unknown: "Aucune enquête n’a ce code.",
};

export const INVITED = {
  promise: "Votre invitation donne droit à un rapport. Le serveur signe ce rapport sans le voir, et cette signature le fait accepter. La signature ne dit donc à personne de quelle invitation vient le rapport, pas même aux responsables de ce site. Si quelqu’un a déjà utilisé votre invitation, la page ne l’apprend qu’après votre dernière réponse. Sinon, toute personne ayant votre lien pourrait découvrir si vous avez participé.",
  group: (name) => `Votre invitation vaut pour le groupe « ${name} », et votre rapport le dira. `,
  groups: (names) => `Chaque rapport dit de quel groupe il est, et les résultats de chaque groupe sont publiés à part : ${quoted(names)}. Si un groupe a trop peu de rapports, rien n’est publié sur lui. Le groupe n’est pas secret : seules vos réponses sont modifiées au hasard.`,
  wrongKey: "Les clés de cette enquête ne sont pas valables",
  revoked: "Cette invitation n’est plus valable",
  changed: "Le lien de votre invitation a été modifié en chemin",
  missing: "Cette enquête est sur invitation",
  missingWhy: "Votre lien ne contient pas d’invitation, ou il est incomplet. Ouvrez le lien exactement tel que vous l’avez reçu. Rien n’a été envoyé.",
  fleeting: "Le rapport n’a pas encore été envoyé. Laissez cette page ouverte : ce navigateur ne lui permet pas de conserver le rapport.",
  why: "Votre invitation est utilisée quand vous appuyez sur le bouton. Une personne qui observe le serveur pourrait voir arriver le rapport au même moment. Un moment plus tardif en dit moins.",
  later: (shortest, longest) => `Envoyer mon rapport ${shortest} à ${longest} minutes plus tard, à un moment tiré au hasard`,
  waiting: "Votre rapport attend",
  until: (time) => `Votre invitation est utilisée. La page enverra d’elle-même le rapport à ${time}. Si l’enquête est close avant, le rapport ne compte pas.`,
  closing: "Laissez cette page ouverte jusque-là, ou rouvrez votre lien plus tard dans ce navigateur. Une fenêtre privée oublie le rapport quand vous la fermez.",
  instead: "L’envoyer maintenant",
  wrong: "La signature du serveur est incorrecte",
  wrongWhy: "La page n’a donc pas envoyé votre rapport : une autre signature pourrait le rendre reconnaissable. Le rapport est conservé. Si réessayer ne sert à rien, prévenez la personne qui vous a envoyé l’invitation.",
  again: "Réessayer",
  refused: "Votre rapport n’a pas été envoyé",
  takenBack: "Elle a été retirée. Demandez un nouveau lien à la personne qui vous l’a envoyée.",
  unsigned: "Votre lien a déjà été utilisé, peut-être par vous sur un autre appareil, ou il a été retiré, ou il est abîmé. Le serveur ne le précise pas, pour que personne d’autre ayant votre lien ne puisse savoir si vous avez participé. Demandez un nouveau lien à la personne qui vous a envoyé l’invitation.",
  early: "L’enquête n’a pas encore commencé. Rouvrez votre lien quand elle aura commencé.",
  404: "Cette enquête n’existe plus.",
  410: "L’enquête est close.",
  fault: "Le serveur n’a pas pu lire ce que la page a envoyé. L’erreur vient du logiciel de l’enquête, pas de vous. Prévenez la personne qui vous a envoyé l’invitation.",
  deleted: "Vos réponses sont effacées de cette page, et le rapport a été supprimé. Personne ne l’a vu.",
};

export const RELAY = {
  promise: (host) => `Votre rapport passe par un relais, ${host}, géré par quelqu’un d’autre. Le relais voit d’où vient le rapport, mais ne peut pas le lire. Ce site lit le rapport, mais ne voit pas d’où il vient. Ensemble, les deux pourraient le découvrir.`,
  lost: (host) => `La page n’arrive pas à joindre le relais ${host} et continue d’essayer. Si vous la laissez envoyer directement à ce site, le site verra votre adresse IP, comme il l’a déjà vue quand vous avez ouvert cette page.`,
  direct: "Envoyer sans le relais",
};

export const FRAME = {
  refused: "Cette enquête ne s’affiche pas à l’intérieur de cette page",
  why: "L’enquête n’admet que les pages qu’elle nomme, et rien n’indique que la page qui l’entoure en fasse partie. Cette page pourrait placer quelque chose par-dessus les questions : aucune n’est donc posée ici. Dans une fenêtre à part, la barre d’adresse montre à qui est la page.",
  followed: "Avec ce navigateur, la page qui entoure l’enquête pourrait voir où vous en êtes et ainsi apprendre quelque chose de vos réponses. Aucune question n’est donc posée ici.",
  held: (host) => `Vous voyez cette enquête à l’intérieur d’une page de ${host}. Votre navigateur ne se souvient de votre participation que dans les pages de ${host}.`,
  alone: "Ouvrir l’enquête dans une fenêtre à part",
};

export const ANSWERED = {
  recorded: "Quelqu’un a déjà répondu à cette enquête dans ce navigateur",
  recordedFate: "Le rapport a été enregistré. Merci beaucoup. Son contenu n’est pas conservé ici.",
  refused: "Ce navigateur a déjà envoyé un rapport",
  refusedFate: "Le rapport est arrivé au serveur, mais n’a pas été enregistré. Son contenu n’est pas conservé ici.",
  elsewhere: "C’était avec un autre lien, avec exactement les mêmes questions. ",
  older: "C’était une version antérieure de cette enquête. ",
  again: "Répondre aussi à cette version",
  both: "Deux rapports en révèlent plus qu’un seul",
  sum: "Les deux rapports ensemble peuvent en révéler plus sur vous que ce que cette page indique pour un seul : leurs alphas s’additionnent.",
  used: "Ce lien a déjà servi sur cet appareil",
  single: "Un lien donne droit à un rapport. Une autre personne a besoin de son propre lien.",
  another: "Une autre personne veut répondre sur cet appareil",
  really: "Est-ce vraiment quelqu’un d’autre ?",
  twice: "Si la même personne répond deux fois, les deux rapports ensemble peuvent en révéler plus sur elle que ce que cette page indique pour un seul. Pour une autre personne, cette page indique la même chose que pour vous.",
  yes: "Oui, une autre personne répond maintenant",
};

export const NOT_ASKED = {
  nowhere: "Ce lien ne mène à aucune enquête",
  nowhereWhy: (sent) => `Le lien est peut-être incomplet, ou l’enquête n’existe plus. Rouvrez le lien, en entier, tel que vous l’avez reçu. ${sent}`,
  closed: "Cette enquête est close",
  closedWhy: "Elle n’accepte plus de réponses ; il n’y a donc rien à remplir ici. Merci de votre visite.",
  early: "Cette enquête n’a pas encore commencé",
  earlyWhy: (when) => `Elle commencera le ${when}. Rouvrez cette page à ce moment-là. D’ici là, il n’y a rien à remplir, et rien n’est envoyé ni conservé.`,
  refusal: "Cette page ne posera aucune question",
  weaker: "Vos réponses seraient moins protégées qu’indiqué.",
  noQuestion: "La page ne montre donc aucune question.",
  old: "Ce navigateur est trop ancien pour cette page",
  oldWhy: (name) => `Il lui manque ${name}, dont la page a besoin. Mettez ce navigateur à jour, ou ouvrez le lien dans un autre navigateur ou sur un autre appareil.`,
  elsewhere: "Cette enquête est ouverte dans un autre onglet",
  elsewhereWhy: "Répondez dans cet autre onglet. Dès qu’il sera fermé, cette page continuera d’elle-même.",
  here: "Répondre plutôt ici",
  unknown: "Avez-vous déjà répondu à cette enquête ?",
  unknownWhy: "Ce navigateur ne dit pas s’il a déjà envoyé un rapport de cette enquête. Ne participez qu’une fois : deux rapports ensemble peuvent en révéler plus sur vous que l’enquête ne le promet.",
  first: "Non, je n’ai pas encore répondu",
  chance: "Les nombres aléatoires de ce navigateur ne fonctionnent pas",
  chanceWhy: "La page a besoin de nombres aléatoires pour modifier vos réponses, et ceux de ce navigateur se répètent. Elle ne demande donc rien, et rien n’a été envoyé. Un autre navigateur ou appareil fonctionnera peut-être.",
  insecure: "Cette page doit être ouverte avec https",
  insecureWhy: "Sans chiffrement, quelqu’un sur le réseau pourrait modifier cette page, et vous ne pourriez plus vous fier à ce qu’elle dit. Ouvrez le même lien avec https:// au début. Rien n’a été envoyé.",
};

export const PROBLEMS = {
  format: () => "Cette page ne connaît pas ce format d’enquête.",
  form: () => "La définition de l’enquête n’a pas la forme que cette page peut lire.",
  gap: ({ number }) => `Certaines réponses à la question ${number} ne pourraient pas être transmises.`,
  weak: ({ texts }) => `La table de ${quoted(texts)} ne respecte pas l’alpha qu’elle indique.`,
  together: () => "Les questions de l’enquête ne tiennent pas ensemble dans un rapport.",
};

export const READING = {
  marked: () => "Là où des options sont marquées : le hasard peut en avoir marqué certaines et omis d’autres. Il peut y en avoir plusieurs ou aucune, quel que soit votre choix.",
  figures: () => "Là où des tranches ont des nombres : le hasard peut avoir changé chacun d’eux. Votre tranche n’a pas forcément le plus grand.",
  among: () => "Là où plusieurs options sont nommées : le hasard a aidé à les choisir, et la vôtre n’en fait pas forcément partie.",
  near: () => "Là où les options ont un ordre : le hasard peut avoir déplacé le rapport le long de cet ordre.",
  end: () => "Là où un nombre est transmis comme le plus petit ou le plus grand : le hasard en a fait l’un des deux, plus souvent le plus proche, et peut ensuite les avoir échangés.",
  step: () => "Là où les degrés comptent comme des nombres : le hasard a fait de votre réponse le premier ou le dernier, plus souvent le plus proche, et peut ensuite les avoir échangés.",
  number: () => "Là où un nombre est transmis : le hasard peut l’avoir changé, même en un nombre que vous n’auriez pas pu donner.",
  ticked: (table) => `Là où plusieurs options pouvaient être cochées : ${sampled(table, ["quelques-unes", "celles-ci"], ["une seule", "celle-ci"])} ; le hasard peut avoir inversé la réponse.`,
  picked: (table) => `Là où il y avait plusieurs points : ${sampled(table, ["quelques-uns", "ceux-ci"], ["un seul", "celui-ci"])}, et le hasard peut avoir changé la réponse.`,
  paired: ({ sample }) => `Là où il fallait classer des éléments : votre navigateur a seulement transmis l’ordre de ${sample} d’entre eux ; le hasard peut l’avoir modifié.`,
};

function quoted(texts) {
  return texts.map((text) => `« ${text} »`).join(", ");
}

function sampled({ sample }, several, one) {
  const [drawn, reported] = sample > 1 ? several : one;
  return `votre navigateur en a tiré au hasard ${drawn} et n’a transmis que ${reported}`;
}

export const SELDOM = {
  date: {
    missing: "Indiquez une date.",
    4: "Saisissez l’année, par exemple 1984. Seule la période correspondante est utilisée.",
    7: "Saisissez l’année et choisissez le mois. Seule la période correspondante est utilisée.",
    10: "Indiquez le jour. Seule la période correspondante est utilisée.",
    year: "Année",
    month: "Mois",
  },
  ranking: {
    missing: "Classez les éléments et confirmez votre classement.",
    hint: "Déplacez les éléments vers le haut ou vers le bas jusqu’à obtenir votre classement. Confirmez-le ensuite.",
    drawn: (count, all) => {
      const [pick, these] = count < all ? [`Votre navigateur tire au hasard ${count} des éléments, quelle que soit votre réponse. Il`, "ces éléments"] : ["Votre navigateur", "tous les éléments"];
      return `${pick} n’envoie qu’une réponse modifiée au hasard sur l’ordre de ${these}.`;
    },
    up: (item) => `Monter : ${item}`,
    down: (item) => `Descendre : ${item}`,
    confirm: "C’est mon classement",
    confirmed: "Confirmé. Si vous déplacez un élément, confirmez de nouveau.",
    moved: (item, place, count) => `${item} : maintenant en position ${place} sur ${count}. Confirmez votre classement.`,
    speaks: [
      (count) => `Si 100 personnes mettent deux des éléments dans le même ordre que vous, environ ${count} de leurs rapports sur ces deux donnent cet ordre.`,
      (count) => `Si 100 autres les mettent dans l’ordre inverse, il figure quand même dans environ ${count}.`,
    ],
  },
};

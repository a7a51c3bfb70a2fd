// The page's texts in Portuguese, as it is read in Brazil and in Portugal alike; en.js explains them.

// Return a number or a decimal string in the language's notation.
export function shown(number) {
  return `${number}`.replace(".", ",");
}

export const OWN = {
  yes: "Sim",
  no: "Não",
  withheld: "Prefiro não responder",
  under: (number) => `menos de ${shown(number)}`,
  between: (low, high) => `de ${shown(low)} a menos de ${shown(high)}`,
  orMore: (number) => `${shown(number)} ou mais`,
  through: (low, high) => `${shown(low)} a ${shown(high)}`,
};

export const BY = { page: "Esta página diz", survey: "O questionário diz" };

export const LANGUAGE = {
  label: "Idioma",
  lost: "Não foi possível carregar este idioma. A página fica como está.",
};

export const ASKED = {
  choice: { missing: "Escolha uma resposta." },
  multiple_choice: { missing: "Marque o que se aplica ou indique que nada se aplica." },
  grid: { missing: "Escolha uma resposta para cada um destes pontos." },
  histogram: {
    missing: "Escreva um número.",
    range: () => "Só é usado o grupo do seu número. Os números menores contam no grupo mais baixo; os maiores, no mais alto.",
  },
  mean: {
    missing: "Escreva um número.",
    range: ({ low, high, unit }) => `De ${shown(low)} a ${amount(shown(high), unit)}. Os números menores contam como ${shown(low)}; os maiores, como ${shown(high)}.`,
  },
};

export function amount(number, unit) {
  return unit ? `${number} ${unit}` : `${number}`;
}

export const CHOOSING = {
  counted: (last) => `Os resultados mostram apenas a média: os níveis valem de 1 a ${last}.`,
  pair: (item, answer) => `${item}: ${answer}`,
  none: "Nenhuma destas opções",
  nothing: /^(nenhuma?( d(as|os|est[ae]s|ess[ae]s|el[ae]s)( [a-z]+){0,2})?|nada d(isto|isso))\.?$/,
  find: "Procurar nesta lista",
  found: (count, total) => `Correspondências: ${count} de ${total}.`,
  sampled(sample) {
    const [part, about] = sample === 1 ? ["um destes pontos", "esse"] : [`${sample} destes pontos`, "esses"];
    return `O seu navegador sorteia ${part}, seja qual for a sua resposta. Só envia uma resposta alterada ao acaso sobre ${about}.`;
  },
};

export const NUMBERS = {
  none: "Isto ainda não é um número. Escreva só algarismos, por exemplo 34 ou 34,5.",
  which: (one, other) => `Quer dizer ${one} ou ${other}? Escreva assim.`,
  long: "Este número é longo demais. Escreva no máximo 15 algarismos.",
  counts: (what) => `Conta como: ${what}.`,
  limits: (low, high, whole) => `Escreva um número ${whole ? "inteiro " : ""}de ${low} a ${high}.`,
};

export const FORM = {
  title: "As perguntas",
  send: "Enviar as minhas respostas alteradas ao acaso",
  sending: "Com este botão, as suas respostas são alteradas aqui ao acaso, uma única vez. Só o resultado é enviado.",
  unsent: "Não enviado: ",
  count: (total) => `Número de perguntas: ${total}.`,
  progress: (answered, total) => `${answered} de ${total} respondidas`,
  place: (number, total) => `Pergunta ${number} de ${total}`,
  numbered: (number, text) => `${number}. ${text}`,
  missing: (count) => (count === 1 ? "Falta responder a uma pergunta." : `Falta responder a ${count} perguntas.`),
  whole: " Uma pergunta sem resposta já revelaria alguma coisa. Por isso, só é enviado um relatório completo.",
  ready: (count) => (count === 1 ? "Uma pergunta está pronta." : `${count} perguntas estão prontas.`),
  more: " Algumas respostas levam a mais perguntas.",
  lot: "As suas perguntas foram sorteadas de uma lista mais longa.",
  kept(count, percent, among) {
    const sent = among ? "entre o que é enviado" : "no que é enviado";
    const how = `Com uma probabilidade de ${percent}%, ${count > 1 ? "estas estão" : count === 1 ? "a sua resposta está" : "as suas respostas estão"} ${sent}; caso contrário, tudo isso é aleatório.`;
    return count > 1 ? `${count} das suas respostas são alteradas em conjunto e ao acaso. ${how}` : how;
  },
  few: "Das perguntas com várias partes, só são enviadas partes sorteadas.",
  together: (count) => `Uma de ${count} respostas que são alteradas em conjunto e ao acaso.`,
};

export const SECTIONS = {
  place: (number, total) => `Parte ${number} de ${total}`,
  back: "Voltar",
  next: "Continuar",
  all: "Mostrar todas as partes de uma vez",
  one: "Mostrar uma parte de cada vez",
};

export const CONSENT = {
  title: "Antes de começar",
  agree: "Li este texto e concordo",
  missing: "Marque esta caixa se concorda. Se não concorda, basta fechar a página: nada foi enviado.",
  go: "Ir para as perguntas",
};

export const LATER = {
  words: "pt-more.js",
  check: "Faça a sua própria verificação",
  budget: "O que este navegador enviou a este site",
  missing: "Falta uma parte desta página",
  lost: "Esta parte não chegou ou não é a correta. Por isso, a página não a usa. O seu relatório não é afetado.",
};

export const ODDS = {
  oneIn: (count) => `1 em ${count.toLocaleString("pt")}`,
};

export const STRENGTH = [
  { title: "Proteção forte", name: "forte" },
  { title: "Proteção moderada", name: "moderada" },
  { title: "Proteção fraca", name: "fraca" },
  { title: "Quase nenhuma proteção", name: "quase nenhuma" },
];

export const FREQUENCIES = {
  option: [
    (count) => `Se 100 pessoas tiverem uma resposta igual à sua, cerca de ${count} relatórios darão essa resposta.`,
    (count) => `Se 100 tiverem outra, ainda assim a sua estará em cerca de ${count}.`,
  ],
  item: [
    (count) => `Se 100 pessoas tiverem neste ponto uma resposta igual à sua, cerca de ${count} relatórios darão essa resposta.`,
    (count) => `Se outras 100 tiverem outra, ainda assim a sua estará em cerca de ${count}.`,
  ],
  number: [
    (count) => `Se 100 pessoas tiverem o maior número, cerca de ${count} relatórios ficarão na metade superior.`,
    (count) => `Se 100 tiverem o menor, cerca de ${count}.`,
  ],
  step: [
    (count) => `Se 100 pessoas escolherem o último nível, cerca de ${count} relatórios ficarão na metade superior.`,
    (count) => `Se 100 escolherem o primeiro, cerca de ${count}.`,
  ],
};

export const PROMISE = {
  titles: [
    "As suas respostas são alteradas ao acaso antes do envio",
    "Mesmo alterado, o relatório pode revelar muito das suas respostas",
    "Mesmo alterado, o relatório pode quase revelar as suas respostas",
  ],
  cautions: [
    "Participe só se aceitar o que outros poderiam saber.",
    "Participe só se aceitar que as suas respostas sejam conhecidas.",
  ],
  belief: (prior, high) => `Com o seu relatório, a certeza sobre uma resposta pode passar de ${prior}% para ${high}% no máximo.`,
  certain: (prior) => `O seu relatório pode tornar quase total uma certeza de ${prior}% sobre uma resposta.`,
  apart: (chance) => ` Com uma probabilidade de ${chance} no máximo, o relatório pode revelar mais.`,
  more: "Como funciona a proteção?",
};

export const SENDING = {
  title: "Envio do seu relatório",
  thanks: "Agradecemos a sua participação",
  recorded: "O seu relatório está guardado. As suas respostas foram apagadas desta página.",
  randomizing: "As suas respostas são agora alteradas ao acaso.",
  cleared: "As suas respostas foram alteradas ao acaso e apagadas desta página. Só resta o relatório pronto. Mesmo que a página o envie várias vezes, é sempre o mesmo.",
  lasting: "Pode fechar esta página. Se a abrir mais tarde neste navegador, ela envia o mesmo relatório. Uma janela privada esquece o relatório quando é fechada.",
  fleeting: "Deixe esta página aberta: este navegador não permite que a página conserve o relatório.",
  now: "Tentar de novo agora",
  trying: "Envio em curso…",
  network: "Não há acesso à rede ou ao servidor.",
  busy: "O servidor está ocupado e pede uma pausa.",
  server: "O servidor tem um problema neste momento.",
  waiting: (reason, seconds) => `Ainda não foi enviado. ${reason} A página tenta de novo em ${seconds === 1 ? "1 segundo" : `${seconds} segundos`}.`,
};

export const STOPPED = {
  lost: "As perguntas não chegaram",
  lostWhy: (sent) => `Não há acesso à rede ou ao servidor. ${sent}`,
  again: "Tentar de novo",
  nothingSent: "Nada foi enviado.",
  earlierSent: "O relatório que este navegador enviou antes não é afetado.",
  waits: "O seu relatório pronto espera neste navegador. Ele será enviado assim que a página abrir como deve.",
  unknownNow: "Nada foi enviado agora. Este navegador não diz se enviou um relatório antes.",
  failed: "Não foi possível criar o relatório",
  failedWhy: "Nada foi enviado. As suas respostas foram apagadas desta página.",
};

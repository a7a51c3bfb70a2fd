// The page's texts in Portuguese for folded parts and after sending; en-more.js explains them.

import { shown } from "../words.js";

export const AUDIT = {
  questions: "As perguntas",
  checked: "Esta página carregou a definição do questionário. Abaixo está a impressão digital dela (SHA-256), que cada relatório leva. Cada tabela cumpre o alfa que indica. De outro modo, a página não mostraria nenhuma pergunta.",
  definition: "A definição, byte a byte",
  most: (factor) => `no máximo por um fator de ${shown(factor)}`,
  million: "por um fator de mais de um milhão",
  apart: (change, chance) => `${change}, exceto com uma probabilidade de ${chance} no máximo`,
  total: (strength, change) => `Todas as perguntas em conjunto: ${strength}; as chances de um palpite mudam ${change}.`,
  strength: (alpha, delta) => (delta ? `alfa ${shown(alpha)} e delta ${shown(delta)}` : `alfa ${shown(alpha)}`),
  files: "O código que é executado",
  order: "O seu navegador compara cada parte com a impressão digital SHA-384 dela antes de a usar. page.js faz tudo antes do envio; o que decide o que é enviado está no início. As outras contêm os textos e mostram o que é aberto.",
  shared: "Perguntas para todas as pessoas",
  form: (number, total, percent) => `Versão ${number} de ${total}, sorteada com uma probabilidade de ${shown(percent)}%`,
  own: ": a sua",
  totalWith: (strength, change) => `Com as perguntas para todas as pessoas: ${strength}; as chances de um palpite mudam ${change}.`,
  keptTogether: (strength, change) => `${strength}: com todas estas respostas em conjunto, as chances de um palpite mudam ${change}`,
  guarantee: "Garantia, calculada aqui de novo",
  kept: (strength, change) => `${strength}: com esta única resposta, as chances de um palpite mudam ${change}`,
  mechanism: "Mecanismo",
  entry: (name) => `“${name}”`,
  chance: (threshold, percent) => `${threshold} / 2^53 = ${shown(percent)}%`,
  program: "O programa deste site",
  release: (version, commit) => `Este site diz que usa a versão ${version}${commit ? `, commit ${commit}` : "; não diz de que commit"}.`,
  source: "O código-fonte está publicado em ",
  noSource: "Ele não diz onde o código-fonte está publicado. Pergunte a quem gere o site.",
  manifest: "O manifesto lista tudo o que o site fornece a quem responde. A impressão digital dele:",
  log: "O diário deste site",
  head: (number, day) => `Um diário lista o que este site fornece. Tem ${number} entradas; a última é de ${day}. Abaixo está uma impressão digital de todas. Se a guardar com o número de entradas, poderá ver mais tarde se alguém mudou o diário. Duas pessoas que comparam impressões digitais do mesmo número de entradas veem se o site lhes mostra diários diferentes.`,
  noHead: "A impressão digital do diário não chegou.",
  more: "A versão e o código-fonte do programa, mais sobre o diário e como verificar este site a partir de fora (abre outra janela)",
  site: "Pôr este site à prova",
  draws: (count) => `O seu navegador cria ${count.toLocaleString("pt")} relatórios de duas respostas inventadas, com o mesmo código que cria o seu, e mede até que ponto estes as distinguem. Nada é enviado. Essa medição pode mostrar que alfa é maior do que o indicado. As tabelas acima provam que não é.`,
  which: "Pergunta",
  jointly: "As duas pessoas inventadas respondem a cada uma destas perguntas de modo diferente, e um relatório distingue-as quando contém todas as respostas de uma.",
  audited: (number, text, alpha) => `${number}. ${text} (alfa ${shown(alpha)})`,
  beyond: (reports, most, alpha) => `${reports.toLocaleString("pt")} relatórios podem mostrar no máximo um alfa de ${shown(most)}, e o indicado aqui é ${shown(alpha)}. Este teste não pode descobrir o que está entre os dois; que os relatórios cumprem ${shown(alpha)} é provado pelas tabelas acima.`,
  draw: (count) => `Criar ${count.toLocaleString("pt")} relatórios`,
  progress: "Relatórios criados",
  stop: "Parar",
  stopped: "Parado.",
  found: ({ reports, hits, n, least, promised }) => `Com 95% de confiança, estes ${reports.toLocaleString("pt")} relatórios mostram que alfa é pelo menos ${shown(least)}. Indicado: ${promised}. A primeira metade decidiu que sinal distingue melhor as duas respostas. Na segunda metade, ${hits[0].toLocaleString("pt")} de ${n.toLocaleString("pt")} relatórios de uma resposta e ${hits[1].toLocaleString("pt")} da outra tinham esse sinal.`,
};

export const BELIEFS = {
  together: (count, one) => ` das ${count} respostas; de cada uma: ${one}.`,
  example: (number) => `Exemplo: pergunta ${number}.`,
  either: "O seu relatório poderia vir de um grupo ou do outro.",
  belief: (prior, high, low) => `Se alguém supõe a sua resposta com ${prior}% de certeza, o seu relatório inteiro pode elevá-la a ${high}% no máximo, ou baixá-la ${low > 0 ? `a ${low}%` : "a quase 0%"}.`,
  truthfully: "Responda com sinceridade: o acaso é a sua proteção. Mentir não garante mais proteção, e falseia o resultado.",
  learn: "Quem poderia saber o quê",
  who: [
    ["Esta página:", "as suas respostas, antes do envio."],
    ["A rede:", "quando participa."],
    ["Funcionários, ladrões, tribunais:", "o seu relatório, sem nome, endereço nem hora."],
    ["Os resultados:", "frequência das respostas."],
  ],
  drawn: "Este navegador sorteou as suas perguntas antes de mostrar qualquer uma. O seu relatório diz quais lhe couberam.",
  rounded: "Os números que são alterados em conjunto com outras respostas são antes arredondados ao acaso para o menor ou o maior.",
  whose: ({ page, survey }) => `O que está sob “${page}” foi calculado pela própria página. O que está sob “${survey}” foi escrito por quem faz as perguntas. Ninguém o verificou.`,
  weaker: "A sua proteção enfraquece se participar duas vezes, se um aparelho ou uma extensão do navegador ler o que escreve, ou se alguém olhar por cima do seu ombro. Por isso, participe uma única vez.",
  readers: "Quem lê apenas os resultados publicados costuma saber menos, porque ali o seu relatório é um entre muitos. Quem o vê chegar, como quem gere este site, pode saber tudo o que se diz aqui.",
  wave: "Este questionário dá continuidade a outro. Se também participou nele, todos os seus relatórios contam como um só. ",
  guesses: "Quanto pode mudar um palpite sobre uma resposta, em %.",
  columns: ["Antes", "Com uma só resposta", "Com o relatório inteiro"],
  between: (low, high) => `de ${low} a ${high}`,
};

export const BUDGET = {
  kept: "Esta lista fica neste aparelho e nunca é enviada. Ela não diz nada sobre as suas respostas.",
  adds: "O que vários relatórios podem revelar sobre uma pessoa soma-se.",
  none: "A lista está vazia.",
  off: "Este aparelho não mantém nenhuma lista.",
  columns: ["Questionário", "Dia", "Proteção"],
  together: (sum) => `No total: ${sum}. `,
  clear: "Esvaziar a lista",
  shared: "Outras pessoas também usam este aparelho: não conservar nada",
  keep: "Manter uma lista a partir de agora",
};

const DRAWN = "É sorteado um número inteiro de 0 a 2^53−1; a quantidade de números da linha que ele alcança";
const NOISE = "O seu grupo conta 1 e os outros 0. Para cada um é sorteado um número inteiro de 0 a 2^53−1. Soma-se quantos dos números abaixo ele alcança, menos metade de quantos há.";

export const METHODS = {
  randomized_response: "Resposta aleatorizada (randomized response). “sizes” diz quantas opções de cada pergunta são enviadas; das listas: itens × opções.",
  bitwise: "Resposta aleatorizada bit a bit. A sua opção está marcada e as outras não; depois, cada marca é invertida com a probabilidade abaixo, cada uma por si.",
  laplace: "Ruído de Laplace em cada grupo. O seu grupo conta 1 e os outros 0; cada um é invertido com a probabilidade “flip”, cada um por si. Depois, um 1 cresce e um 0 diminui numa distância cujos algarismos binários têm as probabilidades “magnitude”. A distância não depende da sua resposta.",
  exponential: `Mecanismo exponencial. É comunicada uma opção; uma próxima é mais provável do que uma distante. Cada linha abaixo corresponde a uma resposta. ${DRAWN} é a opção, contada a partir de 0.`,
  osgt: `Ruído OSGT em cada grupo. ${NOISE}`,
  gaussian: `Ruído gaussiano em cada grupo. ${NOISE}`,
  one_bit: "Um bit. O seu número é arredondado ao acaso para o menor ou o maior, com mais probabilidade para o mais próximo, de modo que está certo em média. Com a probabilidade “keep”, é enviado esse; caso contrário, um dos dois ao acaso.",
  laplace_mean: `Ruído de Laplace no seu número. Ele é arredondado ao acaso para um dos pontos de uma escala entre o menor e o maior número, e há abaixo uma linha para cada um. ${DRAWN} é o passo comunicado, contado de abaixo do menor número até acima do maior.`,
  multiple: "Amostragem. São sorteadas “sample” das opções, seja qual for a sua resposta. Com a probabilidade “keep”, é enviado, de todas elas, se as marcou ou não; caso contrário, tudo isso é aleatório.",
  grid: "Amostragem. São sorteados “sample” dos pontos, seja qual for a sua resposta. De cada um são enviadas “size” opções. Com a probabilidade “keep”, todas as suas respostas a estes pontos estão entre elas; caso contrário, tudo isso é aleatório.",
  ranking: "Amostragem. São sorteados “sample” dos elementos, seja qual for a sua resposta. Com a probabilidade “keep”, é enviada a ordem em que os pôs; caso contrário, uma ordem ao acaso.",
};

export const THANKS = {
  results: "Ver os resultados deste questionário",
  code: "Código de conclusão: ",
  copy: "Copiar o código",
  copied: "Copiado",
  back: (host) => `Voltar a ${host}`,
  same: "Todas as pessoas que participam veem o mesmo aqui. Isso não inclui nenhuma das suas respostas.",
  repeated: "O seu relatório já estava guardado, uma única vez. As suas respostas foram apagadas desta página.",
  differs: [
    "O que foi enviado pode diferir da sua resposta: essa é a sua proteção.",
    "O que foi enviado pode diferir da sua resposta, mas pode revelar muito sobre ela.",
    "O que foi enviado pode diferir da sua resposta, mas também pode quase revelá-la.",
  ],
  left: "O que saiu do seu navegador",
  routed: "O relatório inclui também perguntas que não lhe foram feitas. Para quem não recebe uma pergunta vale sempre a mesma resposta, que é alterada ao acaso como qualquer outra.",
  form: (number, total) => `Este questionário tem ${total} versões, e cada pessoa recebe uma. O relatório diz que a sua é a versão ${number}.`,
  together: (texts) => `${texts.length > 0 ? quoted(texts) : "Estas respostas"}: alteradas em conjunto e ao acaso. Ou todas as suas respostas estão entre o que foi enviado, ou tudo isso é aleatório. O que é aleatório também pode conter as suas respostas.`,
  signed: "Com o relatório foi enviada uma assinatura, no fim de tudo. Ela diz que o relatório vem de alguém com convite, mas não de quem: foi feita sem ver o relatório.",
  question: "Pergunta",
  reported: "O que foi comunicado",
  marked: "Marcadas:",
  unmarked: "Nenhuma opção está marcada",
  among: "Uma destas, ou outra:",
  picked: "Por sorteio:",
  yes: "sim",
  no: "não",
  bytes: (count) => `Os ${count} bytes enviados`,
};

export const PREVIEW = {
  title: "Nada foi enviado",
  nothing: "Isto é uma pré-visualização: a página criou o relatório abaixo e já o apagou. Quem participa vê o que se segue depois de o servidor receber o relatório.",
  again: "Começar de novo",
};

export const REFUSED = {
  title: "O seu relatório não foi guardado",
  404: "Este questionário já não existe. Nada foi guardado.",
  409: "O relatório corresponde a perguntas diferentes das que o questionário faz agora. Nada foi guardado.",
  410: "O questionário foi encerrado antes de o relatório chegar. Nada foi guardado.",
  early: "O questionário ainda não começou. Nada foi guardado.",
  fault: "O servidor não conseguiu ler o relatório. A falha é do programa do questionário, não sua. Nada foi guardado.",
  advice: "Não há mais nada a fazer aqui, e responder outra vez enviaria um segundo relatório. Avise quem lhe enviou o link.",
  cleared: "As suas respostas foram apagadas desta página, e o relatório não voltará a ser enviado.",
};

export const LOST = {
  title: "Escreva o seu código",
  code: "O código da sua carta, do seu cartão ou do cartaz",
  hint: "Os espaços, os hífenes e as maiúsculas não importam. Também pode colar o link inteiro.",
  open: "Abrir o questionário",
  wrong: "Isto não é um código: falta uma letra, há uma a mais ou alguma está errada.",
  unknown: "Nenhum questionário tem este código.",
};

export const INVITED = {
  promise: "O seu convite dá direito a um relatório. O servidor assina esse relatório sem o ver, e a assinatura permite a entrada dele. Assim, a assinatura não diz a ninguém de que convite vem o relatório, nem a quem gere este site. Se alguém já usou o seu convite, a página só o sabe depois da sua última resposta. De outro modo, qualquer pessoa com o seu link poderia descobrir se participou.",
  group: (name) => `O seu convite é do grupo “${name}”, e o seu relatório vai dizê-lo. `,
  groups: (names) => `Cada relatório diz de que grupo é, e os resultados de cada grupo são publicados à parte: ${quoted(names)}. De um grupo com menos relatórios do que o necessário, nada é publicado. O grupo não é segredo: só as suas respostas são alteradas ao acaso.`,
  wrongKey: "As chaves deste questionário não são válidas",
  revoked: "Este convite já não é válido",
  changed: "O link do seu convite foi alterado pelo caminho",
  missing: "Este questionário é por convite",
  missingWhy: "O seu link não contém um convite ou não está completo. Abra o link exatamente como o recebeu. Nada foi enviado.",
  fleeting: "O relatório ainda não foi enviado. Deixe esta página aberta: este navegador não permite que a página conserve o relatório.",
  why: "O seu convite é usado quando pressiona o botão. Quem observar o servidor em funcionamento poderá ver o relatório chegar no mesmo momento. Um momento posterior revela menos.",
  later: (shortest, longest) => `Enviar o meu relatório ${shortest} a ${longest} minutos mais tarde, num momento sorteado`,
  waiting: "O seu relatório espera",
  until: (time) => `O seu convite foi usado. A página envia o relatório sozinha (hora: ${time}). Se o questionário for encerrado antes, o relatório não conta.`,
  closing: "Deixe esta página aberta até lá, ou abra mais tarde o seu link outra vez neste navegador. Uma janela privada esquece o relatório quando é fechada.",
  instead: "Enviar agora",
  wrong: "A assinatura do servidor está errada",
  wrongWhy: "Por isso, a página não enviou o seu relatório: outra assinatura poderia torná-lo reconhecível. O relatório é conservado. Se tentar de novo não ajudar, avise quem lhe enviou o convite.",
  again: "Tentar de novo",
  refused: "O seu relatório não foi enviado",
  takenBack: "Foi retirado. Peça um novo link a quem o enviou.",
  unsigned: "O seu link já foi usado, talvez noutro aparelho seu, ou foi retirado, ou está danificado. O servidor não diz qual dos três casos, para que mais ninguém com o seu link possa descobrir se participou. Peça um novo link a quem lhe enviou o convite.",
  early: "O questionário ainda não começou. Abra o seu link outra vez quando tiver começado.",
  404: "Este questionário já não existe.",
  410: "O questionário está encerrado.",
  fault: "O servidor não conseguiu ler o que a página enviou. A falha é do programa do questionário, não sua. Avise quem lhe enviou o convite.",
  deleted: "As suas respostas foram apagadas desta página, e o relatório foi eliminado. Ninguém o viu.",
};

export const RELAY = {
  promise: (host) => `O seu relatório passa por um intermediário, ${host}, gerido por outra entidade. O intermediário vê de onde vem o relatório, mas não o pode ler. Este site lê o relatório, mas não vê de onde vem. Os dois juntos poderiam descobri-lo.`,
  lost: (host) => `A página não consegue chegar ao intermediário ${host} e continua a tentar. Se a deixar enviar diretamente a este site, o site vê o seu endereço IP, como já o viu quando abriu esta página.`,
  direct: "Enviar sem o intermediário",
};

export const FRAME = {
  refused: "Este questionário não é mostrado dentro desta página",
  why: "O questionário só admite as páginas que nomeia, e nada indica que a página que o rodeia seja uma delas. Essa página poderia pôr algo por cima das perguntas; por isso, nenhuma é feita aqui. Numa janela à parte, a barra de endereço mostra de quem é a página.",
  followed: "Com este navegador, a página que rodeia o questionário poderia ver em que parte dele se encontra e assim saber algo das suas respostas. Por isso, nada é perguntado aqui.",
  held: (host) => `Este questionário é mostrado dentro de uma página de ${host}. Só nas páginas de ${host} o seu navegador recorda que participou.`,
  alone: "Abrir o questionário numa janela à parte",
};

export const ANSWERED = {
  recorded: "Alguém já respondeu a este questionário neste navegador",
  recordedFate: "O relatório está guardado. Agradecemos. O conteúdo dele não fica aqui.",
  refused: "Este navegador já enviou um relatório",
  refusedFate: "O relatório chegou ao servidor, mas não foi guardado. O conteúdo dele não fica aqui.",
  elsewhere: "Foi com outro link, com exatamente as mesmas perguntas. ",
  older: "Era uma versão anterior deste questionário. ",
  again: "Responder também a esta versão",
  both: "Dois relatórios revelam mais do que um",
  sum: "Os dois relatórios juntos podem revelar mais sobre a sua pessoa do que esta página indica para um: os alfas somam-se.",
  used: "Este link já foi usado neste aparelho",
  single: "Um link dá direito a um relatório. Outra pessoa precisa do seu próprio link.",
  another: "Outra pessoa quer responder neste aparelho",
  really: "É mesmo outra pessoa?",
  twice: "Se a mesma pessoa responder duas vezes, os dois relatórios juntos podem revelar mais sobre ela do que esta página indica para um. Para outra pessoa, a página indica o mesmo.",
  yes: "Sim, agora responde outra pessoa",
};

export const NOT_ASKED = {
  nowhere: "Este link não leva a nenhum questionário",
  nowhereWhy: (sent) => `Talvez o link esteja incompleto ou o questionário já não exista. Abra o link mais uma vez, inteiro, tal como o recebeu. ${sent}`,
  closed: "Este questionário está encerrado",
  closedWhy: "Já não aceita respostas; por isso, não há nada a preencher aqui. Agradecemos a sua visita.",
  early: "Este questionário ainda não começou",
  earlyWhy: (when) => `Começa em ${when}. Abra esta página de novo nesse momento. Até lá não há nada a preencher, e nada é enviado nem conservado.`,
  refusal: "Esta página não fará nenhuma pergunta",
  weaker: "As suas respostas estariam menos protegidas do que o indicado.",
  noQuestion: "Por isso, a página não mostra nenhuma pergunta.",
  old: "Este navegador é demasiado antigo para esta página",
  oldWhy: (name) => `Falta-lhe ${name}, de que a página precisa. Atualize este navegador, ou abra o link noutro navegador ou noutro aparelho.`,
  elsewhere: "Este questionário está aberto noutra janela",
  elsewhereWhy: "Responda lá. Quando fechar essa janela, esta página continua sozinha.",
  here: "Responder aqui",
  unknown: "Já respondeu a este questionário?",
  unknownWhy: "Este navegador não diz se já enviou um relatório deste questionário. Participe uma única vez: dois relatórios juntos podem revelar mais sobre a sua pessoa do que o questionário promete.",
  first: "Não, ainda não respondi",
  chance: "Os números aleatórios deste navegador não funcionam",
  chanceWhy: "A página precisa de números aleatórios para alterar as suas respostas, e os deste navegador repetem-se. Por isso, não pergunta nada, e nada foi enviado. Talvez funcione com outro navegador ou aparelho.",
  insecure: "Esta página deve ser aberta com https",
  insecureWhy: "Sem criptografia, alguém na rede poderia mudar esta página, e já não seria possível confiar no que ela diz. Abra o mesmo link com https:// no início. Nada foi enviado.",
};

export const PROBLEMS = {
  format: () => "Esta página não conhece este formato de questionário.",
  form: () => "A definição do questionário não tem a forma que esta página pode ler.",
  gap: ({ number }) => `Nem todas as respostas à pergunta ${number} poderiam ser comunicadas.`,
  weak: ({ texts }) => `A tabela de ${quoted(texts)} não cumpre o alfa que indica.`,
  together: () => "As perguntas do questionário não cabem juntas num relatório.",
};

export const READING = {
  marked: () => "Onde há opções marcadas: o acaso pode ter marcado algumas e omitido outras. Podem ser várias ou nenhuma, seja qual for a sua escolha.",
  figures: () => "Onde os grupos têm números: o acaso pode ter mudado qualquer um. O seu grupo não tem de ter o maior.",
  among: () => "Onde são indicadas várias opções: o acaso ajudou a escolhê-las, e a sua pode não estar entre elas.",
  near: () => "Onde as opções têm uma ordem: o acaso pode ter deslocado o relatório nessa ordem.",
  end: () => "Onde um número é comunicado como o menor ou o maior: o acaso transformou-o num dos dois, mais vezes no mais próximo, e depois pode tê-los trocado.",
  step: () => "Onde os níveis contam como números: o acaso transformou a sua resposta no primeiro ou no último, mais vezes no mais próximo, e depois pode tê-los trocado.",
  number: () => "Onde é comunicado um número: o acaso pode tê-lo mudado, até para um que não poderia ter dado.",
  ticked: (table) => `Onde se podiam marcar várias opções: ${sampled(table, ["algumas", "essas"], ["uma", "essa"])}; o acaso pode ter invertido a resposta.`,
  picked: (table) => `Onde havia vários pontos: ${sampled(table, ["alguns", "esses"], ["um", "esse"])}, e o acaso pode ter mudado a resposta.`,
  paired: ({ sample }) => `Onde havia elementos para ordenar: o seu navegador só comunicou a ordem de ${sample} deles; o acaso pode tê-la alterado.`,
};

function quoted(texts) {
  return texts.map((text) => `“${text}”`).join(", ");
}

function sampled({ sample }, several, one) {
  const [drawn, reported] = sample > 1 ? several : one;
  return `o seu navegador sorteou ${drawn} e só comunicou ${reported}`;
}

export const SELDOM = {
  date: {
    missing: "Indique uma data.",
    4: "Escreva o ano, por exemplo 1984. Só é usado o período a que corresponde.",
    7: "Escreva o ano e escolha o mês. Só é usado o período a que correspondem.",
    10: "Indique o dia. Só é usado o período a que corresponde.",
    year: "Ano",
    month: "Mês",
  },
  ranking: {
    missing: "Ordene os elementos como preferir e confirme a ordem.",
    hint: "Mova os elementos para cima ou para baixo até ficarem na ordem que preferir. Depois, confirme-a.",
    drawn: (count, all) => {
      const [pick, these] = count < all ? [`O seu navegador sorteia ${count} dos elementos, seja qual for a sua resposta. Só`, "destes"] : ["O seu navegador só", "dos elementos"];
      return `${pick} envia uma resposta alterada ao acaso sobre a ordem ${these}.`;
    },
    up: (item) => `Para cima: ${item}`,
    down: (item) => `Para baixo: ${item}`,
    confirm: "Esta é a minha ordem",
    confirmed: "Confirmado. Se mover um elemento, confirme de novo.",
    moved: (item, place, count) => `${item}: agora no lugar ${place} de ${count}. Confirme a ordem.`,
    speaks: [
      (count) => `Se 100 pessoas puserem dois dos elementos numa ordem igual à sua, cerca de ${count} dos relatórios delas sobre ambos darão essa ordem.`,
      (count) => `Se outras 100 os puserem ao contrário, ainda assim a sua estará em cerca de ${count}.`,
    ],
  },
};

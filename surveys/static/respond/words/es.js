// The page's texts in Spanish; en.js explains them.

// Return a number or a decimal string in the language's notation.
export function shown(number) {
  return `${number}`.replace(".", ",");
}

export const OWN = {
  yes: "Sí",
  no: "No",
  withheld: "Prefiero no responder",
  under: (number) => `menos de ${shown(number)}`,
  between: (low, high) => `de ${shown(low)} a menos de ${shown(high)}`,
  orMore: (number) => `${shown(number)} o más`,
  through: (low, high) => `${shown(low)} a ${shown(high)}`,
};

export const BY = { page: "Esta página dice", survey: "La encuesta dice" };

export const LANGUAGE = {
  label: "Idioma",
  lost: "No se ha podido cargar este idioma. La página queda como está.",
};

export const ASKED = {
  choice: { missing: "Elija una respuesta." },
  multiple_choice: { missing: "Marque lo que corresponda o indique que nada corresponde." },
  grid: { missing: "Elija una respuesta para cada uno de estos puntos." },
  histogram: {
    missing: "Escriba un número.",
    range: () => "Solo se usa el grupo de su número. Los números menores cuentan en el grupo más bajo; los mayores, en el más alto.",
  },
  mean: {
    missing: "Escriba un número.",
    range: ({ low, high, unit }) => `De ${shown(low)} a ${amount(shown(high), unit)}. Los números menores cuentan como ${shown(low)}; los mayores, como ${shown(high)}.`,
  },
};

export function amount(number, unit) {
  return unit ? `${number} ${unit}` : `${number}`;
}

export const CHOOSING = {
  counted: (last) => `Los resultados muestran solo la media: los niveles valen de 1 a ${last}.`,
  pair: (item, answer) => `${item}: ${answer}`,
  none: "Ninguna de estas opciones",
  nothing: /^(ningun[oa]?( de (est[oa]s|ell[oa]s|l[oa]s)( [a-z]+){0,2})?|nada( de (esto|lo anterior))?)\.?$/,
  find: "Buscar en esta lista",
  found: (count, total) => `Coincidencias: ${count} de ${total}.`,
  sampled(sample) {
    const [part, about] = sample === 1 ? ["uno de estos puntos", "ese"] : [`${sample} de estos puntos`, "esos"];
    return `Su navegador elegirá al azar ${part}, responda usted lo que responda. Solo enviará una respuesta modificada al azar sobre ${about}.`;
  },
};

export const NUMBERS = {
  none: "Esto todavía no es un número. Escriba solo cifras, por ejemplo 34 o 34,5.",
  which: (one, other) => `¿Quiere decir ${one} o ${other}? Escríbalo así.`,
  long: "Este número es demasiado largo. Escriba como mucho 15 cifras.",
  counts: (what) => `Cuenta como: ${what}.`,
  limits: (low, high, whole) => `Escriba un número ${whole ? "entero " : ""}de ${low} a ${high}.`,
};

export const FORM = {
  title: "Las preguntas",
  send: "Enviar mis respuestas modificadas al azar",
  sending: "Cuando usted pulse este botón, sus respuestas se modificarán aquí al azar, una sola vez. Solo se enviará el resultado.",
  unsent: "Sin enviar: ",
  count: (total) => `Número de preguntas: ${total}.`,
  progress: (answered, total) => `${answered} de ${total} respondidas`,
  place: (number, total) => `Pregunta ${number} de ${total}`,
  numbered: (number, text) => `${number}. ${text}`,
  missing: (count) => (count === 1 ? "Falta responder una pregunta." : `Falta responder ${count} preguntas.`),
  whole: " Una pregunta sin responder ya revelaría algo. Por eso solo se envía un informe completo.",
  ready: (count) => (count === 1 ? "Hay una pregunta lista." : `Hay ${count} preguntas listas.`),
  more: " Algunas respuestas llevan a más preguntas.",
  lot: "Sus preguntas se han sorteado de una lista más larga.",
  kept(count, percent, among) {
    const sent = among ? "entre lo que se envía" : "en lo que se envía";
    const how = `Con una probabilidad del ${percent} %, ${count > 1 ? "estas están" : count === 1 ? "su respuesta está" : "sus respuestas están"} ${sent}; si no, todo ello es aleatorio.`;
    return count > 1 ? `${count} de sus respuestas se modifican juntas al azar. ${how}` : how;
  },
  few: "De las preguntas con varias partes solo se envían partes elegidas al azar.",
  together: (count) => `Una de ${count} respuestas que se modifican juntas al azar.`,
};

export const SECTIONS = {
  place: (number, total) => `Sección ${number} de ${total}`,
  back: "Atrás",
  next: "Siguiente",
  all: "Mostrar todas las secciones juntas",
  one: "Mostrar las secciones una a una",
};

export const CONSENT = {
  title: "Antes de empezar",
  agree: "He leído esto y estoy de acuerdo",
  missing: "Marque esta casilla si está de acuerdo. Si no, simplemente cierre la página: no se ha enviado nada.",
  go: "Ir a las preguntas",
};

export const LATER = {
  words: "es-more.js",
  check: "Compruébelo por su cuenta",
  budget: "Lo que este navegador ha enviado a este sitio",
  missing: "Falta una parte de esta página",
  lost: "Esta parte no ha llegado o no es el archivo correcto. Por eso la página no la usa. Su informe no se ve afectado.",
};

export const ODDS = {
  oneIn: (count) => `1 entre ${count.toLocaleString("es")}`,
};

export const STRENGTH = [
  { title: "Protección fuerte", name: "fuerte" },
  { title: "Protección moderada", name: "moderada" },
  { title: "Protección débil", name: "débil" },
  { title: "Casi ninguna protección", name: "casi ninguna" },
];

export const FREQUENCIES = {
  option: [
    (count) => `Si 100 personas responden como usted, alrededor de ${count} informes dan esa respuesta.`,
    (count) => `Si 100 responden otra cosa, aun así aparece en alrededor de ${count}.`,
  ],
  item: [
    (count) => `Si 100 personas responden como usted a este punto, alrededor de ${count} informes dan esa respuesta.`,
    (count) => `Si otras 100 responden otra cosa, aun así aparece en alrededor de ${count}.`,
  ],
  number: [
    (count) => `Si 100 personas tienen el número más alto, alrededor de ${count} informes quedan en la mitad superior.`,
    (count) => `Si 100 tienen el más bajo, alrededor de ${count}.`,
  ],
  step: [
    (count) => `Si 100 personas eligen el último nivel, alrededor de ${count} informes quedan en la mitad superior.`,
    (count) => `Si 100 eligen el primero, alrededor de ${count}.`,
  ],
};

export const PROMISE = {
  titles: [
    "Sus respuestas se modifican al azar antes de enviarse",
    "Aun modificado, su informe puede revelar mucho de sus respuestas",
    "Aun modificado, su informe puede casi revelar sus respuestas",
  ],
  cautions: [
    "Participe solo si acepta lo que otros podrían saber.",
    "Participe solo si acepta que se conozcan sus respuestas.",
  ],
  belief: (prior, high) => `Con su informe, la certeza sobre una respuesta puede pasar del ${prior} % al ${high} % como mucho.`,
  certain: (prior) => `Su informe puede hacer casi total una certeza del ${prior} % sobre una respuesta.`,
  apart: (chance) => ` Con una probabilidad de ${chance} como mucho, el informe puede revelar más.`,
  more: "¿Cómo se le protege?",
};

export const SENDING = {
  title: "Enviando su informe",
  thanks: "Muchas gracias",
  recorded: "Su informe está guardado. Sus respuestas se han borrado de esta página.",
  randomizing: "Sus respuestas se están modificando al azar.",
  cleared: "Sus respuestas se han modificado al azar y se han borrado de esta página. Solo queda el informe terminado. Aunque la página lo envíe varias veces, es siempre el mismo.",
  lasting: "Puede cerrar esta página. Si la abre más tarde en este navegador, la página enviará el mismo informe. Una ventana privada olvida el informe cuando usted la cierra.",
  fleeting: "Deje abierta esta página: este navegador no permite que la página conserve el informe.",
  now: "Reintentar ahora",
  trying: "Enviando…",
  network: "No se puede acceder a la red o al servidor.",
  busy: "El servidor está ocupado y pide una pausa.",
  server: "El servidor tiene un problema en este momento.",
  waiting: (reason, seconds) => `Aún no se ha enviado. ${reason} La página lo intentará de nuevo en ${seconds === 1 ? "1 segundo" : `${seconds} segundos`}.`,
};

export const STOPPED = {
  lost: "Las preguntas no han llegado",
  lostWhy: (sent) => `No se puede acceder a la red o al servidor. ${sent}`,
  again: "Intentar de nuevo",
  nothingSent: "No se ha enviado nada.",
  earlierSent: "El informe que este navegador envió antes no se ve afectado.",
  waits: "Su informe terminado espera en este navegador. La página lo enviará en cuanto se abra correctamente.",
  unknownNow: "Ahora no se ha enviado nada. Este navegador no dice si envió un informe antes.",
  failed: "No se ha podido crear el informe",
  failedWhy: "No se ha enviado nada. Sus respuestas se han borrado de esta página.",
};

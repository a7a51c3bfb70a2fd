// The page's texts in Spanish for folded parts and after sending; en-more.js explains them.

import { shown } from "../words.js";

export const AUDIT = {
  questions: "Las preguntas",
  checked: "Esta página ha cargado la definición de la encuesta. Debajo está su huella (SHA-256); cada informe la lleva. Cada tabla cumple el alfa que indica. Si no, la página no mostraría ninguna pregunta.",
  definition: "La definición, byte a byte (un archivo)",
  most: (factor) => `como mucho por un factor de ${shown(factor)}`,
  million: "por un factor de más de un millón",
  apart: (change, chance) => `${change}, salvo con una probabilidad de ${chance} como mucho`,
  total: (strength, change) => `Todas las preguntas juntas: ${strength}; las posibilidades de una suposición cambian ${change}.`,
  strength: (alpha, delta) => (delta ? `alfa ${shown(alpha)} y delta ${shown(delta)}` : `alfa ${shown(alpha)}`),
  files: "Los archivos que se ejecutan",
  order: "Su navegador compara cada uno con su huella SHA-384 antes de usarlo. page.js hace todo hasta el envío; lo que decide qué se envía está al principio. Los demás contienen los textos y muestran lo que se despliega.",
  shared: "Preguntas para todas las personas",
  form: (number, total, percent) => `Parte ${number} de ${total}, sorteada con una probabilidad del ${shown(percent)} %`,
  own: ": la suya",
  totalWith: (strength, change) => `Con las preguntas para todas las personas: ${strength}; las posibilidades de una suposición cambian ${change}.`,
  keptTogether: (strength, change) => `${strength}: con todas estas respuestas juntas, las posibilidades de una suposición cambian ${change}`,
  guarantee: "Garantía, calculada aquí de nuevo",
  kept: (strength, change) => `${strength}: con esta sola respuesta, las posibilidades de una suposición cambian ${change}`,
  mechanism: "Mecanismo",
  entry: (name) => `«${name}»`,
  chance: (threshold, percent) => `${threshold} / 2^53 = ${shown(percent)} %`,
  program: "El programa de este sitio",
  release: (version, commit) => `Este sitio dice que usa la versión ${version}${commit ? `, commit ${commit}` : "; no dice de qué commit"}.`,
  source: "Su código fuente está publicado en ",
  noSource: "No dice dónde está publicado el código fuente. Pregunte a quien gestiona el sitio.",
  manifest: "El manifiesto enumera todos los archivos que el sitio sirve a quienes responden. Su huella:",
  log: "El registro de este sitio",
  head: (number, day) => `Un registro enumera lo que sirve este sitio. Tiene ${number} entradas; la última es del ${day}. Debajo está una huella de todas. Si la guarda junto con el número de entradas, podrá ver más tarde si alguien ha cambiado el registro. Dos personas que comparan huellas del mismo número de entradas ven si el sitio les muestra registros distintos.`,
  noHead: "La huella del registro no ha llegado.",
  more: "La versión y el código fuente del programa, más sobre el registro y cómo comprobar este sitio desde fuera (se abre en otra pestaña)",
  site: "Poner a prueba este sitio",
  draws: (count) => `Su navegador crea ${count.toLocaleString("es")} informes de dos respuestas inventadas, con el mismo código que crea el suyo, y mide hasta qué punto estos las distinguen. No se envía nada. Una medición así puede mostrar que alfa es mayor de lo indicado. Las tablas de arriba demuestran que no lo es.`,
  which: "Pregunta",
  jointly: "Las dos personas inventadas responden a cada una de estas preguntas de forma distinta, y un informe las distingue cuando contiene todas las respuestas de una.",
  audited: (number, text, alpha) => `${number}. ${text} (alfa ${shown(alpha)})`,
  beyond: (reports, most, alpha) => `${reports.toLocaleString("es")} informes pueden mostrar como mucho un alfa de ${shown(most)}, y aquí se indica ${shown(alpha)}. Esta prueba no puede averiguar lo que hay en medio; que los informes cumplen ${shown(alpha)} lo demuestran las tablas de arriba.`,
  draw: (count) => `Crear ${count.toLocaleString("es")} informes`,
  progress: "Informes creados",
  stop: "Detener",
  stopped: "Detenido.",
  found: ({ reports, hits, n, least, promised }) => `Con un 95 % de confianza, estos ${reports.toLocaleString("es")} informes muestran que alfa es al menos ${shown(least)}. Indicado: ${promised}. La primera mitad decidió qué señal distingue mejor las dos respuestas. En la segunda mitad la tenían ${hits[0].toLocaleString("es")} de ${n.toLocaleString("es")} informes de una respuesta y ${hits[1].toLocaleString("es")} de la otra.`,
};

export const BELIEFS = {
  together: (count, one) => ` de las ${count} respuestas; de cada una: ${one}.`,
  example: (number) => `Ejemplo: pregunta ${number}.`,
  either: "Su informe podría venir de un grupo o del otro.",
  belief: (prior, high, low) => `Si alguien supone su respuesta con un ${prior} % de certeza, su informe entero puede subirla como mucho al ${high} % o bajarla ${low > 0 ? `al ${low} %` : "casi al 0 %"}.`,
  truthfully: "Responda con sinceridad: el azar es su protección. Mentir no garantiza más protección, y falsea el resultado.",
  learn: "Quién podría saber qué",
  who: [
    ["Esta página:", "sus respuestas, hasta el envío."],
    ["La red:", "cuándo participa."],
    ["Personal, ladrones, tribunales:", "su informe, sin nombre, dirección ni hora."],
    ["Los resultados:", "frecuencia de las respuestas."],
  ],
  drawn: "Este navegador sorteó sus preguntas antes de mostrar ninguna. Su informe dice cuáles le tocaron.",
  rounded: "Los números que se modifican junto con otras respuestas se redondean antes al azar al más bajo o al más alto.",
  whose: ({ page, survey }) => `Lo que está bajo «${page}» lo ha calculado la propia página. Lo que está bajo «${survey}» lo han escrito quienes preguntan. Nadie lo ha comprobado.`,
  weaker: "Su protección se debilita si participa dos veces, si un dispositivo o una extensión del navegador lee lo que escribe o si alguien mira la pantalla. Por eso, participe solo una vez.",
  readers: "Quien solo lee los resultados publicados suele saber menos, porque allí su informe es uno entre muchos. Quien lo ve llegar, como quienes gestionan este sitio, puede saber todo lo que se dice aquí.",
  wave: "Esta encuesta sigue a una anterior. Si también participó en ella, todos sus informes cuentan como uno. ",
  guesses: "Cuánto puede cambiar una suposición sobre una respuesta, en porcentaje.",
  columns: ["Antes", "Con una sola respuesta", "Con el informe entero"],
  between: (low, high) => `de ${low} a ${high}`,
};

export const BUDGET = {
  kept: "Esta lista se queda en este dispositivo y no se envía nunca. No dice nada de sus respuestas.",
  adds: "Lo que varios informes pueden revelar de una persona se suma.",
  none: "La lista está vacía.",
  off: "Este dispositivo no lleva ninguna lista.",
  columns: ["Encuesta", "Día", "Protección"],
  together: (sum) => `En total: ${sum}. `,
  clear: "Vaciar la lista",
  shared: "Dispositivo compartido: no conservar nada",
  keep: "Llevar una lista desde ahora",
};

const DRAWN = "Se sortea un número entero de 0 a 2^53−1; la cantidad de números de la fila que alcanza";
const NOISE = "Su grupo cuenta 1 y los demás 0. Para cada uno se sortea un número entero de 0 a 2^53−1. Se suma cuántos de los números de abajo alcanza, menos la mitad de cuántos hay.";

export const METHODS = {
  randomized_response: "Respuesta aleatorizada (randomized response). «sizes» dice cuántas opciones de cada pregunta se envían; de las listas: entradas × opciones.",
  bitwise: "Respuesta aleatorizada bit a bit. Su opción está marcada y las demás no; luego cada marca se invierte con la probabilidad de abajo, cada una por separado.",
  laplace: "Ruido de Laplace en cada grupo. Su grupo cuenta 1 y los demás 0; cada uno se invierte con la probabilidad «flip», cada uno por separado. Luego un 1 crece y un 0 disminuye en una distancia cuyas cifras binarias tienen las probabilidades «magnitude». La distancia no depende de su respuesta.",
  exponential: `Mecanismo exponencial. Se comunica una opción; una cercana es más probable que una lejana. Cada fila de abajo corresponde a una respuesta. ${DRAWN} es la opción, contada desde 0.`,
  osgt: `Ruido OSGT en cada grupo. ${NOISE}`,
  gaussian: `Ruido gaussiano en cada grupo. ${NOISE}`,
  one_bit: "Un bit. Su número se redondea al azar al más bajo o al más alto, con más probabilidad al más cercano, de modo que es correcto en promedio. Con la probabilidad «keep» se envía ese; si no, uno de los dos al azar.",
  laplace_mean: `Ruido de Laplace en su número. Se redondea al azar a uno de los puntos de una cuadrícula entre el número más bajo y el más alto; abajo hay una fila para cada uno. ${DRAWN} es el paso que se comunica, contado desde debajo del más bajo hasta encima del más alto.`,
  multiple: "Muestreo. Se eligen al azar «sample» de las opciones, responda usted lo que responda. Con la probabilidad «keep» se envía, de todas ellas, si las marcó o no; si no, todo ello es aleatorio.",
  grid: "Muestreo. Se eligen al azar «sample» de los puntos, responda usted lo que responda. De cada uno se envían «size» opciones. Con la probabilidad «keep», todas sus respuestas a estos puntos están entre ellas; si no, todo ello es aleatorio.",
  ranking: "Muestreo. Se eligen al azar «sample» de los elementos, responda usted lo que responda. Con la probabilidad «keep» se envía el orden en que usted los puso; si no, un orden al azar.",
};

export const THANKS = {
  results: "Ver los resultados de esta encuesta",
  code: "Código de finalización: ",
  copy: "Copiar el código",
  copied: "Copiado",
  back: (host) => `Volver a ${host}`,
  same: "Todas las personas que participan ven aquí lo mismo. Esto no incluye ninguna de sus respuestas.",
  repeated: "Su informe ya estaba guardado, una sola vez. Sus respuestas se han borrado de esta página.",
  differs: [
    "Lo enviado puede diferir de lo que usted respondió: esa es su protección.",
    "Lo enviado puede diferir de lo que usted respondió, pero puede revelar mucho de ello.",
    "Lo enviado puede diferir de lo que usted respondió, pero también puede casi revelarlo.",
  ],
  left: "Lo que ha salido de su navegador",
  routed: "El informe incluye también preguntas que no se le hicieron. Para quien no recibe una pregunta vale siempre la misma respuesta, que se modifica al azar como cualquier otra.",
  form: (number, total) => `Esta encuesta tiene ${total} partes, y a cada persona se le hace una. El informe dice que a usted le tocó la parte ${number}.`,
  together: (texts) => `${texts.length > 0 ? quoted(texts) : "Estas respuestas"}: modificadas juntas al azar. O todas sus respuestas están entre lo que se envió, o todo ello es aleatorio. También lo aleatorio puede contener sus respuestas.`,
  signed: "Con el informe se envió una firma, al final de todo. Dice que el informe viene de alguien con invitación, pero no de quién: se hizo sin ver el informe.",
  question: "Pregunta",
  reported: "Lo que se comunicó",
  marked: "Marcadas:",
  unmarked: "No hay ninguna opción marcada",
  among: "Una de estas, u otra:",
  picked: "Elección al azar:",
  yes: "sí",
  no: "no",
  bytes: (count) => `Los ${count} bytes enviados`,
};

export const PREVIEW = {
  title: "No se ha enviado nada",
  nothing: "Esto es una vista previa: la página creó el informe de abajo y ya lo ha borrado. Quien participa ve lo que sigue cuando el servidor ha recibido el informe.",
  again: "Empezar de nuevo",
};

export const REFUSED = {
  title: "Su informe no se ha guardado",
  404: "Esta encuesta ya no existe. No se ha guardado nada.",
  409: "El informe corresponde a preguntas distintas de las que la encuesta hace ahora. No se ha guardado nada.",
  410: "La encuesta se cerró antes de que llegara el informe. No se ha guardado nada.",
  early: "La encuesta aún no ha empezado. No se ha guardado nada.",
  fault: "El servidor no ha podido leer el informe. El fallo es del programa de la encuesta, no suyo. No se ha guardado nada.",
  advice: "Aquí no hay nada más que hacer, y responder otra vez enviaría un segundo informe. Avise a quien le envió el enlace.",
  cleared: "Sus respuestas se han borrado de esta página, y el informe no se volverá a enviar.",
};

export const LOST = {
  title: "Escriba su código",
  code: "El código de su carta, de su tarjeta o del cartel",
  hint: "Los espacios, los guiones y las mayúsculas no importan. También puede pegar el enlace entero.",
  open: "Abrir la encuesta",
  wrong: "Esto no es un código: falta un carácter, sobra uno o está mal escrito.",
  unknown: "Ninguna encuesta tiene este código.",
};

export const INVITED = {
  promise: "Su invitación permite entregar un informe. El servidor firma ese informe sin verlo, y la firma hace que se acepte. Por eso, la firma no dice a nadie de qué invitación viene el informe, ni siquiera a quien gestiona este sitio. Si alguien ya ha usado su invitación, la página no lo sabe hasta después de su última respuesta. De otro modo, cualquiera que tenga su enlace podría averiguar si usted ha participado.",
  group: (name) => `Su invitación es del grupo «${name}», y su informe lo dirá. `,
  groups: (names) => `Cada informe dice de qué grupo es, y los resultados de cada grupo se publican por separado: ${quoted(names)}. De un grupo con menos informes de los necesarios no se publica nada. El grupo no es secreto: solo sus respuestas se modifican al azar.`,
  wrongKey: "Las claves de esta encuesta no son correctas",
  revoked: "Esta invitación ya no es válida",
  changed: "El enlace de su invitación se modificó por el camino",
  missing: "Esta encuesta es por invitación",
  missingWhy: "Su enlace no contiene una invitación o no está completo. Abra el enlace exactamente como lo recibió. No se ha enviado nada.",
  fleeting: "El informe aún no se ha enviado. Deje abierta esta página: este navegador no permite que la página conserve el informe.",
  why: "Su invitación se usa cuando usted pulsa el botón. Quien observe el servidor mientras trabaja podría ver llegar el informe en el mismo momento. Un momento posterior revela menos.",
  later: (shortest, longest) => `Enviar mi informe entre ${shortest} y ${longest} minutos más tarde, en un momento elegido al azar`,
  waiting: "Su informe espera",
  until: (time) => `Su invitación está usada. La página enviará el informe por sí sola (hora: ${time}). Si la encuesta se cierra antes, el informe no cuenta.`,
  closing: "Deje abierta esta página hasta entonces, o abra más tarde su enlace otra vez en este navegador. Una ventana privada olvida el informe cuando usted la cierra.",
  instead: "Enviarlo ahora",
  wrong: "La firma del servidor es incorrecta",
  wrongWhy: "Por eso la página no ha enviado su informe: otra firma podría hacerlo reconocible. El informe se conserva. Si intentarlo de nuevo no ayuda, avise a quien le envió la invitación.",
  again: "Intentar de nuevo",
  refused: "Su informe no se ha enviado",
  takenBack: "Fue retirada. Pida un enlace nuevo a quien se la envió.",
  unsigned: "Su enlace ya se usó, quizá por usted en otro dispositivo, o fue retirado, o está dañado. El servidor no dice cuál de las tres cosas, para que nadie más con su enlace pueda averiguar si usted participó. Pida un enlace nuevo a quien le envió la invitación.",
  early: "La encuesta aún no ha empezado. Abra su enlace otra vez cuando haya empezado.",
  404: "Esta encuesta ya no existe.",
  410: "La encuesta está cerrada.",
  fault: "El servidor no ha podido leer lo que envió la página. El fallo es del programa de la encuesta, no suyo. Avise a quien le envió la invitación.",
  deleted: "Sus respuestas se han borrado de esta página, y el informe se ha eliminado. Nadie lo ha visto.",
};

export const RELAY = {
  promise: (host) => `Su informe pasa por un intermediario, ${host}, que gestiona otra entidad. El intermediario ve de dónde viene el informe, pero no puede leerlo. Este sitio lee el informe, pero no ve de dónde viene. Los dos juntos podrían averiguarlo.`,
  lost: (host) => `La página no logra conectar con el intermediario ${host} y sigue intentándolo. Si usted deja que envíe directamente a este sitio, el sitio verá su dirección IP, como ya la vio cuando usted abrió esta página.`,
  direct: "Enviar sin el intermediario",
};

export const FRAME = {
  refused: "Esta encuesta no se muestra dentro de esta página",
  why: "La encuesta solo admite las páginas que nombra, y no consta que la página que la rodea sea una de ellas. Esa página podría poner algo encima de las preguntas, así que aquí no se hace ninguna. En una ventana aparte, la barra de direcciones muestra de quién es la página.",
  followed: "En este navegador, la página que rodea la encuesta podría ver en qué parte de ella está usted y así saber algo de sus respuestas. Por eso aquí no se hace ninguna pregunta.",
  held: (host) => `Usted ve esta encuesta dentro de una página de ${host}. Solo en las páginas de ${host} recuerda su navegador que usted ha participado.`,
  alone: "Abrir la encuesta en una ventana aparte",
};

export const ANSWERED = {
  recorded: "Alguien ya ha respondido a esta encuesta en este navegador",
  recordedFate: "El informe está guardado. Muchas gracias. Su contenido no se conserva aquí.",
  refused: "Este navegador ya ha enviado un informe",
  refusedFate: "El informe llegó al servidor, pero no se guardó. Su contenido no se conserva aquí.",
  elsewhere: "Fue con otro enlace, con exactamente las mismas preguntas. ",
  older: "Era una versión anterior de esta encuesta. ",
  again: "Responder también a esta versión",
  both: "Dos informes revelan más que uno",
  sum: "Los dos informes juntos pueden revelar más de usted de lo que esta página indica para uno: sus alfas se suman.",
  used: "Este enlace ya se usó en este dispositivo",
  single: "Un enlace permite entregar un informe. Otra persona necesita su propio enlace.",
  another: "Otra persona quiere responder en este dispositivo",
  really: "¿De verdad es otra persona?",
  twice: "Si la misma persona responde dos veces, los dos informes juntos pueden revelar más de ella de lo que esta página indica para uno. Para otra persona, esta página indica lo mismo que para usted.",
  yes: "Sí, ahora responde otra persona",
};

export const NOT_ASKED = {
  nowhere: "Este enlace no lleva a ninguna encuesta",
  nowhereWhy: (sent) => `Quizá el enlace esté incompleto o la encuesta ya no exista. Abra otra vez el enlace, entero, tal como lo recibió. ${sent}`,
  closed: "Esta encuesta está cerrada",
  closedWhy: "Ya no admite respuestas; aquí no hay nada que rellenar. Gracias por su visita.",
  early: "Esta encuesta aún no ha empezado",
  earlyWhy: (when) => `Empieza el ${when}. Vuelva a abrir esta página entonces. Hasta ese momento no hay nada que rellenar, y no se envía ni se conserva nada.`,
  refusal: "Esta página no hará ninguna pregunta",
  weaker: "Sus respuestas estarían menos protegidas de lo indicado.",
  noQuestion: "Por eso la página no muestra ninguna pregunta.",
  old: "Este navegador es demasiado antiguo para esta página",
  oldWhy: (name) => `Le falta ${name}, que la página necesita. Actualice este navegador, o abra el enlace en otro navegador o en otro dispositivo.`,
  elsewhere: "Esta encuesta está abierta en otra pestaña",
  elsewhereWhy: "Responda allí. Cuando cierre esa pestaña, esta página continuará por sí sola.",
  here: "Responder aquí",
  unknown: "¿Ha respondido ya a esta encuesta?",
  unknownWhy: "Este navegador no dice si ya ha enviado un informe de esta encuesta. Participe solo una vez: dos informes juntos pueden revelar más de usted de lo que promete la encuesta.",
  first: "No, todavía no he respondido",
  chance: "Los números aleatorios de este navegador fallan",
  chanceWhy: "La página necesita números aleatorios para modificar sus respuestas, y los de este navegador se repiten. Por eso no pregunta nada, y no se ha enviado nada. Quizá funcione con otro navegador o dispositivo.",
  insecure: "Esta página debe abrirse con https",
  insecureWhy: "Sin cifrado, alguien en la red podría cambiar esta página, y entonces usted no podría fiarse de nada de lo que dice. Abra el mismo enlace con https:// al principio. No se ha enviado nada.",
};

export const PROBLEMS = {
  format: () => "Esta página no conoce este formato de encuesta.",
  form: () => "La definición de la encuesta no tiene la forma que esta página puede leer.",
  gap: ({ number }) => `No todas las respuestas a la pregunta ${number} se podrían comunicar.`,
  weak: ({ texts }) => `La tabla de ${quoted(texts)} no cumple el alfa que indica.`,
  together: () => "Las preguntas de la encuesta no caben juntas en un informe.",
};

export const READING = {
  marked: () => "Donde hay opciones marcadas: el azar puede haber marcado algunas y omitido otras. Puede haber varias o ninguna, sea cual sea la que usted eligió.",
  figures: () => "Donde los grupos tienen números: el azar puede haber cambiado cualquiera. Su grupo no tiene por qué tener el mayor.",
  among: () => "Donde se nombran varias opciones: el azar ayudó a elegirlas, y la suya puede no estar entre ellas.",
  near: () => "Donde las opciones tienen un orden: el azar puede haber movido el informe a lo largo de él.",
  end: () => "Donde un número se comunica como el más bajo o el más alto: el azar lo convirtió en uno de los dos, más a menudo en el más cercano, y después puede haberlos intercambiado.",
  step: () => "Donde los niveles cuentan como números: el azar convirtió su respuesta en el primero o el último, más a menudo en el más cercano, y después puede haberlos intercambiado.",
  number: () => "Donde se comunica un número: el azar puede haberlo cambiado, incluso por uno que usted no habría podido dar.",
  ticked: (table) => `Donde se podían marcar varias opciones: ${sampled(table, ["algunas", "esas"], ["una", "esa"])}; el azar puede haber invertido la respuesta.`,
  picked: (table) => `Donde se preguntó por varios puntos: ${sampled(table, ["algunos", "esos"], ["uno", "ese"])}, y el azar puede haber cambiado la respuesta.`,
  paired: ({ sample }) => `Donde había que ordenar elementos: su navegador solo comunicó el orden de ${sample} de ellos; el azar puede haberlo cambiado.`,
};

function quoted(texts) {
  return texts.map((text) => `«${text}»`).join(", ");
}

function sampled({ sample }, several, one) {
  const [drawn, reported] = sample > 1 ? several : one;
  return `su navegador eligió al azar ${drawn} y solo comunicó ${reported}`;
}

export const SELDOM = {
  date: {
    missing: "Indique una fecha.",
    4: "Escriba el año, por ejemplo 1984. Solo se usa el período al que corresponde.",
    7: "Escriba el año y elija el mes. Solo se usa el período al que corresponden.",
    10: "Indique el día. Solo se usa el período al que corresponde.",
    year: "Año",
    month: "Mes",
  },
  ranking: {
    missing: "Ordene los elementos según su criterio y confirme el orden.",
    hint: "Mueva los elementos hacia arriba o hacia abajo hasta que estén en el orden que desee. Después, confírmelo.",
    drawn: (count, all) => {
      const [pick, these] = count < all ? [`Su navegador elegirá al azar ${count} de los elementos, responda usted lo que responda. Solo`, "estos"] : ["Su navegador solo", "los elementos"];
      return `${pick} enviará una respuesta modificada al azar sobre el orden de ${these}.`;
    },
    up: (item) => `Subir: ${item}`,
    down: (item) => `Bajar: ${item}`,
    confirm: "Este es mi orden",
    confirmed: "Confirmado. Si mueve un elemento, confirme de nuevo.",
    moved: (item, place, count) => `${item}: ahora en el puesto ${place} de ${count}. Confirme el orden.`,
    speaks: [
      (count) => `Si 100 personas ponen dos de los elementos en el mismo orden que usted, alrededor de ${count} de sus informes sobre ambos dan ese orden.`,
      (count) => `Si otras 100 los ponen al revés, aun así aparece en alrededor de ${count}.`,
    ],
  },
};

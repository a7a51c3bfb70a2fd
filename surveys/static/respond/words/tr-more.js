// The page's texts in Turkish for folded parts and after sending; en-more.js explains them.

import { shown } from "../words.js";

export const AUDIT = {
  questions: "Sorular",
  checked: "Bu sayfa anketin tanımını yükledi. Tanımın her raporda yer alan özeti (SHA-256) aşağıdadır. Her tablo, belirttiği alfaya uyar. Uymasaydı sayfa hiçbir soru göstermezdi.",
  definition: "Tanım, bayt bayt (bir dosya)",
  most: (factor) => `en çok ${shown(factor)} kat`,
  million: "bir milyon kattan fazla",
  apart: (change, chance) => `${change} (en çok ${chance} olasılıkla daha fazla)`,
  total: (strength, change) => `Bütün sorular birlikte: ${strength}; bir tahminin olasılık oranı ${change} değişir.`,
  strength: (alpha, delta) => (delta ? `alfa ${shown(alpha)} ve delta ${shown(delta)}` : `alfa ${shown(alpha)}`),
  files: "Çalışan dosyalar",
  order: "Tarayıcınız her dosyayı kullanmadan önce SHA-384 parmak iziyle karşılaştırır. Göndermeye kadar her şeyi page.js yapar; neyin gönderileceğini belirleyen bölüm onun başındadır. Öteki dosyalar metinleri içerir ve açılan bölümleri gösterir.",
  shared: "Herkese sorulan sorular",
  form: (number, total, percent) => `Kısım ${number} / ${total}, çekilme olasılığı %${shown(percent)}`,
  own: ": sizinki",
  totalWith: (strength, change) => `Herkese sorulan sorularla birlikte: ${strength}; bir tahminin olasılık oranı ${change} değişir.`,
  keptTogether: (strength, change) => `${strength}: bütün bu yanıtlarla birlikte bir tahminin olasılık oranı ${change} değişir`,
  guarantee: "Burada yeniden hesaplanan güvence",
  kept: (strength, change) => `${strength}: yalnızca bu yanıtla bir tahminin olasılık oranı ${change} değişir`,
  mechanism: "Yöntem",
  entry: (name) => `“${name}”`,
  chance: (threshold, percent) => `${threshold} / 2^53 = %${shown(percent)}`,
  program: "Bu sitenin programı",
  release: (version, commit) => `Bu sitenin bildirdiği sürüm: ${version}${commit ? `, commit ${commit}` : "; hangi commit olduğunu bildirmiyor"}.`,
  source: "Kaynak kodun yayımlandığı yer: ",
  noSource: "Kaynak kodun nerede yayımlandığını bildirmiyor. Siteyi işletenlere sorun.",
  manifest: "Manifest, sitenin katılanlara sunduğu bütün dosyaları listeler. Parmak izi:",
  log: "Bu sitenin günlüğü",
  head: (number, day) => `Bir günlük, bu sitenin sunduklarını listeler. Girdi sayısı: ${number}. En yeni girdinin tarihi: ${day}. Aşağıda hepsinin tek bir parmak izi var. Onu girdi sayısıyla birlikte saklarsanız, birinin günlüğü değiştirip değiştirmediğini sonra görebilirsiniz. Aynı sayının parmak izlerini karşılaştıran iki kişi, sitenin onlara farklı günlükler gösterip göstermediğini görür.`,
  noHead: "Günlüğün parmak izi gelmedi.",
  more: "Programın sürümü ve kaynak kodu, günlük hakkında daha fazlası ve bu sitenin dışarıdan nasıl denetleneceği (yeni sekmede açılır)",
  site: "Bu siteyi sınayın",
  draws: (count) => `Tarayıcınız, sizin raporunuzu oluşturan kodla, hayali iki yanıt için ${count.toLocaleString("tr")} rapor çeker ve raporların bu ikisini ne kadar iyi ayırt ettiğini sayar. Hiçbir şey gönderilmez. Böyle bir sayım, alfanın belirtilenden büyük olduğunu gösterebilir. Daha büyük olmadığını yukarıdaki tablolar kanıtlar.`,
  which: "Soru",
  jointly: "Hayali iki kişi bu soruların her birine farklı yanıt verir; bir rapor, birinin bütün yanıtlarını içerdiğinde ikisini ayırt eder.",
  audited: (number, text, alpha) => `${number}. ${text} (alfa ${shown(alpha)})`,
  beyond: (reports, most, alpha) => `${reports.toLocaleString("tr")} raporun gösterebileceği en büyük alfa ${shown(most)}, burada belirtilen ise ${shown(alpha)}. Bu sınama, arada kalanı ortaya çıkaramaz; raporların belirtilen alfaya uyduğunu yukarıdaki tablolar kanıtlar.`,
  draw: (count) => `${count.toLocaleString("tr")} rapor çek`,
  progress: "Çekilen raporlar",
  stop: "Durdur",
  stopped: "Durduruldu.",
  found: ({ reports, hits, n, least, promised }) => `%95 güvenle, bu ${reports.toLocaleString("tr")} rapor alfanın en az ${shown(least)} olduğunu gösteriyor. Belirtilen: ${promised}. İlk yarı, iki yanıtı en iyi ayırt eden işareti belirledi. İkinci yarıda bu işareti taşıyan raporlar: bir yanıt için ${hits[0].toLocaleString("tr")} / ${n.toLocaleString("tr")}, öteki yanıt için ${hits[1].toLocaleString("tr")} / ${n.toLocaleString("tr")}.`,
};

export const BELIEFS = {
  together: (count, one) => `, ${count} yanıtın tümü için; tek başına her biri için: ${one}.`,
  example: (number) => `Örnek: soru ${number}.`,
  either: "Raporunuz bu iki gruptan herhangi birinden gelmiş olabilir.",
  belief: (prior, high, low) => `Birisi yanıtınıza %${prior} olasılık veriyorsa, raporunuzun tamamı bunu en çok %${high} düzeyine çıkarabilir ya da ${low > 0 ? `%${low}` : "neredeyse %0"} düzeyine indirebilir.`,
  truthfully: "Lütfen dürüstçe yanıt verin: sizi rastgelelik korur. Yalan söylemek korumanızı güvenilir biçimde artırmaz, sonucu da bozar.",
  learn: "Kim ne öğrenebilir",
  who: [
    ["Bu sayfa:", "gönderene kadar yanıtlarınızı."],
    ["Ağ:", "ne zaman katıldığınızı."],
    ["Çalışanlar, hırsızlar, mahkemeler:", "adsız, adressiz ve saatsiz bir tablodaki raporunuzu."],
    ["Sonuçları gören:", "yanıtların sıklığını."],
  ],
  drawn: "Bu tarayıcı, hiçbirini göstermeden önce sorularınızı kurayla çekti. Raporunuz hangi soruları aldığınızı söyler.",
  rounded: "Başka yanıtlarla birlikte rastgele değiştirilen sayılar önce rastgele en küçük ya da en büyük sayıya yuvarlanır.",
  whose: ({ page, survey }) => `“${page}” altında yazanları sayfanın kendisi hesapladı. “${survey}” altında yazanları anketi hazırlayanlar yazdı; bunları kimse denetlemedi.`,
  weaker: "İki kez katılırsanız, bir cihaz ya da tarayıcı eklentisi yazdıklarınızı okursa ya da biri omzunuzun üstünden bakarsa korumanız zayıflar. Bu yüzden lütfen yalnızca bir kez katılın.",
  readers: "Yalnızca yayımlanan sonuçları okuyanlar genellikle daha az şey öğrenir, çünkü raporunuz orada birçok rapordan biridir. Raporun gelişini gören herkes, örneğin bu siteyi işletenler, burada söylenenlerin hepsini öğrenebilir.",
  wave: "Bu anket daha önceki bir anketin devamıdır. Ona da katıldıysanız bütün raporlarınız tek rapor sayılır: ",
  guesses: "Bir yanıtla ilgili bir tahmin ne kadar değişebilir (yüzde olarak).",
  columns: ["Önce", "Yalnızca bir yanıtla", "Raporun tamamıyla"],
  between: (low, high) => `${low}–${high}`,
};

export const BUDGET = {
  kept: "Bu liste bu cihazda kalır ve hiçbir zaman gönderilmez. Yanıtlarınızla ilgili hiçbir şey söylemez.",
  adds: "Birkaç raporun bir kişiyle ilgili açığa çıkarabilecekleri üst üste eklenir.",
  none: "Liste boş.",
  off: "Bu cihaz liste tutmuyor.",
  columns: ["Anket", "Gün", "Koruma"],
  together: (sum) => `Toplam: ${sum}. `,
  clear: "Listeyi boşalt",
  shared: "Bu cihazı başkaları da kullanıyor: hiçbir şey saklama",
  keep: "Bundan sonra liste tut",
};

const DRAWN = "0 ile 2^53−1 arasında bir tam sayı çekilir; satırdaki sayılardan kaçına ulaştığı";
const NOISE = "Sizin grubunuz 1, ötekiler 0 sayılır. Her biri için 0 ile 2^53−1 arasında bir tam sayı çekilir. Aşağıdaki sayılardan kaçına ulaştığı eklenir, bu sayıların adedinin yarısı çıkarılır.";

export const METHODS = {
  randomized_response: "Rastgele yanıt (randomized response). “sizes”, her sorudan kaç seçeneğin gönderildiğini söyler; listelerde: satır × seçenek.",
  bitwise: "Bit bit rastgele yanıt. Sizin seçeneğiniz işaretlidir, ötekiler değildir; sonra her işaret, ayrı ayrı, aşağıdaki olasılıkla tersine çevrilir.",
  laplace: "Her grupta Laplace gürültüsü. Sizin grubunuz 1, ötekiler 0 sayılır; her biri, ayrı ayrı, “flip” olasılığıyla tersine çevrilir. Sonra 1 olan bir uzaklık kadar büyür, 0 olan küçülür; bu uzaklığın ikili rakamlarının olasılıkları “magnitude” değerleridir. Uzaklık yanıtınıza bağlı değildir.",
  exponential: `Üstel yöntem. Tek bir seçenek bildirilir; yakın olanın olasılığı uzak olanınkinden büyüktür. Aşağıdaki her satır bir yanıta aittir. ${DRAWN}, sıfırdan sayılınca, bildirilen seçeneği verir.`,
  osgt: `Her grupta OSGT gürültüsü. ${NOISE}`,
  gaussian: `Her grupta Gauss gürültüsü. ${NOISE}`,
  one_bit: "Bir bit. Sayınız rastgele en küçük ya da en büyük sayıya yuvarlanır; daha yakın olanın olasılığı daha büyüktür, öyle ki ortalama doğru çıkar. “keep” olasılığıyla bu sayı gönderilir, yoksa ikisinden biri rastgele.",
  laplace_mean: `Sayınızda Laplace gürültüsü. Sayınız, en küçük ve en büyük sayı arasındaki ızgara noktalarından birine rastgele yuvarlanır; her nokta için aşağıda bir satır vardır. ${DRAWN}, en küçük sayının altından en büyük sayının üstüne doğru sayılınca, bildirilen basamağı verir.`,
  multiple: "Örnekleme. Ne yanıt verirseniz verin, seçeneklerden “sample” tanesi rastgele seçilir. “keep” olasılığıyla bunların hepsi için işaretleyip işaretlemediğiniz gönderilir, yoksa gönderilenin tümü rastgeledir.",
  grid: "Örnekleme. Ne yanıt verirseniz verin, maddelerden “sample” tanesi rastgele seçilir. Bunların her biri için “size” seçenek gönderilir. “keep” olasılığıyla bu maddelerdeki yanıtlarınızın hepsi gönderilenlerin arasındadır, yoksa gönderilenin tümü rastgeledir.",
  ranking: "Örnekleme. Ne yanıt verirseniz verin, maddelerden “sample” tanesi rastgele seçilir. “keep” olasılığıyla bunlar için sıralamanız gönderilir, yoksa rastgele bir sıralama.",
};

export const THANKS = {
  results: "Bu anketin sonuçlarını görün",
  code: "Tamamlama kodu: ",
  copy: "Kodu kopyala",
  copied: "Kopyalandı",
  back: (host) => `Geri dön: ${host}`,
  same: "Katılan herkes burada aynı şeyi görür. Bu, yanıtlarınızın hiçbirini içermez.",
  repeated: "Raporunuz zaten bir kez kaydedilmişti. Yanıtlarınız bu sayfadan silindi.",
  differs: [
    "Gönderilen, yanıtınızdan farklı olabilir: sizi koruyan da budur.",
    "Gönderilen, yanıtınızdan farklı olabilir, ama onunla ilgili çok şey açığa çıkarabilir.",
    "Gönderilen, yanıtınızdan farklı olabilir, ama onu neredeyse açığa çıkarabilir.",
  ],
  left: "Tarayıcınızdan çıkanlar",
  routed: "Rapor, size sorulmayan soruları da kapsar. Bir sorunun sorulmadığı herkes için o soruda aynı yanıt geçerlidir; bu yanıt da ötekiler gibi rastgele değiştirilir.",
  form: (number, total) => `Bu anket ${total} kısımdan oluşur; herkese bunlardan biri sorulur. Rapor, size sorulan kısmı da söyler: ${number}.`,
  together: (texts) => `${texts.length > 0 ? `Birlikte rastgele değiştirilenler: ${quoted(texts)}` : "Bu yanıtlar birlikte rastgele değiştirildi"}. Ya yanıtlarınızın hepsi gönderilenlerin arasındadır ya da gönderilenin tümü rastgeledir. Rastgele olan da yanıtlarınızı içerebilir.`,
  signed: "Onunla birlikte bir imza gitti; gönderilenin son bölümüdür. İmza, raporun davetli birinden geldiğini söyler, kimden geldiğini söylemez: sunucu raporu görmeden imzaladı.",
  question: "Soru",
  reported: "Bildirilen",
  marked: "İşaretli:",
  unmarked: "Hiçbir seçenek işaretli değil",
  among: "Bunlardan biri ya da başka bir seçenek:",
  picked: "Rastgele seçilen:",
  yes: "evet",
  no: "hayır",
  bytes: (count) => `Gönderilen ${count} bayt`,
};

export const PREVIEW = {
  title: "Hiçbir şey gönderilmedi",
  nothing: "Bu bir önizlemedir: sayfa aşağıdaki raporu oluşturdu ve hemen sildi. Katılan kişi, sunucu raporu aldıktan sonra aşağıdakileri görür.",
  again: "Baştan başla",
};

export const REFUSED = {
  title: "Raporunuz kaydedilmedi",
  404: "Bu anket artık yok. Hiçbir şey kaydedilmedi.",
  409: "Rapor, anketin şimdi sorduğu sorulardan başka sorulara ait. Hiçbir şey kaydedilmedi.",
  410: "Anket, rapor gelmeden önce kapandı. Hiçbir şey kaydedilmedi.",
  early: "Anket henüz başlamadı. Hiçbir şey kaydedilmedi.",
  fault: "Sunucu raporu okuyamadı. Hata sizde değil, anketin yazılımında. Hiçbir şey kaydedilmedi.",
  advice: "Burada yapılacak başka bir şey yok; yeniden yanıt vermek ikinci bir rapor gönderir. Lütfen sizi davet eden kişiye haber verin.",
  cleared: "Yanıtlarınız bu sayfadan silindi ve rapor bir daha gönderilmeyecek.",
};

export const LOST = {
  title: "Kodunuzu girin",
  code: "Mektubunuzdaki, kartınızdaki ya da afişteki kod",
  hint: "Boşluklar, tireler ve büyük harfler önemli değildir. Bağlantının tamamını da yapıştırabilirsiniz.",
  open: "Anketi aç",
  wrong: "Bu bir kod değil: bir karakter eksik, fazla ya da yanlış yazılmış.",
  unknown: "Bu kodla bir anket yok.",
};

export const INVITED = {
  promise: "Davetiniz bir rapor için geçerlidir. Sunucu bu raporu görmeden imzalar ve rapor bu imzayla kabul edilir. Böylece imza, raporun hangi davetten geldiğini kimseye, bu siteyi işletenlere bile söylemez. Davetinizi biri daha önce kullandıysa sayfa bunu ancak son yanıtınızdan sonra öğrenir. Yoksa bağlantınızı bilen herkes katılıp katılmadığınızı öğrenebilirdi.",
  group: (name) => `Davet edildiğiniz grup: “${name}”. Raporunuz bunu söyleyecek. `,
  groups: (names) => `Her rapor hangi gruptan olduğunu söyler ve her grubun sonuçları ayrı yayımlanır: ${quoted(names)}. Raporu çok az olan bir grubun sonuçları yayımlanmaz. Grup gizli değildir: yalnızca yanıtlarınız rastgele değiştirilir.`,
  wrongKey: "Bu anketin anahtarları hatalı",
  revoked: "Bu davet artık geçerli değil",
  changed: "Davetinizin bağlantısı yolda değişmiş",
  missing: "Bu ankete davetle katılınır",
  missingWhy: "Bağlantınızda davet yok ya da bağlantı eksik. Lütfen aldığınız bağlantıyı tam olarak aldığınız gibi açın. Hiçbir şey gönderilmedi.",
  fleeting: "Rapor henüz gönderilmedi. Lütfen bu sayfayı açık bırakın: bu tarayıcı, sayfanın raporu saklamasına izin vermiyor.",
  why: "Düğmeye bastığınızda davetiniz kullanılır. Sunucuyu çalışırken izleyen biri, raporun aynı anda geldiğini görebilir. Daha sonraki bir an daha az şey açığa çıkarır.",
  later: (shortest, longest) => `Raporumu ${shortest}–${longest} dakika sonra, rastgele bir anda gönder`,
  waiting: "Raporunuz bekliyor",
  until: (time) => `Davetiniz kullanıldı. Sayfa raporu kendiliğinden gönderecek (saat ${time}). Anket daha önce kapanırsa rapor sayılmaz.`,
  closing: "Lütfen o zamana kadar bu sayfayı açık bırakın ya da bağlantınızı sonra bu tarayıcıda yeniden açın. Gizli pencere, siz onu kapatınca raporu unutur.",
  instead: "Şimdi gönder",
  wrong: "Sunucunun imzası yanlış",
  wrongWhy: "Bu yüzden sayfa raporunuzu göndermedi: başka bir imza onu tanınabilir kılabilirdi. Rapor saklanıyor. Yeniden denemek işe yaramazsa lütfen sizi davet eden kişiye haber verin.",
  again: "Yeniden dene",
  refused: "Raporunuz gönderilmedi",
  takenBack: "Davet geri alındı. Lütfen sizi davet eden kişiden yeni bir bağlantı isteyin.",
  unsigned: "Bağlantınız daha önce kullanılmış (belki siz başka bir cihazda kullandınız), geri alınmış ya da bozulmuş. Bağlantınıza sahip başka biri katılıp katılmadığınızı öğrenemesin diye sunucu hangisi olduğunu söylemiyor. Lütfen sizi davet eden kişiden yeni bir bağlantı isteyin.",
  early: "Anket henüz başlamadı. Başladığında lütfen bağlantınızı yeniden açın.",
  404: "Bu anket artık yok.",
  410: "Anket kapandı.",
  fault: "Sunucu, sayfanın gönderdiğini okuyamadı. Hata sizde değil, anketin yazılımında. Lütfen sizi davet eden kişiye haber verin.",
  deleted: "Yanıtlarınız bu sayfadan silindi, rapor da silindi. Onu kimse görmedi.",
};

export const RELAY = {
  promise: (host) => `Raporunuz, başka birinin işlettiği bir aracı sunucudan geçer: ${host}. Aracı sunucu, raporun nereden geldiğini görür, ama raporu okuyamaz. Bu site raporu okur, ama nereden geldiğini görmez. İkisi birlikte bunu öğrenebilir.`,
  lost: (host) => `Sayfa aracı sunucuya ulaşamıyor: ${host}. Denemeyi sürdürüyor. Raporu doğrudan bu siteye göndermesine izin verirseniz site, bu sayfayı açtığınızda olduğu gibi, IP adresinizi görür.`,
  direct: "Aracı sunucu olmadan gönder",
};

export const FRAME = {
  refused: "Bu anket bu sayfanın içinde gösterilmiyor",
  why: "Anket yalnızca adını verdiği sayfalara izin verir; onu çevreleyen sayfanın bunlardan biri olduğu anlaşılmıyor. O sayfa soruların üzerine bir şey koyabilir; bu yüzden burada soru sorulmuyor. Ayrı bir pencerede adres çubuğu, sayfanın kime ait olduğunu gösterir.",
  followed: "Bu tarayıcıda, anketi çevreleyen sayfa anketin neresinde olduğunuzu görebilir ve böylece yanıtlarınız hakkında bir şey öğrenebilir. Bu yüzden burada soru sorulmuyor.",
  held: (host) => `Bu anketi başka bir sitenin sayfası içinde görüyorsunuz: ${host}. Tarayıcınız katıldığınızı yalnızca o sitenin sayfalarında hatırlar.`,
  alone: "Anketi ayrı bir pencerede aç",
};

export const ANSWERED = {
  recorded: "Biri bu tarayıcıda bu anketi zaten yanıtladı",
  recordedFate: "Rapor kaydedildi. Teşekkür ederiz. İçeriğini burada saklamıyoruz.",
  refused: "Bu tarayıcı zaten bir rapor gönderdi",
  refusedFate: "Rapor sunucuya ulaştı, ama kaydedilmedi. İçeriğini burada saklamıyoruz.",
  elsewhere: "Bu, tam olarak aynı soruları içeren başka bir bağlantıdaydı. ",
  older: "Bu, anketin önceki bir sürümüydü. ",
  again: "Bu sürümü de yanıtla",
  both: "İki rapor bir rapordan fazlasını açığa çıkarır",
  sum: "İki rapor birlikte sizinle ilgili, sayfanın tek bir rapor için belirttiğinden fazlasını açığa çıkarabilir: alfaları toplanır.",
  used: "Bu bağlantı bu cihazda zaten kullanıldı",
  single: "Bir bağlantı bir rapor için geçerlidir. Başka biri kendi bağlantısını kullanmalıdır.",
  another: "Bu cihazda başka biri yanıt vermek istiyor",
  really: "Gerçekten başka biri mi?",
  twice: "Aynı kişi iki kez yanıt verirse iki rapor birlikte bu kişiyle ilgili, sayfanın tek bir rapor için belirttiğinden fazlasını açığa çıkarabilir. Başka biri için belirttiği, sizin için belirttiğiyle aynıdır.",
  yes: "Evet, şimdi başka biri yanıtlıyor",
};

export const NOT_ASKED = {
  nowhere: "Bu bağlantıda bir anket yok",
  nowhereWhy: (sent) => `Bağlantı eksik olabilir ya da anket artık yok. Lütfen bağlantıyı, aldığınız gibi, bütünüyle bir kez daha açın. ${sent}`,
  closed: "Bu anket kapandı",
  closedWhy: "Artık yanıt almıyor; bu yüzden burada doldurulacak bir şey yok. Ziyaretiniz için teşekkür ederiz.",
  early: "Bu anket henüz başlamadı",
  earlyWhy: (when) => `Başlama zamanı: ${when}. Lütfen bu sayfayı o zaman yeniden açın. O zamana kadar doldurulacak bir şey yok; hiçbir şey gönderilmez ve saklanmaz.`,
  refusal: "Bu sayfa hiçbir soru sormayacak",
  weaker: "Yanıtlarınız belirtilenden daha az korunmuş olurdu.",
  noQuestion: "Bu yüzden sayfa soru göstermiyor.",
  old: "Bu tarayıcı bu sayfa için çok eski",
  oldWhy: (name) => `Sayfanın gerek duyduğu şu işlev eksik: ${name}. Lütfen bu tarayıcıyı güncelleyin ya da bağlantıyı başka bir tarayıcıda veya cihazda açın.`,
  elsewhere: "Bu anket başka bir sekmede açık",
  elsewhereWhy: "Lütfen orada yanıtlayın. O sekmeyi kapattığınızda bu sayfa kendiliğinden devam eder.",
  here: "Bunun yerine burada yanıtla",
  unknown: "Bu anketi daha önce yanıtladınız mı?",
  unknownWhy: "Bu tarayıcı, bu ankete bir rapor gönderip göndermediğini söylemiyor. Lütfen yalnızca bir kez katılın: iki rapor birlikte, sizinle ilgili, anketin söz verdiğinden fazlasını açığa çıkarabilir.",
  first: "Hayır, henüz yanıtlamadım",
  chance: "Bu tarayıcının rastgele sayıları çalışmıyor",
  chanceWhy: "Sayfanın yanıtlarınızı rastgele değiştirmek için rastgele sayılara ihtiyacı var; bu tarayıcınınkiler ise tekrar ediyor. Bu yüzden hiçbir şey sormuyor ve hiçbir şey gönderilmedi. Başka bir tarayıcı ya da cihaz işe yarayabilir.",
  insecure: "Bu sayfa https ile açılmalı",
  insecureWhy: "Şifreleme olmadan ağdaki biri bu sayfayı değiştirebilir; o zaman sayfanın söylediklerine güvenemezsiniz. Lütfen aynı bağlantıyı başında https:// ile açın. Hiçbir şey gönderilmedi.",
};

export const PROBLEMS = {
  format: () => "Bu sayfa bu anket biçimini tanımıyor.",
  form: () => "Anketin tanımı, bu sayfanın okuyabileceği biçimde değil.",
  gap: ({ number }) => `Şu sorunun bazı yanıtları bildirilemezdi: soru ${number}.`,
  weak: ({ texts }) => `Belirttiği alfaya uymayan tablo: ${quoted(texts)}.`,
  together: () => "Anketin soruları tek bir raporda birbiriyle bağdaşmıyor.",
};

export const READING = {
  marked: () => "Seçenekler işaretliyse: rastgelelik bazılarını işaretlemiş, bazılarını dışarıda bırakmış olabilir. Neyi seçmiş olursanız olun, birkaçı ya da hiçbiri işaretli olabilir.",
  figures: () => "Grupların sayıları varsa: rastgelelik herhangi birini değiştirmiş olabilir. En büyük sayı sizin grubunuzda olmayabilir.",
  among: () => "Birkaç seçenek bildirilmişse: seçimlerinde rastgeleliğin payı var; sizinki aralarında olmayabilir.",
  near: () => "Seçeneklerin bir sırası varsa: rastgelelik raporu bu sırada kaydırmış olabilir.",
  end: () => "Bir sayı en küçük ya da en büyük olarak bildirilmişse: rastgelelik onu ikisinden birine, daha sık olarak yakın olana çevirdi, sonra ikisini değiş tokuş etmiş olabilir.",
  step: () => "Basamaklar sayı yerine geçiyorsa: rastgelelik yanıtınızı ilk ya da son basamağa, daha sık olarak yakın olana çevirdi, sonra ikisini değiş tokuş etmiş olabilir.",
  number: () => "Bir sayı bildirilmişse: rastgelelik onu değiştirmiş, hatta sizin veremeyeceğiniz bir sayıya çevirmiş olabilir.",
  ticked: (table) => `Birkaç seçenek işaretlenebiliyorsa: ${sampled(table)}; rastgelelik yanıtı tersine çevirmiş olabilir.`,
  picked: (table) => `Birkaç madde sorulduysa: ${sampled(table)}; rastgelelik yanıtı değiştirmiş olabilir.`,
  paired: ({ sample }) => `Maddeler sıralandıysa: tarayıcınız yalnızca ${sample} maddenin sırasını bildirdi; rastgelelik bunu değiştirmiş olabilir.`,
};

function quoted(texts) {
  return texts.map((text) => `“${text}”`).join(", ");
}

function sampled({ sample }) {
  const [drawn, reported] = sample > 1 ? ["birkaçını", "bunları"] : ["birini", "bunu"];
  return `tarayıcınız ${drawn} rastgele seçti ve yalnızca ${reported} bildirdi`;
}

export const SELDOM = {
  date: {
    missing: "Lütfen bir tarih girin.",
    4: "Yılı yazın, örneğin 1984. Yalnızca içinde bulunduğu dönem kullanılır.",
    7: "Yılı yazın ve ayı seçin. Yalnızca içinde bulundukları dönem kullanılır.",
    10: "Günü girin. Yalnızca içinde bulunduğu dönem kullanılır.",
    year: "Yıl",
    month: "Ay",
  },
  ranking: {
    missing: "Lütfen maddeleri sıralayın ve sıralamanızı onaylayın.",
    hint: "Maddeleri istediğiniz sıraya gelene kadar yukarı ya da aşağı taşıyın. Sonra onaylayın.",
    drawn: (count, all) => {
      const [pick, these] = count < all ? [`Tarayıcınız, ne yanıt verirseniz verin, maddelerden ${count} tanesini rastgele seçer. Yalnızca`, "bunların"] : ["Tarayıcınız yalnızca", "maddelerin"];
      return `${pick} ${these} sırasına dair rastgele değiştirilmiş bir yanıt gönderir.`;
    },
    up: (item) => `Yukarı: ${item}`,
    down: (item) => `Aşağı: ${item}`,
    confirm: "Sıralamam bu",
    confirmed: "Onaylandı. Bir maddeyi taşırsanız lütfen yeniden onaylayın.",
    moved: (item, place, count) => `${item}: yeni sırası ${place} / ${count}. Lütfen sıralamanızı onaylayın.`,
    speaks: [
      (count) => `100 kişi maddelerden ikisini sizin gibi sıralarsa, bu ikisine dair raporlarından yaklaşık ${count} tanesi bu sırayı bildirir.`,
      (count) => `Başka 100 kişi ters sıralarsa, yaklaşık ${count} rapor sizin sıranızı bildirir.`,
    ],
  },
};

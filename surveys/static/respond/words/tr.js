// The page's texts in Turkish; en.js explains them. Numbers take no suffix, because its vowels would depend on the number.

// Return a number or a decimal string in the language's notation.
export function shown(number) {
  return `${number}`.replace(".", ",");
}

export const OWN = {
  yes: "Evet",
  no: "Hayır",
  withheld: "Söylemek istemem",
  under: (number) => `${shown(number)} altı`,
  between: (low, high) => `en az ${shown(low)} ve ${shown(high)} altı`,
  orMore: (number) => `${shown(number)} ve üzeri`,
  through: (low, high) => `${shown(low)}–${shown(high)}`,
};

export const BY = { page: "Bu sayfa diyor ki", survey: "Anket diyor ki" };

export const LANGUAGE = {
  label: "Dil",
  lost: "Bu dil yüklenemedi. Sayfa olduğu gibi kalıyor.",
};

export const ASKED = {
  choice: { missing: "Lütfen bir yanıt seçin." },
  multiple_choice: { missing: "Lütfen size uyanları ya da hiçbirinin uymadığını işaretleyin." },
  grid: { missing: "Lütfen bu maddelerin her biri için bir yanıt seçin." },
  histogram: {
    missing: "Lütfen bir sayı yazın.",
    range: () => "Yalnızca sayınızın bulunduğu grup kullanılır. Daha küçük sayılar en alt gruba, daha büyük sayılar en üst gruba girer.",
  },
  mean: {
    missing: "Lütfen bir sayı yazın.",
    range: ({ low, high, unit }) => `En küçük: ${amount(shown(low), unit)}, en büyük: ${amount(shown(high), unit)}. Daha küçük sayılar en küçük, daha büyük sayılar en büyük sayı olarak sayılır.`,
  },
};

// The unit comes right after the number, before the words that end a group: "30 yaş altı", "60 yaş ve üzeri".
export function amount(number, unit) {
  return unit ? `${number}`.replace(/(?= altı$| ve üzeri$)|$/, () => ` ${unit}`) : `${number}`;
}

export const CHOOSING = {
  counted: (last) => `Sonuçlar yalnızca ortalamayı gösterir. Basamakların değerleri: 1–${last}.`,
  pair: (item, answer) => `${item}: ${answer}`,
  none: "Hiçbiri",
  nothing: /^((bunlar|yukar[ıi]dakiler)[ıi]n )?hic ?biri( degil)?\.?$/,
  find: "Bu listede ara",
  found: (count, total) => `Eşleşen: ${count} / ${total}.`,
  sampled(sample) {
    const [part, about] = sample === 1 ? ["birini", "bu madde"] : [`${sample} tanesini`, "bunlar"];
    return `Tarayıcınız, ne yanıt verirseniz verin, bu maddelerden ${part} rastgele seçer. Yalnızca ${about} için rastgele değiştirilmiş bir yanıt gönderir.`;
  },
};

export const NUMBERS = {
  none: "Bu henüz bir sayı değil. Yalnızca rakam yazın, örneğin 34 ya da 34,5.",
  which: (one, other) => `Hangisini kastettiniz: ${one} ya da ${other}? Lütfen onu yazın.`,
  long: "Bu sayı çok uzun. En çok 15 rakam yazın.",
  counts: (what) => `Şöyle sayılır: ${what}.`,
  limits: (low, high, whole) => `${low} ile ${high} arasında bir ${whole ? "tam sayı" : "sayı"} yazın.`,
};

export const FORM = {
  title: "Sorular",
  send: "Rastgele değiştirilmiş yanıtlarımı gönder",
  sending: "Bu düğmeye bastığınızda yanıtlarınız burada, bir kez, rastgele değiştirilir. Yalnızca sonuç gönderilir.",
  unsent: "Gönderilmedi: ",
  count: (total) => `Yanıtlanacak soru sayısı: ${total}.`,
  progress: (answered, total) => `Yanıtlanan: ${answered} / ${total}`,
  place: (number, total) => `Soru ${number} / ${total}`,
  numbered: (number, text) => `${number}. ${text}`,
  missing: (count) => (count === 1 ? "Bir soru henüz yanıtlanmadı." : `${count} soru henüz yanıtlanmadı.`),
  whole: " Boş bırakılan bir soru da bir şey açığa çıkarırdı. Bu yüzden yalnızca eksiksiz bir rapor gönderilir.",
  ready: (count) => (count === 1 ? "Bir soru hazır." : `${count} soru hazır.`),
  more: " Bazı yanıtlar yeni sorular getirir.",
  lot: "Sorularınız daha uzun bir listeden kurayla çekildi.",
  kept(count, percent, among) {
    const sent = among ? "gönderilenlerin arasındadır" : "gönderilenin kendisidir";
    const how = `%${percent} olasılıkla ${count > 1 ? "bunlar" : count === 1 ? "yanıtınız" : "yanıtlarınız"} ${sent}, yoksa gönderilenin tümü rastgeledir.`;
    return count > 1 ? `Yanıtlarınızın ${count} tanesi birlikte rastgele değiştirilir. ${how}` : how;
  },
  few: "Birden çok bölümü olan sorulardan yalnızca kurayla seçilen bölümler gönderilir.",
  together: (count) => `Birlikte rastgele değiştirilen ${count} yanıttan biri.`,
};

export const SECTIONS = {
  place: (number, total) => `Bölüm ${number} / ${total}`,
  back: "Geri",
  next: "İleri",
  all: "Bütün bölümleri birlikte göster",
  one: "Bölümleri tek tek göster",
};

export const CONSENT = {
  title: "Başlamadan önce",
  agree: "Bunu okudum ve kabul ediyorum",
  missing: "Kabul ediyorsanız lütfen bu kutuyu işaretleyin. Etmiyorsanız sayfayı kapatmanız yeterli: hiçbir şey gönderilmedi.",
  go: "Sorulara geç",
};

export const LATER = {
  words: "tr-more.js",
  check: "Kendiniz denetleyin",
  budget: "Bu tarayıcının bu siteye gönderdikleri",
  missing: "Bu sayfanın bir bölümü eksik",
  lost: "Bu bölüm gelmedi ya da yanlış dosya. Bu yüzden sayfa onu kullanmıyor. Raporunuz bundan etkilenmez.",
};

export const ODDS = {
  oneIn: (count) => `1/${count.toLocaleString("tr")}`,
};

export const STRENGTH = [
  { title: "Güçlü koruma", name: "güçlü" },
  { title: "Orta koruma", name: "orta" },
  { title: "Zayıf koruma", name: "zayıf" },
  { title: "Neredeyse hiç koruma yok", name: "neredeyse yok" },
];

export const FREQUENCIES = {
  option: [
    (count) => `Sizin gibi yanıt veren 100 kişinin yaklaşık ${count} raporu bu yanıtı içerir.`,
    (count) => `Başka yanıt veren 100 kişinin ise yaklaşık ${count} raporu.`,
  ],
  item: [
    (count) => `Bu maddeye 100 kişi sizin gibi yanıt verirse, yaklaşık ${count} rapor bu yanıtı içerir.`,
    (count) => `Başka 100 kişi farklı yanıt verirse, yaklaşık ${count} rapor sizinkini içerir.`,
  ],
  number: [
    (count) => `En büyük sayıyı veren 100 kişinin yaklaşık ${count} raporu üst yarıdadır.`,
    (count) => `En küçük sayıyı veren 100 kişinin ise yaklaşık ${count} raporu.`,
  ],
  step: [
    (count) => `Son basamağı seçen 100 kişinin yaklaşık ${count} raporu üst yarıdadır.`,
    (count) => `İlk basamağı seçen 100 kişinin ise yaklaşık ${count} raporu.`,
  ],
};

export const PROMISE = {
  titles: [
    "Yanıtlarınız gönderilmeden önce rastgele değiştirilir",
    "Rastgele değiştirilse de raporunuz yanıtlarınızla ilgili çok şey açığa çıkarabilir",
    "Rastgele değiştirilse de raporunuz yanıtlarınızı neredeyse açığa çıkarabilir",
  ],
  cautions: [
    "Başkalarının öğrenebileceklerini kabul etmiyorsanız katılmayın.",
    "Yanıtlarınızın bilinmesini kabul etmiyorsanız katılmayın.",
  ],
  belief: (prior, high) => `Biri yanıtınıza %${prior} olasılık veriyorsa, raporunuzla bu en çok %${high} olabilir.`,
  certain: (prior) => `Yanıtınıza %${prior} olasılık veren biri raporunuzla neredeyse emin olabilir.`,
  apart: (chance) => ` Rapor, en çok ${chance} olasılıkla daha fazlasını açığa çıkarabilir.`,
  more: "Nasıl korunuyorsunuz?",
};

export const SENDING = {
  title: "Raporunuz gönderiliyor",
  thanks: "Teşekkür ederiz",
  recorded: "Raporunuz kaydedildi. Yanıtlarınız bu sayfadan silindi.",
  randomizing: "Yanıtlarınız rastgele değiştiriliyor.",
  cleared: "Yanıtlarınız rastgele değiştirildi ve bu sayfadan silindi. Geriye yalnızca hazır rapor kaldı. Sayfa onu birkaç kez gönderse bile rapor hep aynıdır.",
  lasting: "Bu sayfayı kapatabilirsiniz. Sonra bu tarayıcıda yeniden açarsanız sayfa aynı raporu gönderir. Gizli pencere, siz onu kapatınca raporu unutur.",
  fleeting: "Lütfen bu sayfayı açık bırakın: bu tarayıcı, sayfanın raporu saklamasına izin vermiyor.",
  now: "Şimdi yeniden dene",
  trying: "Gönderiliyor…",
  network: "Ağa ya da sunucuya ulaşılamıyor.",
  busy: "Sunucu meşgul ve biraz beklenmesini istiyor.",
  server: "Sunucuda şu anda bir sorun var.",
  waiting: (reason, seconds) => `Henüz gönderilmedi. ${reason} Sayfa ${seconds} saniye sonra yeniden deneyecek.`,
};

export const STOPPED = {
  lost: "Sorular gelmedi",
  lostWhy: (sent) => `Ağa ya da sunucuya ulaşılamıyor. ${sent}`,
  again: "Yeniden dene",
  nothingSent: "Hiçbir şey gönderilmedi.",
  earlierSent: "Bu tarayıcının daha önce gönderdiği rapor bundan etkilenmez.",
  waits: "Hazır raporunuz bu tarayıcıda bekliyor. Sayfa gerektiği gibi açılır açılmaz onu gönderir.",
  unknownNow: "Şimdi hiçbir şey gönderilmedi. Bu tarayıcı, daha önce bir rapor gönderip göndermediğini söylemiyor.",
  failed: "Rapor oluşturulamadı",
  failedWhy: "Hiçbir şey gönderilmedi. Yanıtlarınız bu sayfadan silindi.",
};

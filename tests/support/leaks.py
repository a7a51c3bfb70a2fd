"""A respondents' page that reveals the answers in every way a page can."""

RECORD = """await new Promise((done) => {
  const request = indexedDB.open("deniable", 1);
  request.onsuccess = () => {
    const transaction = request.result.transaction("kept", "readwrite");
    transaction.objectStore("kept").put({ slug: told });
    transaction.oncomplete = done;
    request.result.close();
  };
})"""

# Ways to reveal the answers before the page clears them, each with the observations that must show it.
LEAKS = {
    'sessionStorage.setItem("told", told)': ["session", "storage"],
    "document.cookie = `told=${told}; path=/`": ["cookies", "jar"],
    "history.replaceState(told, '', `?${told}${location.hash}`)": ["address", "history"],
    "window.name = told": ["titles"],
    "window[told] = true": ["globals"],
    "performance.mark(told)": ["marks"],
    "document.getElementById('title').append(told)": ["html", "picture", "tree"],
    "await (await fetch(`/respond/definition?${told}`)).text()": ["loaded", "requests"],
    "await caches.open(told)": ["caches"],
    "indexedDB.open(told)": ["databases", "storage"],
    RECORD: ["records", "storage"],
    "console.debug(told)": ["console"],
}


TELLING = f"""{{
  const silent = send;
  send = async (answers, form) => {{
    const told = [...answers.values()].join("-");
    {"; ".join(LEAKS)};
    await silent(answers, form);
  }};
}}"""

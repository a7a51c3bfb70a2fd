"""A client of a Deniable site, in one file that needs only Python 3.11: draft, open, share, end, read.

    from deniable import Client
    site = Client("https://survey.example.org", token)      # a token of /account/tokens/
    survey = site.begin(draft)
    survey.open()
    print(survey.state()["link"])

The docstring of a method names its endpoint. The method returns the endpoint's answer; the site's page /api/ describes
the fields. A refusal is `Refused`, and its `rules` name each field. A request that creates something has a key, so that
it is done once even if the connection breaks and it is sent again.
"""

import csv
import http.client
import io
import json
import shutil
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

Document = dict[str, Any]

TRIES = 4  # tries of a request whose connection breaks, or that exceeds the rate limit
JSON, XLSX = "application/json", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


class Refused(Exception):
    """The site refused. `code` is the stable name of the rule; `rules` has all broken rules, each with its field."""

    def __init__(self, status: int, problem: Document) -> None:
        self.status, self.code = status, str(problem.get("type", "")).rpartition("/")[2]
        self.rules: list[Document] = problem.get("rules", [])
        broken = [f"{each['field']}: {each['rule']}" for each in self.rules]
        super().__init__(f"{status} {self.code}: " + ("; ".join(broken) or str(problem.get("detail", ""))))


class OneSite(HTTPRedirectHandler):
    """Refuses redirects to another site, which would get the token."""

    def redirect_request(self, req: Request, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> Request | None:
        if urlsplit(newurl)[:2] != urlsplit(req.full_url)[:2]:
            raise ValueError(f"{req.full_url} leads to another site")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


class Client:
    """A site, with a token, or without one for public documents."""

    def __init__(self, site: str, token: str = "", timeout: float = 60) -> None:
        self.api, self.token, self.timeout = site.rstrip("/") + "/api/v1", token, timeout
        self.opener = build_opener(OneSite)

    def surveys(self) -> Iterator[Document]:
        """Yield your surveys and drafts: GET /studio, all parts."""
        return self.parts("/studio")

    def survey(self, number: int) -> "Survey":
        return Survey(self, number)

    def begin(self, draft: Document | None = None, *, template: str = "", copy_of: int = 0) -> "Survey":
        """Return a new draft: POST /studio."""
        wishes = {"draft": draft, "template": template, "copy_of": copy_of}
        return self._survey_at(self.create("/studio", {name: value for name, value in wishes.items() if value}))

    def begin_with_form(self, path: str | Path) -> "Survey":
        """Return a new draft from an XLSForm: POST /studio/forms."""
        address = f"/studio/forms?{urlencode({'name': Path(path).name})}"
        return self._survey_at(self.create(address, Path(path).read_bytes()))

    def results(self, slug: str) -> "Results":
        """Return the results of an opened survey."""
        return Results(self, slug)

    def _survey_at(self, survey: Document) -> "Survey":
        return Survey(self, survey["number"])

    # Requests ---------------------------------------------------------------------------------------------------------

    def get(self, address: str) -> Any:
        return self._json("GET", address)

    def change(self, method: str, address: str, body: object = None) -> Any:
        return self._json(method, address, body)

    def create(self, address: str, body: object) -> Any:
        """POST with a key. The action is done once however often it is sent."""
        return self._json("POST", address, body, {"Idempotency-Key": str(uuid.uuid4())})

    def parts(self, address: str) -> Iterator[Document]:
        """Yield the items of a list that comes in parts."""
        part: str | None = address
        while part:
            page = self.get(part)
            yield from page["items"]
            part = page["next"]

    def rows(self, address: str) -> list[dict[str, str]]:
        """Return a CSV table, each row by column name."""
        return list(csv.DictReader(io.StringIO(self.content(address).decode("utf-8-sig"))))

    def content(self, address: str) -> bytes:
        return self.send("GET", address)[1]

    def _json(self, method: str, address: str, body: object = None, headers: dict[str, str] | None = None) -> Any:
        content = self.send(method, address, body, headers)[1]
        return json.loads(content) if content else None

    def send(
        self, method: str, address: str, body: object = None, headers: dict[str, str] | None = None
    ) -> tuple[int, bytes]:
        """Return status and content. An address begins at /api/v1, or is a URL from the site."""
        headers, data = dict(headers or {}), body if isinstance(body, bytes) else None
        if data is not None:
            headers["Content-Type"] = XLSX
        elif body is not None:
            headers["Content-Type"], data = JSON, json.dumps(body).encode()
        again = method != "POST" or "Idempotency-Key" in headers
        for turn in range(TRIES):
            try:
                with self.opener.open(self.request(method, address, data, headers), timeout=self.timeout) as answer:
                    return answer.status, answer.read()
            except HTTPError as refusal:
                if refusal.code != 429 or turn == TRIES - 1:
                    raise _refused(refusal) from None
                time.sleep(int(refusal.headers.get("Retry-After", 1)))
            except (URLError, http.client.HTTPException, ConnectionError, TimeoutError):
                if not again or turn == TRIES - 1:
                    raise
                time.sleep(2**turn / 4)
        raise AssertionError

    def request(
        self, method: str, address: str, data: bytes | None = None, headers: dict[str, str] | None = None
    ) -> Request:
        if address.startswith("http") and not address.startswith(self.api + "/"):
            raise ValueError(f"{address} is not of this site: a token goes nowhere else")
        known = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        whole = address if address.startswith("http") else self.api + address
        return Request(whole, data=data, headers=(headers or {}) | known, method=method)

    def wait(self, ready: Callable[[], Any], seconds: float = 600, pause: float = 1) -> Any:
        """Return the first true result of `ready`. Raise TimeoutError after `seconds`."""
        until = time.monotonic() + seconds
        while not (given := ready()):
            if time.monotonic() > until:
                raise TimeoutError(f"not ready after {seconds} seconds")
            time.sleep(pause)
        return given


def _refused(refusal: HTTPError) -> Refused:
    try:
        problem = json.loads(refusal.read())
    except ValueError:
        problem = {}
    return Refused(refusal.code, problem if isinstance(problem, dict) else {})


class Survey:
    """A survey in the studio, by its number. Endpoints are below /studio/<number>."""

    def __init__(self, client: Client, number: int) -> None:
        self.client, self.number, self._address = client, number, f"/studio/{number}"

    def _get(self, of: str) -> Any:
        return self.client.get(self._address + of)

    def _change(self, method: str, of: str, body: object = None) -> Any:
        return self.client.change(method, self._address + of, body)

    def state(self) -> Document:
        """GET the survey: state, slug, link, dates, terms."""
        return dict(self._get(""))

    def settings(self, **changes: Any) -> Document:
        """PATCH the survey: expected_n, opens_at, closes_at, typed, keeps_files, results_public, microdata_public,
        archived."""
        return dict(self._change("PATCH", "", changes))

    def delete(self, title: str) -> None:
        """DELETE the survey, confirmed by its title."""
        self._change("DELETE", f"?{urlencode({'title': title})}")

    def draft(self) -> Document:
        """GET draft: the draft, its mark, the digest to open it with, and its missing parts."""
        return dict(self._get("/draft"))

    def edit(self, how: Callable[[Document], None]) -> Document:
        """PUT draft: the draft after `how` has changed it in place. If someone else changed it first, this repeats."""
        for turn in range(TRIES):
            read = self.draft()
            how(read["draft"])
            try:
                return dict(self._change("PUT", "/draft", {"draft": read["draft"], "mark": read["mark"]}))
            except Refused as refused:
                if refused.code != "changed" or turn == TRIES - 1:
                    raise
        raise AssertionError

    def open(self, digest: str = "", **terms: Any) -> Document:
        """POST opening: open the draft with this digest, by default the present one. The terms are opens_at, closes_at,
        closes_after, points, batch, publishes_once, takes_link."""
        return dict(self._change("POST", "/opening", {"digest": digest or self._digest()} | terms))

    def _digest(self) -> str:
        read = self.draft()
        if read["missing"]:
            raise Refused(422, {"type": "/problems/draft", "rules": read["missing"]})
        return str(read["digest"])

    def close(self) -> Document:
        """POST closing."""
        return dict(self._change("POST", "/closing"))

    def new_version(self, wave: bool = False) -> "Survey":
        """POST versions: the draft of the next version or wave."""
        return Survey(self.client, self._change("POST", "/versions", {"wave": wave})["number"])

    def results(self) -> "Results":
        """Return the results of an opened survey."""
        return Results(self.client, self.state()["slug"])

    def history(self) -> Iterator[Document]:
        """GET history: every change to the draft, newest first."""
        return self.client.parts(f"{self._address}/history")

    def old_draft(self, number: int) -> Document:
        """GET history/<number>."""
        return dict(self._get(f"/history/{number}"))

    def go_back(self, number: int) -> Document:
        """POST history/<number>/return: the draft, as it was at that change."""
        mark = self._get("/draft")["mark"]
        return dict(self._change("POST", f"/history/{number}/return", {"mark": mark}))

    def undo(self) -> Document | None:
        """POST undo: the draft without your last change; None without one."""
        step = self._get("/undo")["step"]
        return None if step is None else dict(self._change("POST", "/undo", {"step": step}))

    def bank(self, words: str = "") -> list[Document]:
        """GET bank: questions of your other surveys."""
        return list(self._get(f"/bank?{urlencode({'words': words})}")["items"])

    def take_question(self, survey: int, key: str) -> str:
        """POST bank: add the question, and return its new key."""
        return str(self.client.create(f"{self._address}/bank", {"survey": survey, "key": key})["key"])

    def comments(self) -> list[Document]:
        """GET comments."""
        return list(self._get("/comments")["items"])

    def comment(self, text: str, question: str = "") -> Document:
        """POST comments: on a question, or on the whole survey."""
        return dict(self.client.create(f"{self._address}/comments", {"text": text, "question": question}))

    def settle_comment(self, number: int, done: bool = True) -> Document:
        """PATCH comments/<number>."""
        return dict(self._change("PATCH", f"/comments/{number}", {"done": done}))

    # Before it opens --------------------------------------------------------------------------------------------------

    def preview(self) -> Document:
        """GET preview: the draft as respondents would see it, with its digest."""
        return dict(self._get("/preview"))

    def test_answers(self) -> list[Document]:
        """GET tests: your test reports. They are separate and never counted."""
        return list(self._get("/tests")["items"])

    def send_test_answer(self, report: Document) -> Document:
        """POST tests: send a report for the preview. Its digest is marked, so that no survey accepts it."""
        digest = "test-" + str(report["digest"]).removeprefix("test-")
        return dict(self.client.create(f"{self._address}/tests", {"report": report | {"digest": digest}}))

    def forget_test_answers(self) -> list[Document]:
        """DELETE tests."""
        return list(self._change("DELETE", "/tests")["items"])

    def trial(self, seed: int = 1) -> Document:
        """GET trial: the results of invented people. Another seed invents others."""
        return dict(self._get(f"/trial?seed={seed}"))

    # Privacy ----------------------------------------------------------------------------------------------------------

    def privacy(self) -> Document:
        """GET privacy: alphas, forms, strength, half-widths."""
        return dict(self._get("/privacy"))

    def propose(self, total: object, **wishes: Any) -> Document:
        """POST privacy/proposal: n, points, widths, own, crossed."""
        return dict(self._change("POST", "/privacy/proposal", {"total": total} | wishes))

    def take_proposal(self, total: object, **wishes: Any) -> Document:
        """PUT privacy/proposal: apply the proposal to the present draft; `which="everything"` has no forms."""
        return dict(self._change("PUT", "/privacy/proposal", self._marked({"total": total} | wishes)))

    def set_alpha(self, key: str, alpha: object, **mechanism: Any) -> Document:
        """PUT privacy/questions/<key>/alpha."""
        return dict(self._change("PUT", f"/privacy/questions/{key}/alpha", self._marked({"alpha": alpha} | mechanism)))

    def move(self, key: str, to: str, **more: Any) -> Document:
        """PUT privacy/questions/<key>/form: "everyone", "new" or a form's number; also, at."""
        return dict(self._change("PUT", f"/privacy/questions/{key}/form", self._marked({"to": to} | more)))

    def set_form(self, place: int, weight: int, alpha: object) -> Document:
        """PUT privacy/forms/<place>."""
        return dict(self._change("PUT", f"/privacy/forms/{place}", self._marked({"weight": weight, "alpha": alpha})))

    def set_draw(self, form: int, questions: list[str], together: bool) -> Document:
        """PUT privacy/draws: randomize questions of a form together or apart. Form 0 has the questions for everyone."""
        draw = {"form": form, "questions": questions, "together": together}
        return dict(self._change("PUT", "/privacy/draws", self._marked(draw)))

    def _marked(self, body: Document) -> Document:
        return {"mark": self.privacy()["mark"]} | body

    # People, evidence, jobs -------------------------------------------------------------------------------------------

    def people(self) -> Document:
        """GET people: members and open invitations."""
        return dict(self._get("/people"))

    def give_role(self, member: int, role: str) -> Document:
        """PUT people/<member>."""
        return dict(self._change("PUT", f"/people/{member}", {"role": role}))

    def remove_member(self, member: int) -> Document:
        """DELETE people/<member>."""
        return dict(self._change("DELETE", f"/people/{member}"))

    def role_link(self, role: str) -> Document:
        """POST people/invitations: a link that gives a role, shown only once."""
        return dict(self.client.create(f"{self._address}/people/invitations", {"role": role}))

    def revoke_role_link(self, number: int) -> Document:
        """DELETE people/invitations/<number>."""
        return dict(self._change("DELETE", f"/people/invitations/{number}"))

    def log(self) -> Iterator[Document]:
        """GET log."""
        return self.client.parts(f"{self._address}/log")

    def webhooks(self) -> list[Document]:
        """GET webhooks."""
        return list(self._get("/webhooks")["webhooks"])

    def add_webhook(self, url: str) -> Document:
        """POST webhooks: a webhook with its secret, which is shown only once."""
        return dict(self.client.create(f"{self._address}/webhooks", {"url": url}))

    def remove_webhook(self, number: int) -> Document:
        """DELETE webhooks/<number>."""
        return dict(self._change("DELETE", f"/webhooks/{number}"))

    def test_webhook(self, number: int) -> Document:
        """POST webhooks/<number>/tests."""
        return dict(self._change("POST", f"/webhooks/{number}/tests"))

    def repeat_alert(self, number: int, delivery: str) -> Document:
        """POST webhooks/<number>/deliveries/<delivery>/repeats."""
        return dict(self._change("POST", f"/webhooks/{number}/deliveries/{delivery}/repeats"))

    def jobs(self) -> list[Document]:
        """GET jobs."""
        return list(self._get("/jobs")["items"])

    def evidence(self) -> list[str]:
        """GET evidence: the names of the documents."""
        return [each["name"] for each in self._get("/evidence")["files"]]

    def document(self, name: str) -> bytes:
        """GET evidence/<name>."""
        return self.client.content(f"{self._address}/evidence/{quote(name)}")

    def disclosure(self) -> Document:
        """GET disclosure."""
        return dict(self._get("/disclosure"))

    def disclose(self, **fields: str) -> Document:
        """PATCH disclosure."""
        return dict(self._change("PATCH", "/disclosure", fields))

    def xlsform(self) -> bytes:
        """GET form.xlsx."""
        return self.client.content(f"{self._address}/form.xlsx")

    def import_remarks(self) -> Document:
        """GET imported: the result of the import that created the draft."""
        return dict(self._get("/imported"))

    def tick_import_remark(self, number: int, done: bool = True) -> Document:
        """PATCH imported/<number>."""
        return dict(self._change("PATCH", f"/imported/{number}", {"done": done}))

    def dismiss_import(self) -> None:
        """DELETE imported."""
        self._change("DELETE", "/imported")


class Results:
    """The published results of a survey, by its slug. Endpoints are below /surveys/<slug>."""

    def __init__(self, client: Client, slug: str) -> None:
        self.client, self.slug, self._address = client, slug, f"/surveys/{quote(slug, safe='')}"

    def survey(self) -> Document:
        """GET the survey, with its newest release."""
        return dict(self.client.get(self._address))

    def releases(self) -> Iterator[Document]:
        """GET releases, newest first."""
        return self.client.parts(f"{self._address}/releases")

    def wait_for_release(self, seconds: float = 600, final: bool = False) -> Document:
        """Return the newest release as soon as one exists; if `final`, the last one of an ended survey."""

        def ready() -> Document | None:
            latest: Document | None = self.survey()["latest"]
            return latest if latest and (latest["final"] or not final) else None

        return dict(self.client.wait(ready, seconds))

    def get(self, of: str, release: int | str = "latest", **query: Any) -> Any:
        """GET releases/<number>/<of>, such as "covariances", "comparisons" or "known", as JSON."""
        return self.client.get(self._of(release, of, query))

    def rows(self, of: str, release: int | str = "latest", **query: Any) -> list[dict[str, str]]:
        """Return the rows of a CSV, such as "shares" or "trend"."""
        return self.client.rows(self._of(release, f"{of}.csv", query))

    def estimates(self, release: int | str = "latest") -> list[dict[str, str]]:
        """GET estimates.csv: a row for each estimate, target and confidence."""
        return self.rows("estimates", release)

    def codebook(self, release: int | str = "latest") -> Document:
        """GET codebook."""
        return dict(self.get("codebook", release))

    def count(self, of: str, release: int | str = "latest", seconds: float = 600, **query: Any) -> Any:
        """Request an analysis and return it when it is ready. `of` is "crossings/<first>/<second>", "subgroups/<key>",
        "regression" with `model`, or "raking" with `margins`, both as JSON."""
        address = self._of(release, of, query)
        self.client.change("POST", address)

        def ready() -> Any:
            status, content = self.client.send("GET", address)
            return json.loads(content) if status == 200 else None

        return self.client.wait(ready, seconds)

    def microdata(self, folder: str | Path, seconds: float = 600) -> list[Path]:
        """Request the files of the newest release's randomized reports, and save them in a folder. Return the paths."""
        address = self._of("latest", "microdata", {})
        self.client.change("POST", address)

        def ready() -> Document | None:
            state = self.client.get(address)
            if state["state"] == "failed":
                raise RuntimeError(f"the files could not be made: {state['reason']}")
            return dict(state) if state["state"] == "ready" else None

        return [self._take(file, Path(folder)) for file in self.client.wait(ready, seconds)["files"]]

    def _take(self, file: Document, folder: Path) -> Path:
        path = folder / Path(file["name"]).name
        request = self.client.request("GET", file["url"])
        with self.client.opener.open(request, timeout=600) as source, path.open("wb") as target:
            shutil.copyfileobj(source, target)
        return path

    def invite(self, count: int, **wishes: str) -> list[str]:
        """POST invitations: return links, each for one person and shown only once; language, group."""
        return list(self.client.create(f"{self._address}/invitations", {"count": count} | wishes)["links"])

    def invite_by_mail(self, addresses: list[str], keeps: bool, **words: str) -> int:
        """POST invitations/emails; language, subject, text, group."""
        body = {"addresses": addresses, "keeps": keeps} | words
        return int(self.client.create(f"{self._address}/invitations/emails", body)["emails"])

    def invitations(self) -> Document:
        """GET invitations: counts, response rates, groups."""
        return dict(self.client.get(f"{self._address}/invitations"))

    def _of(self, release: int | str, of: str, query: Document) -> str:
        return f"{self._address}/releases/{release}/{of}" + (f"?{urlencode(query)}" if query else "")

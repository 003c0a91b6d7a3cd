"""The page that Mechanical Turk shows in a frame: it opens the study in a tab of its own, and sends the
completion code back by a form. Only Mechanical Turk's own pages may frame it."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from string import Template
from urllib.parse import urlencode, urlsplit

from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response

from groundling.studies.study import Study
from groundling.web.responses import static_response_files
from groundling.web.studies.participant_view import load_page_texts

NOT_ACCEPTED = "ASSIGNMENT_ID_NOT_AVAILABLE"
"""What Mechanical Turk sends to people who look at a task before they accept it."""
HOSTS = ("www.mturk.com", "worker.mturk.com", "workersandbox.mturk.com")
ORIGINS = " ".join(f"https://{host}" for host in HOSTS)
POLICY = (
    f"default-src 'none'; style-src 'self'; img-src 'self'; form-action {ORIGINS}; base-uri 'none'; "
    f"frame-ancestors {ORIGINS}"
)
FIELDS = ("workerId", "assignmentId", "hitId")


def frame_response(name: str, study: Study, given: Mapping[str, str]) -> Response:
    words = load_page_texts(study.language)["mturk"]
    if given.get("assignmentId", NOT_ACCEPTED) == NOT_ACCEPTED:
        content = _preview(study, words)
    else:
        content = _form(name, words, given)
    page = Template(static_response_files()["mturk.html"].decode())
    headers = {"content-security-policy": POLICY, "cache-control": "no-store"}
    filled = page.substitute(language=study.language, title=escape(study.title), content=content)
    return HTMLResponse(filled, headers=headers)


def _preview(study: Study, words: Mapping[str, str]) -> str:
    about = escape(study.recruiting.description)
    return f'<section class="card"><p>{about}</p><p class="note">{escape(words["preview"])}</p></section>'


def _form(name: str, words: Mapping[str, str], given: Mapping[str, str]) -> str:
    back = urlsplit(given.get("turkSubmitTo", ""))
    if back.scheme != "https" or back.hostname not in HOSTS or back.netloc != back.hostname:
        raise HTTPException(400, "this address does not come from Mechanical Turk: open the task there again")
    study = escape(f"/study/{name}?{urlencode({key: given.get(key, '') for key in FIELDS})}")
    action = escape(f"https://{back.hostname}/mturk/externalSubmit")
    assignment = escape(given["assignmentId"])
    link = f'<a class="button primary" href="{study}" target="_blank" rel="noopener">'
    return (
        f'<section class="card"><ol><li><p>{escape(words["open"])}</p>'
        f"<p>{link}{escape(words['start'])}</a></p></li>"
        f'<li><form method="post" action="{action}">'
        f'<input type="hidden" name="assignmentId" value="{assignment}">'
        f'<p><label for="code">{escape(words["code"])}</label></p>'
        f'<p><input type="text" id="code" name="code" required autocomplete="off"></p>'
        f"<p><button>{escape(words['submit'])}</button></p></form></li></ol></section>"
    )

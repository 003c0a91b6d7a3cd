"""Builds the documentation site: `make docs`.

The pages stay where they are also read on their own: in docs/, in the folders of games and papers.
This script copies them into one folder, leads their links to each other there, adds the pages that are made
from the code and replays of each game, and calls Zensical, which checks all links."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import tomli_w
from docs.reference_pages import commands_page, python_page, schemas_page, write_schemas
from examples.demo import SEATS, SETTINGS
from latex2mathml.converter import convert as convert_formula

import groundling
from groundling.core.pack import Pack, find, installed_packs
from groundling.report.episode import episode_step_pictures
from groundling.runs.run import open_run

ROOT = Path(__file__).parent.parent
FENCE = re.compile(r"^( *)(```|~~~).*?^\1\2 *$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
FORMULA = re.compile(r"\$\$(.+?)\$\$", re.DOTALL)
NAV: dict[str, list[str]] = {
    "Start": ["README.md", "docs/tutorial.md", "docs/notebooks.md"],
    "How to": [
        "docs/evaluate.md",
        "docs/compare.md",
        "docs/tournaments.md",
        "docs/abilities.md",
        "docs/players.md",
        "examples/README.md",
        "docs/web.md",
        "docs/deploy.md",
        "docs/studies.md",
        "docs/recruiting.md",
        "docs/annotation.md",
        "docs/agreement.md",
        "docs/train.md",
        "docs/environments.md",
        "docs/scale.md",
        "docs/publish.md",
        "docs/bridges.md",
    ],
    "Games": [f"src/groundling/games/{name}/README.md" for name in installed_packs()]
    + ["src/groundling/games/hexagons/GALLERY.md"],
    "Papers": ["docs/papers.md", "papers/hexagons/README.md", "papers/codraw/README.md", "weights/README.md"],
    "Reference": [
        "docs/commands.md",
        "reference/options.md",
        "reference/python.md",
        "docs/formats.md",
        "reference/schemas.md",
        "docs/statistics.md",
        "docs/prompts.md",
        "CHANGELOG.md",
    ],
    "Explanation": [
        "docs/fairness.md",
        "docs/architecture.md",
        "docs/privacy.md",
        "docs/accessibility.md",
        "docs/load.md",
        "docs/tasks.md",
        "CONTRIBUTING.md",
    ],
}
"""The pages in their order, as files of the repository; reference/ is made from the code."""
OTHERS = {
    "papers/codraw/log.md": "papers/codraw-log.md",
    "papers/hexagons/log.md": "papers/hexagons-log.md",
    **{f"examples/{path.name}": f"examples/{path.stem}.md" for path in (ROOT / "examples").glob("*.py")},
}
"""Further pages, which others link to."""


def page_path(source: str) -> str:
    """Where a file of the repository is in the site."""
    if source in OTHERS:
        return OTHERS[source]
    if source == "README.md":
        return "index.md"
    if found := re.fullmatch(r"src/groundling/games/(\w+)/README\.md", source):
        return f"games/{found[1]}.md"
    if found := re.fullmatch(r"(\w+)/(\w+)/README\.md", source):
        return f"{found[1]}/{found[2]}.md"
    if source.endswith("/README.md"):
        return source.removesuffix("/README.md") + ".md"
    if source.endswith("GALLERY.md"):
        return "games/hexagons-gallery.md"
    return source.removeprefix("docs/") if source.startswith("docs/") else source.lower()


def nav_sources() -> list[str]:
    """The pages that are files, without those that are not written yet."""
    return [page for part in NAV.values() for page in part if (ROOT / page).is_file()]


def page_title(text: str) -> str:
    return next(line[2:].replace("`", "") for line in text.splitlines() if line.startswith("# "))


class SitePages:
    """The folder of pages, from which the site is built."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.pages = {source: page_path(source) for source in [*nav_sources(), *OTHERS]}
        self.titles: dict[str, str] = {}

    def write_page(self, path: str, text: str) -> None:
        self.titles[path] = page_title(text)
        (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / path).write_text(text, encoding="utf-8")

    def copy_page(self, source: str) -> None:
        text = (ROOT / source).read_text(encoding="utf-8")
        if source.endswith(".py"):
            text = f"# {source}\n\n```python\n{text}```\n"
        else:
            text = "".join(
                part if is_code else self._adapt_text(part, source) for part, is_code in _split_code(text)
            )
        if found := re.fullmatch(r"games/(\w+)\.md", path := self.pages[source]):
            about, first_part, rest = text.partition("\n## ")
            pictures, replays = self._game_parts(find(found[1]))
            text = f"{about}\n{pictures}{first_part}{rest}{replays}"
        self.write_page(path, text)

    def _adapt_text(self, text: str, source: str) -> str:
        """Lead links to the site's pages, write formulas as MathML, and part lists from paragraphs, as
        Python-Markdown wants it."""
        text = LINK.sub(lambda found: self._adapt_link(found, source), text)
        text = re.sub(
            r"\$\$(.+?)\$\$",
            lambda found: convert_formula(found[1].strip(), display="block"),
            text,
            flags=re.DOTALL,
        )
        text = re.sub(r"\$([^$\n]+)\$", lambda found: convert_formula(found[1]), text)
        starts = r"(?:[-*] |\d+\. |\|)"
        text = re.sub(rf"^(?!{starts}|#|\s)(.+)\n(?={starts})", r"\1\n\n", text, flags=re.MULTILINE)
        return re.sub(r"^(#+ .*)\n(?=\S)", r"\1\n\n", text, flags=re.MULTILINE)

    def _adapt_link(self, found: re.Match[str], source: str) -> str:
        picture, label, link = found.groups()
        if re.match(r"\w+:|#", link) or not link:
            return found[0]
        file, hash_mark, anchor = link.partition("#")
        target = os.path.relpath((ROOT / source).parent / file, ROOT)
        if not (ROOT / target).exists():
            sys.exit(f"{source} links to {link}, which is not there: correct the link")
        if target in self.pages:
            path = self.pages[target]
        elif (ROOT / target).suffix in {".png", ".svg"}:
            path = f"files/{target}"
            (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / target, self.folder / path)
        else:  # a file of the repository that is no page
            return label if target.rsplit("/", 1)[-1] in label else f"{label} (`{target}`)"
        relative = os.path.relpath(path, Path(self.pages[source]).parent)
        return f"{picture}[{label}]({relative}{hash_mark}{anchor})"

    def _game_parts(self, pack: Pack) -> tuple[str, str]:
        """Pictures of what the seats see in one game; then replays to step through, and its text."""
        walk = (ROOT / f"src/groundling/games/{pack.name}/playthrough.txt").read_text(encoding="utf-8")
        seats, settings = SEATS[pack.name], SETTINGS.get(pack.name, {})
        folder = self.folder.parent / "runs" / pack.name
        run = groundling.play(pack.name, seat=seats, limit=8, out=folder, **settings)
        groundling.write_report(run, out=self.folder / f"games/{pack.name}-replay.html")
        players = " and ".join(f"`{player}` as {role}" for role, player in seats.items())
        return self._seat_pictures(pack, run), self._replay_parts(pack, players, walk)

    def _seat_pictures(self, pack: Pack, run: Path) -> str:
        """What each seat sees at the end of the first episode."""
        opened = open_run(run)
        first = next(iter(opened.read_transcripts()))
        steps = episode_step_pictures(pack, opened.make_game(), first)
        last = {name.split("-", 1)[1]: svg for name, svg in steps}
        figures = []
        for role in pack.roles:
            (self.folder / f"games/{pack.name}-{role}.svg").write_text(last[role], encoding="utf-8")
            caption = f"What the {role} sees at the end of an episode"
            picture = f'<img src="{pack.name}-{role}.svg" alt="{caption}">'
            figures.append(f"<figure>{picture}<figcaption>{caption}</figcaption></figure>")
        return f'<div class="seats">{"".join(figures)}</div>\n'

    def _replay_parts(self, pack: Pack, players: str, walk: str) -> str:
        page = f"{pack.name}-replay.html"
        return (
            f"\n## Step through games\n\nEight games of {players}: what both seats saw and said. "
            f"`groundling report` writes such pages. [Open it alone]({page})\n\n"
            f"<iframe src='{page}#episodes' class='replay' title='Replays of {pack.name}' loading='lazy'>"
            '</iframe>\n\n## A whole game as text\n\n??? note "playthrough.txt"\n\n'
            + _indented(f"```text\n{walk}```\n")
        )


def _split_code(text: str) -> Iterator[tuple[str, bool]]:
    at = 0
    for found in FENCE.finditer(text):
        yield text[at : found.start()].rstrip("\n") + "\n\n", False
        yield found[0] + "\n", True
        at = found.end()
    yield text[at:], False


def _indented(text: str) -> str:
    return "".join(f"    {line}" for line in text.splitlines(keepends=True))


def write_site_pages(folder: Path) -> SitePages:
    shutil.rmtree(folder, ignore_errors=True)
    pages = SitePages(folder)
    for source in pages.pages:
        pages.copy_page(source)
    games = [find(name) for name, point in installed_packs().items() if point.value.startswith("groundling.")]
    pages.write_page("reference/schemas.md", schemas_page(write_schemas(games, folder / "schemas")))
    pages.write_page("reference/options.md", commands_page())
    pages.write_page("reference/python.md", python_page())
    shutil.copytree(ROOT / "docs/site_files", folder, dirs_exist_ok=True)
    return pages


def site_config(pages: SitePages) -> dict[str, Any]:
    nav = []
    for part, sources in NAV.items():
        paths = [pages.pages.get(source, source) for source in sources]
        nav.append({part: [{pages.titles[path]: path} for path in paths if path in pages.titles]})
    nav[0]["Start"][0] = {"Overview": "index.md"}
    return {
        "project": {
            "site_name": f"groundling {groundling.__version__}",
            "site_description": "A testbed for grounded instruction giving and following",
            "docs_dir": pages.folder.name,
            "site_dir": "site",
            "use_directory_urls": False,
            "extra_css": ["site.css"],
            # in place of the file of this name that Zensical would load from the network
            "extra": {"polyfills": [{"path": "iframe-worker.js", "type": "text/javascript"}]},
            "nav": nav,
            "plugins": {"search": {}, "offline": {}},
            "validation": {"invalid_links": True, "invalid_link_anchors": True},
            "theme": {
                "font": False,
                "features": [
                    "content.code.copy",
                    "navigation.tabs",
                    "navigation.top",
                    "navigation.footer",
                    "search.highlight",
                    "toc.follow",
                ],
                "palette": [
                    {"media": f"(prefers-color-scheme: {name})", "scheme": scheme, "toggle": toggle}
                    for name, scheme, toggle in (
                        ("light", "default", {"icon": "lucide/sun", "name": "Dark colours"}),
                        ("dark", "slate", {"icon": "lucide/moon", "name": "Light colours"}),
                    )
                ],
            },
            "markdown_extensions": {
                "admonition": {},
                "attr_list": {},
                "footnotes": {},
                "md_in_html": {},
                "tables": {},
                "toc": {"permalink": True},
                "pymdownx": {"highlight": {}, "inlinehilite": {}, "superfences": {}, "details": {}},
            },
        }
    }


def main() -> int:
    parser = argparse.ArgumentParser(description="Build the documentation site.")
    parser.add_argument("-o", "--out", type=Path, default=ROOT / "build/docs", help="the folder to build in")
    out: Path = parser.parse_args().out.resolve()
    pages = write_site_pages(out / "pages")
    config = out / "zensical.toml"
    config.write_text(tomli_w.dumps(site_config(pages)), encoding="utf-8")
    command = [sys.executable, "-m", "zensical", "build", "--strict", "--clean", "-f", str(config)]
    status = subprocess.run(command, cwd=out).returncode
    print(f"{out / 'site/index.html'}: {len(pages.titles)} pages" if not status else "the site was not built")
    return status


if __name__ == "__main__":
    sys.exit(main())

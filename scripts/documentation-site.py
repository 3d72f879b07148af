#!/usr/bin/env python3
"""Parts of `./run docs` that DocC does not have.

documentation-site.py guides DOCS CATALOGUE  adds the Markdown files of DOCS to a DocC catalogue, in the groups of
                                             DOCS/README.md
documentation-site.py check SITE             checks the links, images and titles of a built site
documentation-site.py serve SITE [PORT]      serves a built site on loopback; port 0, the default, is a free port
"""

import functools
import http.server
import json
import os
import pathlib
import re
import shutil
import sys
import urllib.parse

LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")
CODE = re.compile(r"(^ *```.*?^ *```[^\n]*$|`[^`\n]+`)", re.MULTILINE | re.DOTALL)
# Pages of a site, without the fragment.
PAGE = re.compile(r"^/(documentation|tutorials)(/|$)")


def fail(*problems):
    for problem in problems:
        print(f"documentation-site: {problem}", file=sys.stderr)
    sys.exit(1)


# --- Guides


def fragments(text):
    """Returns the fragment of each heading in DocC, by its fragment on GitHub."""
    found = {}
    prose = CODE.sub(lambda code: "" if "\n" in code[0] else code[0], text)  # no comments of shell scripts
    for heading in re.findall(r"^##+ +(.+?) *$", prose, re.MULTILINE):
        plain = LINK.sub(r"\2", heading).replace("`", "").replace("*", "")
        github = re.sub(r"[^a-z0-9 _-]", "", plain.lower()).replace(" ", "-")
        found[github] = "-".join(plain.replace('"', "").replace("'", "").split())
    return found


def article(name, text, guides):
    """Returns a guide as an article: its links point to articles, or are only text outside of DOCS."""

    def link(found):
        image, label, target = found.groups()
        path, _, anchor = target.partition("#")
        if image:
            return f"![{label}]({os.path.basename(path)})"
        if "://" in target or target.startswith("mailto:"):
            return found[0]
        guide = path.removesuffix(".md") if path else name
        if guide not in guides:
            return label
        anchor = guides[guide][1].get(anchor, "")
        return f"[{label}](doc:{guide}{'#' if anchor else ''}{urllib.parse.quote(anchor)})"

    text = re.sub(r"^<!--.*?-->\n", "", text, flags=re.MULTILINE | re.DOTALL)
    # The navigator shows a title without markup.
    heading, _, body = text.partition("\n")
    text = heading.replace("`", "") + "\n" + body
    # The code spans are replaced by numbers while the links change, because a label can contain code.
    spans = []

    def hide(code):
        spans.append(code[0])
        return f"\0{len(spans) - 1}\0"

    text = LINK.sub(link, CODE.sub(hide, text))
    return re.sub("\0(\\d+)\0", lambda number: spans[int(number[1])], text)


def add_guides(docs, catalogue):
    texts = {file.stem: file.read_text() for file in sorted(docs.glob("*.md")) if file.name != "README.md"}
    guides = {name: (text, fragments(text)) for name, text in texts.items()}
    (catalogue / "Guides").mkdir()
    for name, (text, _) in guides.items():
        (catalogue / "Guides" / f"{name}.md").write_text(article(name, text, guides))
    shutil.copytree(docs / "images", catalogue / "Images")

    topics = []
    if (catalogue / "Tutorials").is_dir():
        tables = [file.stem for file in sorted((catalogue / "Tutorials").glob("*.tutorial"))
                  if file.read_text().lstrip().startswith("@Tutorials(")]
        topics.append("### Tutorials\n\n" + "".join(f"- <doc:/tutorials/{name}>\n" for name in tables))
    listed = set()
    for section in re.split(r"^## ", (docs / "README.md").read_text(), flags=re.MULTILINE)[1:]:
        title, _, body = section.partition("\n")
        names = [name for name in dict.fromkeys(re.findall(r"\]\(([A-Za-z0-9-]+)\.md[)#]", body))
                 if name in guides and name not in listed]
        listed.update(names)
        if names:
            topics.append(f"### {title.strip()}\n\n" + "".join(f"- <doc:{name}>\n" for name in names))
    missing = sorted(set(guides) - listed)
    if missing:
        fail(*(f"{docs}/README.md does not list {name}.md" for name in missing))
    landing = catalogue / "Holdfast.md"
    landing.write_text(landing.read_text() + "\n" + "\n".join(topics))


# --- Check


def pages(site):
    """Yields the path and the contents of each page."""
    for file in sorted((site / "data").rglob("*.json")):
        path = "/" + str(file.relative_to(site / "data").with_suffix(""))
        if PAGE.match(path):
            yield path, json.loads(file.read_text())


def check(site):
    """Checks that each page has a title and can be opened, and that its links and images exist."""
    problems = set()
    known = {}
    anchors = {}
    for path, page in pages(site):
        known[path.lower()] = page
        text = json.dumps(page.get("primaryContentSections", [])) + json.dumps(page.get("sections", []))
        anchors[path.lower()] = {urllib.parse.unquote(name) for name in re.findall(r'"anchor": "([^"]+)"', text)}
    links = images = 0
    for path, page in known.items():
        title = page.get("metadata", {}).get("title", "")
        if not title.strip():
            problems.add(f"{path}: the page has no title")
        if not (site / path[1:] / "index.html").is_file():
            problems.add(f"{path}: the page has no index.html")
        # The chapters of a table of contents have no pages; the site shows them as headings.
        chapters = {module.get("reference") for module in page.get("hierarchy", {}).get("modules") or []}
        for name, reference in page.get("references", {}).items():
            url = reference.get("url", "")
            if name in chapters:
                continue
            if reference.get("type") in ("topic", "section", "link") and url.startswith("/"):
                links += 1
                target, _, fragment = url.partition("#")
                if target.lower() not in known:
                    problems.add(f"{path}: no such page: {url}")
                elif fragment and urllib.parse.unquote(fragment) not in anchors[target.lower()]:
                    problems.add(f"{path}: no such heading: {url}")
            if reference.get("type") in ("image", "video", "download"):
                for file in [variant["url"] for variant in reference.get("variants", [])] or [url]:
                    images += 1
                    if "://" not in file and not (site / urllib.parse.unquote(file.lstrip("/"))).is_file():
                        problems.add(f"{path}: no such file: {file}")
                if reference.get("type") == "image" and not reference.get("alt"):
                    problems.add(f"{path}: an image without a description: {name}")
    if not known:
        fail(f"{site} contains no pages; build them: ./run docs")
    if problems:
        fail(*sorted(problems))
    print(f"documentation-site: {len(known)} pages, {links} links and {images} files, no findings")


# --- Serve


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves the site, and redirects its root to the landing page."""

    def do_GET(self):
        if self.path in ("/", "/documentation", "/documentation/"):
            self.send_response(302)
            self.send_header("Location", "/documentation/holdfast/")
            self.send_header("Content-Length", "0")
            self.end_headers()
        else:
            super().do_GET()

    def log_message(self, *_):
        pass


def serve(site, port):
    if not (site / "index.html").is_file():
        fail(f"{site} contains no site")
    try:
        server = http.server.ThreadingHTTPServer(("127.0.0.1", port), functools.partial(Handler, directory=site))
    except OSError as error:
        fail(f"port {port} cannot be used: {error.strerror}")
    print(f"http://127.0.0.1:{server.server_port}/documentation/holdfast/", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        pass


def main(arguments):
    match arguments:
        case ["guides", docs, catalogue]:
            add_guides(pathlib.Path(docs), pathlib.Path(catalogue))
        case ["check", site]:
            check(pathlib.Path(site))
        case ["serve", site]:
            serve(pathlib.Path(site), 0)
        case ["serve", site, port] if port.isdecimal() and int(port) < 65536:
            serve(pathlib.Path(site), int(port))
        case _:
            fail("see the head of this file for the arguments")


if __name__ == "__main__":
    main(sys.argv[1:])

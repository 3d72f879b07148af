#!/usr/bin/env python3
"""Parts of `./run docs` that DocC does not have.

documentation-site.py catalogue FOLDER OUTPUT  copies the DocC catalogue of a module to OUTPUT. Links to files of the
                                               repository become links to pages of the site
documentation-site.py guides DOCS CATALOGUE    adds the Markdown files of DOCS and DOCS/reference to a DocC catalogue.
                                               Lists them and the articles of the modules in the groups of DOCS/README.md
documentation-site.py check SITE               checks the links, images and titles of a built site
documentation-site.py serve SITE [PORT]        serves a built site on loopback; port 0, the default, is a free port
"""

import functools
import http.server
import json
import os
import pathlib
import re
import shutil
import sys
import unicodedata
import urllib.parse

LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")
CODE = re.compile(r"(^ *```.*?^ *```[^\n]*$|`[^`\n]+`)", re.MULTILINE | re.DOTALL)
# The maximum number of lines of a file in the catalogue of a module.
LINES = 250
# Pages of a site, without the fragment.
PAGE = re.compile(r"^/(documentation|tutorials)(/|$)")


def fail(*problems):
    for problem in problems:
        print(f"documentation-site: {problem}", file=sys.stderr)
    sys.exit(1)


# --- Guides and articles


class Page:
    """A page of the site: its place there, and the fragments of its headings."""

    def __init__(self, file, bundle):
        self.text = file.read_text()
        self.bundle = bundle
        self.name = file.stem
        self.path = f"/documentation/{bundle}" if self.name == bundle else f"/documentation/{bundle}/{self.name}"
        self.fragments = fragments(self.text)

    @property
    def topic(self):
        """Returns the link to the page in a list of topics of another catalogue."""
        return f"doc:/{self.bundle}/{self.name}"


def pages_of(root):
    """Returns the pages of the repository that are also pages of the site, by their files."""
    guides = [file for folder in (root / "docs", root / "docs/reference") for file in sorted(folder.glob("*.md"))
              if file.name != "README.md"]
    articles = sorted(root.glob("Sources/*/*/Documentation.docc/*.md"))
    return {os.path.abspath(file): Page(file, bundle)
            for files, name in ((guides, lambda _: "Holdfast"), (articles, lambda file: file.parent.parent.name))
            for file in files for bundle in [name(file)]}


def fragments(text):
    """Returns the fragment of each heading in DocC, by its fragment on GitHub."""
    found = {}
    prose = CODE.sub(lambda code: "" if "\n" in code[0] else code[0], text)  # no comments of shell scripts
    for heading in re.findall(r"^##+ +(.+?) *$", prose, re.MULTILINE):
        plain = LINK.sub(r"\2", heading).replace("`", "").replace("*", "")
        github = re.sub(r"[^a-z0-9 _-]", "", plain.lower()).replace(" ", "-")
        # DocC joins the words with hyphens, and removes other punctuation.
        joined = "-".join(word for word in re.split(r"[\s\-\u2013\u2014]+", plain) if word)
        found[github] = "".join(c for c in joined if c == "-" or not unicodedata.category(c).startswith("P"))
    return found


def article(file, pages, images):
    """Returns the text of a page for DocC, and adds the files of its images to a set.

    A link to a page of the same catalogue becomes a link of DocC. A link to another page becomes its address on the
    site, because catalogues cannot refer to each other in a circle. A link to a file that is not a page becomes text.
    """
    own = pages[os.path.abspath(file)]

    def link(found):
        image, label, target = found.groups()
        path, _, anchor = target.partition("#")
        place = os.path.abspath(file.parent / path) if path else os.path.abspath(file)
        if image:
            images.add(place)
            return f"![{label}]({os.path.basename(path)})"
        if "://" in target or target.startswith("mailto:"):
            return found[0]
        page = pages.get(place)
        if page is None:
            return label
        fragment = urllib.parse.quote(page.fragments.get(anchor, ""))
        near = page.bundle == own.bundle and page.name != page.bundle
        return f"[{label}]({'doc:' + page.name if near else page.path.lower()}{'#' if fragment else ''}{fragment})"

    # A comment leaves empty lines, so that errors of DocC have the lines of the file.
    text = re.sub(r"^<!--.*?-->\n", lambda comment: "\n" * comment[0].count("\n"), own.text,
                  flags=re.MULTILINE | re.DOTALL)
    heading, _, body = text.partition("\n")
    if "``" not in heading:
        # The navigator shows a title without markup.
        text = heading.replace("`", "") + "\n" + body
    # The code spans are replaced by numbers while the links change, because a label can contain code.
    spans = []

    def hide(code):
        spans.append(code[0])
        return f"\0{len(spans) - 1}\0"

    text = LINK.sub(link, CODE.sub(hide, text))
    return re.sub("\0(\\d+)\0", lambda number: spans[int(number[1])], text)


def copy_images(images, folder):
    if images:
        folder.mkdir(exist_ok=True)
    for image in sorted(images):
        shutil.copy(image, folder)


def write_catalogue(catalogue, output):
    """Copies the catalogue of a module, with links that DocC can resolve."""
    pages = pages_of(catalogue.parents[3])
    module = catalogue.parent.name
    landing = catalogue / f"{module}.md"
    topics = set(re.findall(r"^- <doc:([^>]+)>", landing.read_text(), re.MULTILINE))
    missing = [file for file in sorted(catalogue.glob("*.md")) if file != landing and file.stem not in topics]
    if missing:
        fail(*(f"{landing} does not list <doc:{file.stem}> in its topics" for file in missing))
    for file in sorted(catalogue.glob("*.md")):
        if len(file.read_text().splitlines()) > LINES:
            fail(f"{file} has more than {LINES} lines; divide it")
    shutil.copytree(catalogue, output)
    images = set()
    for file in sorted(catalogue.glob("*.md")):
        (output / file.name).write_text(article(file, pages, images))
    copy_images(images, output / "Images")


def add_guides(docs, catalogue):
    pages = pages_of(docs.parent)
    (catalogue / "Guides").mkdir()
    images = set()
    for file, page in pages.items():
        if page.bundle == "Holdfast":
            (catalogue / "Guides" / f"{page.name}.md").write_text(article(pathlib.Path(file), pages, images))
    copy_images(images, catalogue / "Images")

    topics = []
    if (catalogue / "Tutorials").is_dir():
        tables = [file.stem for file in sorted((catalogue / "Tutorials").glob("*.tutorial"))
                  if file.read_text().lstrip().startswith("@Tutorials(")]
        topics.append("### Tutorials\n\n" + "".join(f"- <doc:/tutorials/{name}>\n" for name in tables))
    listed = set()
    for section in re.split(r"^## ", (docs / "README.md").read_text(), flags=re.MULTILINE)[1:]:
        title, _, body = section.partition("\n")
        files = [file for file in dict.fromkeys(os.path.abspath(docs / path)
                                                for path in re.findall(r"\]\(([^()#]+\.md)[)#]", body))
                 if file in pages and file not in listed]
        listed.update(files)
        if files:
            topics.append(f"### {title.strip()}\n\n" + "".join(
                f"- <{'doc:' + page.name if page.bundle == 'Holdfast' else page.topic}>\n"
                for page in map(pages.get, files)))
    missing = sorted(file for file, page in pages.items() if file not in listed and page.name != page.bundle)
    if missing:
        fail(*(f"{docs}/README.md does not list {os.path.relpath(file, docs)}" for file in missing))
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
        case ["catalogue", catalogue, output]:
            write_catalogue(pathlib.Path(os.path.abspath(catalogue)), pathlib.Path(output))
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

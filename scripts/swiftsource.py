"""Reads declarations, their documentation comments and their default values from Swift source files.

It is a reader for this package's formatted sources, not a parser of Swift. It fails if the brackets of a file do not
match.
"""
import re
from pathlib import Path

OPEN, CLOSE = "([{", ")]}"
DECLARATION = re.compile(
    r"^(?P<indent> *)(?:@[\w.]+(?:\([^()]*\))? +)*"
    r"(?P<modifiers>(?:(?:public|package|internal|fileprivate|private|open|final|static|class|indirect|nonisolated|"
    r"mutating|override|lazy|weak)(?:\([a-z()]+\))? +)*)"
    r"(?P<kind>struct|enum|class|actor|extension|protocol|case|let|var|init|func|subscript)\b(?P<rest>.*)$")


TOKEN = re.compile(
    r'(?P<comment>//[^\n]*|/\*.*?\*/)|(?P<hashes>#*)(?P<quote>"""|")|'
    r"(?P<regex>(?:(?<=[(,=:] )|(?<=\())(?P<extended>#?)/(?![ *)])(?:\\.|[^\n/\\]|(?<=#)/)*/(?P=extended))|"
    r"(?P<bracket>[()\[\]{}])", re.S)


def mask(text, path="text"):
    """Returns the text with blanks in place of comments and the contents of strings."""
    out, stack, i = [], [], 0

    def blank(end):
        nonlocal i
        out.append(re.sub(r"[^\n]", " ", text[i:end]))
        i = end

    while i < len(text):
        if stack and isinstance(stack[-1], tuple):  # In a string: (quote, number of #).
            quote, hashes = stack[-1]
            escape, end = "\\" + "#" * hashes, quote + "#" * hashes
            found = re.compile(re.escape(escape) + "|" + re.escape(end)).search(text, i)
            if not found:
                break
            blank(found.start())
            if found[0] == end:
                out.append(text[i:found.end()])
                i = found.end()
                stack.pop()
            elif text.startswith("(", found.end()):
                blank(found.end())
                out.append("(")
                i += 1
                stack.append(")")
            else:
                blank(found.end() + 1)
            continue
        found = TOKEN.search(text, i)
        if not found:
            out.append(text[i:])
            i = len(text)
            break
        out.append(text[i:found.start()])
        i = found.start()
        if found["comment"] or found["regex"]:
            blank(found.end())
            continue
        out.append(found[0])
        i = found.end()
        if found["quote"]:
            stack.append((found["quote"], len(found["hashes"])))
        elif found[0] in OPEN:
            stack.append(CLOSE[OPEN.index(found[0])])
        elif not stack or stack.pop() != found[0]:
            raise SystemExit(f"reference: {path}:{text.count(chr(10), 0, i) + 1}: unexpected {found[0]}")
    if stack:
        raise SystemExit(f"reference: {path}: a bracket or a string does not end")
    return "".join(out)


class Declaration:
    """A declaration: its kind, its name with the enclosing types, and its documentation."""

    def __init__(self, path, line, kind, modifiers, scope, name, text, doc, mark):
        self.path, self.line, self.kind, self.modifiers = path, line, kind, modifiers.split()
        self.scope, self.name, self.text, self.doc_lines, self.mark = scope, name, text, doc, mark

    @property
    def full(self):
        return ".".join([*self.scope, self.name])

    @property
    def is_public(self):
        return "public" in self.modifiers

    @property
    def module(self):
        return self.path.split("/")[2]

    @property
    def is_static(self):
        return "static" in self.modifiers

    @property
    def type(self):
        """The written type of a property; empty if the compiler infers it."""
        found = re.match(r":\s*([^={]+?)\s*(?:[={]|$)", self.text[len(self.name):].lstrip("`"))
        return found[1] if found else ""

    @property
    def default(self):
        """The initial value of a property as written; empty without one."""
        found = re.match(r"[^={]*=\s*(.+)$", self.text, re.S)
        return re.sub(r"\s*\{\s*(didSet|willSet)\b.*", "", " ".join(found[1].split()), flags=re.S) if found else ""

    def field(self, name):
        """The text of a list item `- NAME: text` of the documentation."""
        return self.split_doc()[1].get(name, "")

    @property
    def doc(self):
        """The documentation without such list items, as one line for each paragraph."""
        return self.split_doc()[0]

    def split_doc(self):
        paragraphs, fields, current = [""], {}, None
        for line in self.doc_lines:
            item = re.match(r"- (Evidence|Remedy|Reference|Error): (.*)", line)
            if item:
                current = item[1]
                fields[current] = item[2]
            elif current and line.startswith("  "):
                fields[current] += " " + line.strip()
            elif not line.strip():
                current = None
                paragraphs.append("")
            else:
                current = None
                paragraphs[-1] = (paragraphs[-1] + " " + line.strip()).strip()
        return plain(" ".join(p for p in paragraphs if p)), {k: plain(v) for k, v in fields.items()}


def plain(text):
    """Replaces links of DocC by code: ``Type/member(_:)`` becomes `Type.member(_:)`."""
    return re.sub(r"(?<!`)``([^`]+)``(?!`)", lambda link: "`" + re.sub(r"-swift\.\w+", "", link[1]).replace("/", ".") + "`", text)


TYPES = ("struct", "enum", "class", "actor", "extension", "protocol")


def read(path):
    """Returns the declarations of a file, outside of functions, in order."""
    text = Path(path).read_text()
    masked = mask(text, path)
    partner, stack = {}, []
    for bracket in re.finditer(r"[()\[\]{}]", masked):
        if bracket[0] in OPEN:
            stack.append(bracket.start())
        else:
            partner[stack.pop()] = bracket.start()
    found = []
    scan(str(path), text, masked, partner, 0, len(text), [], found)
    return found


def scan(path, text, masked, partner, position, end, scope, found):
    """Appends the declarations between two positions of a file, which are in one body."""
    doc, mark = [], ""
    while position < end:
        line_end = text.find("\n", position, end)
        line_end = end if line_end < 0 else line_end
        line, bare = text[position:line_end], masked[position:line_end]
        comment = line.strip()
        if comment.startswith("// MARK: "):
            mark = comment[len("// MARK: "):].strip("- ")
        if comment.startswith("///"):
            doc.append(comment[3:].removeprefix(" "))
        match = DECLARATION.match(bare)
        if not match:
            attribute = bare.lstrip().startswith("@")
            if comment and not comment.startswith("//") and not attribute:
                doc = []
            position = after_brackets(masked, partner, position, line_end)
            continue
        number = text.count("\n", 0, position) + 1
        start = position + match.end("kind")
        head = statement_end(masked, start)
        body = text[start:head].strip()
        kind = match["kind"]

        def append(name, body):
            found.append(Declaration(path, number, kind, match["modifiers"], scope, name, body, doc, mark))

        if kind in TYPES and head < end and masked[head] == "{":
            # An extension of an array or of a dictionary has no name.
            name = (re.match(r"`?([\w.]+)", body) or ["", "Array"])[1]
            append(name, body)
            scan(path, text, masked, partner, head + 1, partner[head], [*scope, *name.split(".")], found)
        else:
            for item in split_top(body) if kind == "case" else [body]:
                item = item.strip()
                name = re.match(r"`?(\w*)`?", item)
                append(name[1] or kind, name[1] + item[name.end():] if name[1] else item)
        doc = []
        position = after_brackets(masked, partner, head, text.find("\n", head) if "\n" in text[head:] else len(text))


def after_brackets(masked, partner, position, line_end):
    """Returns the start of the first line after a line and all brackets that open on it."""
    i = position
    while i < line_end:
        if i in partner:
            i = partner[i]
            found = masked.find("\n", i)
            line_end = max(line_end, len(masked) if found < 0 else found)
        i += 1
    return line_end + 1


def statement_end(masked, start):
    """Returns where a declaration's head, with its initial value, ends."""
    depth, i = 0, start
    while i < len(masked):
        c = masked[i]
        if c in "([":
            depth += 1
        elif c in ")]":
            depth -= 1
        elif c in "{}" and depth == 0:
            return i
        elif c == "\n" and depth == 0:
            following = masked[i:].lstrip()
            before = masked[start:i].rstrip()
            if not following.startswith((".", "+ ", "* ", "?", ": ", "<< ", "where ")) and not before.endswith(
                ("=", "+", "*", ",", "<<", ":")
            ):
                return i
        i += 1
    return len(masked)


def split_top(text, separator=","):
    """Splits a text at the commas that are outside of brackets and strings."""
    masked, parts, depth, start = mask(text), [], 0, 0
    for i, c in enumerate(masked):
        depth += (c in OPEN) - (c in CLOSE)
        if c == separator and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    return [*parts, text[start:]]


def parameters(declaration):
    """Returns {name: (type, default)} of an initializer."""
    masked = mask(declaration.text)
    start = masked.index("(")
    depth, end = 0, start
    for end in range(start, len(masked)):
        depth += (masked[end] in OPEN) - (masked[end] in CLOSE)
        if depth == 0:
            break
    found = {}
    for part in split_top(declaration.text[start + 1:end]):
        head, _, rest = part.partition(":")
        words = head.split()
        if words:
            kind, _, default = rest.partition(" = ")
            found[words[-1]] = (kind.strip(), " ".join(default.split()))
    return found

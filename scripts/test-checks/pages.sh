# A part of test-checks.sh: the checks that compare generated pages and pictures.
# shellcheck shell=sh

# site PAGE: creates a website with two pages. The first one has these references.
site() {
    rm -rf "$scratch/site"
    mkdir -p "$scratch/site/data/documentation/a" "$scratch/site/documentation/a/b" "$scratch/site/images"
    touch "$scratch/site/documentation/a/index.html" "$scratch/site/documentation/a/b/index.html" \
        "$scratch/site/images/a.png"
    printf '{"metadata": {"title": "A"}, "references": {%s}}\n' "$1" > "$scratch/site/data/documentation/a.json"
    printf '{"metadata": {"title": "B"}, "primaryContentSections": [{"anchor": "Steps"}]}\n' \
        > "$scratch/site/data/documentation/a/b.json"
}

# link URL and image FILE ALT: print a reference.
link() { printf '"x": {"type": "section", "url": "%s"}' "$1"; }
image() { printf '"x": {"type": "image", "alt": "%s", "variants": [{"url": "%s"}]}' "$2" "$1"; }

# Python assembles the documentation. Without it, ./run installs it before these scripts run.
if command -v python3 >/dev/null 2>&1; then
    cp "$root/scripts/documentation-site.py" "$scratch/scripts/"
    check="check $scratch/site"
    site "$(link /documentation/A/b#Steps)"
    accepted documentation-site.py "$check"
    site "$(image /images/a.png 'a picture')"
    accepted documentation-site.py "$check"
    site "$(link /documentation/c)"
    refused documentation-site.py '/documentation/a: no such page: /documentation/c' "$check"
    site "$(link /documentation/a/b#Nowhere)"
    refused documentation-site.py '/documentation/a: no such heading: /documentation/a/b#Nowhere' "$check"
    site "$(image /images/gone.png 'a picture')"
    refused documentation-site.py '/documentation/a: no such file: /images/gone.png' "$check"
    site "$(image /images/a.png '')"
    refused documentation-site.py '/documentation/a: an image without a description' "$check"
    site ''
    echo '{"metadata": {"title": " "}}' > "$scratch/site/data/documentation/a/b.json"
    refused documentation-site.py '/documentation/a/b: the page has no title' "$check"
    site ''
    rm "$scratch/site/documentation/a/b/index.html"
    refused documentation-site.py '/documentation/a/b: the page has no index.html' "$check"
    rm -rf "$scratch/site/data"
    refused documentation-site.py 'contains no pages' "$check"

    # The guides: links become links to articles, except in code and to files that are not guides.
    clean
    mkdir -p "$scratch/docs/images" "$scratch/catalogue"
    printf '# Documents\n\n## Start\n\n- [page](page.md)\n' > "$scratch/docs/README.md"
    printf '# The `page`\n\n[`a`](page.md#the-second-one) `[b](b.md)` [c](../c.md)\n\n## The second one\n' \
        > "$scratch/docs/page.md"
    printf '# Holdfast\n\n## Topics\n' > "$scratch/catalogue/Holdfast.md"
    accepted documentation-site.py "guides $scratch/docs $scratch/catalogue"
    printf '# The page\n\n[`a`](doc:page#The-second-one) `[b](b.md)` c\n\n## The second one\n' |
        cmp - "$scratch/catalogue/Guides/page.md"
    printf '# Holdfast\n\n## Topics\n\n### Start\n\n- <doc:page>\n' | cmp - "$scratch/catalogue/Holdfast.md"
    again() {
        rm -rf "$scratch/catalogue/Guides" "$scratch/catalogue/Images" "$scratch/copy"
        printf '# Holdfast\n\n## Topics\n' > "$scratch/catalogue/Holdfast.md"
    }
    again
    cp "$scratch/docs/page.md" "$scratch/docs/other.md"
    refused documentation-site.py 'docs/README.md does not list other.md' "guides $scratch/docs $scratch/catalogue"
    rm "$scratch/docs/other.md"

    # The articles of two modules. Links within a catalogue are links of DocC, links to other pages are addresses.
    folder=$scratch/Sources/Group
    a=$folder/HoldfastTrust/Documentation.docc
    mkdir -p "$a" "$folder/Other/Documentation.docc"
    printf '# ``HoldfastTrust``\n\n[page](Page.md)\n\n## Topics\n\n- <doc:Page>\n' > "$a/HoldfastTrust.md"
    printf '# ``Other``\n' > "$folder/Other/Documentation.docc/Other.md"
    printf '%s\n' '# The `Page`' '' '[g](../../../../docs/page.md#the-second-one) [s](../../../../scripts/x.md)' \
        '[own](#its-12--end) [other](../../Other/Documentation.docc/Other.md) ![a box](../../../../docs/images/box.svg)' '' \
        '<!-- one' 'two -->' '## Its 1/2 – "end"' > "$a/Page.md"
    touch "$scratch/docs/images/box.svg"
    accepted documentation-site.py "catalogue $a $scratch/copy"
    printf '%s\n' '# The Page' '' '[g](/documentation/holdfast/page#The-second-one) s' \
        '[own](doc:Page#Its-12-end) [other](/documentation/other) ![a box](box.svg)' '' '' '' '## Its 1/2 – "end"' |
        cmp - "$scratch/copy/Page.md"
    sed 's/Page.md/doc:Page/' "$a/HoldfastTrust.md" | cmp - "$scratch/copy/HoldfastTrust.md"
    [ -f "$scratch/copy/Images/box.svg" ]
    again
    refused documentation-site.py 'README.md does not list ../Sources/Group/HoldfastTrust/Documentation.docc/Page.md' \
        "guides $scratch/docs $scratch/catalogue"
    again
    printf -- '- [the page](../Sources/Group/HoldfastTrust/Documentation.docc/Page.md)\n' \
        >> "$scratch/docs/README.md"
    accepted documentation-site.py "guides $scratch/docs $scratch/catalogue"
    printf '%s\n' '# Holdfast' '' '## Topics' '' '### Start' '' '- <doc:page>' \
        '- <doc:/HoldfastTrust/Page>' | cmp - "$scratch/catalogue/Holdfast.md"
    again
    sed -i.before '/<doc:Page>/d' "$a/HoldfastTrust.md"
    refused documentation-site.py 'HoldfastTrust.md does not list <doc:Page> in its topics' "catalogue $a $scratch/copy"

    mv "$a/HoldfastTrust.md.before" "$a/HoldfastTrust.md"
    cp "$a/Page.md" "$scratch/said-before"
    seq 1 250 >> "$a/Page.md"
    refused documentation-site.py 'Page.md has more than 250 lines' "catalogue $a $scratch/copy"
    mv "$scratch/said-before" "$a/Page.md"

    # Samples in an article.
    cp "$root/scripts/check-snippets.py" "$root/scripts/debugbuild.py" "$scratch/scripts/"
    mkdir -p "$scratch/Documentation/Snippets" "$scratch/Tests/EndToEndTests/Documents" \
        "$scratch/Tests/Lab/HoldfastTestKitTests/Documents"
    touch "$scratch/Documentation/Snippets/Manifest.swift" "$scratch/README.md" \
        "$scratch/Tests/EndToEndTests/Documents/ReadmeSamples.swift" \
        "$scratch/Tests/Lab/HoldfastTestKitTests/Documents/TestingPageSamples.swift"
    sed -i.before '/^LEFT_OUT/,/^}/c\LEFT_OUT = {"docs/page.md": {}}' "$scratch/scripts/check-snippets.py"
    echo 'let a = 1' > "$scratch/Documentation/Snippets/PageSnippets.swift"
    printf '```swift\nlet a = 1\n```\n' >> "$a/Page.md"
    accepted check-snippets.py compare
    printf '```swift\nlet a = 2\n```\n' >> "$a/Page.md"
    refused check-snippets.py 'HoldfastTrust/Documentation.docc/Page.md: sample 2 is not part of a compiled file' compare
    rm "$scratch/docs/page.md" "$a/Page.md"
    refused check-snippets.py 'docs/page.md: scripts/check-snippets.py leaves out samples of this page' compare
    rm -rf "$scratch/Documentation" "$scratch/Tests/EndToEndTests" "$scratch/Tests/Lab" "$scratch/README.md"
fi

# sources: copies the sources and their reference pages.
sources() {
    clean
    rm -rf "$scratch/Sources"
    cp -R "$root/Sources" "$scratch/Sources"
    cp -R "$root/docs/reference" "$scratch/docs/reference"
    cp "$root/scripts/reference.py" "$root/scripts/swiftsource.py" "$root/scripts/settings-tests.txt" "$scratch/scripts/"
}
finding=Trust/HoldfastTrust/Verdicts/TrustFinding+Code.swift

sources
accepted reference.py --check
sed -i.before '/- Remedy: Issue a new certificate for the server/d' "$scratch/Sources/$finding"
refused reference.py 'unreadableLeaf has no line `- Remedy:`' --check
sources
sed -i.before 's/The server presented no certificate/The server sent nothing/' "$scratch/Sources/$finding"
refused reference.py 'docs/reference/refusals.md out of date' --check
accepted reference.py
accepted reference.py --check
sed -i.before 's/headBytes = 64 /headBytes = 32 /' "$scratch/Sources/Transport/HoldfastTransport/Client/TransportConfiguration.swift"
refused reference.py 'docs/reference/limits.md out of date' --check
sources
error=$scratch/Sources/Chat/ChatCenter/Appearance/ChatLocalizationError.swift
sed -i.before 's/<doc:Texts>/<doc:Gone>/' "$error"
refused reference.py '<doc:Gone>: there is no such article, or there are several' --check
sources
printf 'enum Box {\n    static let limit = random()\n}\n' > "$scratch/Sources/Trust/HoldfastTrust/Box.swift"
refused reference.py 'the number of Box.limit cannot be read' --check
printf 'enum Box {\n    static let limit = 7\n}\n' > "$scratch/Sources/Trust/HoldfastTrust/Box.swift"
refused reference.py 'Box.limit has no documentation' --check
printf 'public struct BoxError: Error {}\n' > "$scratch/Sources/Trust/HoldfastTrust/Box.swift"
refused reference.py 'BoxError has no line `- Remedy:`' --check
printf 'enum Box {\n' > "$scratch/Sources/Trust/HoldfastTrust/Box.swift"
refused reference.py 'Box.swift: a bracket or a string does not end' --check

# diagram LINE…: creates a diagram with these statements.
diagram() {
    clean
    mkdir -p "$scratch/docs/diagrams" "$scratch/docs/images"
    cp "$root/scripts/diagrams.py" "$scratch/scripts/"
    printf '%s\n' 'title: A box' 'desc: One box.' "$@" > "$scratch/docs/diagrams/box.txt"
}

diagram 'box a 10 10 100 40: name' 'box b 300 10 100 40: name' 'edge a.r -> b.l: to'
accepted diagrams.py
accepted diagrams.py --check
echo 'text 10 100: more' >> "$scratch/docs/diagrams/box.txt"
refused diagrams.py 'docs/images/box.svg out of date' --check
diagram 'box a 10 10 40 40: a name that does not fit'
refused diagrams.py 'is too long'
diagram 'edge a.r -> b.l: to'
refused diagrams.py 'there is no box a'
diagram 'circle a: name'
refused diagrams.py 'unknown statement: circle a: name'
printf 'static let columns = ["idle", "ready"]\nstatic let matrix = [\n    (.open, ["ready", "="]),\n    (.lost, ["=", "idle"]),\n    ]\n' \
    > "$scratch/Tests/ATests/Matrix.swift"
diagram 'matrix: Tests/ATests/Matrix.swift' 'box i 10 10 100 40: idle' 'box r 300 10 100 40: ready' \
    'edge i.r -> r.l events idle to ready:'
refused diagrams.py 'no edge shows lost from ready to idle'
echo 'edge r.b -> i.b via 350,90 60,90 events ready to idle:' >> "$scratch/docs/diagrams/box.txt"
accepted diagrams.py
printf 'One:\nTwo: One\n' > "$scratch/scripts/layering-of-two.txt"
diagram 'modules: scripts/layering-of-two.txt' 'layer Upper: up' 'layer Lower: low'
mkdir -p "$scratch/Sources/Upper/One" "$scratch/Sources/Lower/Two"
refused diagrams.py 'Two imports One of a higher layer'

# web: creates the files of the three pages, and their Swift files.
web() {
    clean
    for folder in Chat/ChatPage Servers/ChatDevServer/Desk Servers/PinReportDesk; do
        mkdir -p "$scratch/Sources/$folder/Web"
        echo 'a { }' > "$scratch/Sources/$folder/Web/page.css"
    done
    parts="$scratch/Sources/Chat/ChatPage/Web/page"
    contents="$scratch/Sources/Chat/ChatPage/Files/Contents"
    mkdir "$parts"
    echo 'first()' > "$parts/1-first.js"
    echo 'then()' > "$parts/2-then.js"
    accepted embed-page.sh
}

cp "$root/scripts/embed-page.sh" "$scratch/scripts/"
web
accepted embed-page.sh --check
sed -n '/page_js = \[/,/joined/p' "$contents/PageContents.swift" | tr -d ' \n' > "$scratch/said"
[ "$(cat "$scratch/said")" = 'staticletpage_js=[page_1_first_js,page_2_then_js,].joined()' ] || {
    echo "test-checks: embed-page.sh joins other parts: $(cat "$scratch/said")" >&2
    exit 1
}
echo 'more()' >> "$parts/2-then.js"
refused embed-page.sh 'differs from' --check
web
echo 'last()' > "$parts/3-last.js"
refused embed-page.sh 'differs from' --check
web
touch "$contents/PageContents+page_0_other_js.swift"
refused embed-page.sh 'differs from' --check
web
echo '"""##' >> "$parts/2-then.js"
refused embed-page.sh 'contains the end of a Swift literal'
web
head -c 40000 /dev/urandom | od -A n -t x1 > "$parts/2-then.js"
refused embed-page.sh 'bytes after gzip -9; the limit is 36864'
web
rm "$scratch/Sources/Servers/PinReportDesk/Web/page.css"
refused embed-page.sh 'PinReportDesk/Web has no files'
web
rm "$parts"/*.js
refused embed-page.sh 'Web/page has no parts'

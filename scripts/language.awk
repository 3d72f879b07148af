# Finds in Swift, Markdown and tutorial files what scripts/language.txt refuses, and in Markdown sentences that are too long.
# Set "rules" to the file of rules and "most" to the number of words that a sentence may have.

BEGIN {
    while ((getline line < rules) > 0) {
        if (line ~ /^#/ || line ~ /^[ ]*$/) continue
        if (line ~ /^allow /) { allowed[++allowedCount] = " (" substr(line, 7) ") "; continue }
        cut = match(line, /  +/)
        if (!cut) { print rules ": a rule needs a pattern, two blanks and advice: " line; exit 2 }
        patterns[++ruleCount] = " (" substr(line, 1, cut - 1) ") "
        advice[ruleCount] = substr(line, cut + RLENGTH)
    }
    if (!ruleCount) { print rules ": no rules"; exit 2 }
}

FNR == 1 { finish(); fenced = 0; name = FILENAME; tutorial = name ~ /\.tutorial$/; markdown = tutorial || name ~ /\.md$/ }

markdown {
    text = $0
    # A directive of DocC ends a paragraph.
    if (tutorial && text ~ /^[ ]*[@}]/) { finish(); next }
    if (text ~ /^[ ]*```/) { finish(); fenced = !fenced; next }
    if (fenced || text ~ /^[ ]*<!--/) { finish(); next }
    # A heading, a list item and a row of a table are paragraphs of their own.
    if (text ~ /^[ ]*$/ || text ~ /^[ ]*([-*#|>]|[0-9]+[.)])/) finish()
    gsub(/`[^`]*`/, "code", text)
    gsub(/\]\([^)]*\)/, "", text)
    if (text ~ /^[ ]*\|/) {
        cells = split(text, cell, "|")
        for (i = 1; i <= cells; i++) { add(cell[i]); finish() }
        next
    }
    sub(/^[ ]*([-*>]|#+|[0-9]+[.)])[ ]+/, "", text)
    add(text)
    next
}

# Swift: comments in neighbouring lines are one paragraph; each string literal is one.
{
    text = $0
    if (match(text, /^[ ]*\/\/\/?/)) {
        text = substr(text, RLENGTH + 1)
        if (text ~ /^[ ]*```/) { finish(); fenced = !fenced; next }
        if (fenced) next
        if (text ~ /^[ ]*$/ || text ~ /^[ ]*-[ ]/) finish()
        gsub(/`[^`]*`/, "code", text)
        add(text)
        next
    }
    fenced = 0
    finish()
    while (match(text, /"([^"\\]|\\.)*"/)) {
        literal = substr(text, RSTART + 1, RLENGTH - 2)
        rest = substr(text, 1, RSTART - 1) " " substr(text, RSTART + RLENGTH)
        if (literal ~ / /) { add(literal); finish() }
        text = rest
    }
    if (match(text, /[ ]\/\/[ ]/)) { add(substr(text, RSTART + 4)); finish() }
}

END { finish(); exit found > 0 }

# Takes the words of a line into the paragraph.
function add(text,   count, parts, i) {
    count = split(text, parts, /[ \t]+/)
    for (i = 1; i <= count; i++) if (parts[i] != "") { words[++wordCount] = parts[i]; lines[wordCount] = FNR }
}

# Judges the paragraph and forgets it.
function finish(   i, word, all, rule) {
    if (!wordCount) return
    all = " "
    for (i = 1; i <= wordCount; i++) {
        word = tolower(words[i])
        gsub(/[^a-z0-9'-]/, "", word)
        # A dash, and punctuation that ends a part of a sentence, separate words that do not belong together.
        all = all (word == "" ? "." : word) (words[i] ~ /[.:;]$/ ? ".end" : "") " "
    }
    if (markdown) sentences()
    for (i = 1; i <= allowedCount; i++) gsub(allowed[i], " . . ", all)
    for (rule = 1; rule <= ruleCount; rule++) judge(all, rule)
    wordCount = 0
}

function judge(all, rule,   before, parts, at, hit) {
    before = 0
    while (match(all, patterns[rule])) {
        hit = substr(all, RSTART + 1, RLENGTH - 2)
        at = before + split(substr(all, 1, RSTART), parts, " ") + 1
        complain(lines[at > wordCount ? wordCount : at], "\"" hit "\": " advice[rule])
        before += split(substr(all, 1, RSTART + RLENGTH - 1), parts, " ")
        all = substr(all, RSTART + RLENGTH - 1)
    }
}

# A sentence ends with a full stop, a question mark or an exclamation mark at the end of a word.
function sentences(   i, count, first) {
    for (i = 1; i <= wordCount; i++) {
        if (!count) first = i
        if (words[i] ~ /[A-Za-z0-9]/ && words[i] !~ /^[("]*code[),.;:"]*$/) count++
        if (words[i] ~ /[.?!][)"*]*$/ && words[i] !~ /^(e\.g\.|i\.e\.|etc\.)$/ || i == wordCount) {
            if (count > most) complain(lines[first], "a sentence of " count " words, expected at most " most)
            count = 0
        }
    }
}

function complain(line, text) {
    print name ":" line ": " text
    found++
}

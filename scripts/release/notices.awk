# Prints the copyright notices at the beginning of C and assembly files, each once. Vendored C code, such as BoringSSL,
# has its licenses only there.

# Prints the notice that was read, if it is new.
function finish() {
    if (tolower(text) ~ /copyright|licen[sc]e|public domain/ && !(text in known)) {
        known[text] = 1
        printf "%s\n%s", line, text
    }
    text = ""
    complete = 1
}

BEGIN { line = "-------------------------------------------------------------------------------" }
FNR == 1 {
    if (!complete) finish()
    complete = 0
    inside = 0
    text = ""
}
complete { next }
inside { text = text $0 "\n"; if (index($0, "*/")) inside = 0; next }
/^[ \t]*\/\*/ { text = text $0 "\n"; if (!index($0, "*/")) inside = 1; next }
/^[ \t]*\/\// { text = text $0 "\n"; next }
/^[ \t]*$/ { next }
# Assembly files and shims can begin with a condition.
/^#/ && text == "" { next }
{ finish() }
END { if (!complete) finish() }

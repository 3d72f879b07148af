# Prints a Swift file as Apple's compiler sees it: the conditions of #if and #elseif become true or false, and the stub
# replaces Foundation. A call of an optional requirement becomes a plain call. The number of lines does not change.
#
#   -v mode=macOS|iOS    the platform
#   -v list=1            instead prints, for each branch of a condition that names an Apple platform or module,
#                        "FILE:LINE active" or "FILE:LINE inactive"
#
# Fails for an unknown condition.

BEGIN {
    value["canImport(Darwin)"] = value["canImport(Security)"] = value["canImport(Network)"] = value["canImport(os)"] = "true"
    value["canImport(UserNotifications)"] = "true"
    value["canImport(UIKit)"] = value["os(iOS)"] = (mode == "iOS") ? "true" : "false"
    value["os(macOS)"] = (mode == "macOS") ? "true" : "false"
    value["canImport(Observation)"] = value["canImport(SwiftUI)"] = "true"
    value["canImport(FoundationNetworking)"] = value["canImport(FoundationEssentials)"] = "false"
    value["canImport(Glibc)"] = value["canImport(Musl)"] = value["os(Linux)"] = "false"
    # Holdfast does not support these platforms. Their branches are not checked.
    value["os(tvOS)"] = value["os(watchOS)"] = value["os(visionOS)"] = value["os(Android)"] = "false"
    apple = "canImport\\((Darwin|Security|Network|os|UIKit|UserNotifications|SwiftUI)\\)|os\\((iOS|macOS)\\)"
}

# Returns the value of a condition: true, false, or the condition itself if it does not test the platform (arch,
# compiler, swift).
function evaluate(text,   rest, name, before) {
    sub(/\/\/.*/, "", text)
    rest = text
    while (match(rest, /(canImport|os)\([A-Za-z_0-9]+\)/)) {
        name = substr(rest, RSTART, RLENGTH)
        if (!(name in value)) {
            print FILENAME ":" FNR ": " name " is not known to scripts/apple-branches.awk" > "/dev/stderr"
            failed = 1
            return text
        }
        rest = substr(rest, RSTART + RLENGTH)
        before = index(text, name)
        text = substr(text, 1, before - 1) value[name] substr(text, before + length(name))
    }
    do {
        before = text
        gsub(/!true/, "false", text)
        gsub(/!false/, "true", text)
        gsub(/\(true\)/, "true", text)
        gsub(/\(false\)/, "false", text)
        if (sub(/true && true/, "true", text)) continue
        if (sub(/true && false|false && true|false && false/, "false", text)) continue
        if (text ~ /&&/) continue
        if (sub(/true \|\| true|true \|\| false|false \|\| true/, "true", text)) continue
        sub(/false \|\| false/, "false", text)
    } while (text != before)
    gsub(/^ +| +$/, "", text)
    return text
}

/^[ ]*#(if|elseif)([ (!]|$)/ {
    isElse = $0 ~ /#elseif/
    directive = isElse ? "#elseif" : "#if"
    condition = $0
    sub(/^[ ]*#(if|elseif)/, "", condition)
    names = condition ~ apple && condition !~ ("!(" apple ")")
    condition = evaluate(condition)
    if (!isElse) {
        depth++
        taken[depth] = 0
        outer[depth] = depth == 1 || inside[depth - 1]
    }
    inside[depth] = outer[depth] && !taken[depth] && condition != "false"
    if (condition == "true") taken[depth] = 1
    if (list && names) print FILENAME ":" FNR " " (inside[depth] ? "active" : "inactive")
    if (!list) print directive " " condition
    next
}

/^[ ]*#else/ { inside[depth] = outer[depth] && !taken[depth] }
/^[ ]*#endif/ { depth-- }

list { next }
# Without Objective-C, protocols have no optional requirements.
{ gsub(/\.urlSession\?\(/, ".urlSession(") }
/^[ ]*(@[A-Za-z_]+[ ]+)*((public|package|internal)[ ]+)?import[ ]+Foundation([ ]|$)/ { sub(/Foundation/, "AppleFoundation") }
{ print }

END { if (failed) exit 1 }
